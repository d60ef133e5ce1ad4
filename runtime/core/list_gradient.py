"""The gradient of a list: gradients of some of its items, and zeros for the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import starmap, zip_longest
from typing import Any, TypeAlias

import numpy as np

from runtime.core.variant import boxed, unboxed

Leaf: TypeAlias = "np.ndarray[Any, Any] | None"
# For each tensor of an item its gradient, None where nothing depends on it.
Leaves: TypeAlias = "tuple[Leaf, ...]"


class ItemGradients:
    """Gradients of items by position; a value, like the list it belongs to.

    Going over a loop backwards adds a little to it in each turn and seldom asks, so a sum only
    notes its parts, and they are added up when somebody wants to know.

    Args:
        parts: of which it is the sum: gradients of a single item, or others of these.
        limit: positions from here on do not count: the list is that long.

    >>> two = ItemGradients([(1, (np.array(5.0),)), (3, (np.array(7.0),))])
    >>> ItemGradients([two, (1, (np.array(1.0),))], limit=2)
    {1: (6.0,)}
    """

    __slots__ = ("_limit", "_parts", "_table")

    def __init__(self, parts: Any = (), limit: int | None = None) -> None:
        self._parts = tuple(parts)
        self._limit = limit
        self._table: Positions | None = None

    def table(self) -> Mapping[int, Leaves]:
        """Return the gradients by position, to be looked at before others are made of them."""
        return self._known().held()

    def at(self, position: int) -> Leaves:
        """Return the gradients of an item, nothing if it has none."""
        return self.table().get(position, ())

    def without(self, positions: Iterable[int]) -> ItemGradients:
        """Return them but for those at some positions."""
        made = ItemGradients()
        made._table = self._known().changed(dict.fromkeys(positions))
        return made

    def _known(self) -> Positions:
        if self._table is None:
            self._table, self._parts = self._added_up(), ()
        return self._table

    def _added_up(self) -> Positions:
        bases: list[tuple[Positions, int | None]] = []
        single: list[tuple[int, Leaves]] = []
        # Sums of sums can be as deep as a loop has turns, so they wait in a list.
        waiting: list[tuple[Any, int | None]] = [(self, None)]
        while waiting:
            part, limit = waiting.pop()
            if isinstance(part, ItemGradients):
                limit = _lower(limit, part._limit)
                if part._table is not None:
                    bases.append((part._table, limit))
                waiting.extend((each, limit) for each in part._parts)
            elif limit is None or part[0] < limit:
                single.append(part)
        return _sum_of(bases, single)

    def __repr__(self) -> str:
        table = self.table()
        items = (f"{at}: ({', '.join(map(_text, table[at]))},)" for at in sorted(table))
        return f"{{{', '.join(items)}}}"


def _sum_of(
    bases: list[tuple[Positions, int | None]], single: Iterable[tuple[int, Leaves]]
) -> Positions:
    """Add gradients of single items, and what is small, to the largest of some tables."""
    bases.sort(key=lambda base: len(base[0].held()))
    whole, limit = bases.pop() if bases else (Positions(), None)
    if limit is not None:
        whole = whole.limited(limit)
    more = list(single)
    for base, limit in bases:
        more += [each for each in base.held().items() if limit is None or each[0] < limit]
    changes: dict[int, Leaves | None] = {}
    held = whole.held()
    for position, leaves in more:
        known = changes.get(position) or held.get(position)
        changes[position] = leaves if known is None else _sums(known, leaves)
    return whole.changed(changes)


class Positions:
    """A table by position, of which another one can be made that differs in a few places.

    The two share one dict, which belongs to the one looked at last; the other knows what is
    different there (H. Baker, "Shallow binding makes functional arrays fast", 1991). So a loop
    that goes from one to the next copies nothing.

    >>> one = Positions().changed({1: (), 4: ()})
    >>> two = one.limited(4).changed({2: ()})
    >>> sorted(one.held()), sorted(two.held()), sorted(one.held())
    ([1, 4], [1, 2], [1, 4])
    """

    __slots__ = ("_changes", "_held", "_next", "_top")

    def __init__(self) -> None:
        self._held: dict[int, Leaves] = {}
        self._next: Positions | None = None
        self._changes: dict[int, Leaves | None] = {}
        # No position is as high.
        self._top = 0

    def held(self) -> dict[int, Leaves]:
        """Return the table, which is good until another one is looked at or made."""
        path, at = [], self
        while at._next is not None:
            path.append(at)
            at = at._next
        for older in reversed(path):
            newer, changes = older._next, older._changes
            assert newer is not None
            held = newer._held
            newer._changes = {each: held.get(each) for each in changes}
            newer._next, newer._held = older, {}
            _change(held, changes)
            older._next, older._held, older._changes = None, held, {}
        return self._held

    def changed(self, changes: dict[int, Leaves | None]) -> Positions:
        """Return a table with other gradients at some positions; None is for nothing there."""
        if not changes:
            return self
        held = self.held()
        made = Positions()
        made._held, made._top = held, max(self._top, max(changes) + 1)
        self._changes = {each: held.get(each) for each in changes}
        self._next, self._held = made, {}
        _change(held, changes)
        return made

    def limited(self, limit: int) -> Positions:
        """Return the table of the positions below a limit."""
        above = range(limit, self._top)
        held = self.held()
        few = above if len(above) < len(held) else list(held)
        made = self.changed({at: None for at in few if at >= limit and at in held})
        made._top = min(made._top, limit) if made is not self else made._top
        return made


def _change(held: dict[int, Leaves], changes: Mapping[int, Leaves | None]) -> None:
    for position, leaves in changes.items():
        if leaves is None:
            held.pop(position, None)
        else:
            held[position] = leaves


def added(one: Any, other: Any) -> Any:
    """Return the sum of the gradients of one tensor, which may be a list itself."""
    if one is None or other is None:
        return other if one is None else one
    if one.dtype.names is None:
        return np.asarray(one + other)
    return boxed(ItemGradients([unboxed(one), unboxed(other)]))


def _sums(some: Leaves, others: Leaves) -> Leaves:
    return tuple(starmap(added, zip_longest(some, others)))


def _lower(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)


def _text(leaf: Leaf) -> str:
    return str(None if leaf is None else leaf.tolist())
