"""Steps that select, repeat or count: take, skip, shard, repeat, enumerate, assert_cardinality."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runtime.core.dtypes import int64
from runtime.core.spec import TensorSpec
from runtime.data.cursors import Cursor, EmptyIterator, State, Wrapping
from runtime.data.element_spec import Element
from runtime.data.plan import (
    INFINITE,
    UNKNOWN,
    Arrays,
    CountedStep,
    DatasetStep,
    InputPlan,
    Tensors,
)
from runtime.data.random_access import NumberedAccess, PartAccess, RandomAccess
from runtime.data.stacked_items import StackedItems
from runtime.errors import ArgumentValueError, FailedPreconditionError
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
class Repeated(CountedStep):
    """The items repeated a number of times; without an end for a negative number."""

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return RepeatedCursor(below, self.number(own))

    def size_of(self, size: int, own: Tensors) -> int:
        if size == 0 or self.count == 0:
            return 0
        if self.count is None:
            return UNKNOWN
        if size < 0:
            return size
        return INFINITE if self.count < 0 else size * self.count

    def as_text(self) -> str:
        return f"repeat({'' if self.count == -1 else shown(self.count)})"


@dataclass(frozen=True)
class Enumerated(CountedStep):
    """Each item with its number, from a start on."""

    @property
    def element(self) -> Element:
        return Element((TensorSpec((), int64), self.source.element.structure))

    @property
    def keeps_access(self) -> bool:
        return True

    def access_over(self, access: RandomAccess, own: Arrays) -> RandomAccess | None:
        return NumberedAccess(access, self.number(own))

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return NumberedCursor(below.start(), self.number(own))

    def as_text(self) -> str:
        return f"enumerate({shown(self.count) if self.count != 0 else ''})"


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


def shown(count: int | None) -> str:
    """Return a number as text, which only a run may know."""
    return "..." if count is None else str(count)


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


class RepeatedCursor(Cursor):
    """Iterates over the repeated items; without items it ends, even if repeated without an end."""

    def __init__(self, below: InputPlan, times: int) -> None:
        self._below, self._left = below, times
        self._source: Cursor | None = None
        self._is_empty = False

    def _begin(self) -> Cursor:
        """Return the cursor over the items, or a new one; raise StopIteration at the end."""
        if self._source is None:
            if not self._left or self._is_empty:
                raise StopIteration
            self._left -= 1
            self._source, self._is_empty = self._below.start(), True
        return self._source

    def __next__(self) -> Item:
        while True:
            try:
                item = next(self._begin())
            except StopIteration:
                if self._source is None:
                    raise
                self._source = None
                continue
            self._is_empty = False
            return item

    def rows(self, count: int) -> StackedItems | None:
        while True:
            try:
                rows = self._begin().rows(count)
            except StopIteration:
                return StackedItems(0, ())
            if rows is None or rows.count:
                self._is_empty = self._is_empty and rows is None
                return rows
            self._source = None

    def save(self) -> State:
        source = None if self._source is None else self._source.save()
        return {"left": self._left, "is_empty": self._is_empty, "source": source}

    def restore(self, state: State) -> None:
        self._left, self._is_empty = state["left"], state["is_empty"]
        self._source = None
        if state["source"] is not None:
            self._source = self._below.start()
            self._source.restore(state["source"])


class NumberedCursor(Wrapping):
    """Iterates over items with their numbers."""

    def __init__(self, source: Cursor, start: int) -> None:
        super().__init__(source)
        self._at = start

    def __next__(self) -> Item:
        item = next(self._source)
        self._at += 1
        return (np.array(self._at - 1, np.int64), *item)

    def rows(self, count: int) -> StackedItems | None:
        rows = self._source.rows(count)
        if rows is None or not rows.count:
            return rows
        self._at += rows.count
        numbers = np.arange(self._at - rows.count, self._at, dtype=np.int64)
        return StackedItems(rows.count, (numbers, *rows.arrays))

    def save(self) -> State:
        return {**super().save(), "at": self._at}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._at = state["at"]


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


# -- a step that asserts the number of items -------------------------------------------------------


@dataclass(frozen=True)
class AssertedSize(CountedStep):
    """The items, with an assertion of their number."""

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        wanted = self.number(own)
        return below.start() if wanted == UNKNOWN else CountingCursor(below.start(), wanted)

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if self.count is None else self.count

    def as_text(self) -> str:
        return f"assert_cardinality({shown(self.count)})"


class CountingCursor(Wrapping):
    """Iterates over items and counts them."""

    def __init__(self, source: Cursor, wanted: int) -> None:
        super().__init__(source)
        self._wanted, self._given = wanted, 0

    def __next__(self) -> Item:
        item = next(self._source, None)
        is_late = item is not None and 0 <= self._wanted <= self._given
        if is_late or (item is None and self._given != self._wanted):
            wanted = "no end" if self._wanted == INFINITE else f"{self._wanted} elements"
            found = f"more than {self._given}" if is_late else f"{self._given}"
            raise FailedPreconditionError(
                f"assert_cardinality: the dataset must have {wanted}, but has {found}"
            )
        if item is None:
            raise StopIteration
        self._given += 1
        return item

    def save(self) -> State:
        return {**super().save(), "given": self._given}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._given = state["given"]
