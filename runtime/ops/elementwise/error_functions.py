"""Relatives of the error function: its complement and the inverse functions.

Inverses start from Winitzki's approximation (2008) and are refined by Halley's method.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.ops import infer
from runtime.ops.convert import to_tensor, unary
from runtime.ops.elementwise.unary import exp
from runtime.ops.gradient_rules import one_input
from runtime.ops.op import Op, define

_ERF = np.frompyfunc(math.erf, 1, 1)
_ERFC = np.frompyfunc(math.erfc, 1, 1)
_WINITZKI = 0.147
_ROOT_PI = math.sqrt(math.pi)
# Halley's method triples the correct digits: 3, 9, 27.
_STEPS = 3


def erfc_of(x: Array) -> Array:
    """Return 1 - erf(x) of a float64 array, also exact for small results."""
    return np.asarray(_ERFC(x), np.float64)


def _first_guess(y: Array, rest: Array) -> Array:
    """Return an approximation of the x with erf(x) = y; `rest` is 1 - |y|, with more digits."""
    logs = np.log(rest) + np.log1p(np.abs(y))
    half = 2 / (math.pi * _WINITZKI) + logs / 2
    return np.copysign(np.sqrt(np.sqrt(half * half - logs / _WINITZKI) - half), y)


def _inverse_near_0(y: Array) -> Array:
    x = _first_guess(y, 1 - np.abs(y))
    for _ in range(_STEPS):
        off = (np.asarray(_ERF(x), np.float64) - y) * (_ROOT_PI / 2) * np.exp(x * x)
        x = x - off / (1 + x * off)
    return x


def _inverse_of_rest(rest: Array) -> Array:
    """Return the x > 0 with erfc(x) = rest, for 0 < rest <= 0.5."""
    x = _first_guess(1 - rest, rest)
    for _ in range(_STEPS):
        # exp(x * x) would overflow for a tiny rest.
        scale = np.exp(x * x + np.log(rest)) * (_ROOT_PI / 2)
        off = (erfc_of(x) / rest - 1) * scale
        x = x + off / (1 - x * off)
    return x


def _erfc_inverse(z: Array) -> Array:
    """Return the x with erfc(x) = z: infinite at the ends, 0 and 2, and NaN beyond."""
    result = np.full(z.shape, np.nan)
    result[z == 0], result[z == 2] = np.inf, -np.inf
    low, high = (z > 0) & (z <= 0.5), (z >= 1.5) & (z < 2)
    middle = (z > 0.5) & (z < 1.5)
    result[middle] = -_inverse_near_0(z[middle] - 1)
    result[low], result[high] = _inverse_of_rest(z[low]), -_inverse_of_rest(2 - z[high])
    return result


def _erfinv(y: Array) -> Array:
    size, result = np.abs(y), np.full(y.shape, np.nan)
    result[size == 1] = np.inf
    small, large = size < 0.5, (size >= 0.5) & (size < 1)
    result[small] = _inverse_near_0(size[small])
    result[large] = _inverse_of_rest(1 - size[large])
    return np.copysign(result, y)


def _ndtri(p: Array) -> Array:
    return 0.0 - math.sqrt(2) * _erfc_inverse(2 * p)


def in_float64(function: Any) -> Any:
    """Return a kernel that computes in float64 and returns the dtype of its first operand."""

    def kernel(*arrays: Array) -> Array:
        wide = [np.asarray(array, np.float64) for array in arrays]
        return np.asarray(function(*wide)).astype(arrays[0].dtype)

    return kernel


def _function(name: str, function: Any, tensorflow_name: str, grad: Any) -> Op:
    kernel, grad = in_float64(function), one_input(grad)
    return define(name, kernel, infer.same, kinds="f", grad=grad, tensorflow_name=tensorflow_name)


ERFC = _function("erfc", erfc_of, "Erfc", grad=lambda dy, y, x: dy * exp(-x * x) * (-2 / _ROOT_PI))
ERFINV = _function(
    "erfinv", _erfinv, "Erfinv", grad=lambda dy, y, x: dy * exp(y * y) * (_ROOT_PI / 2)
)
NDTRI = _function(
    "ndtri", _ndtri, "Ndtri", grad=lambda dy, y, x: dy * exp(y * y * 0.5) * math.sqrt(2 * math.pi)
)


def erfc(x: TensorLike, name: str | None = None) -> Tensor:
    """Return 1 - erf(x), also exact for small results; floats only.

    >>> erfc(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return unary(ERFC, x)


def erfinv(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the y with erf(y) = x: infinite for -1 and 1, NaN beyond; floats only.

    >>> erfinv([0.0, 1.0])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([ 0., inf], dtype=float32)>
    """
    return unary(ERFINV, x)


def erfcinv(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the y with erfc(y) = x, for x from 0 to 2; floats only.

    >>> print(erfcinv([2.0, 0.0]))
    rt.Tensor([-inf  inf], shape=(2,), dtype=float32)
    """
    tensor: Any = to_tensor(x)
    quantile: Any = unary(NDTRI, tensor * 0.5)
    result: Tensor = quantile * -math.sqrt(0.5)
    return result


def ndtri(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the quantile function of the standard normal distribution; floats only.

    >>> ndtri(0.5)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(NDTRI, x)
