"""Ops of `rt.TensorArray`: numbered slots, written or unwritten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.item_list import Item, ItemList
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.core.variant import VARIANT, boxed, unboxed
from runtime.errors import ArgumentValueError, OutOfRangeError, ShapeError
from runtime.ops import infer
from runtime.ops.containers import list_gradients
from runtime.ops.containers.list_kernels import check_index, check_list, checked, list_in
from runtime.ops.op import define

UNWRITTEN: Item = ()


@dataclass(slots=True, eq=False, repr=False)
class TensorArrayContents:
    """The contents of a TensorArray.

    Attributes:
        items: for each slot a tuple of its tensor, or () if it was not written.
        shape: the common shape of all elements; refined by each write, if it is inferred.
    """

    items: ItemList
    shape: TensorShape

    def __repr__(self) -> str:
        return repr(self.items)

    def written(
        self, position: int, value: Array, dynamic: bool, inferred: bool
    ) -> TensorArrayContents:
        """Return the slots with a value in one slot.

        Raises:
            OutOfRangeError: there is no such slot, and none may be added.
            ShapeError: the value does not have the shape of the others.
        """
        items, size = self.items, len(self.items)
        if position < 0 or position >= size and not dynamic:
            raise _no_slot(position, size, "written to")
        shape = self.checked_shape(value, inferred)
        if position < size:
            return TensorArrayContents(items.replaced(position, (value,)), shape)
        unwritten = [UNWRITTEN] * (position - size)
        return TensorArrayContents(items.extended(unwritten).appended((value,)), shape)

    def checked_shape(self, value: Array, inferred: bool) -> TensorShape:
        """Return the known shape of the elements when `value` is among them."""
        if self.shape.dims == value.shape:
            return self.shape
        shape = TensorShape.of(value.shape)
        if not self.shape.is_compatible_with(shape):
            raise ShapeError(
                f"a value of shape {shape} does not fit elements of shape {self.shape}: if they "
                "may differ, make the TensorArray with infer_shape=False"
            )
        return self.shape.merge(shape) if inferred else self.shape

    def value(self, position: int, element: TensorSpec) -> Array:
        """Return the value of a slot, zeros if it was never written.

        Raises:
            OutOfRangeError: there is no such slot.
            InvalidArgumentError: it was never written, and the shape of its zeros is unknown.
        """
        if not 0 <= position < len(self.items):
            raise _no_slot(position, len(self.items), "read")
        item = self.items[position]
        return checked(item or (self._zeros(position, element),), (element,))[0]

    def _zeros(self, position: int, element: TensorSpec) -> Array:
        if not self.shape.is_fully_defined():
            raise ArgumentValueError(
                f"element {position} was never written, and its shape is not known: write it, or "
                "make the TensorArray with element_shape=..."
            )
        zero = b"" if element.dtype.is_string else 0
        return np.full(self.shape.dims, zero, element.dtype.np_dtype)


def contents_of(array: Array) -> TensorArrayContents:
    """Return the slots in a variant's array."""
    held = unboxed(array)
    if not isinstance(held, TensorArrayContents):
        raise ArgumentValueError(f"a TensorArray was expected, not {held!r}")
    return held


def _no_slot(position: int, size: int, done: str) -> OutOfRangeError:
    hint = ": make it with dynamic_size=True" if done != "read" and position >= 0 else ""
    return OutOfRangeError(f"element {position} of a TensorArray of size {size} was {done}{hint}")


# -- kernels ---------------------------------------------------------------------------------------


def _new_kernel(size: Array, *, element: TensorSpec) -> Array:
    if size < 0:
        raise ArgumentValueError(f"the size of a TensorArray must be at least 0, not {size}")
    return boxed(TensorArrayContents(ItemList([UNWRITTEN] * int(size)), element.shape))


def _write_kernel(
    slots: Array, index: Array, value: Array, *, dynamic: bool, inferred: bool
) -> Array:
    return boxed(contents_of(slots).written(int(index), value, dynamic, inferred))


def _scatter_kernel(
    slots: Array, indices: Array, values: Array, *, dynamic: bool, inferred: bool
) -> Array:
    held, items = contents_of(slots), list_in(values)
    if len(indices) != len(items):
        raise ArgumentValueError(
            f"scatter needs an index for each value, not {len(indices)} indices for {len(items)} "
            "values"
        )
    for index, (value,) in zip(indices.tolist(), items, strict=True):
        held = held.written(index, value, dynamic, inferred)
    return boxed(held)


