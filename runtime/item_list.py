"""A list as a value: what looks like a change makes another list, and the old one stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import is_
from typing import Any, TypeAlias

import numpy as np

Item: TypeAlias = "tuple[np.ndarray[Any, Any], ...]"

SHOWN_ITEMS = 16


class ItemList:
    """The first `length` items of a buffer that lists made from one another share.

    Appending to the list that ends where the buffer does lets the buffer grow; any other one is
    copied first. So a loop that appends copies nothing, and nobody sees a list change.

    An item is a tuple of arrays, which may differ in shape from item to item.

    >>> one = ItemList([(np.array(1),)])
    >>> two = one.appended((np.array(2),))
    >>> one, two
    ([1], [1, 2])
    """

    __slots__ = ("_buffer", "_length")

    _buffer: list[Item]
    _length: int

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._buffer = list(items)
        self._length = len(self._buffer)

    @classmethod
    def _of(cls, buffer: list[Item], length: int) -> ItemList:
        made = cls.__new__(cls)
        made._buffer, made._length = buffer, length
        return made

    def appended(self, item: Item) -> ItemList:
        """Return this list with one more item."""
        length, buffer = self._length, self._buffer
        if len(buffer) == length:
            buffer.append(item)
            if buffer[length] is item:
                return self._of(buffer, length + 1)
        # Somebody else, perhaps another thread, has put something after our last item.
        return self._of([*buffer[:length], item], length + 1)

    def extended(self, items: Sequence[Item]) -> ItemList:
        """Return this list with more items."""
        length, buffer = self._length, self._buffer
        end = length + len(items)
        if len(buffer) == length:
            buffer.extend(items)
            if all(map(is_, buffer[length:end], items)):
                return self._of(buffer, end)
        return self._of([*buffer[:length], *items], end)

    def shortened(self, length: int) -> ItemList:
        """Return the first `length` items, which share the buffer."""
        return self._of(self._buffer, length)

    def items(self) -> list[Item]:
        """Return the items in a list of the caller's own."""
        return self._buffer[: self._length]

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Item:
        """Return an item, counted from the end when `index` is negative."""
        length = self._length
        if not -length <= index < length:
            raise IndexError("list index out of range")
        return self._buffer[index + length if index < 0 else index]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items())

    def __reduce__(self) -> tuple[Any, ...]:
        return ItemList, (self.items(),)

    def __repr__(self) -> str:
        shown = [_item_text(item) for item in self._buffer[: min(self._length, SHOWN_ITEMS)]]
        if self._length > SHOWN_ITEMS:
            shown.append(f"... {self._length - SHOWN_ITEMS} more")
        return f"[{', '.join(shown)}]"


def _item_text(item: Item) -> str:
    leaves = [str(_plain(leaf.tolist())) for leaf in item]
    return leaves[0] if len(leaves) == 1 else f"({', '.join(leaves)})"


def _plain(value: Any) -> Any:
    """Take the object out of the record that `tolist` makes of a variant."""
    return value[0] if isinstance(value, tuple) else value
