"""Steps that batch, window and unbatch elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.core.variant import VARIANT, boxed
from runtime.data.buffers import ListOfItems
from runtime.data.cursors import Cursor, State, Wrapping, next_rows
from runtime.data.element_spec import Element, without_rows
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
from runtime.data.saved_items import item_data, item_of_data
from runtime.data.stacked_items import StackedItems, stacked
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops.data.datasets import Item


@dataclass(frozen=True)
class Batched(CountedStep):
    """Batches of items, with an axis in front; the last batch may have fewer rows."""

    drop_remainder: bool

    @property
    def element(self) -> Element:
        return self.source.element.batched(self.count if self.drop_remainder else None)

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        count = batch_size(self.number(own))
        return BatchCursor(below.start(), count, self.drop_remainder)

    def size_of(self, size: int, own: Tensors) -> int:
        if size < 0 or self.count is None:
            return size if size in (0, INFINITE) else UNKNOWN
        return size // self.count if self.drop_remainder else -(-size // self.count)

    def as_text(self) -> str:
        drops = ", drop_remainder=True" if self.drop_remainder else ""
        return f"batch({shown(self.count)}{drops})"


@dataclass(frozen=True)
class PaddedBatched(Batched):
    """Batches of items that are padded to a common size first; its tensors are the padding values.

    Attributes:
        shapes: the shape of each part of a padded item; None means the largest size in the batch.
    """

    shapes: tuple[tuple[int | None, ...], ...]

    @property
    def element(self) -> Element:
        whole = self.source.element
        specs = [spec.with_shape(shape) for spec, shape in zip(whole.specs, self.shapes)]
        rows = self.count if self.drop_remainder else None
        return Element(whole.packed(specs)).batched(rows)

    @property
    def own_width(self) -> int:
        return len(self.shapes) + super().own_width

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        values, rest = own[: len(self.shapes)], own[len(self.shapes) :]
        count = batch_size(self.number(rest))
        return PaddedCursor(below.start(), count, self.drop_remainder, self.shapes, values)

    def as_text(self) -> str:
        return f"padded_{super().as_text()}"


@dataclass(frozen=True)
class Unbatched(DatasetStep):
    """The rows of each item."""

    @property
    def element(self) -> Element:
        whole = self.source.element
        return Element(whole.packed([without_rows(spec) for spec in whole.specs]))

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return UnbatchedCursor(below.start())

    def size_of(self, size: int, own: Tensors) -> int:
        shape = self.source.element.specs[0].shape
        rows = shape[0] if shape.rank else None
        if size == 0 or (size > 0 and rows is not None):
            return size * (rows or 0)
        return INFINITE if size == INFINITE and rows else UNKNOWN

    def as_text(self) -> str:
        return "unbatch()"


@dataclass(frozen=True)
class Windowed(DatasetStep):
    """Windows of items: one begins at every `shift`-th item and has every `stride`-th item.

    Attributes:
        made: the Element of a window: datasets over rows, or over items of several shapes.
    """

    count: int
    shift: int
    stride: int
    drop_remainder: bool
    made: Element

    @property
    def element(self) -> Element:
        return self.made

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return WindowCursor(below.start(), self)

    def size_of(self, size: int, own: Tensors) -> int:
        if size < 0:
            return size
        if not self.drop_remainder:
            return -(-size // self.shift)
        return max(size - (self.count - 1) * self.stride - 1 + self.shift, 0) // self.shift

    def as_text(self) -> str:
        return f"window({self.count}, shift={self.shift}, stride={self.stride})"


def batch_size(count: int) -> int:
    """Return the size of a batch; ArgumentValueError unless it is positive."""
    if count < 1:
        raise ArgumentValueError(f"batch: batch_size must be at least 1, not {count}")
    return count


class BatchCursor(Wrapping):
    """Iterates over batches."""

    def __init__(self, source: Cursor, count: int, drop_remainder: bool) -> None:
        super().__init__(source)
        self._count, self._drops = count, drop_remainder

    def __next__(self) -> Item:
        rows = self._gathered()
        if not rows.count or (self._drops and rows.count < self._count):
            raise StopIteration
        return rows.arrays

    def _gathered(self) -> StackedItems:
        return next_rows(self._source, self._count, "batch")


class PaddedCursor(BatchCursor):
    """Iterates over batches of items of several shapes."""

    def __init__(
        self,
        source: Cursor,
        count: int,
        drop_remainder: bool,
        shapes: Sequence[tuple[int | None, ...]],
        values: Arrays,
    ) -> None:
        super().__init__(source, count, drop_remainder)
        self._shapes, self._values = shapes, values

    def _gathered(self) -> StackedItems:
        items = []
        for item in self._source:
            items.append(item)
            if len(items) == self._count:
                break
        return padded_rows(items, self._shapes, self._values)


def padded_rows(
    items: Sequence[Item], shapes: Sequence[tuple[int | None, ...]], values: Arrays
) -> StackedItems:
    """Return items as rows; each part is padded to its shape, or to the largest one.

    >>> padded_rows([(np.ones(1),), (np.ones(2),)], [(None,)], [np.array(0.0)]).arrays[0].tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    columns = zip(zip(*items), shapes, values)
    return StackedItems(len(items), tuple([_padded(*column) for column in columns]))


