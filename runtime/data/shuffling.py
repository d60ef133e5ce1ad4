"""The step that puts items in a random order: shuffle."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.variant import unboxed
from runtime.data.cursors import Cursor, State, Wrapping
from runtime.data.plan import UNKNOWN, Arrays, CountedStep, InputPlan, shown
from runtime.data.random_access import RandomAccess
from runtime.data.saved_items import item_data, item_of_data
from runtime.data.stacked_items import StackedItems
from runtime.errors import ArgumentValueError
from runtime.ops.data.dataset_state import RandomWords, ShuffleSeeds
from runtime.ops.data.datasets import Item

_DRAWN_AT_ONCE = 4096


@dataclass(frozen=True)
class Shuffled(CountedStep):
    """The items in random order, drawn from a buffer of `count`; the first tensor has the seeds."""

    @property
    def own_width(self) -> int:
        return 1 + super().own_width

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        seeds: ShuffleSeeds = unboxed(own[0])
        count = self.number(own[1:])
        if count < 1 and count != UNKNOWN:
            raise ArgumentValueError(f"shuffle: buffer_size must be at least 1, not {count}")
        access = below.access()
        if access is not None:
            return ShuffledAccess(access, access.size if count < 0 else count, seeds)
        return ShuffledCursor(below.start(), count, seeds)

    def as_text(self) -> str:
        return f"shuffle({shown(self.count)})"


class ShuffledAccess(Cursor):
    """Iterates over the rows of a random access in random order: it shuffles their indices."""

    def __init__(self, access: RandomAccess, size: int, seeds: ShuffleSeeds) -> None:
        self._access, self._size, self._seeds = access, min(size, access.size), seeds
        self._begin(seeds.next_epoch())

    def _begin(self, epoch: list[int]) -> None:
        self._epoch, self._at = epoch, 0
        self._numbers = self._order(self._seeds.words(epoch))

    def _order(self, words: RandomWords) -> Iterator[int]:
        size, count = self._size, self._access.size
        held = list(range(size))
        for first in range(0, count, _DRAWN_AT_ONCE):
            given = np.arange(first, min(first + _DRAWN_AT_ONCE, count))
            drawn = words.array(len(given)) % np.minimum(size, count - given)
            places = zip(((given + drawn) % size).tolist(), (given % size).tolist())
            # As in `ShuffledCursor`, the first of the remaining numbers takes the free position.
            for following, (chosen, start) in enumerate(places, first + size):
                number, held[chosen] = held[chosen], held[start]
                yield number
                held[start] = following

    def __next__(self) -> Item:
        rows = self.rows(1)
        if not rows.count:
            raise StopIteration
        return tuple([array[0, ...] for array in rows.arrays])

    def rows(self, count: int) -> StackedItems:
        chosen = np.fromiter(itertools.islice(self._numbers, count), np.int64)
        self._at += len(chosen)
        return StackedItems(len(chosen), self._access.gather(chosen) if len(chosen) else ())

    def save(self) -> State:
        return {"epoch": list(self._epoch), "at": self._at}

    def restore(self, state: State) -> None:
        self._seeds.go_on_after(state["epoch"])
        self._begin(list(state["epoch"]))
        self._at = sum(1 for _ in itertools.islice(self._numbers, state["at"]))


class ShuffledCursor(Wrapping):
    """Iterates over items in random order, with some of them in a buffer.

    The buffer is a ring. The next item is drawn from all of it; the oldest item takes its place,
    and the next item of the source takes the place of the oldest, as in TensorFlow.
    """

    def __init__(self, source: Cursor, size: int, seeds: ShuffleSeeds) -> None:
        super().__init__(source)
        self._size, self._seeds = size, seeds
        self._begin(seeds.next_epoch())

    def _begin(self, epoch: list[int]) -> None:
        self._epoch, self._words = epoch, self._seeds.words(epoch)
        self._ring: list[Any] = []
        # The numbers of items that have entered and left the buffer.
        self._taken = self._given = 0
        self._has_ended = False

    def _slot(self, number: int) -> int:
        return number if self._size < 0 else number % self._size

    def _fill(self) -> None:
        while not self._has_ended and (self._size < 0 or self._taken - self._given < self._size):
            item = next(self._source, None)
            if item is None:
                self._has_ended = True
            else:
                self._put(item)

    def _put(self, item: Any) -> None:
        slot = self._slot(self._taken)
        if slot == len(self._ring):
            self._ring.append(item)
        else:
            self._ring[slot] = item
        self._taken += 1

    def __next__(self) -> Item:
        self._fill()
        left = self._taken - self._given
        if not left:
            raise StopIteration
        ring, start = self._ring, self._slot(self._given)
        chosen = self._slot(self._given + self._words.next() % left)
        item, ring[chosen], ring[start] = ring[chosen], ring[start], None
        self._given += 1
        return item

    def save(self) -> State:
        mine = {"epoch": list(self._epoch), "given": self._given, "has_ended": self._has_ended}
        left = [self._ring[self._slot(n)] for n in range(self._given, self._taken)]
        return {**super().save(), **mine, "buffer": [item_data(item) for item in left]}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._seeds.go_on_after(state["epoch"])
        self._begin(list(state["epoch"]))
        self._words.skip(state["given"])
        items = [item_of_data(item) for item in state["buffer"]]
        self._given = self._taken = state["given"]
        self._ring = [None] * (self._given if self._size < 0 else min(self._given, self._size))
        for item in items:
            self._put(item)
        self._has_ended = state["has_ended"]
