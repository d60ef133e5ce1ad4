"""The step that repeats the items: repeat."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.data.cursors import Cursor, State
from runtime.data.plan import (
    INFINITE,
    UNKNOWN,
    Arrays,
    CountedStep,
    InputPlan,
    Tensors,
    shown,
)
from runtime.data.stacked_items import StackedItems
from runtime.ops.data.datasets import Item


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
