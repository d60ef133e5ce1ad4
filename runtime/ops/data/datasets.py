"""Ops that iterate over a dataset in a graph; each run starts from the beginning.

The item at a position is computed at its first use, so no item is computed twice or too early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from runtime.core.dtypes import bool_, int64
from runtime.core.random_streams import RandomStreamIterator
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.core.variant import VARIANT, boxed, unboxed
from runtime.errors import ArgumentValueError, FailedPreconditionError, OutOfRangeError
from runtime.ops import infer
from runtime.ops.containers.list_kernels import Specs, checked
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define

Item: TypeAlias = "tuple[Array, ...]"


class DatasetDescription(Protocol):
    """The description of a dataset for these ops, frozen and hashable as every attribute."""

    def start(self, arrays: Sequence[Array]) -> Iterator[Item]:
        """Return an iterator over the items of the dataset with these tensors."""

    def size(self, tensors: Sequence[Tensor]) -> int:
        """Return the number of items: -1 without an end, -2 if it is not known."""


class _BufferedIterator:
    """An iterator, which nothing else uses, with its last item."""

    __slots__ = ("at", "is_taken", "item", "items")

    def __init__(self, items: Iterator[Item]) -> None:
        self.items = items
        # The number of the last item; an item None is the end.
        self.at = -1
        self.item: Item | Exception | None = None
        self.is_taken = False

    def item_at(self, number: int) -> Item | Exception | None:
        """Return the item of a number, which is the last one or the next."""
        if number == self.at + 1:
            self._draw()
        if number != self.at:
            raise FailedPreconditionError(f"item {number} of a dataset is gone: {self.at} is there")
        return self.item

    def _draw(self) -> None:
        self.at, self.is_taken = self.at + 1, False
        try:
            self.item = next(self.items, None)
        except Exception as error:
            self.item = error


class DatasetPosition:
    """One position in an iterator; only the last item is stored.

    An error from computing an item is stored as the item, and raised when the item is used: as in
    Python, a handler may continue with the next item.

    After an exception a program may continue at an earlier position, but a Python iterator cannot
    go back. So a position whose item was used stands for the next item when `has_item` is called
    again.

    >>> position = DatasetPosition(iter([(1,), (2,)]))
    >>> position.take(), position.after().take()
    ((1,), (2,))
    >>> position.has_item()
    False
    """

    __slots__ = ("_items", "_number")

    def __init__(self, items: Iterator[Item]) -> None:
        self._items, self._number = _BufferedIterator(items), 0

    def has_item(self) -> bool:
        """Return whether this is not the end."""
        items = self._items
        if self._number < items.at + items.is_taken:
            self._number = items.at + items.is_taken
        return items.item_at(self._number) is not None

    def take(self) -> Item:
        """Return the item; OutOfRangeError at the end."""
        item = self._items.item_at(self._number)
        if item is None:
            raise OutOfRangeError("the end of the dataset is reached: no item is left")
        self._items.is_taken = True
        if isinstance(item, Exception):
            raise item
        return item

    def after(self) -> DatasetPosition:
        """Return the next position; after the end comes the end."""
        if self._items.item_at(self._number) is None:
            return self
        position = DatasetPosition.__new__(DatasetPosition)
        position._items, position._number = self._items, self._number + 1
        return position

    def __repr__(self) -> str:
        return f"<place {self._number} of a dataset>"


def begin(dataset: DatasetDescription, tensors: Sequence[Tensor]) -> Any:
    """Return the first position in a dataset with these tensors, a variant."""
    return apply(BEGIN, tuple(tensors), dataset=dataset)


def size_of(dataset: DatasetDescription, tensors: Sequence[Tensor]) -> Any:
    """Return the number of items of a dataset of these tensors, an int64 scalar; -1 without an end.

    Without iterating over them it may not be known, which is -2.
    """
    return apply(SIZE, tuple(tensors), dataset=dataset)


def has_item(position: Any) -> Any:
    """Return whether there is an item at a position, a scalar of bool."""
    return apply(HAS, (to_tensor(position),))


def item_at(position: Any, specs: Sequence[TensorSpec]) -> Any:
    """Return the tensors of the item at a position, one per spec.

    Raises:
        OutOfRangeError: there is no item.
        Exception: an error of the user function that computes the item.
    """
    return apply(ITEM, (to_tensor(position),), specs=tuple(specs))


def position_after(position: Any) -> Any:
    """Return the next position, a variant; after the end comes the end."""
    return apply(AFTER, (to_tensor(position),))


def position_in(array: Array) -> DatasetPosition:
    """Return the position in a variant's array; InvalidArgumentError if there is none."""
    held = unboxed(array)
    if not isinstance(held, DatasetPosition):
        raise ArgumentValueError(f"a place in a dataset was expected, not {held!r}")
    return held


def _begin_kernel(*arrays: Array, dataset: DatasetDescription) -> Array:
    return boxed(DatasetPosition(RandomStreamIterator(dataset.start(arrays))))


def _size_kernel(*arrays: Array, dataset: DatasetDescription) -> Array:
    return np.array(dataset.size([EagerTensor(array) for array in arrays]), np.int64)


def _infer_item(position: TensorSpec, *, specs: Specs) -> Specs:
    return specs


BEGIN = define("dataset_begin", _begin_kernel, lambda *inputs, dataset: VARIANT)
SIZE = define("dataset_size", _size_kernel, lambda *inputs, dataset: TensorSpec((), int64))
# Computing an item may read variables, so these ops stay in order with ops that change some.
HAS = define(
    "dataset_has_item",
    lambda position: np.array(position_in(position).has_item()),
    infer.fixed((), bool_),
    kinds="V",
    effects="read",
)
ITEM = define(
    "dataset_item",
    lambda position, specs: checked(position_in(position).take(), specs),
    _infer_item,
    kinds="V",
    effects="read",
    n_outputs=None,
    raises=(Exception,),
)
AFTER = define(
    "dataset_place_after",
    lambda position: boxed(position_in(position).after()),
    lambda position: VARIANT,
    kinds="V",
    effects="read",
)