def _fill_kernel(slots: Array, values: Array, *, dynamic: bool, inferred: bool) -> Array:
    held, items = contents_of(slots), list_in(values)
    if len(items) != len(held.items) and not dynamic:
        raise ArgumentValueError(
            f"{len(items)} values for a TensorArray of size {len(held.items)}: make it with "
            "dynamic_size=True"
        )
    for (value,) in items:
        held = TensorArrayContents(held.items, held.checked_shape(value, inferred))
    return boxed(TensorArrayContents(items, held.shape))


def _read_kernel(slots: Array, index: Array, *, element: TensorSpec) -> Array:
    return contents_of(slots).value(int(index), element)


def _items_kernel(slots: Array, *indices: Array, element: TensorSpec) -> Array:
    held = contents_of(slots)
    positions = indices[0].tolist() if indices else range(len(held.items))
    return boxed(ItemList((held.value(position, element),) for position in positions))


def _resize_kernel(slots: Array, size: Array) -> Array:
    if size < 0:
        raise ArgumentValueError(f"the size of a TensorArray must be at least 0, not {size}")
    held, count = contents_of(slots), int(size)
    items = list(held.items)[:count]
    return boxed(
        TensorArrayContents(ItemList([*items, *[UNWRITTEN] * (count - len(items))]), held.shape)
    )


def _sum_kernel(one: Array, other: Array) -> Array:
    """Add elements; the sum of one that was written and one that was not is the one."""
    left, right = contents_of(one), contents_of(other)
    if len(left.items) != len(right.items):
        raise ArgumentValueError(
            f"TensorArrays of sizes {len(left.items)} and {len(right.items)} cannot be added"
        )
    pairs = zip(left.items, right.items)
    sums = [(np.asarray(x[0] + y[0]),) if x and y else x or y for x, y in pairs]
    return boxed(TensorArrayContents(ItemList(sums), left.shape.merge(right.shape)))


# -- inference -------------------------------------------------------------------------------------


def _infer_new(size: TensorSpec, *, element: TensorSpec) -> TensorSpec:
    check_index(size)
    return VARIANT


def _infer_at(slots: TensorSpec, index: TensorSpec, *rest: Any, **attrs: Any) -> TensorSpec:
    check_index(index)
    return VARIANT


def _infer_read(slots: TensorSpec, index: TensorSpec, *, element: TensorSpec) -> TensorSpec:
    check_index(index)
    return element


def _infer_scatter(
    slots: TensorSpec, indices: TensorSpec, values: TensorSpec, **attrs: Any
) -> TensorSpec:
    _check_indices(indices)
    check_list(values)
    return VARIANT


def _infer_fill(slots: TensorSpec, values: TensorSpec, **attrs: Any) -> TensorSpec:
    check_list(values)
    return VARIANT


def _infer_sum(one: TensorSpec, other: TensorSpec) -> TensorSpec:
    check_list(one)
    check_list(other)
    return VARIANT


def _infer_items(slots: TensorSpec, *indices: TensorSpec, element: TensorSpec) -> TensorSpec:
    for each in indices:
        _check_indices(each)
    return VARIANT


def _check_indices(indices: TensorSpec) -> None:
    infer.check_integer(indices, "the indices of elements")
    infer.vector_length(indices)


NEW = define("tensor_array", _new_kernel, _infer_new, kinds="iu")
WRITE = define("tensor_array_write", _write_kernel, _infer_at, kinds="V", grad=list_gradients.write)
SCATTER = define(
    "tensor_array_scatter", _scatter_kernel, _infer_scatter, kinds="V", grad=list_gradients.scatter
)
FILL = define("tensor_array_fill", _fill_kernel, _infer_fill, kinds="V", grad=list_gradients.fill)
READ = define("tensor_array_read", _read_kernel, _infer_read, kinds="V", grad=list_gradients.read)
ITEMS = define(
    "tensor_array_items", _items_kernel, _infer_items, kinds="V", grad=list_gradients.items
)
RESIZE = define(
    "tensor_array_resize",
    _resize_kernel,
    _infer_at,
    kinds="V",
    grad=list_gradients.resize,
)
SUM = define(
    "tensor_array_sum",
    _sum_kernel,
    _infer_sum,
    kinds="V",
    grad=lambda dys, outputs, inputs: (dys[0], dys[0]),
)
SIZE = define(
    "tensor_array_size",
    lambda slots: np.array(len(contents_of(slots).items), np.int32),
    infer.fixed((), int32),
    kinds="V",
)
