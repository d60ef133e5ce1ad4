"""The gradient of a list: gradients of some of its items, and zeros for the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import starmap, zip_longest
from typing import Any, TypeAlias

import numpy as np

from runtime.core.variant import boxed, unboxed

Leaf: TypeAlias = "np.ndarray[Any, Any] | None"
# The gradients of an item's tensors; None for a tensor that nothing depends on.
Leaves: TypeAlias = "tuple[Leaf, ...]"


class ItemGradients:
    """The gradients of a list's items by position; an immutable value, like the list.

    The backward pass of a loop adds a part in each iteration, but seldom reads the sum; so a sum
    only collects its parts, and adds them up when it is read.

    Args:
        parts: the parts of the sum: positions with gradients, or other ItemGradients.
        limit: the length of the list; positions from there on do not count.

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
        """Return the gradients by position; valid until others are derived from them."""
        return self._summed().as_dict()

    def at(self, position: int) -> Leaves:
        """Return the gradients of an item, () if it has none."""
        return self.table().get(position, ())

    def without(self, positions: Iterable[int]) -> ItemGradients:
        """Return the gradients without those at some positions."""
        made = ItemGradients()
        made._table = self._summed().with_changes(dict.fromkeys(positions))
        return made

    def _summed(self) -> Positions:
        if self._table is None:
            self._table, self._parts = self._add_parts(), ()
        return self._table

    def _add_parts(self) -> Positions:
        bases: list[tuple[Positions, int | None]] = []
        single: list[tuple[int, Leaves]] = []
        # Nested sums can be as deep as a loop has iterations, so there is no recursion.
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
    """Add gradients of single items, and smaller tables, to the largest table."""
    bases.sort(key=lambda base: len(base[0].as_dict()))
    whole, limit = bases.pop() if bases else (Positions(), None)
    if limit is not None:
        whole = whole.below(limit)
    more = list(single)
    for base, limit in bases:
        more += [each for each in base.as_dict().items() if limit is None or each[0] < limit]
    changes: dict[int, Leaves | None] = {}
    table = whole.as_dict()
    for position, leaves in more:
        known = changes.get(position) or table.get(position)
        changes[position] = leaves if known is None else _sums(known, leaves)
    return whole.with_changes(changes)


class Positions:
    """A persistent table by position, from which changed tables can be derived cheaply.

    Both tables share one dict, which belongs to the last one that was read; the other one stores
    its differences (H. Baker, "Shallow binding makes functional arrays fast", 1991). So a loop that
    goes from one to the next copies nothing.

    >>> one = Positions().with_changes({1: (), 4: ()})
    >>> two = one.below(4).with_changes({2: ()})
    >>> sorted(one.as_dict()), sorted(two.as_dict()), sorted(one.as_dict())
    ([1, 4], [1, 2], [1, 4])
    """

    __slots__ = ("_changes", "_dict", "_next", "_top")

    def __init__(self) -> None:
        self._dict: dict[int, Leaves] = {}
        self._next: Positions | None = None
        self._changes: dict[int, Leaves | None] = {}
        # An upper bound of the positions.
        self._top = 0

    def as_dict(self) -> dict[int, Leaves]:
        """Return the table as a dict, which is valid until another table is read or derived."""
        path, at = [], self
        while at._next is not None:
            path.append(at)
            at = at._next
        for older in reversed(path):
            newer, changes = older._next, older._changes
            assert newer is not None
            table = newer._dict
            newer._changes = {each: table.get(each) for each in changes}
            newer._next, newer._dict = older, {}
            _change(table, changes)
            older._next, older._dict, older._changes = None, table, {}
        return self._dict

    def with_changes(self, changes: dict[int, Leaves | None]) -> Positions:
        """Return a table with other gradients at some positions; None removes a position's."""
        if not changes:
            return self
        table = self.as_dict()
        made = Positions()
        made._dict, made._top = table, max(self._top, max(changes) + 1)
        self._changes = {each: table.get(each) for each in changes}
        self._next, self._dict = made, {}
        _change(table, changes)
        return made

    def below(self, limit: int) -> Positions:
        """Return the table of the positions below a limit."""
        above = range(limit, self._top)
        table = self.as_dict()
        few = above if len(above) < len(table) else list(table)
        made = self.with_changes({at: None for at in few if at >= limit and at in table})
        made._top = min(made._top, limit) if made is not self else made._top
        return made


def _change(table: dict[int, Leaves], changes: Mapping[int, Leaves | None]) -> None:
    for position, leaves in changes.items():
        if leaves is None:
            table.pop(position, None)
        else:
            table[position] = leaves


def added(one: Any, other: Any) -> Any:
    """Return the sum of two gradients of one tensor, which may itself be a list."""
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
