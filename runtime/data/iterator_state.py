"""Cursors: iterators over items whose position can be saved; and items stacked as rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from runtime.core.shapes import TensorShape
from runtime.core.tensor import Array
from runtime.errors import FailedPreconditionError, ShapeError
from runtime.ops.data.datasets import Item

# Numbers, texts, None and arrays, in lists and in dicts with texts as keys.
State: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True, slots=True)
class StackedItems:
    """Consecutive items, stacked as arrays with one more axis in front."""

    count: int
    arrays: tuple[Array, ...]

    def items(self) -> list[Item]:
        """Return the items one by one, as views.

        >>> StackedItems(2, (np.array([3, 4]),)).items()
        [(array(3),), (array(4),)]
        """
        return [tuple([array[at, ...] for array in self.arrays]) for at in range(self.count)]


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
    return _joined(parts, method)


def _some(cursor: Iterator[Item], count: int) -> list[Item]:
    items = []
    for item in cursor:
        items.append(item)
        if len(items) == count:
            break
    return items


def stacked(items: Sequence[Item], method: str) -> StackedItems:
    """Return items as rows.

    Raises:
        ShapeError: their shapes differ.

    >>> stacked([(np.array(3),), (np.array(4),)], "batch").arrays
    (array([3, 4]),)
    """
    return StackedItems(len(items), tuple([_one(column, method) for column in zip(*items)]))


def _one(arrays: Sequence[Array], method: str) -> Array:
    _check_alike((array.shape for array in arrays), method)
    return np.stack(arrays)


def _joined(parts: Sequence[StackedItems], method: str) -> StackedItems:
    if len(parts) < 2:
        return parts[0] if parts else StackedItems(0, ())
    columns = list(zip(*(part.arrays for part in parts)))
    for column in columns:
        _check_alike((array.shape[1:] for array in column), method)
    return StackedItems(sum(part.count for part in parts), tuple(map(np.concatenate, columns)))


def _check_alike(shapes: Iterable[tuple[int, ...]], method: str) -> None:
    found = {*shapes}
    if len(found) > 1:
        first, second, *_ = (TensorShape.of(shape) for shape in sorted(found))
        raise ShapeError(
            f"{method}: elements of shapes {first} and {second} cannot be one tensor: make them "
            "alike with map first, or use padded_batch"
        )
