"""Random numbers without a seed, which cannot be reproduced.

They need no position in a stream, which would take many times as long. They come from one NumPy
generator, which each process seeds from the system; NumPy lets one thread at a time draw from it.
"""

from __future__ import annotations

import math

import numpy as np

from runtime.core.fork_safety import reset_in_child
from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError
from runtime.ops.random import distributions
from runtime.ops.random.distributions import Shape

# The bound of truncated numbers.
_FARTHEST = 2.0


class _ProcessGenerator:
    """The generator of this process, created on the first draw."""

    def __init__(self) -> None:
        self._generator: np.random.Generator | None = None
        reset_in_child(self, _ProcessGenerator.forget)

    def forget(self) -> None:
        """Drop the generator, after a fork: else the child would draw the numbers of its parent."""
        self._generator = None

    @property
    def generator(self) -> np.random.Generator:
        """The generator."""
        made = self._generator
        if made is None:
            made = self._generator = np.random.Generator(np.random.SFC64())
        return made


_SOURCE = _ProcessGenerator()


def words(count: int) -> Array:
    """Return words of 32 random bits.

    >>> words(5).shape, words(0).dtype
    ((5,), dtype('uint32'))
    """
    bits: Array = _SOURCE.generator.bit_generator.random_raw(-(-count // 2))
    return bits.view(np.uint32)[:count]


def uniform(dtype: np.dtype, shape: Shape) -> Array:
    """Return floats from 0 (included) to 1 (excluded), as `floats` of `distributions.py` has them.

    >>> uniform(np.dtype(np.float32), (2, 3)).shape
    (2, 3)
    """
    count = math.prod(shape)
    bits = words(2 * count if dtype.itemsize == 8 else count)
    return distributions.floats(bits, dtype).reshape(shape)


def normal(dtype: np.dtype, shape: Shape) -> Array:
    """Return standard normal numbers.

    >>> normal(np.dtype(np.float16), (2, 3)).dtype
    dtype('float16')
    """
    if dtype.itemsize == 8:
        return _SOURCE.generator.standard_normal(shape)
    made = _SOURCE.generator.standard_normal(shape, np.float32)
    return made.astype(dtype, copy=False)


def truncated(dtype: np.dtype, shape: Shape) -> Array:
    """Return normal numbers between -2 and 2.

    >>> bool((np.abs(truncated(np.dtype(np.float64), (100,))) < 2).all())
    True
    """
    made = np.asarray(normal(dtype, (math.prod(shape),)))
    while len(far := np.flatnonzero(np.abs(made) >= _FARTHEST)):
        made[far] = normal(dtype, (len(far),))
    return made.reshape(shape)


def whole(low: Array, high: Array, *, shape: Shape) -> Array:
    """Return integers of the dtype of the bounds, from `low` (included) to `high` (excluded).

    >>> whole(np.int32(5), np.int32(6), shape=(2,))
    array([5, 5], dtype=int32)
    """
    if math.prod(shape) == 0:
        return np.empty(shape, low.dtype)
    if low >= high:
        raise ArgumentValueError(f"Need minval < maxval, got {low} >= {high}")
    return np.asarray(_SOURCE.generator.integers(int(low), int(high), shape, low.dtype))


def permutation(count: int) -> Array:
    """Return the numbers below `count` in random order.

    >>> sorted(permutation(3).tolist())
    [0, 1, 2]
    """
    return _SOURCE.generator.permutation(count)
