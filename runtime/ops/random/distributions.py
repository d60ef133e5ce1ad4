"""Numbers of a distribution, computed from the random bits after a position in a stream.

The conversion of bits to floats and the use of bits are those of TensorFlow's kernels, so that the
same position gives the same numbers: floats with a fully random fraction, whole numbers by the
remainder of a division, pairs of normal numbers by Box and Muller's transform (1958).
"""

from __future__ import annotations

import math

import numpy as np

from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError
from runtime.ops.random.eager_seeds import RESERVED
from runtime.ops.random.philox import FEW_WORDS, StreamPosition, blocks, blocks_at, few_words, words

Shape = tuple[int, ...]

_FARTHEST = 2.0
# The smallest float of Box and Muller's transform: the logarithm of 0 is infinite.
_LEAST = 1.0e-7
_LEAST_SINGLE = float(np.float32(_LEAST))
# By size of the float in bytes: the bits of a word in the fraction, and the value of the last one.
_FRACTIONS = {2: (0x3FF, 2.0**-10), 4: (0x7FFFFF, 2.0**-23)}


def uniform(start: StreamPosition, dtype: np.dtype, shape: Shape) -> Array:
    """Return floats from 0 (included) to 1 (excluded)."""
    count = math.prod(shape)
    if dtype.itemsize == 8:
        return floats(words(start, 2 * count), dtype).reshape(shape)
    if count <= FEW_WORDS:
        return np.array(_few_floats(start, count, dtype.itemsize), dtype).reshape(shape)
    return floats(words(start, count), dtype).reshape(shape)


def floats(bits: Array, dtype: np.dtype) -> Array:
    """Return a float for each word; a float64 for each two words.

    >>> floats(np.array([0x400000], np.uint32), np.dtype(np.float32))
    array([0.5], dtype=float32)
    """
    if dtype.itemsize == 8:
        return doubles(bits)
    return _singles(bits) if dtype.itemsize == 4 else _halves(bits)


def _few_floats(start: StreamPosition, count: int, size: int) -> list[float]:
    """Return the next floats, of a size in bytes, as Python numbers."""
    mask, unit = _FRACTIONS[size]
    return [(word & mask) * unit for word in few_words(start, count)]


def _singles(bits: Array) -> Array:
    """Return floats of 23 bits each: the fractions of numbers from 1 to 2."""
    numbers: Array = (bits & np.uint32(0x7FFFFF) | np.uint32(0x3F800000)).view(np.float32)
    numbers -= np.float32(1)
    return numbers


def _halves(bits: Array) -> Array:
    numbers = (bits.astype(np.uint16) & np.uint16(0x3FF) | np.uint16(0x3C00)).view(np.float16)
    numbers -= np.float16(1)
    return numbers


def doubles(bits: Array) -> Array:
    """Return a float of 52 random bits for each two words.

    >>> doubles(np.array([0x80000, 0], np.uint32))
    array([0.5])
    """
    wide = bits.reshape(-1, 2).astype(np.uint64)
    fractions = (wide[:, 0] & np.uint64(0xFFFFF)) << np.uint64(32) | wide[:, 1]
    numbers: Array = (fractions | np.uint64(0x3FF0000000000000)).view(np.float64)
    numbers -= 1.0
    return numbers


def whole(start: StreamPosition, low: Array, high: Array, shape: Shape) -> Array:
    """Return integers of the dtype of the bounds, from `low` (included) to `high` (excluded).

    They are remainders of words, so for a wide span the small ones are a little more frequent.
    """
    if math.prod(shape) == 0:
        return np.empty(shape, low.dtype)
    if low >= high:
        raise ArgumentValueError(f"Need minval < maxval, got {low} >= {high}")
    if math.prod(shape) == 1:
        return _one_whole(start, int(low), int(high), low.dtype).reshape(shape)
    unsigned = np.dtype(f"u{low.dtype.itemsize}")
    span = np.subtract(high, low).astype(low.dtype).view(unsigned)
    numbers = full(start, unsigned, shape) % span
    return numbers.view(low.dtype) + low


def _one_whole(start: StreamPosition, low: int, high: int, dtype: np.dtype) -> Array:
    first, second = few_words(start, 2)
    bits = first if dtype.itemsize == 4 else first | second << 32
    return np.array(low + bits % (high - low), dtype)


def full(start: StreamPosition, dtype: np.dtype, shape: Shape) -> Array:
    """Return integers with all of their 32 or 64 bits random."""
    count = math.prod(shape)
    if dtype.itemsize == 4:
        return words(start, count).view(dtype).reshape(shape)
    pairs = words(start, 2 * count).reshape(-1, 2).astype(np.uint64)
    return (pairs[:, 0] | pairs[:, 1] << np.uint64(32)).view(dtype).reshape(shape)


