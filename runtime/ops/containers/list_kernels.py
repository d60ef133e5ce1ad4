"""Kernels and inference of list ops; `lists` has their functions.

Each kernel leaves the lists that it is given as they were. An error that a Python list raises, too,
has Python's class and message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from typing import Any, TypeAlias

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.item_list import Item, ItemList
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.core.variant import VARIANT, boxed, unboxed
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arrays.index import HashableSlice, Input
from runtime.ops.containers import list_gradients
from runtime.ops.containers.item_moves import moved
from runtime.ops.op import Op, define

Specs: TypeAlias = "tuple[TensorSpec, ...]"

OUT_OF_RANGE = "list index out of range"
NO_PLACE = "list assignment index out of range"
PYTHON_ERRORS = (IndexError, ValueError)


def list_in(array: Array) -> ItemList:
    """Return the list in a variant's array; InvalidArgumentError if there is none."""
    held = unboxed(array)
    if type(held) is not ItemList:
        raise ArgumentValueError(f"a list was expected, not {held!r}")
    return held


def _slice_of(span: HashableSlice, inputs: Iterable[Array]) -> slice:
    bounds = tuple(map(int, inputs))
    parts = (span.start, span.stop, span.step)
    return slice(*(bounds[x.position] if isinstance(x, Input) else x for x in parts))


def _place(items: Sized, index: Array, message: str) -> int:
    """Return a valid index of an item; IndexError with `message` if there is no such item."""
    position = int(index)
    if not -len(items) <= position < len(items):
        raise IndexError(message)
    return position


def checked(item: Item, specs: Specs) -> Item:
    """Return an item, checked against its specs.

    Raises:
        InvalidArgumentError: the item does not fit, although the recorder of the op declared it.
    """
    if len(item) != len(specs):
        raise ArgumentValueError(f"an item must have {len(specs)} tensors, not {len(item)}")
    for leaf, spec in zip(item, specs):
        shape, dtype = spec.shape, spec.dtype.np_dtype
        if shape.dims == leaf.shape and leaf.dtype is dtype:
            continue  # The common case, with the fastest check.
        if leaf.dtype != dtype or not shape.fits(leaf.shape):
            found = TensorSpec.of_array(leaf)
            raise ArgumentValueError(
                f"an item of a list is {found.dtype.name} of shape {found.shape}, where "
                f"{spec.dtype.name} of shape {spec.shape} was expected"
            )
    return item


# -- kernels ---------------------------------------------------------------------------------------


def _check_width(count: int, width: int) -> None:
    if width < 1 or count % width:
        raise ArgumentValueError(f"{count} tensors cannot be split into items of {width} tensors")


def _of_kernel(*leaves: Array, width: int) -> Array:
    _check_width(len(leaves), width)
    return boxed(ItemList(leaves[at : at + width] for at in range(0, len(leaves), width)))


def _append_kernel(target: Array, *leaves: Array) -> Array:
    return boxed(list_in(target).appended(leaves))


def _extend_kernel(target: Array, other: Array) -> Array:
    return boxed(list_in(target).extended(list_in(other).items()))


def _get_kernel(target: Array, index: Array, *, specs: Specs) -> Item:
    return checked(list_in(target)[int(index)], specs)


def _set_kernel(target: Array, index: Array, *leaves: Array) -> Array:
    held = list_in(target)
    position = _place(held, index, NO_PLACE)
    return boxed(held.replaced(position % len(held), leaves))


def _pop_kernel(target: Array, *index: Array, specs: Specs) -> Item:
    held = list_in(target)
    if not index or not len(held) or int(index[0]) in (-1, len(held) - 1):
        rest, item = held.popped()
        return boxed(rest), *checked(item, specs)
    items = held.items()
    item = items.pop(_place(items, index[0], "pop index out of range"))
    return boxed(ItemList(items)), *checked(item, specs)


def _insert_kernel(target: Array, index: Array, *leaves: Array) -> Array:
    items = list_in(target).items()
    items.insert(int(index), leaves)
    return boxed(ItemList(items))


def _slice_kernel(target: Array, *bounds: Array, span: HashableSlice) -> Array:
    return boxed(ItemList(list_in(target).items()[_slice_of(span, bounds)]))


def _set_slice_kernel(target: Array, other: Array, *bounds: Array, span: HashableSlice) -> Array:
    items = list_in(target).items()
    items[_slice_of(span, bounds)] = list_in(other).items()
    return boxed(ItemList(items))


def _delete_kernel(target: Array, index: Array) -> Array:
    items = list_in(target).items()
    del items[_place(items, index, NO_PLACE)]
    return boxed(ItemList(items))


