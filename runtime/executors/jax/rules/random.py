"""Rules of random numbers that a position in a stream determines: those of the NumPy kernels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jnp, lax
from runtime.executors.jax.rules.philox import (
    TracedStreamPosition,
    blocks,
    blocks_at,
    scrambled,
    words,
)
from runtime.executors.jax.rules.shapes import final_shape
from runtime.executors.jax.rules.table import NoResult, rule
from runtime.ops.random.eager_seeds import RESERVED

# The least uniform number that a logarithm is taken of, as in the kernels.
_LEAST = 1.0e-7
_LEAST_SINGLE = float(np.float32(_LEAST))
_FARTHEST = 2.0


@rule("stateless_key_counter")
def _key_counter(run: Any, node: Any, seed: Any) -> Any:
    return scrambled(seed)


# -- uniform numbers -------------------------------------------------------------------------------


def _fractions(bits: Any, mask: int, exponent: int, dtype: Any) -> Any:
    """Return floats from 0 to 1 whose fractions are bits: numbers from 1 to 2, less 1."""
    whole = (bits & bits.dtype.type(mask)) | bits.dtype.type(exponent)
    return lax.bitcast_convert_type(whole, dtype) - dtype.type(1)


def _singles(bits: Any) -> Any:
    return _fractions(bits, 0x7FFFFF, 0x3F800000, np.dtype(np.float32))


def doubles(bits: Any) -> Any:
    """Return a float for each two words."""
    wide = bits.reshape(-1, 2).astype(np.uint64)
    both = (wide[:, 0] & np.uint64(0xFFFFF)) << np.uint64(32) | wide[:, 1]
    return _fractions(both, 0xFFFFFFFFFFFFF, 0x3FF0000000000000, np.dtype(np.float64))


@rule("stateless_uniform")
def _uniform(
    run: Any, node: Any, key: Any, counter: Any, *dims: Any, shape: Any, dtype: Any
) -> Any:
    target, start = (
        final_shape(run, node, dims, shape),
        TracedStreamPosition.of_arrays(key, counter),
    )
    count = math.prod(target)
    if dtype.size == 8:
        return doubles(words(start, 2 * count)).reshape(target)
    bits = words(start, count).reshape(target)
    if dtype.size == 4:
        return _singles(bits)
    return _fractions(bits.astype(np.uint16), 0x3FF, 0x3C00, np.dtype(np.float16))


@rule("stateless_full_int")
def _full_int(
    run: Any, node: Any, key: Any, counter: Any, *dims: Any, shape: Any, dtype: Any
) -> Any:
    target = final_shape(run, node, dims, shape)
    return _full(TracedStreamPosition.of_arrays(key, counter), dtype.np_dtype, target)


def _full(start: TracedStreamPosition, dtype: Any, shape: tuple[int, ...]) -> Any:
    count = math.prod(shape)
    if dtype.itemsize == 4:
        return words(start, count).astype(dtype).reshape(shape)
    pairs = words(start, 2 * count).reshape(-1, 2).astype(np.uint64)
    return (pairs[:, 0] | pairs[:, 1] << np.uint64(32)).astype(dtype).reshape(shape)


@rule("stateless_uniform_int")
def _uniform_int(
    run: Any, node: Any, low: Any, high: Any, key: Any, counter: Any, *dims: Any, shape: Any
) -> Any:
    target = final_shape(run, node, dims, shape)
    low, high = jnp.asarray(low), jnp.asarray(high)
    if low.dtype.itemsize < 4:
        raise NoResult
    if not math.prod(target):
        return jnp.zeros(target, low.dtype)
    run.fail(low >= high)
    unsigned = np.dtype(f"u{low.dtype.itemsize}")
    span = (high - low).astype(unsigned)
    bits = _full(TracedStreamPosition.of_arrays(key, counter), unsigned, target)
    return (bits % jnp.maximum(span, 1)).astype(low.dtype) + low


# -- normal numbers --------------------------------------------------------------------------------


def _rounded(x: Any) -> Any:
    """Return float64 numbers as float32, without the digits that XLA may keep."""
    return lax.reduce_precision(x.astype(np.float32), 8, 23)


def _on_circle(angles: Any, radii: Any) -> Any:
    pairs = jnp.stack([jnp.sin(angles), jnp.cos(angles)], -1).astype(radii.dtype)
    return pairs * radii[:, None]


def _normal_singles(rows: Any) -> Any:
    """Return four numbers for each row of four words."""
    pairs = _singles(rows).astype(np.float64).reshape(-1, 2)
    near = jnp.maximum(pairs[:, 0], _LEAST_SINGLE)
    turns = _rounded(2 * math.pi * pairs[:, 1])
    far = jnp.sqrt(np.float32(-2) * _rounded(jnp.log(near)))
    return _on_circle(turns.astype(np.float64), far).reshape(-1, 4)


def normal_doubles(rows: Any) -> Any:
    """Return two numbers for each row of four words."""
    floats = doubles(rows.reshape(-1)).reshape(-1, 2)
    far = jnp.sqrt(-2.0 * jnp.log(jnp.maximum(floats[:, 0], _LEAST)))
    return _on_circle(2 * math.pi * floats[:, 1], far)


@rule("stateless_normal")
def _normal(run: Any, node: Any, key: Any, counter: Any, *dims: Any, shape: Any, dtype: Any) -> Any:
    target, start = (
        final_shape(run, node, dims, shape),
        TracedStreamPosition.of_arrays(key, counter),
    )
    count = math.prod(target)
    if dtype.size == 8:
        found = normal_doubles(blocks(start, -(-count // 2)))
    else:
        found = _normal_singles(blocks(start, -(-count // 4)))
    return found.reshape(-1)[:count].reshape(target).astype(dtype.np_dtype)


@rule("stateless_truncated_normal")
def _truncated(
    run: Any, node: Any, key: Any, counter: Any, *dims: Any, shape: Any, dtype: Any
) -> Any:
    target, start = (
        final_shape(run, node, dims, shape),
        TracedStreamPosition.of_arrays(key, counter),
    )
    count = math.prod(target)
    bells, width = (normal_doubles, 2) if dtype.size == 8 else (_normal_singles, 4)
    groups = -(-count // width)
    places = np.arange(groups, dtype=np.uint64) * np.uint64(RESERVED * width // 4)
    rows = np.arange(groups)[:, None]

    def body(state: Any) -> Any:
        made, filled, tries = state
        numbers = bells(blocks_at(start, places + tries)).reshape(groups, width)
        near = jnp.abs(numbers) < _FARTHEST
        # Numbers without a place left in their row get a column that does not exist.
        columns = filled[:, None] + jnp.cumsum(near, 1) - 1
        made = made.at[rows, jnp.where(near, columns, width)].set(numbers, mode="drop")
        return made, filled + jnp.sum(near, 1), tries + np.uint64(1)

    made = jnp.zeros((groups, width), np.float64 if dtype.size == 8 else np.float32)
    state = (made, jnp.zeros(groups, np.int64), jnp.zeros((), np.uint64))
    found = lax.while_loop(lambda state: jnp.any(state[1] < width), body, state)[0]
    return found.reshape(-1)[:count].reshape(target).astype(dtype.np_dtype)


# -- orders and classes ----------------------------------------------------------------------------


@rule("stateless_shuffle")
def _shuffle(run: Any, node: Any, x: Any, key: Any, counter: Any) -> Any:
    x, count = jnp.asarray(x), x.shape[0] if x.ndim else 1
    if math.prod(x.shape) <= 1 or count <= 1:
        return x
    steps = words(TracedStreamPosition.of_arrays(key, counter), count - 1)
    steps = (steps % np.arange(count, 1, -1, dtype=np.uint32)).astype(np.int32)

    def swap(at: Any, order: Any) -> Any:
        other = at + steps[at]
        return order.at[at].set(order[other]).at[other].set(order[at])

    order = lax.fori_loop(0, count - 1, swap, jnp.arange(count, dtype=np.int32))
    return x[order]


@rule("stateless_categorical")
def _categorical(
    run: Any, node: Any, logits: Any, key: Any, counter: Any, *, num_samples: int, dtype: Any
) -> Any:
    rows, classes = logits.shape
    if not rows * num_samples:
        return jnp.zeros((rows, num_samples), dtype.np_dtype)
    run.fail(not classes)
    start = TracedStreamPosition.of_arrays(key, counter)
    drawn = doubles(words(start, 2 * rows * num_samples)).reshape(rows, num_samples)
    wide = jnp.asarray(logits).astype(np.float64)
    finite = jnp.isfinite(wide)
    known = jnp.where(finite, wide, -np.inf)
    largest = jnp.max(known, 1, keepdims=True, initial=np.finfo(np.float64).min)
    sums = jnp.cumsum(jnp.where(finite, jnp.exp(known - largest), 0.0), 1)
    # A class is the number of sums that a drawn number is not below.
    wanted = (drawn * sums[:, -1:])[:, :, None]
    return jnp.sum(sums[:, None, :] <= wanted, -1).astype(dtype.np_dtype)
