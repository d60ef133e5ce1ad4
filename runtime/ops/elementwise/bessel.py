"""Modified Bessel functions of the first kind, plain and scaled.

Sources: the NIST Digital Library of Mathematical Functions, 10.25.2 for small and 10.40.1 for large
arguments.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.dtypes import bool_
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.ops import infer
from runtime.ops.convert import to_tensor, unary
from runtime.ops.elementwise.error_functions import in_float64
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import sign
from runtime.ops.gradient_rules import one_input
from runtime.ops.op import Op, define

# The argument from which on the asymptotic series is exact; the other series is short below it.
_FAR = 30.0
_TERMS = 60


def _scaled(order: int, x: Array) -> Array:
    """Return exp(-|x|) times the function of that order, 0 or 1, for x >= 0."""
    near = np.minimum(x, _FAR)
    term = (near / 2) ** order
    total = term.copy()
    for k in range(1, _TERMS):
        term = term * (near / 2) ** 2 / (k * (k + order))
        total += term
    return np.where(x <= _FAR, total * np.exp(-near), _asymptotic(order, np.maximum(x, _FAR)))


def _asymptotic(order: int, x: Array) -> Array:
    term, total = np.ones_like(x), np.ones_like(x)
    for k in range(1, _TERMS):
        following = -term * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * x)
        # The terms grow again, but far below the last digit.
        term = np.where(np.abs(following) < np.abs(term), following, 0.0)
        total += term
    return total / np.sqrt(2 * math.pi * x)


def _even(x: Array) -> Array:
    return _scaled(0, np.abs(x))


def _odd(x: Array) -> Array:
    return np.copysign(_scaled(1, np.abs(x)), x)


def _grown(function: Any) -> Any:
    # In two steps, since exp(|x|) overflows a little before the function does.
    def whole(x: Array) -> Array:
        half = np.exp(np.abs(x) / 2)
        return np.where(np.isinf(x), np.copysign(np.inf, function(x)), function(x) * half * half)

    return whole


def _over(y: Any, x: Any) -> Any:
    """Return I1(x) / x, which is 1/2 at 0."""
    at_0 = x == to_tensor(0, x.dtype)
    assert at_0.dtype is bool_
    safe = where(at_0, to_tensor(1, x.dtype), x)
    return where(at_0, to_tensor(0.5, x.dtype), y / safe)


def _function(name: str, function: Any, tensorflow_name: str, grad: Any) -> Op:
    kernel, grad = in_float64(function), one_input(grad)
    return define(name, kernel, infer.same, kinds="f", grad=grad, tensorflow_name=tensorflow_name)


I0 = _function("bessel_i0", _grown(_even), "BesselI0", grad=lambda dy, y, x: dy * bessel_i1(x))
I1 = _function(
    "bessel_i1", _grown(_odd), "BesselI1", grad=lambda dy, y, x: dy * (bessel_i0(x) - _over(y, x))
)
I0E = _function(
    "bessel_i0e", _even, "BesselI0e", grad=lambda dy, y, x: dy * (bessel_i1e(x) - sign(x) * y)
)
I1E = _function(
    "bessel_i1e",
    _odd,
    "BesselI1e",
    grad=lambda dy, y, x: dy * (bessel_i0e(x) - sign(x) * y - _over(y, x)),
)


def bessel_i0(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the modified Bessel function of the first kind of order 0; floats only.

    >>> bessel_i0(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return unary(I0, x)


def bessel_i1(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the modified Bessel function of the first kind of order 1; floats only.

    >>> bessel_i1(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(I1, x)


def bessel_i0e(x: TensorLike, name: str | None = None) -> Tensor:
    """Return exp(-abs(x)) * bessel_i0(x), which does not overflow; floats only.

    >>> bessel_i0e(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return unary(I0E, x)


def bessel_i1e(x: TensorLike, name: str | None = None) -> Tensor:
    """Return exp(-abs(x)) * bessel_i1(x), which does not overflow; floats only.

    >>> bessel_i1e(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(I1E, x)
