"""Rejection sampling of gamma, Poisson and binomial numbers.

Each number has blocks of its own in the stream, so it does not depend on the other numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from runtime.core.tensor import Array
from runtime.ops.random.distributions import doubles, normal_doubles
from runtime.ops.random.eager_seeds import RESERVED
from runtime.ops.random.philox import StreamPosition, blocks_at

# The number of blocks that TensorFlow reserves for a number of a small mean.
_RESERVED_WAITS = 42


class _NumberBlocks:
    """The blocks reserved for each of many numbers, taken one after the other."""

    def __init__(self, start: StreamPosition, count: int, reserved: int = RESERVED) -> None:
        self._start = start
        self._next = np.arange(count, dtype=np.uint64) * np.uint64(reserved)

    def take(self, numbers: Array) -> Array:
        """Return the next block of each of these numbers."""
        taken = blocks_at(self._start, self._next[numbers])
        self._next[numbers] += np.uint64(1)
        return taken


class _Pairs:
    """Doubles from blocks: two of each block, the second one first."""

    def __init__(
        self, source: _NumberBlocks, count: int, made_of: Callable[[Array], Array]
    ) -> None:
        self._source, self._made_of = source, made_of
        self._pairs = np.empty((count, 2))
        self._left = np.zeros(count, np.int64)

    def take(self, numbers: Array) -> Array:
        """Return the next double of each of these numbers."""
        empty = numbers[self._left[numbers] == 0]
        if len(empty):
            self._pairs[empty] = self._made_of(self._source.take(empty)).reshape(-1, 2)
            self._left[empty] = 2
        self._left[numbers] -= 1
        taken: Array = self._pairs[numbers, self._left[numbers]]
        return taken


def gamma(start: StreamPosition, alpha: Array) -> Array:
    """Return a gamma number of scale 1 for each of these shapes (a vector of doubles).

    The method is of Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables" (2000).
    """
    source, count = _NumberBlocks(start, len(alpha)), len(alpha)
    flat, bell = _Pairs(source, count, doubles), _Pairs(source, count, normal_doubles)
    made = np.full(count, np.nan)
    simple = alpha == 1
    made[simple] = -np.log1p(-flat.take(np.flatnonzero(simple)))
    small = alpha < 1
    scale = alpha + np.where(small, 2 / 3, -1 / 3)
    gradient = 1 / 3 / np.sqrt(scale)
    open_ = np.flatnonzero((alpha > 0) & np.isfinite(alpha) & ~simple)
    while len(open_):
        x = bell.take(open_)
        base = 1 + gradient[open_] * x
        rows, x, cube = open_[base > 0], x[base > 0], base[base > 0] ** 3
        u = flat.take(rows)
        bound = 0.5 * x * x + scale[rows] * (1 - cube + np.log(cube))
        good = (u < 1 - 0.0331 * (x * x) * (x * x)) | (np.log(u) < bound)
        made[rows[good]] = scale[rows[good]] * cube[good]
        open_ = np.setdiff1d(open_, rows[good], assume_unique=True)
    less = np.flatnonzero(small & (alpha > 0))
    made[less] *= flat.take(less) ** (1 / alpha[less])
    return made


def poisson(start: StreamPosition, rate: Array, limit: float) -> Array:
    """Return a Poisson number, as a double, for each of these rates; none is above `limit`.

    Small rates multiply uniform numbers (Knuth); others follow Hoermann, "The Transformed Rejection
    Method for Generating Poisson Random Variables" (1993).
    """
    flat = _Pairs(_NumberBlocks(start, len(rate)), len(rate), doubles)
    made = np.full(len(rate), np.nan)
    made[np.isposinf(rate)] = np.inf
    made[rate < 0] = 0
    _count_factors(flat, rate, made)
    _hoermann_poisson(flat, rate, made, limit)
    return made


def _count_factors(flat: _Pairs, rate: Array, made: Array) -> None:
    open_ = np.flatnonzero((rate >= 0) & (rate < 10))
    product, steps = np.ones(len(rate)), np.zeros(len(rate))
    while len(open_):
        product[open_] *= flat.take(open_)
        done = product[open_] <= np.exp(-rate[open_])
        made[open_[done]] = steps[open_[done]]
        open_ = open_[~done]
        steps[open_] += 1


def _hoermann_poisson(flat: _Pairs, rate: Array, made: Array, limit: float) -> None:
    b = 0.931 + 2.53 * np.sqrt(rate)
    a = -0.059 + 0.02483 * b
    open_ = np.flatnonzero((rate >= 10) & np.isfinite(rate))
    while len(open_):
        u, v = flat.take(open_) - 0.5, flat.take(open_)
        left, mean, wide, skew = 0.5 - np.abs(u), rate[open_], b[open_], a[open_]
        k = np.floor((2 * skew / left + wide) * u + mean + 0.43)
        sure = (left >= 0.07) & (v <= 0.9277 - 3.6224 / (wide - 2))
        possible = (k >= 0) & (k <= limit) & ~((left < 0.013) & (v > left))
        good = sure & (k <= limit)
        undecided = np.flatnonzero(possible & ~sure)
        ratio = 1.1239 + 1.1328 / (wide[undecided] - 3.4)
        height = np.log(
            v[undecided] * ratio / (skew[undecided] / left[undecided] ** 2 + wide[undecided])
        )
        bound = (
            k[undecided] * np.log(mean[undecided]) - mean[undecided] - _log_factorial(k[undecided])
        )
        good[undecided] = height <= bound
        made[open_[good]] = k[good]
        open_ = open_[~good]


def binomial(start: StreamPosition, count: Array, chance: Array) -> Array:
    """Return the number of successes in `count` tries, as doubles, for vectors of doubles.

    Small means use sums of waiting times; others follow Hoermann, "The Generation of Binomial
    Random Variates" (1993).
    """
    flat = _Pairs(_NumberBlocks(start, len(count)), len(count), doubles)
    waits = _Pairs(_NumberBlocks(start, len(count), _RESERVED_WAITS), len(count), doubles)
    made = np.full(len(count), np.nan)
    # Probabilities are clipped to [0, 1], and negative counts to 0.
    count, chance = np.maximum(count, 0), np.clip(chance, 0, 1)
    turned = chance > 0.5
    rare = np.where(turned, 1 - chance, chance)
    known = ~np.isnan(chance) & np.isfinite(count)
    made[known & (count * rare == 0)] = 0
    many = known & (count * rare >= 10)
    _add_waits(waits, count, rare, np.flatnonzero(known & ~many & (count * rare > 0)), made)
    _hoermann_binomial(flat, count, rare, np.flatnonzero(many), made)
    return np.where(turned, count - made, made)


def _add_waits(flat: _Pairs, count: Array, chance: Array, open_: Array, made: Array) -> None:
    waited, successes = np.zeros(len(count)), np.zeros(len(count))
    while len(open_):
        waited[open_] += np.ceil(np.log(flat.take(open_)) / np.log1p(-chance[open_]))
        done = waited[open_] > count[open_]
        made[open_[done]] = successes[open_[done]]
        open_ = open_[~done]
        successes[open_] += 1


def _hoermann_binomial(
    flat: _Pairs, count: Array, chance: Array, open_: Array, made: Array
) -> None:
    deviation = np.sqrt(count * chance * (1 - chance))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * chance
    while len(open_):
        n, p, wide, skew = count[open_], chance[open_], b[open_], a[open_]
        u, v = flat.take(open_) - 0.5, flat.take(open_)
        left = 0.5 - np.abs(u)
        k = np.floor((2 * skew / left + wide) * u + n * p + 0.5)
        good = (left >= 0.07) & (v <= 0.92 - 4.2 / wide)
        undecided = np.flatnonzero(~good & (k >= 0) & (k <= n))
        n, p, k_ = n[undecided], p[undecided], k[undecided]
        peak = np.floor((n + 1) * p)
        ratio = (2.83 + 5.1 / wide[undecided]) * deviation[open_[undecided]]
        height = np.log(
            v[undecided] * ratio / (skew[undecided] / left[undecided] ** 2 + wide[undecided])
        )
        bound = (k_ - peak) * np.log(p / (1 - p)) + _log_factorial(peak) - _log_factorial(k_)
        bound += _log_factorial(n - peak) - _log_factorial(n - k_)
        good[undecided] = height <= bound
        made[open_[good]] = k[good]
        open_ = open_[~good]


def _log_factorial(numbers: Array) -> Array:
    return np.array([math.lgamma(number + 1) for number in numbers.tolist()])
