"""Iterators over datasets that outlive a run: each element is returned once.

it = iter(dataset)
train_step(it)    ->    %next = iterator_next(%it)        another element in each call
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import bool_
from runtime.core.fork_safety import fork_safe_lock
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.core.variant import unboxed
from runtime.errors import ArgumentValueError, EndOfDatasetError
from runtime.ops import infer
from runtime.ops.containers.list_kernels import Specs, checked
from runtime.ops.data.datasets import Item
from runtime.ops.op import apply, define


class PrefetchedItem:
    """An iterator whose next item may have been computed already.

    An error from computing an item is raised when the item is used.

    >>> running = PrefetchedItem(iter([(1,), (2,)]))
    >>> running.has_item(), running.take(), running.take(), running.has_item()
    (True, (1,), (2,), False)
    """

    def __init__(self, items: Iterator[Item]) -> None:
        self.items = items
        # The item that `has_item` has computed, until it is used; None for the end.
        self.held: list[Item | Exception | None] = []
        # Reentrant, since the function that computes an item may use the same iterator.
        self.lock = fork_safe_lock()

    def has_item(self) -> bool:
        """Return whether there is a next item, which this computes."""
        with self.lock:
            if not self.held:
                self.held.append(self._drawn())
            return self.held[0] is not None

    def _drawn(self) -> Item | Exception | None:
        try:
            return next(self.items, None)
        except Exception as error:
            return error

    def take(self) -> Item:
        """Return the next item; EndOfDatasetError if none is left."""
        with self.lock:
            item = self.held.pop() if self.held else next(self.items, None)
            if item is None:
                raise EndOfDatasetError("the end of the dataset is reached: no item is left")
            if isinstance(item, Exception):
                raise item
            return item

    def __repr__(self) -> str:
        return "<iterator over a dataset>"


def has_next(iterator: Tensor) -> Any:
    """Return whether an iterator has another element, a scalar of bool."""
    return apply(HAS_NEXT, (iterator,))


def next_item(iterator: Tensor, specs: Sequence[TensorSpec]) -> Any:
    """Return the tensors of the next element of an iterator, one per spec.

    Raises:
        EndOfDatasetError: there is no next element.
        Exception: an error of the user function that computes the element.
    """
    return apply(NEXT, (iterator,), specs=tuple(specs))


def iterator_in(array: Array) -> PrefetchedItem:
    """Return the iterator in a variant's array."""
    held = unboxed(array)
    if not isinstance(held, PrefetchedItem):
        raise ArgumentValueError(f"an iterator over a dataset was expected, not {held!r}")
    return held


def _infer_next(iterator: TensorSpec, *, specs: Specs) -> Specs:
    return specs


# Computing and storing an element is not visible, so it is no more than a read.
HAS_NEXT = define(
    "iterator_has_next",
    lambda iterator: np.array(iterator_in(iterator).has_item()),
    infer.fixed((), bool_),
    kinds="V",
    effects="read",
)
NEXT = define(
    "iterator_next",
    lambda iterator, specs: checked(iterator_in(iterator).take(), specs),
    _infer_next,
    kinds="V",
    effects="write",
    n_outputs=None,
    raises=(Exception,),
)
