"""Which object a container is, where it is one on one path and another on the other.

    if full: self.items = []      the list there was on one path, a new one on the other: in the
    self.items.append(x)          trace it is a third one, that holds what the one taken holds

A call must leave the list there was, with other items, where Python does. So beside what such a
container holds, the graph carries which one it is: one from outside of the function, or a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import runtime as rt
from autograph.backends.graph.values.nullable import Nullable
from autograph.backends.graph.values.several import Several
from autograph.backends.maybe import Maybe

if TYPE_CHECKING:
    from autograph.backends.graph.watching.reach import Watched

# The number of a container that calls make.
NEW = 0


class Numbered:
    """A container that is made anew in the trace, and the number of the one it is."""

    __slots__ = ("value", "number")

    def __init__(self, value: object, number: rt.Tensor) -> None:
        self.value, self.number = value, number


class Identities:
    """What one trace knows of that.

    Args:
        containers: lists, dicts and objects that were there before the trace.
        reach: what the function can reach, before it is traced and while it is.

    Attributes:
        options: the containers, by their numbers; None for a new one.
        used: the numbers that are in the graph.
    """

    def __init__(self, containers: Iterable[object], reach: Sequence[Watched]) -> None:
        self.reach = reach
        self.options: list[object] = [None, *containers]
        self.used = set[int]()
        self._numbers = {id(each): at for at, each in enumerate(self.options) if at != NEW}
        self._noted: dict[int, Numbered] = {}

    def __enter__(self) -> Identities:
        self._entered = _IDENTITIES.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _IDENTITIES.reset(self._entered)

    def is_outer(self, value: object) -> bool:
        """Tell whether a container is one from outside, or may be."""
        return id(value) in self._numbers or id(value) in self._noted

    def number_of(self, value: object) -> Any:
        """Return the number of the container that a value is: an int, or a tensor."""
        if isinstance(value, (Nullable, Maybe)):
            value = value.value
        if isinstance(value, Several):
            numbers = [self.number_of(option) for option in value.options]
            return rt.gather(rt.constant(numbers), value.index)
        if (noted := self._noted.get(id(value))) is not None:
            return noted.number
        number = self._numbers.get(id(value), NEW)
        self.used.add(number)
        return number

    def made_number(self, value: object) -> rt.Tensor | None:
        """Return the number of a container that was made anew, None if it is a new one at all."""
        noted = self._noted.get(id(value))
        return None if noted is None else noted.number

    def note(self, value: object, number: rt.Tensor) -> None:
        """Note which container one is that is made anew."""
        self._noted[id(value)] = Numbered(value, number)


_IDENTITIES: ContextVar[Identities | None] = ContextVar("identities", default=None)


def identities() -> Identities | None:
    """Return what the trace that is going on knows; None if nothing is outside of it."""
    return _IDENTITIES.get()


def is_outer(value: object) -> bool:
    """Tell whether a container was there before the function was called, in some runs at least.

    >>> is_outer([])
    False
    """
    known = _IDENTITIES.get()
    return known is not None and known.is_outer(value)


def number_of(value: object) -> rt.Tensor:
    """Return the number of the container that a value is."""
    known = _IDENTITIES.get()
    return rt.convert_to_tensor(NEW if known is None else known.number_of(value))


def note_number(value: object, number: rt.Tensor) -> None:
    """Note which container one is that is made anew."""
    known = _IDENTITIES.get()
    if known is not None:
        known.note(value, number)


def outer_identities() -> Sequence[int]:
    """Return the identities of the containers from outside, by their numbers."""
    known = _IDENTITIES.get()
    return () if known is None else tuple(map(id, known.options))
