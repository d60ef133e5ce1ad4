"""The gradient of a list: for some positions the gradients of the item there, zeros elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import starmap, zip_longest
from typing import Any, TypeAlias

import numpy as np

from runtime.variant import boxed, unboxed

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
        self._table: dict[int, Leaves] | None = None

    def table(self) -> Mapping[int, Leaves]:
        """Return the gradients by position."""
        if self._table is None:
            self._table, self._parts = self._added_up(), ()
        return self._table

    def at(self, position: int) -> Leaves:
        """Return the gradients of an item, nothing if it has none."""
        return self.table().get(position, ())

    def moved(self, place: Callable[[int], int | None]) -> ItemGradients:
        """Return them at other positions; None leaves one out."""
        found = [(place(at), leaves) for at, leaves in self.table().items()]
        return ItemGradients((at, leaves) for at, leaves in found if at is not None)

    def _added_up(self) -> dict[int, Leaves]:
        table: dict[int, Leaves] = {}
        # Sums of sums can be as deep as a loop has turns, so they wait in a list.
        waiting: list[tuple[Any, int | None]] = [(self, None)]
        while waiting:
            part, limit = waiting.pop()
            if isinstance(part, ItemGradients):
                limit = _lower(limit, part._limit)
                inner = part._parts if part._table is None else part._table.items()
                waiting.extend((each, limit) for each in inner)
            elif limit is None or part[0] < limit:
                position, leaves = part
                known = table.get(position)
                table[position] = leaves if known is None else _sums(known, leaves)
        return table

    def __repr__(self) -> str:
        table = self.table()
        items = (f"{at}: ({', '.join(map(_text, table[at]))},)" for at in sorted(table))
        return f"{{{', '.join(items)}}}"


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
