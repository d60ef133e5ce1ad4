"""Running sums and products along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.arguments import static_int
from runtime.ops.backward.scans import product_gradient
from runtime.ops.convert import to_tensor
from runtime.ops.infer import axis_of, check_rank_at_least, checked_axes
from runtime.ops.op import Op, apply, define
from runtime.spec import TensorSpec
from runtime.tensor import Array, Tensor


def _running(function: Any, start: int) -> Callable[..., Array]:
    def kernel(x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        axis = axis_of(axis, x.ndim)
        x = np.flip(x, axis) if reverse else x
        if exclusive:
            first = np.full_like(np.take(x, [0] if x.shape[axis] else [], axis), start)
            x = np.concatenate([first, np.take(x, range(x.shape[axis] - 1), axis)], axis)
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


CUMSUM = define(
    "cumsum",
    _running(np.cumsum, 0),
    _running_infer,
    kinds="iufc",
    grad=_cumsum_grad,
    lower={"graphdef": "Cumsum", "onnx": "CumSum"},
)
CUMPROD = define(
    "cumprod",
    _running(np.cumprod, 1),
    _running_infer,
    kinds="iufc",
    grad=product_gradient,
    lower={"graphdef": "Cumprod"},
)


def cumsum(
    x: Any,
    axis: Any = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the sums of the elements up to each one along `axis`.

    Args:
        exclusive: leave out the element itself.
        reverse: sum from the end.

    >>> print(cumsum([1, 2, 3]), cumsum([1, 2, 3], exclusive=True))
    rt.Tensor([1 3 6], shape=(3,), dtype=int32) rt.Tensor([0 1 3], shape=(3,), dtype=int32)
    """
    return _cumulated(CUMSUM, x, axis, exclusive, reverse)


def cumprod(
    x: Any,
    axis: Any = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the products of the elements up to each one along `axis`; see `cumsum`.

    >>> print(cumprod([1, 2, 3], reverse=True))
    rt.Tensor([6 6 3], shape=(3,), dtype=int32)
    """
    return _cumulated(CUMPROD, x, axis, exclusive, reverse)


def _cumulated(op: Op, x: Any, axis: Any, exclusive: bool, reverse: bool) -> Tensor:
    attrs = {"exclusive": bool(exclusive), "reverse": bool(reverse)}
    result: Tensor = apply(op, (to_tensor(x),), axis=static_int(axis, "axis"), **attrs)
    return result