def normal(start: StreamPosition, dtype: np.dtype, shape: Shape) -> Array:
    """Return standard normal numbers: two for each two uniform ones."""
    count = math.prod(shape)
    if dtype.itemsize == 8:
        return normal_doubles(blocks(start, -(-count // 2))).ravel()[:count].reshape(shape)
    if count == 1:
        return np.array(_first_of_box_muller(*_few_floats(start, 2, 4)), dtype).reshape(shape)
    groups = -(-count // 4)
    if count <= FEW_WORDS:
        bells = _box_muller(np.array(_few_floats(start, 4 * groups, 4)).reshape(-1, 2))
    else:
        bells = normal_singles(blocks(start, groups))
    return bells.ravel()[:count].reshape(shape).astype(dtype, copy=False)


def normal_singles(rows: Array) -> Array:
    """Return four normal floats for each row of four words.

    They are computed in float64 and rounded, so that they do not depend on the machine.
    """
    return _box_muller(_singles(rows.reshape(-1)).astype(np.float64).reshape(-1, 2))


def _first_of_box_muller(near: float, turns: float) -> np.float32:
    """Return the first of the two normal floats of `_box_muller`, computed in the same steps."""
    far = np.sqrt(np.float32(-2) * np.float32(np.log(max(near, _LEAST_SINGLE))))
    result: np.float32 = np.float32(np.sin(float(np.float32(2 * math.pi * turns)))) * far
    return result


def _box_muller(pairs: Array) -> Array:
    near = np.maximum(pairs[:, 0], _LEAST_SINGLE)
    turns = (2 * math.pi * pairs[:, 1]).astype(np.float32)
    far = np.sqrt(np.float32(-2) * np.log(near).astype(np.float32))
    return _on_circle(turns.astype(np.float64), far).reshape(-1, 4)


def normal_doubles(rows: Array) -> Array:
    """Return two normal doubles for each row of four words."""
    floats = doubles(rows.reshape(-1)).reshape(-1, 2)
    far = np.sqrt(-2.0 * np.log(np.maximum(floats[:, 0], _LEAST)))
    return _on_circle(2 * math.pi * floats[:, 1], far)


def _on_circle(angles: Array, radii: Array) -> Array:
    """Return the two coordinates of points, the sine first."""
    pairs = np.empty((len(radii), 2), radii.dtype)
    pairs[:, 0] = np.sin(angles).astype(radii.dtype)
    pairs[:, 1] = np.cos(angles).astype(radii.dtype)
    pairs *= radii[:, None]
    return pairs


def truncated(start: StreamPosition, dtype: np.dtype, shape: Shape) -> Array:
    """Return normal numbers between -2 and 2.

    Each row draws from separate blocks until it is full.
    """
    count = math.prod(shape)
    bells, width = (normal_doubles, 2) if dtype.itemsize == 8 else (normal_singles, 4)
    stride = RESERVED * width // 4
    groups = -(-count // width)
    first = bells(blocks(start, groups, stride))
    made = np.empty_like(first)
    filled = np.zeros(groups, np.int64)
    _take(made, filled, np.arange(groups), first)
    tries = 1
    while len(open_ := np.flatnonzero(filled < width)):
        places = open_.astype(np.uint64) * np.uint64(stride) + np.uint64(tries)
        _take(made, filled, open_, bells(blocks_at(start, places)))
        tries += 1
    return made.ravel()[:count].reshape(shape).astype(dtype, copy=False)


def _take(made: Array, filled: Array, rows: Array, numbers: Array) -> None:
    """Append the accepted numbers to their rows until these are full."""
    near = np.abs(numbers) < _FARTHEST
    columns = filled[rows, None] + np.cumsum(near, axis=1) - 1
    taken = near & (columns < made.shape[1])
    at, _ = np.nonzero(taken)
    made[rows[at], columns[taken]] = numbers[taken]
    filled[rows] += np.count_nonzero(taken, axis=1)


def permutation(start: StreamPosition, count: int) -> Array:
    """Return the numbers below `count` in random order, by swaps with later elements."""
    order = list(range(count))
    if count > 1:
        steps = words(start, count - 1) % np.arange(count, 1, -1, dtype=np.uint32)
        for place, step in enumerate(steps.tolist()):
            order[place], order[place + step] = order[place + step], order[place]
    return np.array(order, np.int64)


def categories(start: StreamPosition, logits: Array, count: int) -> Array:
    """Return `count` classes for each row of unnormalised logarithms of probabilities.

    A class with a logit that is not finite is never drawn.
    """
    rows, _ = logits.shape
    drawn = doubles(words(start, 2 * rows * count)).reshape(rows, count)
    sums = sums_of_chances(logits)
    made = np.empty((rows, count), np.int64)
    for row in range(rows):
        made[row] = np.searchsorted(sums[row], drawn[row] * sums[row, -1], "right")
    return made


def sums_of_chances(logits: Array) -> Array:
    """Return the cumulative probabilities of the classes in each row of logits.

    They are not normalized: the last one of a row is the total.

    >>> sums_of_chances(np.zeros((1, 3)))
    array([[1., 2., 3.]])
    """
    finite = np.isfinite(logits)
    known = np.where(finite, logits, -np.inf).astype(np.float64)
    largest = np.max(known, axis=1, keepdims=True, initial=-np.finfo(np.float64).max)
    return np.cumsum(np.where(finite, np.exp(known - largest), 0.0), axis=1)
