"""The places a statement may write to: variables it names, containers it was seen to change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import runtime as rt
from autograph.backends.graph.contents import has_own_ways
from autograph.backends.undefined import Elsewhere, Undefined
from autograph.operators.state import State


@dataclass(frozen=True, slots=True)
class Entry:
    """One place inside a list, dict or object: `l[0]`, `d['k']`, `o.x`."""

    name: str
    read: Callable[[], object]
    write: Callable[[object], None]


class Whole:
    """A list or dict of a class of the user's, which stays the object it is."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


class Slots:
    """Named variables first, then entries of containers; read and written together.

    Args:
        state: the variables the statement names.
        count: how many of them matter after the statement; the rest only need restoring.
        entries: places found by watching the body.
    """

    def __init__(self, state: State, count: int, entries: Sequence[Entry] = ()) -> None:
        self._state = state
        self._count = count
        self._entries = tuple(entries)
        self.names = (*state.names[:count], *(e.name for e in entries))
        self._initial = tuple(map(_whole, state.get()))
        self.initial = (*self._initial[:count], *(e.read() for e in entries))

    @property
    def elsewhere(self) -> dict[str, Elsewhere]:
        """The names that are no places: code of the user's runs when they are assigned."""
        pairs = zip(self.names, self._initial)
        return {name: value for name, value in pairs if isinstance(value, Elsewhere)}

    def new(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return the entries among these that are no slots yet."""
        known = set(self.names).difference(self.elsewhere)
        known.update(entry.name for entry in self._entries)
        return [entry for entry in entries if entry.name not in known]

    def with_entries(self, entries: Sequence[Entry]) -> Slots:
        """Return these slots and more entries, read anew."""
        return Slots(self._state, self._count, (*self._entries, *entries))

    def seeds(self, values: Sequence[object], shared: frozenset[int]) -> tuple[object, ...]:
        """Return `values` in fresh containers, so that a branch changes its own copy.

        An object known by several names stays itself: what happens to it is seen by watching it.
        """
        return tuple(value if id(value) in shared else fresh(value) for value in values)

    def write(self, values: Sequence[object]) -> None:
        """Put `values`, one per slot; variables without a slot get their first value back."""
        named = (*values[: self._count], *self._initial[self._count :])
        self._state.set(tuple(v.value if isinstance(v, Whole) else v for v in named))
        for entry, value in zip(self._entries, values[self._count :]):
            entry.write(value)

    def read(self) -> tuple[object, ...]:
        """Return the current values, one per slot."""
        named = map(_as_before, self._initial, self._state.get()[: self._count])
        return (*named, *(entry.read() for entry in self._entries))

    def restore(self) -> None:
        """Put back what was there before the statement."""
        self.write(self.initial)

    def finish(self, values: Sequence[object], in_place: Sequence[bool]) -> None:
        """Put the outcome; containers only changed in place keep their identity."""
        pairs = zip(self.initial, values, in_place)
        self.write([kept(old, new) if same else new for old, new, same in pairs])


def fresh(value: object) -> object:
    """Return `value` with new lists and dicts around the same leaves."""
    return rt.nest.map_structure(_same, value) if rt.nest.is_nested(value) else value


def kept(old: object, new: object) -> object:
    """Return `old` after giving it the contents of `new`, for lists and dicts; else `new`."""
    if type(old) is list and type(new) is list:
        old[:] = new
        return old
    if type(old) is dict and type(new) is dict:
        old.update(new)
        return old
    return new


def _whole(value: object) -> object:
    return Whole(value) if has_own_ways(value) else value


def _as_before(before: object, now: object) -> object:
    """Return what stands for `now`: the same mark as before, where it means the same."""
    if has_own_ways(now):
        is_same = isinstance(before, Whole) and before.value is now
        return before if is_same else Whole(now)
    if type(now) is type(before) and type(now) in (Undefined, Elsewhere):
        return before
    return now


def _same(value: object) -> object:
    return value
