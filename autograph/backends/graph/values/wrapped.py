"""Values that a trace has put into others of its own, taken out again."""

from __future__ import annotations

from typing import Any

from autograph.backends.graph.program.contents import is_a
from autograph.backends.graph.program.positions import Positioned
from autograph.backends.graph.values.nullable import Nullable
from autograph.backends.maybe import Maybe
from autograph.operators.kinds import is_of_package, own_attributes


def unwrapped(value: Any) -> Any:
    """Return the user's value behind one that a trace has in its place, else the value itself.

    >>> unwrapped([1]), unwrapped(None)
    ([1], None)
    """
    if type(value) in (Nullable, Maybe):
        value = value.value
    if "stands_for" in own_attributes(type(value)) and is_of_package(type(value), "autograph"):
        value = value.stands_for
    return value.positions() if is_a(value, (Positioned,)) else value
