"""The Philox 4x32 generator in JAX, with the same bits as NumPy's kernels, at traced positions.

A position is a key and a counter, as in `runtime.ops.random.philox`: the key is one number of 64
bits, the counter two, the lower one first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime.executors.jax.rules.jax_modules import jnp
from runtime.ops.random import philox

_WORD, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


class TracedStreamPosition(NamedTuple):
    """A position in a stream: three scalars of uint64."""

    key: Any
    low: Any
    high: Any

    @classmethod
    def of_arrays(cls, key: Any, counter: Any) -> TracedStreamPosition:
        """Return the position in the two operands of a stateless op."""
        halves = jnp.ravel(counter).astype(np.uint64)
        return cls(jnp.ravel(key)[0].astype(np.uint64), halves[0], halves[1])


def blocks_at(start: TracedStreamPosition, places: Any) -> Any:
    """Return four words for each of the counters that are `places` after the start."""
    low = start.low + places
    high = start.high + (low < start.low).astype(np.uint64)
    a, b = _words(low)
    c, d = _words(high)
    key = _words(start.key)
    first, second = (np.uint64(each) for each in philox.INT_FACTORS)
    for n in range(philox.ROUNDS):
        keys = [each + np.uint32(n * by & 0xFFFFFFFF) for each, by in zip(key, philox.STEPS)]
        from_a, from_c = (_words(x.astype(np.uint64) * by) for x, by in ((a, first), (c, second)))
        a, b = from_c[1] ^ b ^ keys[0], from_c[0]
        c, d = from_a[1] ^ d ^ keys[1], from_a[0]
    return jnp.stack([a, b, c, d], -1)


def _words(x: Any) -> tuple[Any, Any]:
    """Return the lower and the upper 32 bits of numbers of 64."""
    return (x & _WORD).astype(np.uint32), (x >> _HALF).astype(np.uint32)


def blocks(start: TracedStreamPosition, count: int, stride: int = 1) -> Any:
    """Return the words of `count` counters, `stride` apart, as rows of four."""
    return blocks_at(start, np.arange(count, dtype=np.uint64) * np.uint64(stride))


def words(start: TracedStreamPosition, count: int) -> Any:
    """Return the next `count` words."""
    return blocks(start, -(-count // 4)).reshape(-1)[:count]


def scrambled(seed: Any) -> tuple[Any, Any]:
    """Return the key and the counter of a stateless op for its seed, two numbers."""
    low, high = (jnp.ravel(seed)[at].astype(np.int64).astype(np.uint64) for at in (0, 1))
    place = TracedStreamPosition(jnp.asarray(philox.SCRAMBLER, np.uint64), low, high)
    made = blocks(place, 1)[0].astype(np.uint64)
    key, upper = made[0] | made[1] << _HALF, made[2] | made[3] << _HALF
    return key[None], jnp.stack([jnp.zeros((), np.uint64), upper])
