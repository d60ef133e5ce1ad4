"""Philox4x32-10: 128 random bits for each key and counter, as arrays of 32-bit words.

The cipher is of Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", 2011.
Words are kept in the low halves of 64-bit lanes, so that NumPy's products keep all their bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runtime.core.tensor import Array

ROUNDS = 10
# The factors of the words 0 and 2, and the increments of the key after each round.
INT_FACTORS = 0xD2511F53, 0xCD9E8D57
_FACTORS = np.uint64(INT_FACTORS[0]), np.uint64(INT_FACTORS[1])
STEPS = 0x9E3779B9, 0xBB67AE85
_KEY_STEPS = tuple((n * STEPS[0], n * STEPS[1]) for n in range(ROUNDS))
_KEY_STEPS_ARRAY = np.array(_KEY_STEPS, np.uint64)
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_WORD = 0xFFFFFFFF
# The key that enciphers seeds, so that the streams of neighbouring seeds are far apart.
SCRAMBLER = 0x02461E293EC8F720
# The number of counters processed at once: the lanes of a round stay in the cache.
_LANES = 8192
# Up to this number of blocks (and words) Python's integers are faster.
_FEW = 8
FEW_WORDS = 4 * _FEW


@dataclass(frozen=True, slots=True)
class StreamPosition:
    """A position in a stream: a key of 64 bits and a counter of 128."""

    key: int
    counter: int

    @classmethod
    def of_seeds(cls, low: int, high: int) -> StreamPosition:
        """Return the start of the stream of two seeds: one is the key, one counts the streams."""
        return cls(low % 2**64, (high % 2**64) << 64)

    @classmethod
    def of_arrays(cls, key: Array, counter: Array) -> StreamPosition:
        """Return the position in arrays: the key, and both halves of the counter, lower first."""
        low, high = counter.ravel().tolist()[:2]
        return cls(key.item(0) % 2**64, low % 2**64 + (high % 2**64 << 64))

    def after(self, blocks: int) -> StreamPosition:
        """Return the position a number of blocks later."""
        return StreamPosition(self.key, (self.counter + blocks) % 2**128)


def words(start: StreamPosition, count: int) -> Array:
    """Return the next `count` words of 32 bits.

    >>> words(StreamPosition(0, 0), 4).tolist()
    [1713891541, 3781805453, 3159862348, 2600524760]
    """
    return blocks(start, -(-count // 4)).ravel()[:count]


def blocks(start: StreamPosition, count: int, stride: int = 1) -> Array:
    """Return the words of `count` counters, `stride` apart, as rows of four."""
    if count <= _FEW:
        return np.array(few_words(start, 4 * count, stride), np.uint32).reshape(count, 4)
    made = np.empty((count, 4), np.uint32)
    for first in range(0, count, _LANES):
        size = min(_LANES, count - first)
        begin = start.after(first * stride)
        made[first : first + size] = _lanes(begin, np.arange(size, dtype=np.uint64), stride)
    return made


def blocks_at(start: StreamPosition, places: Array) -> Array:
    """Return the words of the counters that are `places` (uint64) after the start."""
    made = np.empty((len(places), 4), np.uint32)
    for first in range(0, len(places), _LANES):
        part = places[first : first + _LANES]
        made[first : first + _LANES] = _lanes(start, part, 1)
    return made


def few_words(start: StreamPosition, count: int, stride: int = 1) -> list[int]:
    """Return the next `count` words as numbers: for a few of them Python's integers are faster.

    >>> few_words(StreamPosition(0, 0), 2)
    [1713891541, 3781805453]
    """
    made: list[int] = []
    low, high, counter = start.key & _WORD, start.key >> 32, start.counter
    while len(made) < count:
        a, b, c, d = counter & _WORD, counter >> 32, counter >> 64 & _WORD, counter >> 96
        for k, m in _KEY_STEPS:
            first, second = a * INT_FACTORS[0], c * INT_FACTORS[1]
            # `b` and `d` have bits above the 32 of a word, which are masked here.
            a, b = (second >> 32 ^ b ^ low + k) & _WORD, second
            c, d = (first >> 32 ^ d ^ high + m) & _WORD, first
        made += a, b & _WORD, c, d & _WORD
        counter += stride
    return made[:count]


def scrambled(low: int, high: int) -> StreamPosition:
    """Return the start of the stream of a stateless op for its seed, two numbers.

    >>> scrambled(1, 2) == scrambled(1, 2) != scrambled(2, 1)
    True
    """
    place = StreamPosition(SCRAMBLER, low % 2**64 + (high % 2**64 << 64))
    a, b, c, d = few_words(place, 4)
    return StreamPosition(a | b << 32, (c | d << 32) << 64)


def _lanes(start: StreamPosition, places: Array, stride: int) -> Array:
    low = places * np.uint64(stride) + np.uint64(start.counter % 2**64)
    above = start.counter >> 64
    high = np.full(len(low), above, np.uint64)
    # The lower half may overflow into the upper one.
    high += low < np.uint64(start.counter % 2**64)
    return _enciphered(start.key, [low & _LOW, low >> _HALF, high & _LOW, high >> _HALF])


def _enciphered(key: int, lanes: list[Array]) -> Array:
    a, b, c, d = lanes
    first, second = np.empty_like(a), np.empty_like(a)
    keys = _KEY_STEPS_ARRAY + np.array([key & _WORD, key >> 32], np.uint64)
    for k, m in keys & _LOW:
        np.multiply(a, _FACTORS[0], out=first)
        np.multiply(c, _FACTORS[1], out=second)
        np.right_shift(second, _HALF, out=a)
        a ^= b
        a ^= k
        np.right_shift(first, _HALF, out=c)
        c ^= d
        c ^= m
        np.bitwise_and(second, _LOW, out=b)
        np.bitwise_and(first, _LOW, out=d)
    made = np.empty((len(a), 4), np.uint32)
    for column, lane in enumerate((a, b, c, d)):
        made[:, column] = lane
    return made