def _padded(arrays: Sequence[Array], shape: tuple[int | None, ...], value: Array) -> Array:
    for array in arrays:
        if array.ndim != len(shape):
            raise ShapeError(
                f"padded_batch: an element of shape {TensorShape.of(array.shape)} does not fit "
                f"padded_shapes of rank {len(shape)}"
            )
    largest = [max(sizes) for sizes in zip(*(array.shape for array in arrays))]
    wanted = [most if size is None else size for size, most in zip(shape, largest)]
    if any(size < most for size, most in zip(wanted, largest)):
        raise ShapeError(
            f"padded_batch: an element is larger than padded_shapes {wanted}: up to {largest}"
        )
    batch = np.full((len(arrays), *wanted), value[()], arrays[0].dtype)
    for at, array in enumerate(arrays):
        place: Any = (at, *map(slice, array.shape))
        batch[place] = array
    return batch


class UnbatchedCursor(Wrapping):
    """Iterates over the rows of items."""

    def __init__(self, source: Cursor) -> None:
        super().__init__(source)
        self._item: Item = ()
        self._at, self._size = 0, 0

    def _has_row(self) -> bool:
        while self._at >= self._size:
            item = next(self._source, None)
            if item is None:
                return False
            lengths = sorted({len(array) if array.ndim else -1 for array in item})
            if len(lengths) > 1 or lengths[0] < 0:
                raise ShapeError(f"unbatch: an element has parts of {lengths} rows")
            self._item, self._at, self._size = item, 0, lengths[0]
        return True

    def __next__(self) -> Item:
        if not self._has_row():
            raise StopIteration
        self._at += 1
        return tuple([array[self._at - 1, ...] for array in self._item])

    def rows(self, count: int) -> StackedItems | None:
        if self._at >= self._size:
            return None  # The next call finds out whether there is a next item.
        start, self._at = self._at, min(self._at + count, self._size)
        found = tuple([array[start : self._at] for array in self._item])
        return StackedItems(self._at - start, found)

    def save(self) -> State:
        left = [array[self._at :] for array in self._item]
        return {**super().save(), "left": item_data(tuple(left))}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._item = item_of_data(state["left"])
        self._at, self._size = 0, len(self._item[0]) if self._item else 0


def _windowed(arrays: Sequence[Array], spec: TensorSpec) -> Array:
    """Return one part of the items of a window: rows, or a list if shapes may differ."""
    items = [(array,) for array in arrays]
    return (
        boxed(ListOfItems(tuple(items))) if spec == VARIANT else stacked(items, "window").arrays[0]
    )


class WindowCursor(Wrapping):
    """Iterates over windows; it stores the items that later windows share."""

    def __init__(self, source: Cursor, plan: Windowed) -> None:
        super().__init__(source)
        self._plan = plan
        self._kept: list[Item] = []
        self._before = 0

    def __next__(self) -> Item:
        plan = self._plan
        span = (plan.count - 1) * plan.stride + 1
        while self._before and next(self._source, None) is not None:
            self._before -= 1
        while len(self._kept) < span and (item := next(self._source, None)) is not None:
            self._kept.append(item)
        if not self._kept or (plan.drop_remainder and len(self._kept) < span):
            raise StopIteration
        window = self._kept[:: plan.stride][: plan.count]
        self._before = max(plan.shift - len(self._kept), 0)
        self._kept = self._kept[plan.shift :]
        return tuple(map(_windowed, zip(*window), plan.made.specs))

    def save(self) -> State:
        kept = [item_data(item) for item in self._kept]
        return {**super().save(), "kept": kept, "before": self._before}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._kept = [item_of_data(item) for item in state["kept"]]
        self._before = state["before"]
