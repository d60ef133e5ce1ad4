"""Steps that combine several datasets: zip, concatenate, interleave, choose."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.data.cursors import Cursor, State, Wrapping
from runtime.data.element_spec import Element
from runtime.data.map_and_filter import Functional
from runtime.data.plan import INFINITE, UNKNOWN, Arrays, DatasetPlan, InputPlan, Tensors
from runtime.data.random_access import RandomAccess, ZippedAccess
from runtime.data.saved_items import item_data, item_of_data, restore_seeds
from runtime.data.stacked_items import StackedItems
from runtime.errors import ArgumentValueError
from runtime.ops.data.datasets import Item


@dataclass(frozen=True)
class MultiInputPlan(DatasetPlan):
    """The base of plans over several plans; `whole` is the Element of its items."""

    sources: tuple[DatasetPlan, ...]
    whole: Element

    @property
    def element(self) -> Element:
        return self.whole

    @property
    def width(self) -> int:
        return sum(source.width for source in self.sources)

    def each_with(self, own: Sequence[Any]) -> Iterator[tuple[DatasetPlan, Sequence[Any]]]:
        """Yield each source with its own tensors."""
        at = 0
        for source in self.sources:
            yield source, own[at : at + source.width]
            at += source.width

    def sizes(self, tensors: Tensors) -> list[int]:
        """Return the number of items of each source."""
        return [each.size(own) for each, own in self.each_with(tensors)]

    def started(self, arrays: Arrays) -> list[Cursor]:
        """Return a cursor over each source."""
        return [each.start(own) for each, own in self.each_with(arrays)]


@dataclass(frozen=True)
class Zipped(MultiInputPlan):
    """Items that consist of one item of each plan; the shortest plan ends it."""

    def access(self, arrays: Arrays) -> RandomAccess | None:
        parts = [each.access(own) for each, own in self.each_with(arrays)]
        known = [access for access in parts if access is not None]
        return ZippedAccess(known) if len(known) == len(parts) else None

    def cursor(self, arrays: Arrays) -> Cursor:
        return ZippedCursor(self.started(arrays))

    def size(self, tensors: Tensors) -> int:
        sizes = self.sizes(tensors)
        if 0 in sizes or UNKNOWN in sizes:
            return 0 if 0 in sizes else UNKNOWN
        return min([size for size in sizes if size != INFINITE], default=INFINITE)

    def __str__(self) -> str:
        return f"zip({', '.join(map(str, self.sources))})"


@dataclass(frozen=True)
class Concatenated(MultiInputPlan):
    """The items of each plan in turn."""

    def cursor(self, arrays: Arrays) -> Cursor:
        return ConcatenatedCursor([InputPlan(*pair) for pair in self.each_with(arrays)])

    def size(self, tensors: Tensors) -> int:
        sizes = self.sizes(tensors)
        if INFINITE in sizes or UNKNOWN in sizes:
            return INFINITE if INFINITE in sizes else UNKNOWN
        return sum(sizes)

    def __str__(self) -> str:
        first, *others = map(str, self.sources)
        return f"{first}.concatenate({', '.join(others)})"


@dataclass(frozen=True)
class ChooseFrom(MultiInputPlan):
    """The items of several plans, in the order given by a plan of indices.

    Attributes:
        stops: whether the end of one plan ends the dataset; else indices of ended plans are
            skipped.
    """

    stops: bool

    def cursor(self, arrays: Arrays) -> Cursor:
        *sources, numbers = self.started(arrays)
        return DirectedCursor(sources, numbers, self.stops)

    def size(self, tensors: Tensors) -> int:
        return UNKNOWN

    def __str__(self) -> str:
        *sources, numbers = map(str, self.sources)
        return f"choose_from_datasets([{', '.join(sources)}], {numbers})"


@dataclass(frozen=True)
class Interleaved(Functional):
    """The items of datasets that a function returns for the items, a block of each in turn.

    Attributes:
        inner: the plan of the datasets.
        cycle: the number of datasets iterated over at once.
        block: the number of consecutive items from each.
        word: the name of the method.
    """

    inner: DatasetPlan
    cycle: int
    block: int
    word: str

    @property
    def element(self) -> Element:
        return self.inner.element

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return InterleavedCursor(below.start(), self, own)

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if size else 0

    def as_text(self) -> str:
        return f"{self.word}({self.function})"


class ZippedCursor(Cursor):
    """Iterates over items of several cursors side by side."""

    def __init__(self, sources: Sequence[Cursor]) -> None:
        self._sources = sources

    def __next__(self) -> Item:
        if not self._sources:
            raise StopIteration
        return tuple(itertools.chain(*[next(source) for source in self._sources]))

    def save(self) -> State:
        return {"sources": [source.save() for source in self._sources]}

    def restore(self, state: State) -> None:
        for source, saved in zip(self._sources, state["sources"], strict=True):
            source.restore(saved)


class ConcatenatedCursor(Cursor):
    """Iterates over items of several datasets, one after the other."""

    def __init__(self, sources: Sequence[InputPlan]) -> None:
        self._sources, self._at = sources, 0
        self._current: Cursor | None = None

    def _begun(self) -> Cursor:
        if self._current is None:
            self._current = self._sources[self._at].start()
        return self._current

    def __next__(self) -> Item:
        while self._at < len(self._sources):
            item = next(self._begun(), None)
            if item is not None:
                return item
            self._at, self._current = self._at + 1, None
        raise StopIteration

    def rows(self, count: int) -> StackedItems | None:
        while self._at < len(self._sources):
            rows = self._begun().rows(count)
            if rows is None or rows.count:
                return rows
            self._at, self._current = self._at + 1, None
        return StackedItems(0, ())

    def save(self) -> State:
        current = None if self._current is None else self._current.save()
        return {"at": self._at, "current": current}

    def restore(self, state: State) -> None:
        self._at, self._current = state["at"], None
        if state["current"] is not None:
            self._begun().restore(state["current"])


class DirectedCursor(Cursor):
    """Iterates over items of several cursors, in the order given by a cursor of indices."""

    def __init__(self, sources: Sequence[Cursor], numbers: Cursor, stops: bool) -> None:
        self._sources, self._numbers, self._stops = sources, numbers, stops
        self._left = set(range(len(sources)))

    def __next__(self) -> Item:
        while self._left:
            number = int(next(self._numbers)[0])
            if not 0 <= number < len(self._sources):
                raise ArgumentValueError(
                    f"choose_from_datasets: a choice must be from 0 to {len(self._sources) - 1}, "
                    f"not {number}"
                )
            if number not in self._left:
                continue
            item = next(self._sources[number], None)
            if item is not None:
                return item
            self._left = set() if self._stops else self._left - {number}
        raise StopIteration

    def save(self) -> State:
        sources = [source.save() for source in self._sources]
        return {"sources": sources, "numbers": self._numbers.save(), "left": sorted(self._left)}

    def restore(self, state: State) -> None:
        for source, saved in zip(self._sources, state["sources"], strict=True):
            source.restore(saved)
        self._numbers.restore(state["numbers"])
        self._left = set(state["left"])


class InterleavedCursor(Wrapping):
    """Iterates over several datasets in turn; an ended one is replaced by the next.

    Each place of the cycle has the tensors of a dataset and a cursor over it.
    """

    def __init__(self, source: Cursor, plan: Interleaved, captured: Arrays) -> None:
        super().__init__(source)
        self._plan, self._captured = plan, captured
        self._places: list[tuple[Item, Cursor] | None] = [None] * plan.cycle
        self._at, self._given, self._has_ended = 0, 0, False

    def __next__(self) -> Item:
        while not self._has_ended or any(self._places):
            place = self._places[self._at]
            if place is None:
                self._fill()
                continue
            item = next(place[1], None)
            if item is not None:
                self._count(1)
                return item
            self._places[self._at] = None
            self._go_on()
        raise StopIteration

    def _fill(self) -> None:
        item = None if self._has_ended else next(self._source, None)
        if item is None:
            self._has_ended = True
            self._go_on()
            return
        arrays = self._plan.function(item, self._captured)
        self._places[self._at] = arrays, self._plan.inner.start(arrays)

    def _count(self, given: int) -> None:
        self._given += given
        if self._given == self._plan.block:
            self._go_on()

    def _go_on(self) -> None:
        self._at, self._given = (self._at + 1) % len(self._places), 0

    def rows(self, count: int) -> StackedItems | None:
        place = self._places[self._at]
        if place is None:
            return None
        rows = place[1].rows(min(count, self._plan.block - self._given))
        if rows is None or not rows.count:
            return None
        self._count(rows.count)
        return rows

    def save(self) -> State:
        places = [place and [item_data(place[0]), place[1].save()] for place in self._places]
        mine = {"at": self._at, "given": self._given, "has_ended": self._has_ended}
        return {**super().save(), **mine, "places": places}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._at, self._given = state["at"], state["given"]
        self._has_ended = state["has_ended"]
        for number, place in enumerate(state["places"]):
            if place is not None:
                arrays = item_of_data(place[0])
                cursor = self._plan.inner.start(arrays)
                cursor.restore(place[1])
                restore_seeds(arrays, place[0])
                self._places[number] = arrays, cursor
