"""Steps that select items by position: take, skip, shard."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.data.cursors import Cursor, EmptyIterator, State, Wrapping
from runtime.data.plan import (
    INFINITE,
    UNKNOWN,
    Arrays,
    CountedStep,
    DatasetStep,
    InputPlan,
    Tensors,
    shown,
)
from runtime.data.random_access import PartAccess, RandomAccess
from runtime.data.stacked_items import StackedItems
from runtime.errors import ArgumentValueError
from runtime.ops.data.datasets import Item


@dataclass(frozen=True)
class Taken(CountedStep):
    """The first `count` items; all of them for a negative number."""

    @property
    def keeps_access(self) -> bool:
        return True

    def access_over(self, access: RandomAccess, own: Arrays) -> RandomAccess | None:
        count = self.number(own)
        return access if count < 0 else PartAccess(access, 0, 1, min(count, access.size))

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        count = self.number(own)
        return below.start() if count < 0 else TakenCursor(below.start(), count)

    def size_of(self, size: int, own: Tensors) -> int:
        if self.count is None:
            return UNKNOWN if size else 0
        if self.count < 0 or size == UNKNOWN:
            return size if self.count else 0
        return self.count if size == INFINITE else min(size, self.count)

    def as_text(self) -> str:
        return f"take({shown(self.count)})"


@dataclass(frozen=True)
class Skipped(CountedStep):
    """The items after the first `count`; none for a negative number."""

    @property
    def keeps_access(self) -> bool:
        return True

    def access_over(self, access: RandomAccess, own: Arrays) -> RandomAccess | None:
        count = self.number(own)
        left = 0 if count < 0 else max(access.size - count, 0)
        return PartAccess(access, count, 1, left)

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        count = self.number(own)
        return EmptyIterator() if count < 0 else SkippedCursor(below.start(), count)

    def size_of(self, size: int, own: Tensors) -> int:
        if self.count is None:
            return UNKNOWN if size else 0
        if self.count < 0:
            return 0
        return size if size < 0 else max(size - self.count, 0)

    def as_text(self) -> str:
        return f"skip({shown(self.count)})"


@dataclass(frozen=True)
class Sharded(DatasetStep):
    """Every n-th item from a first one on; two tensors, n and the index of the first."""

    @property
    def own_width(self) -> int:
        return 2

    @property
    def keeps_access(self) -> bool:
        return True

    def access_over(self, access: RandomAccess, own: Arrays) -> RandomAccess | None:
        step, start = _shard(own)
        return PartAccess(access, start, step, max(-(-(access.size - start) // step), 0))

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return ShardCursor(below.start(), *_shard(own))

    def size_of(self, size: int, own: Tensors) -> int:
        if size < 0 or not all(hasattr(each, "numpy") for each in own):
            return size if size <= 0 else UNKNOWN
        step, start = _shard([each.numpy() for each in own])
        return max(-(-(size - start) // step), 0)

    def as_text(self) -> str:
        return "shard(...)"


def _shard(own: Arrays) -> tuple[int, int]:
    step, start = map(int, own)
    if step < 1 or not 0 <= start < step:
        raise ArgumentValueError(
            f"shard: index must be from 0 to num_shards - 1, not {start} of {step} shards"
        )
    return step, start


class TakenCursor(Wrapping):
    """Iterates over the first items, and computes no others."""

    def __init__(self, source: Cursor, count: int) -> None:
        super().__init__(source)
        self._left = count

    def __next__(self) -> Item:
        if not self._left:
            raise StopIteration
        self._left -= 1
        return next(self._source)

    def rows(self, count: int) -> StackedItems | None:
        if not self._left:
            return StackedItems(0, ())
        rows = self._source.rows(min(count, self._left))
        if rows is not None:
            self._left -= rows.count
        return rows

    def save(self) -> State:
        return {**super().save(), "left": self._left}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._left = state["left"]


class SkippedCursor(Wrapping):
    """Iterates over the items after the first, which are computed and dropped."""

    def __init__(self, source: Cursor, count: int) -> None:
        super().__init__(source)
        self._before = count

    def _skip(self) -> None:
        while self._before:
            self._before -= 1
            next(self._source)

    def __next__(self) -> Item:
        self._skip()
        return next(self._source)

    def rows(self, count: int) -> StackedItems | None:
        return None if self._before else self._source.rows(count)

    def save(self) -> State:
        return {**super().save(), "before": self._before}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._before = state["before"]


class ShardCursor(Wrapping):
    """Iterates over every n-th item; the others are computed and dropped."""

    def __init__(self, source: Cursor, step: int, start: int) -> None:
        super().__init__(source)
        self._step, self._before = step, start

    def __next__(self) -> Item:
        while self._before:
            self._before -= 1
            next(self._source)
        item = next(self._source)
        self._before = self._step - 1
        return item

    def save(self) -> State:
        return {**super().save(), "before": self._before}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._before = state["before"]
