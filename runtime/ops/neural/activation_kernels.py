"""Kernels of activations: few passes over memory, and no data-dependent branches.

Where a formula differs by sign, a minimum or a maximum selects the case. NumPy takes many times
longer to choose between results element by element.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import numpy as np

from runtime.core.tensor import Array

_ERF = np.frompyfunc(math.erf, 1, 1)
# erf(x) / x is a quotient of polynomials of x * x up to x = 4, with a relative error of 1e-11: a
# float32 is rounded from that as from the exact value. Beyond 4 it rounds to 1.
_ERF_ABOVE = (
    3.0043834285649005e-09,
    7.52741235421513e-07,
    2.1787719612595705e-05,
    0.0005130481154392271,
    0.004962341261945755,
    0.058118975308261794,
    0.20034820873172782,
    1.128379167086519,
)
_ERF_BELOW = (
    7.329183090523859e-08,
    4.519043359027286e-06,
    0.00011151753448462343,
    0.0017152602043640365,
    0.017719332113038208,
    0.1218023745021172,
    0.5108873099468179,
    1.0,
)
_ERF_END = 4.0
# The number of elements processed at a time, which stay in the cache through all steps.
_BLOCK = 1 << 14
# Up to this number of elements a scalar loop is faster.
_FEW = 100
# The size from which on arrays are processed in parts of an eighth of it.
_LARGE = 1 << 17
# Rows up to this length are transposed before reductions.
_SHORT = 32
# The size from which on several passes over all numbers are faster.
_MANY = 512


def _any_rank_kernel(kernel: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Return a kernel for any rank; `kernel` works in place on its results, which need an axis."""

    @wraps(kernel)
    def any_rank(x: Array) -> Array:
        return kernel(x) if x.ndim else kernel(x.reshape(1)).reshape(())

    return any_rank


def sigmoid(x: Array) -> Array:
    """Return 1 / (1 + exp(-x)).

    >>> sigmoid(np.array([0.0, -1000.0]))
    array([0.5, 0. ])
    """
    # If exp(-x) overflows, the quotient is 0, which is also the rounded result.
    if not x.ndim:
        return sigmoid(x.reshape(1)).reshape(())
    powers = np.negative(x)
    np.exp(powers, powers)
    np.add(powers, _one(x.dtype), powers)
    return np.reciprocal(powers, powers)


def rsqrt(x: Array) -> Array:
    """Return 1 / sqrt(x).

    >>> rsqrt(np.array([4.0, 0.25]))
    array([0.5, 2. ])
    """
    roots = np.sqrt(x)
    return np.asarray(1 / roots) if not x.ndim else np.divide(_one(x.dtype), roots, out=roots)


def softsign(x: Array) -> Array:
    """Return x / (1 + abs(x)).

    >>> softsign(np.array([1.0, -3.0]))
    array([ 0.5 , -0.75])
    """
    if not x.ndim:
        return np.asarray(x / (1 + np.abs(x)))
    below = np.abs(x)
    np.add(_one(x.dtype), below, out=below)
    return np.divide(x, below, out=below)


def relu_grad(y: Array) -> Array:
    """Return 1 where a number is above 0, and else 0.

    >>> relu_grad(np.array([-1.0, 9.0, np.nan]))
    array([0., 1., 0.])
    """
    return np.greater(y, y.dtype.type(0)).astype(y.dtype)


def relu6(x: Array) -> Array:
    """Return numbers clipped to 0 and 6.

    >>> relu6(np.array([-1.0, 9.0]))
    array([0., 6.])
    """
    zero, six = x.dtype.type(0), x.dtype.type(6)
    if not x.ndim:
        return np.asarray(np.minimum(np.maximum(x, zero), six))
    cut = np.maximum(x, zero)
    return np.minimum(cut, six, out=cut)


@cache
def _one(dtype: Any) -> Array:
    """Return 1 as an array, which ufuncs process faster than a NumPy scalar."""
    return np.ones((), dtype)


@_any_rank_kernel
def elu(x: Array) -> Array:
    """Return x above 0, else exp(x) - 1.

    >>> elu(np.array([2.0, -1000.0]))
    array([ 2., -1.])
    """
    zero = x.dtype.type(0)
    curve = np.minimum(x, zero)
    np.expm1(curve, out=curve)
    return np.add(curve, np.maximum(x, zero), out=curve)


@_any_rank_kernel
def softplus(x: Array) -> Array:
    """Return log(1 + exp(x)), where no large number overflows.

    >>> softplus(np.array([1000.0, -1000.0]))
    array([1000.,    0.])
    """
    curve = np.abs(x)
    np.exp(np.negative(curve, out=curve), out=curve)
    np.log1p(curve, out=curve)
    return np.add(curve, np.maximum(x, x.dtype.type(0)), out=curve)


@_any_rank_kernel
def erf(x: Array) -> Array:
    """Return the error function; for float64 with full precision, which takes longer.

    >>> erf(np.array([0.0, 9.0], np.float32))
    array([0., 1.], dtype=float32)
    """
    if x.dtype == np.float64 or x.size < _FEW:
        return np.asarray(_ERF(x.astype(np.float64))).astype(x.dtype)
    out = np.empty(x.shape, x.dtype)
    flat, result = x.reshape(-1), out.reshape(-1)
    for at in range(0, flat.size, _BLOCK):
        part = flat[at : at + _BLOCK].astype(np.float64)
        np.clip(part, -_ERF_END, _ERF_END, out=part)
        square = part * part
        part *= _polynomial(_ERF_ABOVE, square)
        part /= _polynomial(_ERF_BELOW, square)
        result[at : at + _BLOCK] = part
    return out


