"""Incomplete gamma and beta functions.

Sources: the NIST Digital Library of Mathematical Functions, 8.7 to 8.17; continued fractions are
summed as Lentz (1976) and Thompson and Barnett (1986) do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.ops import infer
from runtime.ops.convert import binary, matched
from runtime.ops.elementwise.error_functions import in_float64
from runtime.ops.elementwise.gamma import BERNOULLI, digamma_of, lgamma, log_gamma
from runtime.ops.elementwise.unary import exp, log, log1p
from runtime.ops.gradient_rules import sum_to_like
from runtime.ops.op import apply, define

_EPSILON = float(np.finfo(np.float64).eps)
_TINY = 1e-290
_MOST_TERMS = 10_000
# The argument from which on Stirling's series is exact.
_LARGE = 10.0


def _lgamma(x: Array) -> Array:
    return np.asarray(log_gamma(x), np.float64)


def _front(a: Array, x: Array) -> Array:
    """Return x ** a * exp(-x) / gamma(a + 1), for large a without a difference of large numbers."""
    small = np.exp(a * np.log(x) - x - _lgamma(a + 1))
    far = np.maximum(a, _LARGE)
    above = (x - far) / far
    correction = np.zeros_like(far)
    for k in range(len(BERNOULLI), 0, -1):
        correction = correction / (far * far) + BERNOULLI[k - 1] / (2 * k * (2 * k - 1))
    shape = np.exp(-far * (above - np.log1p(above)) - correction / far)
    return np.where(a < _LARGE, small, shape / np.sqrt(2 * math.pi * far))


def _series(a: Array, x: Array) -> tuple[Array, Array]:
    """Return the sum in 8.7.1, without its factor, and the derivative of the sum by a."""
    term, gradient = np.ones_like(x), np.zeros_like(x)
    total, rise = term.copy(), gradient.copy()
    for k in range(1, _MOST_TERMS):
        gradient = (gradient - term / (a + k)) * x / (a + k)
        term = term * x / (a + k)
        total, rise = total + term, rise + gradient
        if np.all((term <= _EPSILON / 8 * total) & (np.abs(gradient) <= _EPSILON / 8 * total)):
            break
    return total, rise


def _fraction(start: Array, parts: Callable[[int], tuple[Array, Array]]) -> Array:
    """Return the continued fraction start + n1 / (d1 + n2 / (d2 + ...))."""
    value = np.where(start == 0, _TINY, start)
    up, down = value.copy(), np.zeros_like(value)
    for k in range(1, _MOST_TERMS):
        over, under = parts(k)
        down = 1 / _not_zero(under + over * down)
        up = _not_zero(under + over / up)
        value = value * up * down
        if np.all(np.abs(up * down - 1) <= _EPSILON):
            break
    return value


def _not_zero(x: Array) -> Array:
    return np.where(np.abs(x) < _TINY, _TINY, x)


def _lower_and_upper(a: Array, x: Array) -> tuple[Array, Array]:
    """Return the two parts of gamma, which add up to 1: NaN for a <= 0 and x < 0."""
    a, x = np.broadcast_arrays(a, x)
    good = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    near = good & (x < a + 1)
    far = good & ~near
    lower, upper = np.full(a.shape, np.nan), np.full(a.shape, np.nan)
    lower[near] = _front(a[near], x[near]) * _series(a[near], x[near])[0]
    upper[near] = 1 - lower[near]
    upper[far] = _upper(a[far], x[far])
    lower[far] = 1 - upper[far]
    at_0 = (a > 0) & (x >= 0) & ((x == 0) | ((a == np.inf) & np.isfinite(x)))
    at_end = (a > 0) & (x == np.inf) & np.isfinite(a)
    lower[at_0], upper[at_0], lower[at_end], upper[at_end] = 0, 1, 1, 0
    return lower, upper


def _upper(a: Array, x: Array) -> Array:
    """Return the upper part by 8.9.2, for x that are not smaller than a."""
    start = x + 1 - a

    def parts(k: int) -> tuple[Array, Array]:
        return -k * (k - a), start + 2 * k

    return _front(a, x) * a / _fraction(start, parts)


def _gradient_by_a(a: Array, x: Array) -> Array:
    """Return the derivative of the lower part by a, from 8.7.1 term by term."""
    a, x = np.broadcast_arrays(a, x)
    good = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    b, y = np.where(good, a, 1.0), np.where(good, x, 1.0)
    total, rise = _series(b, y)
    gradient = _front(b, y) * (total * (np.log(y) - digamma_of(b + 1)) + rise)
    return np.where(good, gradient, np.where((x == 0) & (a > 0), 0.0, np.nan))


def _betainc(a: Array, b: Array, x: Array) -> Array:
    """Return the lower part of beta by 8.17.22, or through the upper part by 8.17.4."""
    a, b, x = np.broadcast_arrays(a, b, x)
    good = (a > 0) & (b > 0) & (x > 0) & (x < 1)
    p, q, y = (np.where(good, each, 0.5) for each in (a, b, x))
    turned = y > (p + 1) / (p + q + 2)
    p, q, y = np.where(turned, q, p), np.where(turned, p, q), np.where(turned, 1 - y, y)

    def parts(k: int) -> tuple[Array, Array]:
        m = k // 2
        if k % 2:
            return -(p + m) * (p + q + m) * y / ((p + 2 * m) * (p + 2 * m + 1)), one
        return m * (q - m) * y / ((p + 2 * m - 1) * (p + 2 * m)), one

    one = np.ones_like(y)
    logs = _lgamma(p + q) - _lgamma(p) - _lgamma(q) + p * np.log(y) + q * np.log1p(-y)
    lower = np.exp(logs) / (p * _fraction(one, parts))
    inside = np.where(turned, 1 - lower, lower)
    at_end = (a > 0) & (b > 0) & ((x == 0) | (x == 1))
    return np.where(good, inside, np.where(at_end, x, np.nan))


def _density(a: Any, x: Any) -> Any:
    return exp((a - 1) * log(x) - x - lgamma(a))


def _igamma_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Tensor, Tensor]:
    (a, x), dy = inputs, dys[0]
    along_a = dy * apply(IGAMMA_SLOPE, (a, x))
    return sum_to_like(along_a, a), sum_to_like(dy * _density(a, x), x)


def _igammac_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Tensor, ...]:
    return tuple(-each for each in _igamma_grad(dys, outputs, inputs))


def _betainc_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Tensor | None, ...]:
    a, b, x = inputs
    whole = lgamma(a) + lgamma(b) - lgamma(a + b)
    density = exp((a - 1) * log(x) + (b - 1) * log1p(-x) - whole)
    return None, None, sum_to_like(dys[0] * density, x)


IGAMMA_SLOPE = define(
    "igamma_grad",
    in_float64(_gradient_by_a),
    infer.broadcast,
    kinds="f",
    tensorflow_name="IgammaGradA",
)
IGAMMA = define(
    "igamma",
    in_float64(lambda a, x: _lower_and_upper(a, x)[0]),
    infer.broadcast,
    kinds="f",
    grad=_igamma_grad,
    tensorflow_name="Igamma",
)
IGAMMAC = define(
    "igammac",
    in_float64(lambda a, x: _lower_and_upper(a, x)[1]),
    infer.broadcast,
    kinds="f",
    grad=_igammac_grad,
    tensorflow_name="Igammac",
)
# TensorFlow has no gradients with respect to a and b either.
BETAINC = define(
    "betainc",
    in_float64(_betainc),
    infer.broadcast,
    kinds="f",
    grad=_betainc_grad,
    tensorflow_name="Betainc",
)


def gamma_gradient(x: Tensor, a: Tensor) -> Any:
    """Return the derivative by `a` of a gamma distributed number at a fixed quantile.

    M. Figurnov, S. Mohamed, A. Mnih, "Implicit reparameterization gradients" (2018), equation 5.
    """
    return -apply(IGAMMA_SLOPE, (a, x)) / _density(a, x)


def igamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the regularized lower incomplete gamma function, from 0 to 1.

    Args:
        a, x: floats of one dtype, a > 0 and x >= 0, else the result is NaN; shapes broadcast.

    >>> igamma(1.0, 0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return binary(IGAMMA, a, x)


def igammac(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the regularized upper incomplete gamma function: 1 - igamma(a, x).

    >>> igammac(1.0, 0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return binary(IGAMMAC, a, x)


def betainc(a: TensorLike, b: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the regularized incomplete beta function, from 0 to 1.

    Args:
        a, b, x: floats of one dtype, a and b > 0 and x from 0 to 1, else the result is NaN; shapes
            broadcast. No gradient flows to a and b.

    Raises:
        DTypeError: the arguments are not floats.

    >>> betainc(1.0, 1.0, 0.25)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.25>
    """
    inputs, _ = matched((a, b, x), "betainc")
    if not inputs[0].dtype.is_floating:
        raise DTypeError(f"betainc works on floats, not on {inputs[0].dtype.name}")
    result: Tensor = apply(BETAINC, inputs)
    return result
