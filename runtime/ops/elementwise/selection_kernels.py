"""Elements chosen by their bits: a mask that nobody can foresee costs a jump for each otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import Array

# Integers as wide as elements of so many bytes.
BITS: dict[int, type[np.signedinteger[Any]]] = {
    1: np.int8,
    2: np.int16,
    4: np.int32,
    8: np.int64,
}
# So many elements at a time stay in the cache.
_BLOCK = 1 << 14


def chosen(mask: Array, x: Array, y: Array) -> Array:
    """Return `x` where a mask holds and `y` elsewhere.

    Args:
        mask: bools, with one axis or more.
        x, y: of one dtype, and each either of the shape of the mask or a scalar.

    >>> chosen(np.array([True, False]), np.array([1.0, 2.0]), np.array(0.0))
    array([1., 0.])
    """
    bits = BITS[x.dtype.itemsize]
    out = np.empty(mask.shape, x.dtype)
    flat, flags = out.reshape(-1).view(bits), mask.reshape(-1)
    ones, others = (each.reshape(-1).view(bits) for each in (x, y))
    for at in range(0, flat.size, _BLOCK):
        part = slice(at, at + _BLOCK)
        result, held = flat[part], _wide(flags[part], bits)
        one, other = (each if each.size == 1 else each[part] for each in (ones, others))
        np.bitwise_xor(one, other, out=result)
        np.bitwise_and(result, held, out=result)
        np.bitwise_xor(result, other, out=result)
    return out


def masked(x: Array, mask: Array) -> Array:
    """Return elements where a mask of the same shape holds, and zeros elsewhere.

    >>> masked(np.array([1.0, np.nan]), np.array([True, False]))
    array([1., 0.])
    """
    bits = BITS[x.dtype.itemsize]
    return (np.ascontiguousarray(x).view(bits) & _wide(mask, bits)).view(x.dtype)


def _wide(mask: Array, bits: type[np.signedinteger[Any]]) -> Array:
    """Return integers with all bits set where a mask holds."""
    return np.negative(mask.view(np.int8)).astype(bits)
