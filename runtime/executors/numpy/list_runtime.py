"""Run-time support for the lists of printed functions.

The items of a list of single values are numbers or arrays. In a TensorArray, None stands for an
unwritten element that may not be zero, and `...` for an element that was read before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from runtime.core.item_list import Item, ItemList
from runtime.core.shapes import UNKNOWN
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.core.variant import boxed
from runtime.ops.containers.list_kernels import list_in
from runtime.ops.containers.list_tensors import rows_of
from runtime.ops.containers.tensor_arrays import UNWRITTEN, TensorArrayContents

# An index at which no list has an item.
NOWHERE = 1 << 62


# -- lists as values of the graph, and back --------------------------------------------------------


def as_value(items: Iterable[Item]) -> Array:
    """Return the graph's value for a list of tuples of arrays."""
    return boxed(ItemList(items))


def as_list(value: Array) -> list[Item]:
    """Return the items of a graph's value."""
    return list_in(value).items()


def with_arrays(dtypes: Sequence[Any], items: Iterable[Sequence[Any]]) -> Array:
    """Return a list's value; numbers become arrays of `dtypes`, which has None for other parts."""
    return as_value(
        tuple([leaf if to is None else np.array(leaf, to) for leaf, to in zip(item, dtypes)])
        for item in items
    )


def list_of_numbers(numbers: list[Any], dtype: Any) -> Array:
    """Return the graph's value for a list of numbers."""
    return boxed(ItemList.of_row(np.array(numbers, dtype)))


def list_of_arrays(arrays: list[Array], dtype: Any) -> Array:
    """Return the graph's value for a list of arrays."""
    return as_value([(each,) for each in arrays])


def slots_of(spec: TensorSpec, has_gaps: bool) -> Callable[[list[Any], Any], Array]:
    """Return a function that makes the value of a TensorArray with elements of a spec."""

    def array_of(items: list[Any], dtype: Any) -> Array:
        is_known = not has_gaps or any(each is not None for each in items)
        shape = spec.shape if is_known else UNKNOWN
        return boxed(
            TensorArrayContents(ItemList([_item_of(each, dtype) for each in items]), shape)
        )

    return array_of


def _item_of(single: Any, dtype: Any) -> Item:
    return UNWRITTEN if single is None else (np.asarray(single, dtype),)


# -- rows ------------------------------------------------------------------------------------------


def row_of_some(numbers: list[Any], dtype: Any) -> Array:
    """Return numbers as a vector; raise for none, so that the kernel raises its own error."""
    if not numbers:
        raise ValueError("no numbers")
    return np.array(numbers, dtype)


def stacked(spec: TensorSpec, needed: bool) -> Callable[[list[Array]], Array]:
    """Return a function that stacks arrays of a spec; if `needed`, it raises for no arrays."""
    shape = (0, *(dim or 0 for dim in spec.shape.dims or ()))

    def stack(arrays: list[Array]) -> Array:
        if arrays:
            return rows_of(arrays)
        if needed:
            raise ValueError("no arrays")
        return np.empty(shape, spec.dtype.np_dtype)

    return stack


def elements(array: Array) -> list[Array]:
    """Return the rows of an array; the rows of a vector are scalar arrays."""
    return [array[at, ...] for at in range(len(array))]


# -- TensorArrays ----------------------------------------------------------------------------------


def zeros_like(spec: TensorSpec) -> Array:
    """Return the value of an element that was never written."""
    return np.full(tuple(spec.shape), b"" if spec.dtype.is_string else 0, spec.dtype.np_dtype)


def zeros_of(zero: Any) -> Callable[[int], list[Any]]:
    """Return a function that makes a TensorArray without written elements."""

    def zeros(size: int) -> list[Any]:
        if size < 0:
            raise ValueError("a negative size")
        return [zero] * size

    return zeros


def missing(slots: list[Any], zero: Any) -> Any:
    """Return the value of an unwritten element; ValueError if the kernel refuses to read it."""
    if all(each is None for each in slots):
        raise ValueError("no element")
    return zero


def whole(slots: list[Any], zero: Any) -> list[Any]:
    """Return all elements."""
    return [missing(slots, zero) if x is None else x for x in slots]


def put(slots: list[Any], at: int, single: Any, gap: Any) -> None:
    """Write an element, and fill up unwritten ones before it with `gap`."""
    if at < 0:
        raise ValueError("no such place")
    if at >= len(slots):
        slots.extend([gap] * (at + 1 - len(slots)))
    slots[at] = single


def fill(slots: list[Any], values: list[Any]) -> None:
    """Write all elements."""
    if len(slots) != len(values):
        raise ValueError("another size")
    slots[:] = values
