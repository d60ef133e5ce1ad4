"""Steps that call a user function for each item: map, filter, take_while, scan."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runtime.core.tensor import Array
from runtime.data.cursors import Cursor, State, Wrapping
from runtime.data.element_spec import Element
from runtime.data.functions import ElementFunction
from runtime.data.plan import UNKNOWN, Arrays, DatasetStep, InputPlan, Tensors
from runtime.data.random_access import RandomAccess, Where
from runtime.data.saved_items import item_data, item_of_data
from runtime.data.stacked_items import StackedItems
from runtime.ops.data.datasets import Item


@dataclass(frozen=True)
class Functional(DatasetStep):
    """A step that calls a function; the function's captured tensors are the step's own."""

    function: ElementFunction

    @property
    def own_width(self) -> int:
        return self.function.captured


@dataclass(frozen=True)
class Mapped(Functional):
    """The results of a function, one for each item."""

    @property
    def element(self) -> Element:
        return self.function.result

    @property
    def keeps_access(self) -> bool:
        return self.function.keeps_access

    def access_over(self, access: RandomAccess, own: Arrays) -> RandomAccess | None:
        return MappedAccess(access, self.function, own)

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return MappedCursor(below.start(), self.function, own)

    def as_text(self) -> str:
        return f"map({self.function})"


@dataclass(frozen=True)
class Filtered(Functional):
    """The items for which a predicate is true."""

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return FilteredCursor(below.start(), self.function, own)

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if size else 0

    def as_text(self) -> str:
        return f"filter({self.function})"


@dataclass(frozen=True)
class TakenWhile(Functional):
    """The items before the first one for which a predicate is false."""

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return WhileCursor(below.start(), self.function, own)

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if size else 0

    def as_text(self) -> str:
        return f"take_while({self.function})"


@dataclass(frozen=True)
class Scanned(Functional):
    """A function's results for each item and its state; the state comes first in its tensors.

    Attributes:
        kept: the number of tensors of the state.
        made: the Element of the items.
    """

    kept: int
    made: Element

    @property
    def element(self) -> Element:
        return self.made

    @property
    def own_width(self) -> int:
        return self.kept + self.function.captured

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return ScanCursor(below.start(), self.function, own[: self.kept], own[self.kept :])

    def as_text(self) -> str:
        return f"scan({self.function})"


class MappedAccess(RandomAccess):
    """Rows that a function computes from the rows of another set of rows."""

    def __init__(self, access: RandomAccess, function: ElementFunction, captured: Arrays) -> None:
        self._access, self._function, self._captured = access, function, captured
        self.size = access.size

    def gather(self, where: Where) -> tuple[Array, ...]:
        at_once = self._function.at_once
        assert at_once is not None
        count = where.stop - where.start if isinstance(where, slice) else len(where)
        return at_once(StackedItems(count, self._access.gather(where)), self._captured)


class _FunctionCalls(Wrapping):
    """Calls a function for items: vectorized for many, or one by one.

    If a vectorized call fails, items are computed one by one, so that the failing one raises.
    """

    def __init__(self, source: Cursor, function: ElementFunction, captured: Arrays) -> None:
        super().__init__(source)
        self._function, self._captured = function, captured
        self._apart: deque[Item] = deque()

    def _next(self) -> Item:
        return self._apart.popleft() if self._apart else next(self._source)

    def _called(self, item: Item) -> Item:
        return self._function(item, self._captured)

    def _rows(self, count: int) -> tuple[StackedItems, tuple[Array, ...]] | None:
        """Return rows of the source, and the function's results for them."""
        if self._apart or self._function.at_once is None:
            return None
        rows = self._source.rows(count)
        if rows is None or not rows.count:
            return None if rows is None else (rows, ())
        try:
            return rows, self._function.at_once(rows, self._captured)
        except Exception:
            self._apart.extend(rows.items())
            return None

    def save(self) -> State:
        return {**super().save(), "apart": [item_data(item) for item in self._apart]}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._apart = deque(item_of_data(item) for item in state["apart"])


class MappedCursor(_FunctionCalls):
    """Iterates over a function's results for items."""

    def __next__(self) -> Item:
        return self._called(self._next())

    def rows(self, count: int) -> StackedItems | None:
        found = self._rows(count)
        return None if found is None else StackedItems(found[0].count, found[1])


class FilteredCursor(_FunctionCalls):
    """Iterates over the items for which a predicate is true."""

    def __next__(self) -> Item:
        while True:
            item = self._next()
            if self._called(item)[0]:
                return item

    def rows(self, count: int) -> StackedItems | None:
        while (found := self._rows(count)) is not None:
            rows, tests = found
            if not rows.count:
                return rows
            kept = np.flatnonzero(tests[0])
            if len(kept):
                return StackedItems(len(kept), tuple([array[kept] for array in rows.arrays]))
        return None


class WhileCursor(_FunctionCalls):
    """Iterates over items until a predicate is false."""

    _has_ended = False

    def __next__(self) -> Item:
        if self._has_ended:
            raise StopIteration
        item = next(self._source)
        if not self._called(item)[0]:
            self._has_ended = True
            raise StopIteration
        return item

    def save(self) -> State:
        return {**super().save(), "has_ended": self._has_ended}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._has_ended = state["has_ended"]


class ScanCursor(Wrapping):
    """Iterates over the outputs of a function that also passes a state on."""

    def __init__(
        self, source: Cursor, function: ElementFunction, kept: Sequence[Array], captured: Arrays
    ) -> None:
        super().__init__(source)
        self._function, self._captured, self._kept = function, captured, tuple(kept)

    def __next__(self) -> Item:
        made = self._function((*self._kept, *next(self._source)), self._captured)
        self._kept = made[: len(self._kept)]
        return made[len(self._kept) :]

    def save(self) -> State:
        return {**super().save(), "kept": item_data(self._kept)}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._kept = item_of_data(state["kept"])
