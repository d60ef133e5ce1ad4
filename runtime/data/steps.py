"""What may be done to the items of a dataset: one plan for each method of `Dataset`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from runtime.data.element import Element
from runtime.data.functions import ElementFunction
from runtime.data.plan import INFINITE, UNKNOWN, Arrays, Begin, Counting, Plan, Step, Tensors
from runtime.dtypes import int64
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops.datasets import Item
from runtime.shapes import TensorShape
from runtime.spec import TensorSpec
from runtime.tensor import Array


@dataclass(frozen=True)
class Mapped(Step):
    """What a function makes of each item."""

    function: ElementFunction

    @property
    def element(self) -> Element:
        return self.function.result

    @property
    def own(self) -> int:
        return self.function.captured

    def over(self, begin: Begin, own: Arrays) -> Iterator[Item]:
        return map(partial(self.function, captured=own), begin())

    def words(self) -> str:
        return f"map({self.function})"


@dataclass(frozen=True)
class Filtered(Step):
    """The items of which a function says so."""

    function: ElementFunction

    @property
    def own(self) -> int:
        return self.function.captured

    def over(self, begin: Begin, own: Arrays) -> Iterator[Item]:
        return filter(lambda item: bool(self.function(item, own)[0]), begin())

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if size else 0

    def words(self) -> str:
        return f"filter({self.function})"


@dataclass(frozen=True)
class Batched(Counting):
    """As many items at a time as tensors with one more axis; the last may have fewer rows."""

    drop_remainder: bool

    @property
    def element(self) -> Element:
        rows = self.count if self.drop_remainder else None
        element, specs = self.source.element, self.source.element.specs
        return Element(element.packed([_with_rows(rows, spec) for spec in specs]))

    def over(self, begin: Begin, own: Arrays) -> Iterator[Item]:
        count = self.number(own)
        if count < 1:
            raise ArgumentValueError(f"batch: the size of a batch is {count}")
        return _Batches(begin(), count, self.drop_remainder)

    def size_of(self, size: int, own: Tensors) -> int:
        if size < 0 or self.count is None:
            return size if size in (0, INFINITE) else UNKNOWN
        return size // self.count if self.drop_remainder else -(-size // self.count)

    def words(self) -> str:
        drops = ", drop_remainder=True" if self.drop_remainder else ""
        return f"batch({_shown(self.count)}{drops})"


@dataclass(frozen=True)
class Taken(Counting):
    """The first items; all of them for a negative number."""

    def over(self, begin: Begin, own: Arrays) -> Iterator[Item]:
        count = self.number(own)
        return begin() if count < 0 else itertools.islice(begin(), count)

    def size_of(self, size: int, own: Tensors) -> int:
        if self.count is None:
            return UNKNOWN if size else 0
        if self.count < 0 or size == UNKNOWN:
            return size if self.count else 0
        return self.count if size == INFINITE else min(size, self.count)

    def words(self) -> str:
        return f"take({_shown(self.count)})"


@dataclass(frozen=True)
class Skipped(Counting):
    """The items after the first; none for a negative number."""

    def over(self, begin: Begin, own: Arrays) -> Iterator[Item]:
        count = self.number(own)
        return iter(()) if count < 0 else itertools.islice(begin(), count, None)

    def size_of(self, size: int, own: Tensors) -> int:
        if self.count is None:
            return UNKNOWN if size else 0
        if self.count < 0:
            return 0
        return size if size < 0 else max(size - self.count, 0)

    def words(self) -> str:
        return f"skip({_shown(self.count)})"


@dataclass(frozen=True)
class Repeated(Counting):
    """The items several times over; without an end for a negative number."""

    def over(self, begin: Begin, own: Arrays) -> Iterator[Item]:
        count = self.number(own)
        times = itertools.repeat(None) if count < 0 else itertools.repeat(None, count)
        return itertools.chain.from_iterable(_rounds(begin, times))

    def size_of(self, size: int, own: Tensors) -> int:
        if size == 0 or self.count == 0:
            return 0
        if self.count is None:
            return UNKNOWN
        if size < 0:
            return size
        return INFINITE if self.count < 0 else size * self.count

    def words(self) -> str:
        return f"repeat({'' if self.count == -1 else _shown(self.count)})"


@dataclass(frozen=True)
class Enumerated(Counting):
    """Each item with its number, from a start on."""

    @property
    def element(self) -> Element:
        return Element((TensorSpec((), int64), self.source.element.structure))

    def over(self, begin: Begin, own: Arrays) -> Iterator[Item]:
        numbers = itertools.count(self.number(own))
        return map(lambda at, item: (np.array(at, np.int64), *item), numbers, begin())

    def words(self) -> str:
        return f"enumerate({_shown(self.count) if self.count != 0 else ''})"


@dataclass(frozen=True)
class Zipped(Plan):
    """An item of each of several plans, in a structure; as long as the shortest."""

    sources: tuple[Plan, ...]
    whole: Element

    @property
    def element(self) -> Element:
        return self.whole

    @property
    def width(self) -> int:
        return sum(source.width for source in self.sources)

    def start(self, arrays: Arrays) -> Iterator[Item]:
        starts = [each.start(own) for each, own in self._each_with(arrays)]
        return map(_joined, zip(*starts))

    def size(self, tensors: Tensors) -> int:
        sizes = [each.size(own) for each, own in self._each_with(tensors)]
        if 0 in sizes or UNKNOWN in sizes:
            return 0 if 0 in sizes else UNKNOWN
        return min([size for size in sizes if size != INFINITE], default=INFINITE)

    def _each_with(self, own: Sequence[Any]) -> Iterator[tuple[Plan, Sequence[Any]]]:
        at = 0
        for source in self.sources:
            yield source, own[at : at + source.width]
            at += source.width

    def __str__(self) -> str:
        return f"zip({', '.join(map(str, self.sources))})"


class _Batches:
    """Batches of items, gathered when they are asked for."""

    def __init__(self, items: Iterator[Item], count: int, drop_remainder: bool) -> None:
        self._items, self._count, self._drops = items, count, drop_remainder

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        rows = list(itertools.islice(self._items, self._count))
        if not rows or (self._drops and len(rows) < self._count):
            raise StopIteration
        return tuple(map(_stacked, zip(*rows)))


class _Round:
    """Items, and whether there was any."""

    def __init__(self, items: Iterator[Item]) -> None:
        self._items, self.is_empty = items, True

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        item = next(self._items)
        self.is_empty = False
        return item


def _rounds(begin: Begin, times: Iterator[None]) -> Iterator[_Round]:
    """Give the items anew each time; no items do not become some, however often they come."""
    for _ in times:
        items = _Round(begin())
        yield items
        if items.is_empty:
            return


def _joined(items: tuple[Item, ...]) -> Item:
    return tuple(itertools.chain(*items))


def _stacked(rows: tuple[Array, ...]) -> Array:
    shapes = {row.shape for row in rows}
    if len(shapes) > 1:
        first, second, *_ = (TensorShape.of(shape) for shape in sorted(shapes))
        raise ShapeError(
            f"batch: elements of shapes {first} and {second} cannot be one tensor: make them alike "
            "with map first"
        )
    return np.stack(rows)


def _with_rows(rows: int | None, spec: TensorSpec) -> TensorSpec:
    dims = spec.shape.dims
    return spec.with_shape(None if dims is None else (rows, *dims))


def _shown(count: int | None) -> str:
    return "..." if count is None else str(count)