def _delete_slice_kernel(target: Array, *bounds: Array, span: HashableSlice) -> Array:
    items = list_in(target).items()
    del items[_slice_of(span, bounds)]
    return boxed(ItemList(items))


def _repeat_kernel(target: Array, count: Array) -> Array:
    return boxed(ItemList(list_in(target).items() * int(count)))


def _take_kernel(target: Array, indices: Array) -> Array:
    held = list_in(target)
    return boxed(ItemList(held[position] for position in indices.tolist()))


# -- inference -------------------------------------------------------------------------------------


def _a_list(*inputs: TensorSpec, **attrs: Any) -> TensorSpec:
    return VARIANT


def check_list(spec: TensorSpec) -> None:
    """Raise DTypeError unless a tensor can be a list."""
    if not spec.dtype.is_variant:
        raise DTypeError(f"a list must be a variant tensor, not {spec.dtype.name}")


def check_index(spec: TensorSpec) -> None:
    """Raise DTypeError or ShapeError unless a tensor can be the index of an item."""
    if not spec.dtype.is_integer:
        raise DTypeError(f"list indices must be integers or slices, not {spec.dtype.name}")
    if spec.shape.rank not in (0, None):
        raise ShapeError(f"a list index is a scalar, not a tensor of shape {spec.shape}")


def _list_at(target: TensorSpec, index: TensorSpec, *leaves: TensorSpec) -> TensorSpec:
    check_index(index)
    return VARIANT


def _list_cut(target: TensorSpec, *bounds: TensorSpec, span: HashableSlice) -> TensorSpec:
    for bound in bounds:
        check_index(bound)
    return VARIANT


def _two_lists(target: TensorSpec, other: TensorSpec) -> TensorSpec:
    check_list(other)
    return VARIANT


def _list_patched(
    target: TensorSpec, other: TensorSpec, *bounds: TensorSpec, span: HashableSlice
) -> TensorSpec:
    check_list(other)
    return _list_cut(target, *bounds, span=span)


def _infer_get(target: TensorSpec, index: TensorSpec, *, specs: Specs) -> Specs:
    check_index(index)
    return specs


def _infer_pop(target: TensorSpec, *index: TensorSpec, specs: Specs) -> Specs:
    for each in index:
        check_index(each)
    return (VARIANT, *specs)


def _infer_take(target: TensorSpec, indices: TensorSpec) -> TensorSpec:
    infer.check_integer(indices, "the indices of items")
    infer.vector_length(indices)
    return VARIANT


def _infer_of(*leaves: TensorSpec, width: int) -> TensorSpec:
    _check_width(len(leaves), width)
    return VARIANT


# -- ops -------------------------------------------------------------------------------------------


def _define(
    name: str, kernel: Callable[..., Any], infer_: Any, grad: Any, n_outputs: int | None = 1
) -> Op:
    return define(
        name, kernel, infer_, kinds="V", grad=grad, n_outputs=n_outputs, raises=PYTHON_ERRORS
    )


def _moving(name: str, kernel: Callable[..., Any], infer_: Any) -> Op:
    return _define(name, kernel, infer_, grad=moved(name))


LIST_OF = define("list_of", _of_kernel, _infer_of, grad=list_gradients.of_list)
APPEND = _define("list_append", _append_kernel, _a_list, grad=list_gradients.append)
EXTEND = _moving("list_extend", _extend_kernel, _two_lists)
LENGTH = _define(
    "list_length",
    lambda target: np.array(len(list_in(target)), np.int32),
    infer.fixed((), int32),
    grad=None,
)
GET = _define("list_get", _get_kernel, _infer_get, grad=list_gradients.get, n_outputs=None)
SET = _define("list_set", _set_kernel, _list_at, grad=list_gradients.put)
POP = _define("list_pop", _pop_kernel, _infer_pop, grad=list_gradients.pop, n_outputs=None)
INSERT = _moving("list_insert", _insert_kernel, _list_at)
SLICE = _moving("list_slice", _slice_kernel, _list_cut)
SET_SLICE = _moving("list_set_slice", _set_slice_kernel, _list_patched)
DELETE = _moving("list_delete", _delete_kernel, _list_at)
DELETE_SLICE = _moving("list_delete_slice", _delete_slice_kernel, _list_cut)
REVERSE = _moving(
    "list_reverse", lambda target: boxed(ItemList(list_in(target).items()[::-1])), _a_list
)
REPEAT = _moving("list_repeat", _repeat_kernel, _list_at)
TAKE = _moving("list_take", _take_kernel, _infer_take)
