"""Gradients of lists whose items are rows or parts of a tensor, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.list_gradient import ItemGradients
from runtime.core.list_value import ItemList
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.core.variant import VARIANT, boxed, unboxed
from runtime.ops import infer
from runtime.ops.containers.item_gradients import gradients_in
from runtime.ops.op import Op, apply, define


def _pieces(pieces: Iterable[Array], leaf: int) -> Array:
    before = (None,) * leaf
    return boxed(ItemGradients((at, (*before, piece)) for at, piece in enumerate(pieces)))


def _filled(gradients: Array, like: Array, places: list[Any], leaf: int) -> Array:
    total = np.zeros_like(like)
    for at, leaves in gradients_in(gradients).table().items():
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