def _polynomial(factors: tuple[float, ...], x: Array) -> Array:
    value = x * factors[0]
    value += factors[1]
    for factor in factors[2:]:
        value *= x
        value += factor
    return value


def softmax(logits: Array, *, axis: int) -> Array:
    """Return exp(x) over its sum along an axis.

    >>> softmax(np.zeros((1, 2)), axis=-1)
    array([[0.5, 0.5]])
    """
    return _by_rows(_softmax, logits, axis)


def _softmax(logits: Array, axis: int) -> Array:
    columns = columns_of(logits) if axis in (-1, logits.ndim - 1) else None
    if columns is None:
        e = shifted(logits, axis)
        np.exp(e, e)
        return np.divide(e, np.add.reduce(e, axis, keepdims=True), e)
    # NumPy is faster on few long rows; the sums are taken in the order of the original rows.
    e = np.subtract(columns, np.maximum.reduce(columns, 0), columns)
    np.exp(e, e)
    np.divide(e, np.add.reduce(e.T.copy(), -1), e)
    return e.T.copy().reshape(logits.shape)


def log_softmax(logits: Array, *, axis: int) -> Array:
    """Return the logarithm of the softmax along an axis.

    >>> log_softmax(np.zeros((1, 1)), axis=-1)
    array([[0.]])
    """
    return _by_rows(_log_softmax, logits, axis)


def _log_softmax(logits: Array, axis: int) -> Array:
    rest = shifted(logits, axis)
    total = np.sum(np.exp(rest), axis, keepdims=True)
    return np.subtract(rest, np.log(total, out=total), out=rest)


def _by_rows(kernel: Callable[[Array, int], Array], x: Array, axis: int) -> Array:
    """Return a kernel's result, computed for some rows at a time, which stay in the cache."""
    if x.size < _LARGE or axis not in (-1, x.ndim - 1):
        return kernel(x, axis)
    out = np.empty(x.shape, x.dtype)
    rows, results = x.reshape(-1, x.shape[-1]), out.reshape(-1, x.shape[-1])
    by = max(_LARGE // 8 // x.shape[-1], 1)
    for at in range(0, len(rows), by):
        results[at : at + by] = kernel(rows[at : at + by], -1)
    return out


def shifted(logits: Array, axis: int) -> Array:
    """Return logits minus the largest along an axis.

    >>> shifted(np.array([[3.0, 1.0]]), -1)
    array([[ 0., -2.]])
    """
    if logits.shape[axis] == 0:
        return logits.copy()
    return np.subtract(logits, along_rows(np.maximum, logits, axis))


def sign_of(x: Array) -> Array:
    """Return -1, 0 or 1 for each number, and NaN for NaN.

    NumPy processes one number at a time, with branches that the processor cannot predict.

    >>> sign_of(np.array([2.0, -0.0, -3.0, np.nan]))
    array([ 1.,  0., -1., nan])
    """
    if x.size < _MANY or x.dtype.char not in "fd":
        return np.asarray(np.sign(x))
    signs = np.greater(x, 0).view(np.int8)
    signs -= np.less(x, 0).view(np.int8)
    found = signs.astype(x.dtype)
    is_none = np.isnan(x)
    if is_none.any():
        np.copyto(found, x, where=is_none)
    return found


def has_short_rows(x: Array) -> bool:
    """Return whether an array has many short rows along its last axis.

    >>> has_short_rows(np.zeros((50, 3))), has_short_rows(np.zeros((3, 50)))
    (True, False)
    """
    return x.ndim > 0 and 1 < x.shape[-1] <= _SHORT < x.size // x.shape[-1]


def columns_of(x: Array) -> Array | None:
    """Return a copy with the last axis first and the others as one, or None without short rows.

    >>> columns_of(np.zeros((50, 3))).shape, columns_of(np.zeros((3, 50)))
    ((3, 50), None)
    """
    if not has_short_rows(x):
        return None
    return x.reshape(-1, x.shape[-1]).T.copy()


def along_rows(join: np.ufunc, x: Array, axis: int) -> Array:
    """Return the reduction along an axis by a commutative function of two elements.

    NumPy reduces one row after the other; for short rows a transposition is faster.

    >>> along_rows(np.maximum, np.array([[1, 3], [2, 0]]), -1)
    array([[3],
           [2]])
    """
    columns = columns_of(x) if axis in (-1, x.ndim - 1) else None
    if columns is None:
        return np.asarray(join.reduce(x, axis, keepdims=True))
    return np.asarray(join.reduce(columns, 0)).reshape(*x.shape[:-1], 1)


def first_best(columns: Array, is_better: np.ufunc) -> Array:
    """Return for each row, given as a column, the index of its first best element.

    >>> first_best(np.array([[1, 3], [2, 0]]), np.greater)
    array([1, 0], dtype=uint8)
    """
    join = np.maximum if is_better is np.greater else np.minimum
    best, first = columns[0], np.zeros(columns.shape[1], np.uint8)
    better = np.empty(first.shape, bool)
    number = better.view(np.uint8)
    for at, found in enumerate(columns[1:], 1):
        is_better(found, best, better)
        # The running best only improves: the last element that improved it is the best.
        np.maximum(first, np.multiply(number, np.uint8(at), number), out=first)
        best = join(found, best)
    return first
