"""Running sums and products along an axis, and running sums of logarithms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.ops.arguments import static_int
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.comparison import equal, greater
from runtime.ops.elementwise.logic import logical_and, logical_not
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import exp, log
from runtime.ops.grad.cumulative import product_gradient
from runtime.ops.infer import axis_of, check_rank_at_least, checked_axes
from runtime.ops.op import Op, apply, define


def _running(function: Any, start: float) -> Callable[..., Array]:
    def kernel(x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        axis = axis_of(axis, x.ndim)
        x = np.flip(x, axis) if reverse else x
        if exclusive:
            before = (slice(None),) * axis
            first = np.full_like(x[(*before, slice(0, 1))], start)
            x = np.concatenate([first, x[(*before, slice(0, -1))]], axis)
        result = function(x, axis=axis, dtype=x.dtype)
        return np.flip(result, axis) if reverse else result

    return kernel


def _running_infer(x: TensorSpec, *, axis: int, exclusive: bool, reverse: bool) -> TensorSpec:
    check_rank_at_least(x, 1)
    checked_axes(x, axis)
    return x.unnamed()


def _cumsum_grad(
    dys: Any, outputs: Any, inputs: Any, *, axis: int, exclusive: bool, reverse: bool
) -> tuple[Tensor]:
    return (cumsum(dys[0], axis, exclusive, not reverse),)


def _log_sums(x: Array, *, axis: int, dtype: Any) -> Array:
    return np.logaddexp.accumulate(x, axis=axis).astype(dtype, copy=False)


CUMSUM = define(
    "cumsum",
    _running(np.cumsum, 0),
    _running_infer,
    kinds="iufc",
    grad=_cumsum_grad,
    tensorflow_name="Cumsum",
)
CUMPROD = define(
    "cumprod",
    _running(np.cumprod, 1),
    _running_infer,
    kinds="iufc",
    grad=product_gradient,
    tensorflow_name="Cumprod",
)


def _log_grad(
    dys: Any, outputs: Any, inputs: Any, *, axis: int, exclusive: bool, reverse: bool
) -> Any:
    """Sum dy_j exp(x_i - y_j) in logarithms, separately for negative dy."""
    (x,), (y,), dy = inputs, outputs, dys[0]
    zeros, ones = zeros_like(dy), ones_like(dy)
    nothing = zeros - np.inf
    is_nothing = equal(y, nothing)

    def summed(part: Any) -> Any:
        is_there = logical_and(greater(part, zeros), logical_not(is_nothing))
        size = log(where(is_there, part, ones)) - where(is_there, y, zeros)
        sizes = where(is_there, size, nothing)
        return exp(x + cumulative_logsumexp(sizes, axis, exclusive, not reverse))

    return (summed(dy) - summed(-dy),)


CUMULATIVE_LOGSUMEXP = define(
    "cumulative_logsumexp",
    _running(_log_sums, -np.inf),
    _running_infer,
    kinds="f",
    grad=_log_grad,
    tensorflow_name="CumulativeLogsumexp",
)


def cumsum(
    x: TensorLike,
    axis: SupportsIndex = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the sums of the elements up to each one along `axis`.

    Args:
        exclusive: whether to leave out the element itself.
        reverse: whether to sum from the end.

    >>> print(cumsum([1, 2, 3]), cumsum([1, 2, 3], exclusive=True))
    rt.Tensor([1 3 6], shape=(3,), dtype=int32) rt.Tensor([0 1 3], shape=(3,), dtype=int32)
    """
    return _cumulated(CUMSUM, x, axis, exclusive, reverse)


def cumprod(
    x: TensorLike,
    axis: SupportsIndex = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the products of the elements up to each one along `axis`; see `cumsum`.

    >>> print(cumprod([1, 2, 3], reverse=True))
    rt.Tensor([6 6 3], shape=(3,), dtype=int32)
    """
    return _cumulated(CUMPROD, x, axis, exclusive, reverse)


def cumulative_logsumexp(
    x: TensorLike,
    axis: SupportsIndex = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return log(sum(exp(x))) of the elements up to each one along `axis`; see `cumsum`.

    For no elements the result is -inf.

    >>> print(cumulative_logsumexp([0.0, 0.0], exclusive=True))
    rt.Tensor([-inf   0.], shape=(2,), dtype=float32)
    """
    return _cumulated(CUMULATIVE_LOGSUMEXP, x, axis, exclusive, reverse)


def _cumulated(op: Op, x: Any, axis: Any, exclusive: bool, reverse: bool) -> Tensor:
    attrs = {
        "exclusive": flag(exclusive, "exclusive"),
        "reverse": flag(reverse, "reverse"),
    }
    result: Tensor = apply(op, (to_tensor(x),), axis=static_int(axis, "axis"), **attrs)
    return result
