"""The logarithm of the gamma function, its derivatives, and the zeta function that they use.

Sources: the NIST Digital Library of Mathematical Functions, chapters 5 and 25.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.ops import infer
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.convert import binary, to_tensor, unary
from runtime.ops.elementwise.error_functions import in_float64
from runtime.ops.gradient_rules import one_input, sum_to_like
from runtime.ops.op import define

# B(2), B(4), ..., the Bernoulli numbers of even index (section 24.2).
BERNOULLI = (
    *(1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798),
    *(-174611 / 330, 854513 / 138, -236364091 / 2730),
)
# The argument from which on the asymptotic series are exact.
_FAR = 10.0
_MOST_TERMS = 200


def _log_gamma(x: float) -> float:
    if x == -math.inf or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.lgamma(x)


log_gamma = np.frompyfunc(_log_gamma, 1, 1)
"""Return log(abs(gamma(x))) of arrays, as objects: infinite at the poles 0, -1, -2, ..."""


def digamma_of(x: Array) -> Array:
    """Return the derivative of the logarithm of gamma, of an array of float64.

    For large x by 5.11.2, where the recurrence 5.5.2 leads from smaller ones, and by the reflection
    5.5.4 for negative ones. NaN at the poles 0, -1, ...
    """
    mirrored = x <= 0
    y = np.where(mirrored, 1 - x, x)
    result = np.zeros_like(y)
    for _ in range(int(_FAR)):
        near = y < _FAR
        result = np.where(near, result - 1 / np.where(near, y, 1), result)
        y = np.where(near, y + 1, y)
    square = 1 / (y * y)
    tail = np.zeros_like(y)
    for k in range(len(BERNOULLI), 0, -1):
        tail = (tail + BERNOULLI[k - 1] / (2 * k)) * square
    result += np.log(y) - 0.5 / y - tail
    turned = result - math.pi / np.tan(math.pi * _fraction(x))
    at_pole = mirrored & (x == np.floor(x))
    return np.where(at_pole, np.nan, np.where(mirrored, turned, result))


def _fraction(x: Array) -> Array:
    # tan(pi x) has the period 1; reducing x first keeps its fractional digits.
    fraction: Array = x - np.rint(x)
    return fraction


def zeta_of(x: Array, q: Array) -> Array:
    """Return the sum of 1 / (q + k) ** x for k = 0, 1, ..., of arrays of float64.

    By the formula of Euler and Maclaurin, 25.11.5. Infinite for x = 1 and at the poles
    q = 0, -1, ..., NaN for x < 1 and for fractional x with q < 0.
    """
    x, q = np.broadcast_arrays(x, q)
    finite = np.isfinite(x) & np.isfinite(q)
    good = finite & (x > 1) & ((q > 0) | ((q != np.floor(q)) & (x == np.floor(x))))
    s, start = np.where(good, x, 2.0), np.where(good, q, 1.0)
    count = int(min(_MOST_TERMS, np.max(s, initial=2.0) + _FAR - min(np.min(start, initial=1), 0)))
    total = np.zeros(s.shape)
    for k in range(count):
        total += (start + k) ** -s
    total += _remainder(s, start + count)
    at_pole = (x == 1) | ((x > 1) & (q <= 0) & (q == np.floor(q)))
    far_out = np.where((x > 1) & (q == np.inf), 0.0, np.nan)
    return np.where(good, total, np.where(at_pole, np.inf, far_out))


def _remainder(s: Array, far: Array) -> Array:
    """Return the sum from `far` on: an integral and its corrections."""
    power = far**-s
    total = power * far / (s - 1) + power / 2
    factor = s * power / far
    for k, bernoulli in enumerate(BERNOULLI, 1):
        total += bernoulli / math.factorial(2 * k) * factor
        factor = factor * (s + 2 * k - 1) * (s + 2 * k) / (far * far)
    return total


def _polygamma(a: Array, x: Array) -> Array:
    """Return the a-th derivative of digamma, by 25.11.12."""
    a, x = np.broadcast_arrays(a, x)
    good = (a >= 0) & (a == np.floor(a))
    order = np.where(good, a, 1.0)
    size = np.exp(np.asarray(log_gamma(order + 1), np.float64))
    higher = np.where(order % 2 == 1, 1.0, -1.0) * _factorials(order, size)
    derived = higher * zeta_of(order + 1, x)
    return np.where(good, np.where(order == 0, digamma_of(x), derived), np.nan)


def _factorials(order: Array, roughly: Array) -> Array:
    """Return factorials: exact ones if possible, since exp(log) loses digits."""
    exact = np.array([float(math.factorial(k)) for k in range(171)])
    return np.where(order <= 170, exact[np.minimum(order, 170).astype(int)], roughly)


def _zeta_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Tensor | None, ...]:
    x, q = inputs
    return None, sum_to_like(-dys[0] * x * zeta(x + 1, q), q)


def _polygamma_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Tensor | None, ...]:
    a, x = inputs
    return None, sum_to_like(dys[0] * polygamma(a + 1, x), x)


LGAMMA = define(
    "lgamma",
    in_float64(lambda x: np.asarray(log_gamma(x), np.float64)),
    infer.same,
    kinds="f",
    grad=one_input(lambda dy, y, x: dy * digamma(x)),
    tensorflow_name="Lgamma",
)
DIGAMMA = define(
    "digamma",
    in_float64(digamma_of),
    infer.same,
    kinds="f",
    grad=one_input(lambda dy, y, x: dy * polygamma(to_tensor(1, x.dtype), x)),
    tensorflow_name="Digamma",
)
# TensorFlow has no gradient with respect to the order either.
POLYGAMMA = define(
    "polygamma",
    in_float64(_polygamma),
    infer.broadcast,
    kinds="f",
    grad=_polygamma_grad,
    tensorflow_name="Polygamma",
)
ZETA = define(
    "zeta",
    in_float64(zeta_of),
    infer.broadcast,
    kinds="f",
    grad=_zeta_grad,
    tensorflow_name="Zeta",
)


def lgamma(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the logarithm of the absolute value of gamma(x); floats only.

    >>> lgamma([1.0, 0.0])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([ 0., inf], dtype=float32)>
    """
    return unary(LGAMMA, x)


def digamma(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the derivative of the logarithm of gamma(x); floats only.

    >>> digamma(1.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=-0.5772157>
    """
    return unary(DIGAMMA, x)


def polygamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the derivative of digamma of the order `a` at `x`; NaN for fractional orders.

    Args:
        a, x: floats of one dtype; their shapes broadcast. No gradient flows to `a`.

    >>> polygamma(1.0, 1.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=1.644934>
    """
    return binary(POLYGAMMA, a, x)


def zeta(x: TensorLike, q: TensorLike, name: str | None = None) -> Tensor:
    """Return Hurwitz' zeta function, the sum of 1 / (q + k) ** x for k = 0, 1, ...

    Args:
        x, q: floats of one dtype; their shapes broadcast. No gradient flows to `x`.

    >>> zeta(2.0, 1.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=1.644934>
    """
    return binary(ZETA, x, q)


def lbeta(x: TensorLike, name: str | None = None) -> Tensor:
    """Return log(abs(beta(x))) along the last axis: gammas multiplied, over gamma of the sum.

    >>> lbeta([1.0, 1.0])
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    tensor = to_tensor(x)
    result: Tensor = reduce_sum(lgamma(tensor), -1) - lgamma(reduce_sum(tensor, -1))
    return result
