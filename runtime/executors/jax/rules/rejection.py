"""Rules of gamma, Poisson and binomial random numbers, which are drawn by rejection sampling.

Each number has blocks of the stream for itself. In each iteration of a loop all places draw, and
only those of the open ones count; the methods are those of `runtime.ops.random.rejection_sampling`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jnp, lax
from runtime.executors.jax.rules.philox import TracedStreamPosition, blocks_at
from runtime.executors.jax.rules.random import doubles, normal_doubles
from runtime.executors.jax.rules.shapes import final_shape
from runtime.executors.jax.rules.table import rule
from runtime.ops.random.eager_seeds import RESERVED

# The blocks that are reserved for the waits of a binomial number.
_RESERVED_WAITS = 42


class _Floats:
    """Floats from the blocks of each place: two of a block, the second one first.

    Args:
        start: the position of the first block of the first place.
        made_of: the function that makes floats of blocks.
    """

    def __init__(
        self, start: TracedStreamPosition, made_of: Callable[[Any], Any] = doubles
    ) -> None:
        self._start, self._made_of = start, made_of

    def take(self, following: Any, held: Any, taking: Any) -> tuple[Any, Any, Any]:
        """Return the next blocks, the floats that are left, and a float for each place.

        Args:
            following: the next block of each place.
            held: the floats of its last block, and the number of those left.
            taking: whether it takes one.
        """
        pairs, left = held
        fresh = taking & (left == 0)
        pairs = jnp.where(
            fresh[:, None], self._made_of(blocks_at(self._start, following)).reshape(-1, 2), pairs
        )
        left = jnp.where(fresh, 2, left) - taking.astype(np.int32)
        found = jnp.where(left == 1, pairs[:, 1], pairs[:, 0])
        return following + fresh.astype(np.uint64), (pairs, left), found


def _nothing_held(count: int) -> tuple[Any, Any]:
    return jnp.zeros((count, 2)), jnp.zeros(count, np.int32)


def _first_blocks(count: int, reserved: int = RESERVED) -> Any:
    return jnp.asarray(np.arange(count, dtype=np.uint64) * np.uint64(reserved))


def _is_open(state: Any) -> Any:
    """Return whether a number is missing; the last part of a state is a mask of those."""
    return jnp.any(state[-1])


def _log_factorial(x: Any) -> Any:
    return lax.lgamma(x + 1)


def _of_each_parameter(operands: int, values: Callable[..., Any]) -> Callable[..., Any]:
    """Return a rule: all numbers for one element of the operands come before those of the next."""

    def made(run: Any, node: Any, *inputs: Any, shape: Any, dtype: Any) -> Any:
        key, counter, *dims = inputs[operands:]
        target = final_shape(run, node, dims, shape)
        wide = jnp.broadcast_arrays(
            *(jnp.asarray(each).astype(np.float64) for each in inputs[:operands])
        )
        count = math.prod(target[: len(target) - wide[0].ndim])
        rows = [jnp.repeat(each.reshape(-1), count) for each in wide]
        if not rows[0].shape[0]:
            return jnp.zeros(target, dtype.np_dtype)
        found = values(run, TracedStreamPosition.of_arrays(key, counter), *rows, dtype)
        found = found.reshape(-1, count).T
        if dtype.is_integer:
            found = jnp.where(jnp.isfinite(found), found, float(dtype.min))
        return found.astype(dtype.np_dtype).reshape(target)

    return made


# -- gamma -----------------------------------------------------------------------------------------


def _gamma(run: Any, start: TracedStreamPosition, alpha: Any, dtype: Any) -> Any:
    """Return numbers by the method of Marsaglia and Tsang."""
    flat, bell, count = _Floats(start), _Floats(start, normal_doubles), len(alpha)
    simple, small = alpha == 1, alpha < 1
    following, of_flat, drawn = flat.take(_first_blocks(count), _nothing_held(count), simple)
    made = jnp.where(simple, -jnp.log1p(-drawn), jnp.nan)
    scale = alpha + jnp.where(small, 2 / 3, -1 / 3)
    gradient = 1 / 3 / jnp.sqrt(scale)

    def body(state: Any) -> Any:
        following, of_flat, of_bell, made, open_ = state
        following, of_bell, x = bell.take(following, of_bell, open_)
        base = 1 + gradient * x
        rows, cube = open_ & (base > 0), base**3
        following, of_flat, u = flat.take(following, of_flat, rows)
        bound = 0.5 * x * x + scale * (1 - cube + jnp.log(cube))
        good = rows & ((u < 1 - 0.0331 * (x * x) * (x * x)) | (jnp.log(u) < bound))
        return following, of_flat, of_bell, jnp.where(good, scale * cube, made), open_ & ~good

    open_ = (alpha > 0) & jnp.isfinite(alpha) & ~simple
    state = (following, of_flat, _nothing_held(count), made, open_)
    following, of_flat, _, made, _ = lax.while_loop(_is_open, body, state)
    less = small & (alpha > 0)
    _, _, u = flat.take(following, of_flat, less)
    return jnp.where(less, made * u ** (1 / alpha), made)


rule("stateless_gamma")(_of_each_parameter(1, _gamma))


# -- Poisson ---------------------------------------------------------------------------------------


def _poisson(run: Any, start: TracedStreamPosition, rate: Any, dtype: Any) -> Any:
    limit = float(dtype.max)
    run.fail((rate > limit) & jnp.isfinite(rate))
    flat, count = _Floats(start), len(rate)
    made = jnp.where(jnp.isposinf(rate), jnp.inf, jnp.where(rate < 0, 0.0, jnp.nan))
    held = (_first_blocks(count), _nothing_held(count))
    *held, made = _counted_factors(flat, held, rate, made)
    return _hoermann_poisson(flat, held, rate, made, limit)


def _counted_factors(flat: _Floats, held: Any, rate: Any, made: Any) -> Any:
    """Count the uniform numbers whose product falls below a bound, for small rates."""

    def body(state: Any) -> Any:
        following, of_flat, made, product, steps, open_ = state
        following, of_flat, u = flat.take(following, of_flat, open_)
        product = jnp.where(open_, product * u, product)
        done = open_ & (product <= jnp.exp(-rate))
        return (
            *(following, of_flat, jnp.where(done, steps, made), product),
            *(jnp.where(open_ & ~done, steps + 1, steps), open_ & ~done),
        )

    open_ = (rate >= 0) & (rate < 10)
    state = (*held, made, jnp.ones_like(rate), jnp.zeros_like(rate), open_)
    return lax.while_loop(_is_open, body, state)[:3]


def _hoermann_poisson(flat: _Floats, held: Any, rate: Any, made: Any, limit: float) -> Any:
    wide = 0.931 + 2.53 * jnp.sqrt(rate)
    skew = -0.059 + 0.02483 * wide

    def body(state: Any) -> Any:
        following, of_flat, made, open_ = state
        following, of_flat, u = flat.take(following, of_flat, open_)
        following, of_flat, v = flat.take(following, of_flat, open_)
        u = u - 0.5
        left = 0.5 - jnp.abs(u)
        k = jnp.floor((2 * skew / left + wide) * u + rate + 0.43)
        sure = (left >= 0.07) & (v <= 0.9277 - 3.6224 / (wide - 2))
        possible = (k >= 0) & (k <= limit) & ~((left < 0.013) & (v > left))
        ratio = 1.1239 + 1.1328 / (wide - 3.4)
        height = jnp.log(v * ratio / (skew / left**2 + wide))
        bound = k * jnp.log(rate) - rate - _log_factorial(k)
        good = open_ & ((sure & (k <= limit)) | (possible & ~sure & (height <= bound)))
        return following, of_flat, jnp.where(good, k, made), open_ & ~good

    state = (*held, made, (rate >= 10) & jnp.isfinite(rate))
    return lax.while_loop(_is_open, body, state)[2]


rule("stateless_poisson")(_of_each_parameter(1, _poisson))


# -- binomial --------------------------------------------------------------------------------------


def _binomial(run: Any, start: TracedStreamPosition, count: Any, chance: Any, dtype: Any) -> Any:
    count, chance = jnp.maximum(count, 0), jnp.clip(chance, 0, 1)
    turned = chance > 0.5
    rare = jnp.where(turned, 1 - chance, chance)
    known = ~jnp.isnan(chance) & jnp.isfinite(count)
    made = jnp.where(known & (count * rare == 0), 0.0, jnp.nan)
    many = known & (count * rare >= 10)
    made = _added_waits(start, count, rare, made, known & ~many & (count * rare > 0))
    made = _hoermann_binomial(start, count, rare, made, many)
    return jnp.where(turned, count - made, made)


def _added_waits(
    start: TracedStreamPosition, count: Any, chance: Any, made: Any, open_: Any
) -> Any:
    """Count the successes by the waits between them, where they are few."""
    flat, places = _Floats(start), len(count)

    def body(state: Any) -> Any:
        following, held, made, waited, successes, open_ = state
        following, held, u = flat.take(following, held, open_)
        wait = jnp.ceil(jnp.log(u) / jnp.log1p(-chance))
        waited = jnp.where(open_, waited + wait, waited)
        done = open_ & (waited > count)
        return (
            *(following, held, jnp.where(done, successes, made), waited),
            *(jnp.where(open_ & ~done, successes + 1, successes), open_ & ~done),
        )

    zeros = jnp.zeros(places)
    first = _first_blocks(places, _RESERVED_WAITS)
    state = (first, _nothing_held(places), made, zeros, zeros, open_)
    return lax.while_loop(_is_open, body, state)[2]


def _hoermann_binomial(
    start: TracedStreamPosition, count: Any, chance: Any, made: Any, open_: Any
) -> Any:
    flat, places = _Floats(start), len(count)
    deviation = jnp.sqrt(count * chance * (1 - chance))
    wide = 1.15 + 2.53 * deviation
    skew = -0.0873 + 0.0248 * wide + 0.01 * chance
    peak = jnp.floor((count + 1) * chance)

    def body(state: Any) -> Any:
        following, held, made, open_ = state
        following, held, u = flat.take(following, held, open_)
        following, held, v = flat.take(following, held, open_)
        u = u - 0.5
        left = 0.5 - jnp.abs(u)
        k = jnp.floor((2 * skew / left + wide) * u + count * chance + 0.5)
        sure = (left >= 0.07) & (v <= 0.92 - 4.2 / wide)
        ratio = (2.83 + 5.1 / wide) * deviation
        height = jnp.log(v * ratio / (skew / left**2 + wide))
        bound = (k - peak) * jnp.log(chance / (1 - chance))
        bound = bound + _log_factorial(peak) - _log_factorial(k)
        bound = bound + _log_factorial(count - peak) - _log_factorial(count - k)
        good = open_ & (sure | ((k >= 0) & (k <= count) & (height <= bound)))
        return following, held, jnp.where(good, k, made), open_ & ~good

    state = (_first_blocks(places), _nothing_held(places), made, open_)
    return lax.while_loop(_is_open, body, state)[2]


rule("stateless_binomial")(_of_each_parameter(2, _binomial))
