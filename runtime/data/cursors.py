"""Cursors: iterators over the items of a dataset whose position can be saved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from runtime.data.stacked_items import StackedItems, concatenated_items, stacked
from runtime.errors import FailedPreconditionError
from runtime.ops.data.datasets import Item

# Numbers, texts, None and arrays, in lists and in dicts with texts as keys.
State: TypeAlias = "dict[str, Any]"


class Cursor(ABC):
    """Returns items one after the other; an item is the arrays of an element.

    A cursor may compute many items at once (`rows`) where the result is the same as one by one.
    """

    def __iter__(self) -> Cursor:
        return self

    @abstractmethod
    def __next__(self) -> Item:
        """Return the next item; StopIteration at the end."""

    def rows(self, count: int) -> StackedItems | None:
        """Return at least one and at most `count` of the next items; no rows at the end.

        None means that the next item can only be computed by itself.
        """
        return None

    @abstractmethod
    def save(self) -> State:
        """Return the state from which a new cursor of the same dataset can continue."""

    @abstractmethod
    def restore(self, state: State) -> None:
        """Continue from a saved state; only a cursor that has returned no item may be restored."""


class Wrapping(Cursor):
    """The base of cursors over the items of another one; by default without further state."""

    def __init__(self, source: Cursor) -> None:
        self._source = source

    def save(self) -> State:
        return {"source": self._source.save()}

    def restore(self, state: State) -> None:
        self._source.restore(state["source"])


class EmptyIterator(Cursor):
    """A cursor without items."""

    def __next__(self) -> Item:
        raise StopIteration

    def rows(self, count: int) -> StackedItems | None:
        return StackedItems(0, ())

    def save(self) -> State:
        return {}

    def restore(self, state: State) -> None:
        """Do nothing: there is only one position."""


class CountedIterator(Cursor):
    """The items of a Python iterator, counted, since a state can only be the number of items."""

    def __init__(self, begin: Callable[[], Iterator[Item]]) -> None:
        self._items, self._count = begin(), 0

    def __next__(self) -> Item:
        item = next(self._items)
        self._count += 1
        return item

    def save(self) -> State:
        return {"count": self._count}

    def restore(self, state: State) -> None:
        for _ in range(state["count"]):
            if next(self._items, None) is None:
                raise FailedPreconditionError(
                    f"restore: the iterator had given {state['count']} items when it was saved, "
                    f"and now there are only {self._count}"
                )
            self._count += 1


def next_rows(cursor: Cursor, count: int, method: str) -> StackedItems:
    """Return the next items as rows, `count` of them or the remaining ones.

    Raises:
        ShapeError: their shapes differ.
    """
    parts: list[StackedItems] = []
    found, single = 0, 0
    while found < count:
        rows = cursor.rows(count - found)
        if rows is None:
            # After one single item `rows` may return rows again; after two, the rest comes singly.
            single += 1
            wanted = 1 if single == 1 else count - found
            items = _some(cursor, wanted)
            found = count if len(items) < wanted else found + wanted
            rows = stacked(items, method) if items else StackedItems(0, ())
        elif not rows.count:
            break
        else:
            found, single = found + rows.count, 0
        parts.extend([rows] if rows.count else [])
    return concatenated_items(parts, method)


def _some(cursor: Iterator[Item], count: int) -> list[Item]:
    items = []
    for item in cursor:
        items.append(item)
        if len(items) == count:
            break
    return items
