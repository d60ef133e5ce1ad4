"""Fast kernels of quotients and powers, whose results are exact to the last bit.

A quotient of two integers of 32 bits, rounded to float64, is whole only if the exact one is: it is
never closer than 2**-32 to a whole number that it is not, and has no more than 32 bits before the
point. A quotient of two floats that is not whole lies between the same two whole numbers as the
exact one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from runtime.core.tensor import Array

# The number of elements processed at a time, which stay in the cache; fewer are not faster.
_BLOCK = 1 << 13
# The largest quotient of floats whose fraction has enough digits.
_FAR = float(1 << 20)
# The largest exponent that is computed as a product; more factors would lose digits.
_HIGHEST = 8


def floor_quotient(x: Array, y: Array) -> Array:
    """Return the floor of x / y; no integer `y` is 0.

    >>> floor_quotient(np.array([7, -7]), np.array([2, 2]))
    array([ 3, -4])
    """
    if _is_worth_it(x, y) and _fits(x):
        return _integer_quotient(x, y, np.floor)
    if _is_worth_it(x, y) and x.dtype in (np.float32, np.float64):
        return _float_quotient(x, y)
    return np.floor_divide(x, y)


def floor_remainder(x: Array, y: Array) -> Array:
    """Return the remainder of `floor_quotient`, with the sign of y.

    >>> floor_remainder(np.array([7, -7]), np.array([2, 2]))
    array([1, 1])
    """
    if not (_is_worth_it(x, y) and _fits(x)):
        return np.mod(x, y)
    quotient = np.floor_divide(x, y) if y.size == 1 else _integer_quotient(x, y, np.floor)
    np.multiply(quotient, y, out=quotient)
    return np.subtract(x, quotient, out=quotient)


def cut_quotient(x: Array, y: Array) -> Array:
    """Return x / y of integers, truncated towards zero; no `y` is 0.

    >>> cut_quotient(np.array([7, -7]), np.array([2, 2]))
    array([ 3, -3])
    """
    if _is_worth_it(x, y) and _fits(x):
        return _integer_quotient(x, y, np.trunc)
    # The least integer has no absolute value, so the remainder is subtracted instead.
    return np.floor_divide(x - np.fmod(x, y), y)


def power(x: Array, y: Array) -> Array:
    """Return x ** y; a small integer power of float32 is computed as a product in float64.

    >>> power(np.array([2.0, -3.0]), np.array(3.0))
    array([  8., -27.])
    """
    if y.ndim == 0 < x.ndim and x.dtype == y.dtype and y == 2:
        return np.square(x)
    if y.ndim == 0 < x.ndim and x.dtype == y.dtype == np.float32:
        exponent = float(y)
        if 2 < exponent <= _HIGHEST and exponent.is_integer():
            return _product(x, int(exponent))
    made: Array = np.power(x, y)
    return _with_ends_of_roots(made, x, y) if y.dtype.kind == "f" and (y == 0.5).any() else made


def _with_ends_of_roots(made: Array, x: Array, y: Array) -> Array:
    """Return powers with those of -inf and -0; NumPy takes their square roots, nan and -0."""
    return np.where((y == 0.5) & ((x == 0) | (x == -np.inf)), np.abs(x), made)


def power_of_number(x: float, y: float) -> float:
    """Return the power of a number, with the ends of roots that `power` has.

    >>> power_of_number(float("-inf"), 0.5)
    inf
    """
    is_end = y == 0.5 and (x == 0 or x == -np.inf)
    return abs(x) if is_end else np.power(x, y)


def _product(x: Array, exponent: int) -> Array:
    # In float64, a product of eight factors has the digits and the range of a float32.
    out = np.empty(x.shape, x.dtype)
    flat, results = x.reshape(-1), out.reshape(-1)
    for part in _parts(flat.size):
        base = flat[part].astype(np.float64)
        made = base * base
        for _ in range(exponent - 2):
            made *= base
        results[part] = made
    return out


def _is_worth_it(x: Array, y: Array) -> bool:
    return x.size > _BLOCK and (x.shape == y.shape or y.size == 1 and y.ndim <= x.ndim)


def _fits(x: Array) -> bool:
    return x.dtype.kind in "iu" and x.dtype.itemsize <= 4


def _parts(size: int) -> Iterator[slice]:
    return (slice(at, at + _BLOCK) for at in range(0, size, _BLOCK))


def _integer_quotient(x: Array, y: Array, whole: Callable[..., Array]) -> Array:
    if y.size == 1 and whole is np.floor:
        return np.floor_divide(x, y)  # NumPy multiplies by the reciprocal.
    out = np.empty(x.shape, x.dtype)
    flat, results, divisors = x.reshape(-1), out.reshape(-1), y.reshape(-1)
    # The least integer over -1 does not fit: it wraps around.
    wide = np.int64 if x.dtype.itemsize == 4 else np.int32
    for part in _parts(flat.size):
        quotient = np.divide(flat[part], divisors if y.size == 1 else divisors[part], dtype="f8")
        results[part] = whole(quotient, out=quotient).astype(wide)
    return out


def _float_quotient(x: Array, y: Array) -> Array:
    out = np.empty(x.shape, x.dtype)
    flat, results, divisors = x.reshape(-1), out.reshape(-1), y.reshape(-1)
    for part in _parts(flat.size):
        by = divisors if y.size == 1 else divisors[part]
        quotient = flat[part] / by
        found = np.floor(quotient, out=results[part])
        is_plain = (quotient != found) & (np.abs(quotient) < _FAR)
        if not is_plain.all():
            rest = np.flatnonzero(~is_plain)
            found[rest] = np.floor_divide(flat[part][rest], by if by.size == 1 else by[rest])
    return out
