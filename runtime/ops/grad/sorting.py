"""Gradients of sorting."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.ops import infer
from runtime.ops.gradient_rules import call
from runtime.ops.op import apply, define


def _placed_along_kernel(dy: Array, places: Array, like: Array, *, axis: int) -> Array:
    result = np.zeros(like.shape, dy.dtype)
    np.put_along_axis(result, places.astype(np.int64), dy, axis)
    return result


def _placed_along_infer(
    dy: TensorSpec, places: TensorSpec, like: TensorSpec, *, axis: int
) -> TensorSpec:
    infer.check_integer(places, "places")
    infer.checked_axes(like, axis)
    return TensorSpec(like.shape, dy.dtype)


def _taken_along_kernel(x: Array, places: Array, *, axis: int) -> Array:
    return np.take_along_axis(x, places.astype(np.int64), axis)


def _taken_along_infer(x: TensorSpec, places: TensorSpec, *, axis: int) -> TensorSpec:
    infer.check_integer(places, "places")
    infer.checked_axes(x, axis)
    return TensorSpec(places.shape, x.dtype)


# Indices along the axis are distinct, so that nothing has to be summed.
PLACED_ALONG = define(
    "placed_along",
    _placed_along_kernel,
    _placed_along_infer,
    kinds="iufc",
    grad=lambda dys, outputs, inputs, axis: (
        call("taken_along", dys[0], inputs[1], axis=axis),
        None,
        None,
    ),
)
TAKEN_ALONG = define(
    "taken_along",
    _taken_along_kernel,
    _taken_along_infer,
    kinds="iufc",
    grad=lambda dys, outputs, inputs, axis: (
        apply(PLACED_ALONG, (dys[0], inputs[1], inputs[0]), axis=axis),
        None,
    ),
)


def sort(dys: Any, outputs: Any, inputs: Any, *, axis: int, descending: bool) -> tuple[Any]:
    """Restore the original order of the elements in the gradient."""
    x = inputs[0]
    places = call("argsort", x, axis=axis, descending=descending)
    return (apply(PLACED_ALONG, (dys[0], places, x), axis=axis),)


def top_k(dys: Any, outputs: Any, inputs: Any, *, k: int) -> tuple[Any]:
    """Write the gradient at the positions of the largest elements, zeros elsewhere."""
    if dys[0] is None:
        return (None,)
    return (apply(PLACED_ALONG, (dys[0], outputs[1], inputs[0]), axis=-1),)
