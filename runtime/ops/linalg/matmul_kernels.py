"""Kernels of matrix products, each by the fastest NumPy function.

Large matrices of int32 are multiplied as floats where that is exact, since NumPy uses BLAS for
floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import Array

# The dtypes for which `np.dot` is faster than `np.matmul`: it has half the overhead.
DOTTED = frozenset("fdFDbBhHiIlLqQ")
# The number of products of elements from which on the conversion to floats is faster.
_MANY = 1 << 15


def is_large_product(x: Sequence[Any], y: Sequence[Any]) -> bool:
    """Return whether `of_integers` is faster for integer matrices of these shapes.

    >>> is_large_product((10, 10), (10, 10)), is_large_product((100, 100), (100, 100))
    (False, True)
    """
    return bool(x[-2] * x[-1] * y[-1] >= _MANY)


def of_integers(x: Array, y: Array) -> Array:
    """Return the product of matrices of int32, which wraps around: as float64 if that is exact.

    >>> of_integers(np.eye(2, dtype=np.int32), np.eye(2, dtype=np.int32) * 3).tolist()
    [[3, 0], [0, 3]]
    """
    wide = x.astype(np.float64), y.astype(np.float64)
    largest = [float(np.abs(each).max(initial=0)) for each in wide]
    if largest[0] * largest[1] * x.shape[-1] >= 2**53:
        return np.asarray(np.matmul(x, y))
    return np.asarray(np.matmul(*wide).astype(np.int64).astype(np.int32))


def product(x: Array, y: Array) -> Array:
    """Return the product of matrices of one dtype, or of many matrices side by side.

    >>> product(np.eye(2), np.ones((2, 3))).tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    if x.dtype == y.dtype == np.int32 and is_large_product(x.shape, y.shape):
        return of_integers(x, y)
    if x.ndim == y.ndim == 2 and x.dtype.char in DOTTED:
        return np.asarray(x.dot(y))
    # NumPy converts bfloat16 to float32.
    return np.asarray(np.matmul(x, y).astype(x.dtype, copy=False))
