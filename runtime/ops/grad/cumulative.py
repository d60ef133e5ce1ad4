"""Gradients of running products, without division by values that may be zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.ops import infer
from runtime.ops.gradient_rules import call, holomorphic
from runtime.ops.op import apply, define

# Limits of the steps and of their elements: many small steps are faster by doubling distances.
_MANY, _NARROW = 32, 256


def _moved_kernel(x: Array, *, axis: int, by: int) -> Array:
    axis = infer.axis_of(axis, x.ndim)
    size = x.shape[axis]
    result = np.zeros_like(x)
    if abs(by) < size:
        begin, end = (
            (slice(by, None), slice(None, -by)) if by > 0 else (slice(by), slice(-by, None))
        )
        before = (slice(None),) * axis
        result[(*before, begin)] = x[(*before, end)]
    return result


def _moved_infer(x: TensorSpec, *, axis: int, by: int) -> TensorSpec:
    infer.checked_axes(x, axis)
    return x.unnamed()


MOVED = define(
    "moved",
    _moved_kernel,
    _moved_infer,
    kinds="iufc",
    grad=lambda dys, outputs, inputs, axis, by: (moved(dys[0], axis, -by),),
)


def moved(x: Tensor, axis: int, by: int) -> Tensor:
    """Return `x` shifted along an axis, with zeros at the free end.

    >>> import autograph.runtime as rt
    >>> print(moved(rt.constant([1, 2, 3]), 0, 1))
    rt.Tensor([0 1 2], shape=(3,), dtype=int32)
    """
    result: Tensor = apply(MOVED, (x,), axis=axis, by=by)
    return result


def _recurrence_kernel(x: Array, factors: Array, *, axis: int, reverse: bool) -> Array:
    axis = infer.axis_of(axis, x.ndim)
    rows, steep = (np.moveaxis(each, axis, 0) for each in (x, factors))
    if reverse:
        rows, steep = rows[::-1], steep[::-1]
    result = np.array(rows)
    steps = len(result)
    if steps > _MANY and result.size < steps * _NARROW:
        _double(result, np.array(steep))
    else:
        for step in range(1, steps):
            result[step] += steep[step] * result[step - 1]
    return np.moveaxis(result[::-1] if reverse else result, 0, axis)


def _double(result: Array, factors: Array) -> None:
    """Compute the recurrence in place by doubling distances, for all elements at once."""
    distance = 1
    while distance < len(result):
        result[distance:] += factors[distance:] * result[:-distance]
        factors[distance:] *= factors[:-distance].copy()
        distance *= 2


def _recurrence_infer(
    x: TensorSpec, factors: TensorSpec, *, axis: int, reverse: bool
) -> TensorSpec:
    infer.check_same_dtype(x, factors)
    infer.checked_axes(x, axis)
    return x.unnamed()


def _recurrence_grad(
    dys: Any, outputs: Any, inputs: Any, *, axis: int, reverse: bool
) -> tuple[Any, Any]:
    forth = -1 if reverse else 1
    back = moved(inputs[1], axis, -forth)
    dx = recurrence(dys[0], back, axis, not reverse)
    return dx, dx * moved(outputs[0], axis, forth)


RECURRENCE = define(
    "recurrence",
    _recurrence_kernel,
    _recurrence_infer,
    kinds="fc",
    grad=holomorphic(_recurrence_grad),
)


def recurrence(x: Tensor, factors: Tensor, axis: int, reverse: bool) -> Tensor:
    """Return y with `y[i] = x[i] + factors[i] * y[i - 1]` along an axis; `reverse` from the end.

    >>> import autograph.runtime as rt
    >>> print(recurrence(rt.constant([1.0, 1.0, 1.0]), rt.constant([9.0, 2.0, 3.0]), 0, False))
    rt.Tensor([ 1.  3. 10.], shape=(3,), dtype=float32)
    """
    result: Tensor = apply(RECURRENCE, (x, factors), axis=axis, reverse=reverse)
    return result


def _product_gradient(
    dys: Any, outputs: Any, inputs: Any, *, axis: int, exclusive: bool, reverse: bool
) -> tuple[Any]:
    """Return, for each element, the product before it times the sums of the products after it.

    The sums obey s[i] = dy[i] + x[i + 1] * s[i + 1].
    """
    x, dy = inputs[0], dys[0]
    forth = -1 if reverse else 1
    before = call("cumprod", x, axis=axis, exclusive=True, reverse=reverse)
    if exclusive:
        # An exclusive product does not contain the element itself.
        dy = moved(dy, axis, -forth)
    after = recurrence(dy, moved(x, axis, -forth), axis, not reverse)
    return (before * after,)


product_gradient = holomorphic(_product_gradient)
