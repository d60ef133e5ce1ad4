"""A list as an immutable value: a change returns another list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, TypeAlias

import numpy as np

Item: TypeAlias = "tuple[np.ndarray[Any, Any], ...]"

CHUNK = 128
_blank = object.__new__
SHOWN_ITEMS = 16


class ItemList:
    """A list: the first `length` items of chunks, which it shares with lists derived from it.

    Appending to a list that ends where its chunks end extends the last chunk; otherwise that chunk
    is copied first. So a loop that appends copies nothing, one that assigns copies one chunk and
    the list of chunks, and no list ever changes.

    An item is a tuple of arrays, whose shapes may differ between items.

    >>> one = ItemList([(np.array(1),)])
    >>> two = one.appended((np.array(2),))
    >>> one, two, two.replaced(0, (np.array(3),))
    ([1], [1, 2], [3, 2])
    """

    __slots__ = ("_chunks", "_length", "row")

    _chunks: list[list[Item]]
    _length: int
    row: np.ndarray[Any, Any] | None

    def __init__(self, items: Iterable[Item] = ()) -> None:
        held = list(items)
        self._chunks = [held[at : at + CHUNK] for at in range(0, len(held), CHUNK)]
        self._length = len(held)
        self.row = None

    @classmethod
    def of_row(cls, row: np.ndarray[Any, Any]) -> ItemList:
        """Return the list of a vector's elements, which become items when they are needed.

        >>> ItemList.of_row(np.arange(3)).appended((np.array(7),))
        [0, 1, 2, 7]
        """
        made: ItemList = _blank(cls)
        made._length, made.row = len(row), row
        return made

    def __getattr__(self, name: str) -> Any:
        """Create the chunks of a row at their first use."""
        if name != "_chunks":
            raise AttributeError(name)
        assert self.row is not None
        self._chunks = ItemList((each,) for each in elements_of(self.row))._chunks
        return self._chunks

    def appended(self, item: Item) -> ItemList:
        """Return this list with one more item."""
        made: ItemList = _blank(ItemList)
        length = self._length
        column = length % CHUNK
        if column:
            made._chunks = _grown(self._chunks, length // CHUNK, column, item)
        else:
            made._chunks = _with_chunk(self._chunks, length // CHUNK, [item])
        made._length, made.row = length + 1, None
        return made

    def extended(self, items: Iterable[Item]) -> ItemList:
        """Return this list with more items."""
        made = self
        for item in items:
            made = made.appended(item)
        return made

    def replaced(self, index: int, item: Item) -> ItemList:
        """Return this list with the item at a non-negative index replaced."""
        row, column = divmod(index, CHUNK)
        chunks = list(self._chunks)
        chunks[row] = list(chunks[row])
        chunks[row][column] = item
        return _made(chunks, self._length)

    def shortened(self, length: int) -> ItemList:
        """Return the first `length` items, which share the chunks."""
        return _made(self._chunks, length)

    def popped(self) -> tuple[ItemList, Item]:
        """Return this list without its last item, and the item; IndexError if the list is empty."""
        last = self._length - 1
        if last < 0:
            raise IndexError("pop from empty list")
        return self.shortened(last), self._chunks[last // CHUNK][last % CHUNK]

    def items(self) -> list[Item]:
        """Return the items as a new Python list."""
        # Limit each chunk: threads that extend the same chunk may both have appended to it.
        chunks = (islice(chunk, CHUNK) for chunk in self._chunks)
        return list(islice(chain.from_iterable(chunks), self._length))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Item:
        """Return an item; a negative `index` counts from the end."""
        length = self._length
        if not -length <= index < length:
            raise IndexError("list index out of range")
        row, column = divmod(index + length if index < 0 else index, CHUNK)
        return self._chunks[row][column]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items())

    def __reduce__(self) -> tuple[Any, ...]:
        return ItemList, (self.items(),)

    def __repr__(self) -> str:
        shown = [_item_text(self[at]) for at in range(min(self._length, SHOWN_ITEMS))]
        if self._length > SHOWN_ITEMS:
            shown.append(f"... {self._length - SHOWN_ITEMS} more")
        return f"[{', '.join(shown)}]"


def elements_of(row: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """Return the elements of a vector as scalar arrays, each a new object.

    >>> elements_of(np.array([2, 3]))
    [array(2), array(3)]
    """
    return [row[at, ...] for at in range(len(row))]


def _made(chunks: list[list[Item]], length: int) -> ItemList:
    made: ItemList = _blank(ItemList)
    made._chunks, made._length, made.row = chunks, length, None
    return made


def _grown(chunks: list[list[Item]], row: int, column: int, item: Item) -> list[list[Item]]:
    """Return a row of chunks with an item appended to a chunk that others may have extended."""
    chunk = chunks[row]
    if len(chunk) == column:
        chunk.append(item)
        if chunk[column] is item:
            return chunks
    # Another list, perhaps in another thread, has appended after our last item.
    return [*chunks[:row], [*chunk[:column], item]]


def _with_chunk(chunks: list[list[Item]], row: int, chunk: list[Item]) -> list[list[Item]]:
    """Return a row of chunks with another chunk; the row is copied if others appended to it."""
    if len(chunks) == row:
        chunks.append(chunk)
        if chunks[row] is chunk:
            return chunks
    return [*chunks[:row], chunk]


def _item_text(item: Item) -> str:
    leaves = [str(_plain(leaf.tolist())) for leaf in item]
    return leaves[0] if len(leaves) == 1 else f"({', '.join(leaves)})"


def _plain(value: Any) -> Any:
    """Return the object in the record that `tolist` returns for a variant."""
    return value[0] if isinstance(value, tuple) else value
