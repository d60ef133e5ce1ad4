"""Gradients of ops on lists and TensorArrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.item_list import ItemList
from runtime.core.list_gradient import ItemGradients
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.core.variant import VARIANT, boxed, unboxed
from runtime.errors import InvalidArgumentError
from runtime.ops import infer
from runtime.ops.containers.item_gradients import (
    add_gradients,
    gathered,
    gradients_in,
    limited,
    picked,
    placed,
    scattered,
    without,
)
from runtime.ops.containers.item_moves import moved
from runtime.ops.convert import to_tensor
from runtime.ops.op import REGISTRY, Op, apply, define


def _pieces(pieces: Iterable[Array], leaf: int) -> Array:
    before = (None,) * leaf
    return boxed(ItemGradients((at, (*before, piece)) for at, piece in enumerate(pieces)))


def _filled(gradients: Array, like: Array, places: list[Any], leaf: int) -> Array:
    total = np.zeros_like(like)
    for at, leaves in gradients_in(gradients).table().items():
        if at >= len(places):
            raise InvalidArgumentError(
                f"item {at} has a gradient, but there are only {len(places)} rows"
            )
        if leaf < len(leaves) and leaves[leaf] is not None:
            total[places[at]] = leaves[leaf]
    return total


def _parts(lengths: Array) -> list[slice]:
    ends = np.cumsum(lengths, dtype=np.int64).tolist()
    return [slice(end - length, end) for end, length in zip(ends, lengths.tolist())]


def _as_rows_kernel(rows: Array, *, leaf: int) -> Array:
    return _pieces((rows[at, ...] for at in range(len(rows))), leaf)


def _rows_of_kernel(gradients: Array, like: Array, *, leaf: int) -> Array:
    return _filled(gradients, like, list(range(len(like))), leaf)


def _as_parts_kernel(whole: Array, lengths: Array, *, leaf: int) -> Array:
    return _pieces((whole[part] for part in _parts(lengths)), leaf)


def _parts_of_kernel(gradients: Array, like: Array, lengths: Array, *, leaf: int) -> Array:
    return _filled(gradients, like, _parts(lengths), leaf)


def _lengths_kernel(target: Array, *, leaf: int) -> Array:
    held: ItemList = unboxed(target)
    return np.array([len(item[leaf]) for item in held], np.int32)


def _variant(*inputs: TensorSpec, leaf: int) -> TensorSpec:
    return VARIANT


def _like(gradients: TensorSpec, like: TensorSpec, *rest: TensorSpec, leaf: int) -> TensorSpec:
    return like.unnamed()


AS_ROWS: Op = define(
    "rows_as_item_gradients",
    _as_rows_kernel,
    _variant,
    grad=lambda dys, outputs, inputs, leaf: (apply(ROWS_OF, (dys[0], inputs[0]), leaf=leaf),),
)
ROWS_OF: Op = define(
    "item_gradients_as_rows",
    _rows_of_kernel,
    _like,
    kinds="V",
    grad=lambda dys, outputs, inputs, leaf: (apply(AS_ROWS, dys, leaf=leaf), None),
)
AS_PARTS: Op = define(
    "parts_as_item_gradients",
    _as_parts_kernel,
    _variant,
    grad=lambda dys, outputs, inputs, leaf: (
        apply(PARTS_OF, (dys[0], *inputs), leaf=leaf),
        None,
    ),
)
PARTS_OF: Op = define(
    "item_gradients_as_parts",
    _parts_of_kernel,
    _like,
    kinds="V",
    grad=lambda dys, outputs, inputs, leaf: (
        apply(AS_PARTS, (dys[0], inputs[2]), leaf=leaf),
        None,
        None,
    ),
)
LENGTHS = define("lengths_of_items", _lengths_kernel, infer.fixed((None,), int32), kinds="V")


def as_rows(rows: Tensor, leaf: int) -> Any:
    """Return the gradients of a list that was stacked, from those of the stacked tensor."""
    return apply(AS_ROWS, (rows,), leaf=leaf)


def rows_of(gradients: Tensor, like: Tensor, leaf: int) -> Any:
    """Return the gradient of a tensor whose rows became list items."""
    return apply(ROWS_OF, (gradients, like), leaf=leaf)


def as_parts(whole: Tensor, target: Tensor, leaf: int) -> Any:
    """Return the gradients of a list whose items were concatenated, from those of the result."""
    return apply(AS_PARTS, (whole, apply(LENGTHS, (target,), leaf=leaf)), leaf=leaf)


def parts_of(gradients: Tensor, like: Tensor, lengths: Tensor) -> Any:
    """Return the gradient of a tensor whose parts became list items."""
    return apply(PARTS_OF, (gradients, like, lengths), leaf=0)


_without_item = moved("list_delete")


def _length(target: Any) -> Any:
    return apply(REGISTRY["list_length"], (target,))


def of_list(dys: Any, outputs: Any, inputs: Any, *, width: int) -> list[Any]:
    """Return the gradients of the items from which a list was made."""
    found: list[Any] = []
    for first in range(0, len(inputs), width):
        index = to_tensor(first // width)
        found += picked(dys[0], outputs[0], index, inputs[first : first + width])
    return found


def append(dys: Any, outputs: Any, inputs: Any) -> list[Any]:
    """Return the gradients of a list and of the item appended to it.

    Only the length of the old list is needed, so a loop that appends need not store the list. The
    item's gradient is picked first, since the gradients may change in place after that.
    """
    gradients, (target, *leaves) = dys[0], inputs
    place = _length(target)
    put_there = picked(gradients, gradients, place, leaves)
    return [limited(gradients, place), *put_there]


def get(dys: Any, outputs: Any, inputs: Any, *, specs: Any) -> list[Any]:
    """Return the gradient of a list one item of which was read."""
    target, index = inputs
    return [placed(target, index, dys), None]


def put(dys: Any, outputs: Any, inputs: Any) -> list[Any]:
    """Return the gradients of a list and of the item that replaced another one."""
    target, index, *leaves = inputs
    put_there = picked(dys[0], target, index, leaves)
    return [without(dys[0], target, index), None, *put_there]


def pop(dys: Any, outputs: Any, inputs: Any, *, specs: Any) -> list[Any]:
    """Return the gradient of a list from which an item was taken."""
    target, *index = inputs
    if not index:
        place = _length(outputs[0])
        rest = limited(dys[0], place)
        return [add_gradients(rest, placed(rest, place, dys[1:]))]
    rest, _ = _without_item(dys[:1], outputs[:1], inputs)
    return [add_gradients(rest, placed(target, index[0], dys[1:])), None]


# -- lists and tensors -----------------------------------------------------------------------------


def stack(dys: Any, outputs: Any, inputs: Any, *, leaf: int, **attrs: Any) -> list[Any]:
    """Return the gradient of a list that was stacked."""
    return [as_rows(dys[0], leaf)]


def concat(dys: Any, outputs: Any, inputs: Any, *, leaf: int, **attrs: Any) -> list[Any]:
    """Return the gradient of a list whose items were concatenated."""
    return [as_parts(dys[0], inputs[0], leaf)]


def from_rows(dys: Any, outputs: Any, inputs: Any) -> list[Any]:
    """Return the gradients of tensors whose rows became list items."""
    return [
        rows_of(dys[0], tensor, leaf) if tensor.dtype.kind in "fcV" else None
        for leaf, tensor in enumerate(inputs)
    ]


def from_parts(dys: Any, outputs: Any, inputs: Any) -> list[Any]:
    """Return the gradient of a tensor whose parts became list items."""
    tensor, lengths = inputs
    return [parts_of(dys[0], tensor, lengths), None]


# -- TensorArrays ----------------------------------------------------------------------------------


def write(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> list[Any]:
    """Return the gradients of a TensorArray and of the written value.

    Indices of a TensorArray never count from the end, so its length is not needed, and a loop that
    writes to it need not store it. The value's gradient is picked first, since the gradients may
    change in place after that.
    """
    gradients, (_, index, value) = dys[0], inputs
    written = picked(gradients, gradients, index, [value])
    return [without(gradients, gradients, index), None, *written]


def scatter(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> list[Any]:
    """Return the gradients of a TensorArray and of the list of values that were written."""
    gradients, (_, indices, _) = dys[0], inputs
    written = gathered(gradients, indices)
    return [without(gradients, gradients, indices), None, written]


def fill(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> list[Any]:
    """Return the gradient of the list of values that a TensorArray was filled with."""
    return [None, limited(dys[0], _length(inputs[1]))]


def read(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> list[Any]:
    """Return the gradient of a TensorArray one element of which was read."""
    target, index = inputs
    return [placed(target, index, dys), None]


def resize(dys: Any, outputs: Any, inputs: Any) -> list[Any]:
    """Return the gradients of the elements that a TensorArray of another size kept."""
    return [limited(dys[0], inputs[1]), None]


def items(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> list[Any]:
    """Return the gradient of a TensorArray whose elements became a list."""
    _, *indices = inputs
    return [scattered(dys[0], indices[0]), None] if indices else [dys[0]]
