"""Gradients of reductions: broadcast over the reduced elements, or reshaped like an operand."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import float64, int32, int64
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.ops.convert import strong_cast
from runtime.ops.gradient_rules import BROADCAST_LIKE, call
from runtime.ops.infer import axis_of
from runtime.ops.op import apply, define


def _spread_kernel(x: Array, like: Array, *, axis: tuple[int, ...]) -> Array:
    axes = tuple(axis_of(each, like.ndim) for each in axis)
    return np.broadcast_to(np.expand_dims(x, axes), like.shape)


def _spread_infer(x: TensorSpec, like: TensorSpec, *, axis: tuple[int, ...]) -> TensorSpec:
    return TensorSpec(like.shape, x.dtype)


SPREAD = define(
    "spread",
    _spread_kernel,
    _spread_infer,
    grad=lambda dys, outputs, inputs, axis: (
        call("reduce_sum", dys[0], axis=axis, keepdims=False),
        None,
    ),
)


def spread(x: Tensor, like: Tensor, axis: Any, keepdims: bool) -> Tensor:
    """Broadcast the result of a reduction of `like`, or its gradient, over the reduced elements.

    >>> import autograph.runtime as rt
    >>> print(spread(rt.constant([1, 2]), rt.zeros([2, 3]), (-1,), False))
    rt.Tensor(
    [[1 1 1]
     [2 2 2]], shape=(2, 3), dtype=int32)
    """
    if keepdims or axis is None:
        repeated: Tensor = apply(BROADCAST_LIKE, (x, like))
    else:
        repeated = apply(SPREAD, (x, like), axis=axis)
    return repeated


def reshaped_like(x: Tensor, like: Tensor) -> Tensor:
    """Return the elements of `x` in the shape of `like`.

    >>> import autograph.runtime as rt
    >>> reshaped_like(rt.constant([1, 2]), rt.zeros([2, 1])).shape
    TensorShape([2, 1])
    """
    dims = () if like.shape.is_fully_defined() else (call("shape", like, out_type=int32),)
    reshaped: Tensor = call("reshape", x, *dims, shape=like.shape.dims)
    return reshaped


def ratio_of_sizes(x: Any, y: Any, dtype: Any) -> Any:
    """Return the ratio of the sizes of `x` and `y`: a number, or a scalar of `dtype`."""
    first, second = x.shape.num_elements(), y.shape.num_elements()
    if first is not None and second is not None:
        return first / max(second, 1)
    # In float64, since the largest float16 is 65504.
    counts = (strong_cast(call("size", each, out_type=int64), float64) for each in (x, y))
    share: Any = call("divide_no_nan", *counts)
    return strong_cast(share, dtype)
