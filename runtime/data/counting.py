"""Steps that count the items: enumerate, assert_cardinality."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runtime.core.dtypes import int64
from runtime.core.spec import TensorSpec
from runtime.data.cursors import Cursor, State, Wrapping
from runtime.data.element_spec import Element
from runtime.data.plan import (
    INFINITE,
    UNKNOWN,
    Arrays,
    CountedStep,
    InputPlan,
    Tensors,
    shown,
)
from runtime.data.random_access import NumberedAccess, RandomAccess
from runtime.data.stacked_items import StackedItems
from runtime.errors import FailedPreconditionError
from runtime.ops.data.datasets import Item


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
