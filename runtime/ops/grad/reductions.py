"""Gradients of reductions, and of the broadcasting that reverses them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.dtypes import float64, int32, int64
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.ops.convert import strong_cast
from runtime.ops.gradient_rules import BROADCAST_LIKE, call, holomorphic
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


Axes = tuple[int, ...] | None


def _of_reduction(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Return the gradient of a reduction from `rule(dy, y, x, again, axis)`.

    `again` broadcasts values of the result's shape over the reduced elements.
    """

    def grad(dys: Any, outputs: Any, inputs: Any, *, axis: Axes, keepdims: bool) -> tuple[Any]:
        x = inputs[0]

        def again(reduced: Any) -> Any:
            return spread(reduced, x, axis, keepdims)

        return (rule(dys[0], outputs[0], x, again, axis),)

    return grad


def _mean(dy: Any, y: Any, x: Any, again: Any, axis: Axes) -> Any:
    return again(dy * ratio_of_sizes(y, x, dy.dtype))


def _extreme(dy: Any, y: Any, x: Any, again: Any, axis: Axes) -> Any:
    """Share the gradient evenly among equal extremes."""
    chosen = strong_cast(call("equal", again(y), x), x.dtype)
    ties = call("reduce_sum", chosen, axis=axis, keepdims=True)
    return chosen / ties * again(dy)


def _log_sum_exp(dy: Any, y: Any, x: Any, again: Any, axis: Axes) -> Any:
    return again(dy) * call("exp", x - again(y))


def _from_mean(x: Any, axis: Axes) -> Any:
    return x - call("reduce_mean", x, axis=axis, keepdims=True)


def _variance(dy: Any, y: Any, x: Any, again: Any, axis: Axes) -> Any:
    return again(dy * 2 * ratio_of_sizes(y, x, dy.dtype)) * _from_mean(x, axis)


def _deviation(dy: Any, y: Any, x: Any, again: Any, axis: Axes) -> Any:
    gradient = call("multiply_no_nan", 1 / y, dy)
    return again(gradient * ratio_of_sizes(y, x, dy.dtype)) * _from_mean(x, axis)


def _product(dys: Any, outputs: Any, inputs: Any, *, axis: Axes, keepdims: bool) -> tuple[Any]:
    """Multiply by the product of all other elements, which is also correct for zeros.

    A product along several axes is computed axis by axis.
    """
    x, dy = inputs[0], dys[0]
    if axis is None:
        flat = call("reshape", x, shape=(-1,))
        return (reshaped_like(call("reshape", dy, shape=(1,)) * _others(flat, 0), x),)
    if not axis:
        return (dy,)
    stages = [x]
    for each in axis[:-1]:
        stages.append(call("reduce_prod", stages[-1], axis=(each,), keepdims=True))
    dx: Any = spread(dy, stages[-1], axis, keepdims)
    for stage, each in zip(reversed(stages), reversed(axis), strict=True):
        dx = dx * _others(stage, each)
    return (dx,)


def _others(x: Any, axis: int) -> Any:
    before, after = (
        call("cumprod", x, axis=axis, exclusive=True, reverse=reverse) for reverse in (False, True)
    )
    return before * after


SUM = _of_reduction(lambda dy, y, x, again, axis: again(dy))
MEAN = _of_reduction(_mean)
EXTREME = _of_reduction(_extreme)
PROD = holomorphic(_product)
LOGSUMEXP = _of_reduction(_log_sum_exp)
VARIANCE = _of_reduction(_variance)
STD = _of_reduction(_deviation)
