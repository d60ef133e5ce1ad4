"""`[0] * n` for an `n` that is known when the graph runs: a list of which the graph knows all."""

from __future__ import annotations

from typing import Any

import runtime as rt
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.program.places import user_place
from autograph.errors import StagingError
from runtime.ops.overloads import is_count


def repeated(value: list[Any] | tuple[Any, ...], count: Any) -> object:
    """Return `value * count`: repeated by a whole number, multiplied by any other tensor.

    Raises:
        StagingError: `value` is a tuple.
        ContainerMutationError: an item is a container, which would be in the list many times.
    """
    if not isinstance(count, (rt.Tensor, rt.Variable)) or not is_count(count):
        return value * count
    if isinstance(value, tuple):
        raise StagingError(
            "a tuple has to be as long as it is known while tracing, and how often this one is "
            "repeated is known only when the graph runs: make it a list",
            user_place(),
        )
    return StagedList(value) * count if value else []
