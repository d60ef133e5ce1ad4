"""Going over a dataset in a graph: each run begins anew, and a place in it is a value.

A place knows its item, which is made when somebody first asks for it, and the place after it. So
the item of one place is the same whoever asks, no item is made twice, and none before it is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from runtime.dtypes import bool_
from runtime.errors import ArgumentValueError, OutOfRangeError
from runtime.ops import infer
from runtime.ops.convert import to_tensor
from runtime.ops.list_kernels import Specs, checked
from runtime.ops.op import apply, define
from runtime.spec import TensorSpec
from runtime.tensor import Array, Tensor
from runtime.variant import VARIANT, boxed, unboxed

Item: TypeAlias = "tuple[Array, ...]"


class Described(Protocol):
    """What these ops need to know of a dataset: frozen, and hashable as every attribute is."""

    def start(self, arrays: Sequence[Array]) -> Iterator[Item]:
        """Return an iterator over the items, of the dataset made of these tensors."""


class Place:
    """One place among the items of an iterator that nobody else asks; the last has no item.

    What is raised in the making of an item is kept as that item, and raised by who takes it: as
    in Python, whoever catches it may go on with the next one.

    >>> place = Place(iter([(1,), (2,)]))
    >>> place.take(), place.after().take(), place.take()
    ((1,), (2,), (1,))
    >>> place.after().after().has_item()
    False
    """

    __slots__ = ("_after", "_item", "_items")

    def __init__(self, items: Iterator[Item]) -> None:
        self._items: Iterator[Item] | None = items
        self._item: Item | Exception | None = None
        self._after = self

    def has_item(self) -> bool:
        """Return whether this is not the end."""
        self._ask()
        return self._item is not None

    def take(self) -> Item:
        """Return the item; OutOfRangeError at the end."""
        self._ask()
        if self._item is None:
            raise OutOfRangeError("the end of the dataset is reached: no item is left")
        if isinstance(self._item, Exception):
            raise self._item
        return self._item

    def after(self) -> Place:
        """Return the next place; after the end comes the end."""
        self._ask()
        return self._after

    def _ask(self) -> None:
        items, self._items = self._items, None
        if items is None:
            return
        try:
            self._item = next(items, None)
        except Exception as error:
            self._item = error
        if self._item is not None:
            self._after = Place(items)

    def __repr__(self) -> str:
        return "<a place in a dataset>"


def begin(dataset: Described, tensors: Sequence[Tensor]) -> Any:
    """Return the first place in a dataset made of these tensors, a variant."""
    return apply(BEGIN, tuple(tensors), dataset=dataset)


def has_item(place: Any) -> Any:
    """Return whether there is an item at a place, a scalar of bool."""
    return apply(HAS, (to_tensor(place),))


def item_at(place: Any, specs: Sequence[TensorSpec]) -> Any:
    """Return the tensors of the item at a place, one per spec.

    Raises:
        OutOfRangeError: there is none.
        Exception: what a function of the user's raised that makes the item.
    """
    return apply(ITEM, (to_tensor(place),), specs=tuple(specs))


def place_after(place: Any) -> Any:
    """Return the next place, a variant; after the end comes the end."""
    return apply(AFTER, (to_tensor(place),))


def held_place(array: Array) -> Place:
    """Return the place in a variant's array; InvalidArgumentError when it holds something else."""
    held = unboxed(array)
    if not isinstance(held, Place):
        raise ArgumentValueError(f"a place in a dataset was expected, not {held!r}")
    return held


def _begin_kernel(*arrays: Array, dataset: Described) -> Array:
    return boxed(Place(dataset.start(arrays)))


def _infer_item(place: TensorSpec, *, specs: Specs) -> Specs:
    return specs


BEGIN = define("dataset_begin", _begin_kernel, lambda *inputs, dataset: VARIANT)
# What makes an item may read variables, so these keep their place among what changes some.
HAS = define(
    "dataset_has_item",
    lambda place: np.array(held_place(place).has_item()),
    infer.fixed((), bool_),
    kinds="V",
    effects="read",
)
ITEM = define(
    "dataset_item",
    lambda place, specs: checked(held_place(place).take(), specs),
    _infer_item,
    kinds="V",
    effects="read",
    n_outputs=None,
    raises=(Exception,),
)
AFTER = define(
    "dataset_place_after",
    lambda place: boxed(held_place(place).after()),
    lambda place: VARIANT,
    kinds="V",
    effects="read",
)
