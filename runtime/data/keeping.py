"""Steps that keep items: to give them in another order, once only, or again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.data.counting import shown
from runtime.data.cursor import Cursor, Rows, State, Wrapping
from runtime.data.plan import UNKNOWN, Arrays, Below, Counting, Step, Tensors
from runtime.data.saved import items_of, listed, unlisted
from runtime.data.view import View
from runtime.errors import ArgumentValueError
from runtime.ops.dataset_state import Seeds, Store
from runtime.ops.datasets import Item
from runtime.records import dataclass
from runtime.variant import unboxed

_DRAWN_AT_ONCE = 512


@dataclass(frozen=True)
class Shuffled(Counting):
    """The items in random order, each drawn from the next `count`; the first tensor has seeds."""

    @property
    def own(self) -> int:
        return 1 + super().own

    def over(self, below: Below, own: Arrays) -> Cursor:
        seeds: Seeds = unboxed(own[0])
        count = self.number(own[1:])
        if count < 1 and count != UNKNOWN:
            raise ArgumentValueError(f"shuffle: the size of a buffer is {count}")
        view = below.view()
        if view is not None:
            return ShuffledView(view, view.size if count < 0 else count, seeds)
        return ShuffledCursor(below.start(), count, seeds)

    def words(self) -> str:
        return f"shuffle({shown(self.count)})"


@dataclass(frozen=True)
class Cached(Step):
    """The items, kept when all were made; the tensor has the place to keep them."""

    @property
    def own(self) -> int:
        return 1

    def over(self, below: Below, own: Arrays) -> Cursor:
        store: Store = unboxed(own[0])
        parts = store.parts
        return CachingCursor(below, store) if parts is None else StoredCursor(parts)

    def words(self) -> str:
        return "cache()"


@dataclass(frozen=True)
class Unique(Step):
    """Each item once: where it comes for the first time."""

    def over(self, below: Below, own: Arrays) -> Cursor:
        return UniqueCursor(below.start())

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if size else 0

    def words(self) -> str:
        return "unique()"


class Order:
    """Which place of a full buffer is next, as long as it is filled again, and at the end."""

    def __init__(self, seeds: Seeds, epoch: list[int], size: int) -> None:
        self._stream, self._size = seeds.stream(epoch, 0), size
        self._last = seeds.stream(epoch, 1)
        self._drawn: list[int] = []

    def place(self) -> int:
        """Return the place of the next item, which another one then takes."""
        if not self._drawn:
            numbers = self._stream.integers(0, self._size, _DRAWN_AT_ONCE, np.int64)
            self._drawn = numbers.tolist()[::-1]
        return self._drawn.pop()

    def rest(self, count: int) -> np.ndarray[Any, Any]:
        """Return the order of the last items, which nothing follows."""
        return self._last.permutation(count)


class ShuffledView(Cursor):
    """Goes over rows in random order: it shuffles their numbers and then takes what they name."""

    def __init__(self, view: View, size: int, seeds: Seeds) -> None:
        self._view, self._size, self._seeds = view, min(size, view.size), seeds
        self._begin(seeds.next_epoch())

    def _begin(self, epoch: list[int]) -> None:
        self._epoch, self._at = epoch, 0
        self._numbers = self._order(Order(self._seeds, epoch, self._size))

    def _order(self, order: Order) -> Iterator[int]:
        held = list(range(self._size))
        for number in range(self._size, self._view.size):
            place = order.place()
            yield held[place]
            held[place] = number
        yield from np.array(held, np.int64)[order.rest(self._size)].tolist()

    def __next__(self) -> Item:
        rows = self.rows(1)
        if not rows.count:
            raise StopIteration
        return tuple([array[0, ...] for array in rows.arrays])

    def rows(self, count: int) -> Rows:
        chosen = np.fromiter(itertools.islice(self._numbers, count), np.int64)
        self._at += len(chosen)
        return Rows(len(chosen), self._view.gather(chosen) if len(chosen) else ())

    def save(self) -> State:
        return {"epoch": list(self._epoch), "at": self._at}

    def restore(self, state: State) -> None:
        self._seeds.go_on_after(state["epoch"])
        self._begin(list(state["epoch"]))
        self._at = sum(1 for _ in itertools.islice(self._numbers, state["at"]))


class ShuffledCursor(Wrapping):
    """Goes over items in random order, with some of them in a buffer.

    At the end of the source the items of the buffer are put in order, once, the next one last.
    """

    def __init__(self, source: Cursor, size: int, seeds: Seeds) -> None:
        super().__init__(source)
        self._size, self._seeds = size, seeds
        self._begin(seeds.next_epoch())

    def _begin(self, epoch: list[int]) -> None:
        self._epoch = epoch
        self._order = Order(self._seeds, epoch, max(self._size, 1))
        self._buffer: list[Item] = []
        self._given, self._has_ended = 0, False

    def __next__(self) -> Item:
        while not self._has_ended and (self._size < 0 or len(self._buffer) <= self._size):
            item = next(self._source, None)
            if item is None:
                order = self._order.rest(len(self._buffer))[::-1]
                self._buffer = [self._buffer[place] for place in order]
                self._has_ended = True
            else:
                self._buffer.append(item)
        if self._has_ended:
            if not self._buffer:
                raise StopIteration
            return self._buffer.pop()
        # The buffer is full, and the item that follows it takes the place of the one given.
        place = self._order.place()
        self._given += 1
        following = self._buffer.pop()
        chosen, self._buffer[place] = self._buffer[place], following
        return chosen

    def save(self) -> State:
        mine = {"epoch": list(self._epoch), "given": self._given, "has_ended": self._has_ended}
        return {**super().save(), **mine, "buffer": [listed(item) for item in self._buffer]}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._seeds.go_on_after(state["epoch"])
        self._begin(list(state["epoch"]))
        for _ in range(state["given"]):
            self._order.place()
        self._given, self._has_ended = state["given"], state["has_ended"]
        self._buffer = [unlisted(item) for item in state["buffer"]]


class CachingCursor(Cursor):
    """Goes over items and keeps them; at the end, others may have them."""

    def __init__(self, below: Below, store: Store) -> None:
        self._source, self._store = below.start(), store
        self._parts: list[Rows | Item] = []

    def __next__(self) -> Item:
        item = next(self._source, None)
        if item is None:
            self._store.parts = tuple(self._parts)
            raise StopIteration
        self._parts.append(item)
        return item

    def rows(self, count: int) -> Rows | None:
        rows = self._source.rows(count)
        if rows is not None and rows.count:
            self._parts.append(rows)
        elif rows is not None:
            self._store.parts = tuple(self._parts)
        return rows

    def save(self) -> State:
        return {
            "source": self._source.save(),
            "items": [listed(each) for each in items_of(self._parts)],
        }

    def restore(self, state: State) -> None:
        if "at" in state:
            for _ in range(state["at"]):
                next(self, None)
            return
        self._source.restore(state["source"])
        self._parts = [unlisted(item) for item in state["items"]]


class StoredCursor(Cursor):
    """Goes over items that were kept."""

    def __init__(self, parts: Any) -> None:
        self._parts = parts
        self._number, self._row, self._at = 0, 0, 0

    def __next__(self) -> Item:
        if self._number == len(self._parts):
            raise StopIteration
        part = self._parts[self._number]
        self._at += 1
        if not isinstance(part, Rows):
            self._number += 1
            item: Item = part
            return item
        row = self._row
        self._taken(part, 1)
        return tuple([array[row, ...] for array in part.arrays])

    def _taken(self, part: Rows, count: int) -> None:
        self._row += count
        if self._row == part.count:
            self._number, self._row = self._number + 1, 0

    def rows(self, count: int) -> Rows | None:
        if self._number == len(self._parts):
            return Rows(0, ())
        part = self._parts[self._number]
        if not isinstance(part, Rows):
            return None
        row, found = self._row, min(count, part.count - self._row)
        self._at += found
        self._taken(part, found)
        return Rows(found, tuple([array[row : row + found] for array in part.arrays]))

    def save(self) -> State:
        return {"at": self._at}

    def restore(self, state: State) -> None:
        for _ in range(state.get("at", len(state.get("items", ())))):
            next(self, None)


class UniqueCursor(Wrapping):
    """Goes over items that have not come before."""

    def __init__(self, source: Cursor) -> None:
        super().__init__(source)
        self._seen: set[object] = set()
        self._given: list[Item] = []

    def __next__(self) -> Item:
        while True:
            item = next(self._source)
            key = tuple([(array.shape, _key(array)) for array in item])
            if key not in self._seen:
                self._seen.add(key)
                self._given.append(item)
                return item

    def save(self) -> State:
        return {**super().save(), "given": [listed(item) for item in self._given]}

    def restore(self, state: State) -> None:
        super().restore(state)
        for each in state["given"]:
            item = unlisted(each)
            self._given.append(item)
            self._seen.add(tuple([(array.shape, _key(array)) for array in item]))


def _key(array: Any) -> object:
    return tuple(array.ravel().tolist())
