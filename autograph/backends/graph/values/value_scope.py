"""The scope of values: whether a tensor of one path is available in the graph being recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any

import runtime as rt
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.lazy_iterator import LazyIterator
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import StagedIterationError
from runtime.core.context import current_recorder
from runtime.graph.graph import Graph

# True while objects have the contents that a path has left in them.
INSPECTING_PATH: ContextVar[bool] = ContextVar("as_left", default=False)


def is_available_here(value: object) -> bool:
    """Return whether all tensors in a value belong to the recorded graph or to graphs around it."""
    tensors = (each for each in parts_in(value) if isinstance(each, rt.SymbolicTensor))
    return all(_is_around(each.graph) for each in tensors)


def refuse_unavailable(iterator: LazyIterator) -> None:
    """Refuse an iterator whose items depend on values that another path computes.

    Raises:
        StagedIterationError: if its items depend on such values.
    """
    if not is_available_here(iterator.operands):
        raise StagedIterationError(
            f"the {type(iterator.like).__name__} that is iterated over here is given a value that "
            "only the branch or loop which makes it computes: give it a value that is computed "
            "before, or iterate over its items there",
            user_location(),
        )


def parts_in(value: object) -> Iterator[object]:
    """Yield a value and all of its parts, each once."""
    waiting, seen = [value], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) not in seen:
            seen.add(id(each))
            yield each
            waiting.extend(_parts(each))


def _parts(value: object) -> Sequence[object]:
    if type(value) is DynamicItems:
        return (value.handle,)
    if isinstance(value, OneOfObjects):
        return (value.index, *value.options)
    if isinstance(value, OptionalValue):
        return value.present, value.value
    if isinstance(value, PossiblyUnbound):
        return value.defined, value.value
    record = record_of(value)
    return rt.nest.children(value) or () if record is None else record.values


def _is_around(graph: Graph) -> bool:
    """Return whether a graph is the recorded one, or contains it."""
    around: Any = current_recorder()
    while around is not None and around is not graph:
        around = around.outer
    return around is graph
