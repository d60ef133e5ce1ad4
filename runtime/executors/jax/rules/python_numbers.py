"""Rules of ops on Python's numbers, which raise and round as Python does."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from runtime.executors.jax.rules.arithmetic import fail_near_limit
from runtime.executors.jax.rules.casts import whole_number
from runtime.executors.jax.rules.functions import quotient, rounded
from runtime.executors.jax.rules.jax_modules import jnp, lax
from runtime.executors.jax.rules.table import Unsupported, rule

# Powers of ten that float64 holds exactly.
_MOST_DIGITS = 22
_TENS = 10.0 ** np.arange(_MOST_DIGITS + 1)


@rule("python_divide")
def _divide(run: Any, node: Any, x: Any, y: Any, *, ints: bool) -> Any:
    run.fail(y == 0)
    return quotient(x, y)


@rule("python_operand")
def _operand(run: Any, node: Any, y: Any, *, symbol: str) -> Any:
    run.fail((y < 0) if symbol in ("<<", ">>") else (y == 0))
    return y


@rule("python_power")
def _power(run: Any, node: Any, x: Any, y: Any) -> Any:
    base, exponent = (jnp.asarray(each).astype(np.float64) for each in (x, y))
    is_complex = (base < 0) & jnp.isfinite(base) & (exponent != jnp.floor(exponent))
    run.fail(is_complex | ((base == 0) & (exponent < 0)))
    power = jnp.power(base, exponent)
    run.fail(jnp.isinf(power) & jnp.isfinite(base) & jnp.isfinite(exponent))
    return power.astype(x.dtype)


@rule("python_int")
def _int(run: Any, node: Any, x: Any, *, dtype: Any) -> Any:
    return whole_number(run, x, dtype.np_dtype)


# -- sums and products, in order -------------------------------------------------------------------


@rule("python_fold")
def _fold(run: Any, node: Any, items: Any, start: Any, *, function: str) -> Any:
    items, start = jnp.asarray(items), jnp.asarray(start)
    if items.dtype.kind in "iu":
        return _fold_of_ints(run, items, start, function)
    wide = np.complex128 if items.dtype.kind == "c" else np.float64
    step, of_state = (_product, _first) if function == "math.prod" else _sum_of(wide)
    begin = (start.astype(wide), jnp.zeros((), wide))
    if not items.shape[0]:
        return start
    found = lax.fori_loop(
        0, len(items), lambda at, state: step(state, items[at].astype(wide)), begin
    )
    return of_state(found).astype(items.dtype)


def _fold_of_ints(run: Any, items: Any, start: Any, function: str) -> Any:
    reduce = jnp.sum if function == "sum" else jnp.prod
    everything = jnp.append(items, start)
    fail_near_limit(run, reduce(jnp.abs(everything.astype(np.float64))))
    found = reduce(everything, dtype=np.int64)
    run.fail(found != found.astype(items.dtype))
    return found.astype(items.dtype)


def _sum_of(wide: Any) -> Any:
    """Return the steps of `sum`, which from Python 3.12 on keeps the digits that floats lose."""
    first = (3, 12) if wide is np.float64 else (3, 14)
    return (_compensated, _with_lost) if sys.version_info >= first else (_sum, _first)


def _sum(state: Any, item: Any) -> Any:
    return state[0] + item, state[1]


def _product(state: Any, item: Any) -> Any:
    return state[0] * item, state[1]


def _first(state: Any) -> Any:
    return state[0]


def _compensated(state: Any, item: Any) -> Any:
    total, lost = state
    if item.dtype.kind == "c":
        pairs = [(each.real, each.imag) for each in (total, lost, item)]
        parts = [_compensated((pairs[0][at], pairs[1][at]), pairs[2][at]) for at in (0, 1)]
        return tuple(lax.complex(*each) for each in zip(*parts, strict=True))
    following = rounded(total + item)
    is_large = jnp.abs(total) >= jnp.abs(item)
    large, small = jnp.where(is_large, total, item), jnp.where(is_large, item, total)
    return following, lost + (rounded(large - following) + small)


def _with_lost(state: Any) -> Any:
    total, lost = state
    return jnp.where((lost != 0) & jnp.isfinite(lost), total + lost, total)


# -- digits ----------------------------------------------------------------------------------------


@rule("python_round")
def _round(run: Any, node: Any, x: Any, digits: Any) -> Any:
    count = jnp.asarray(digits).astype(np.int64)
    run.fail(jnp.abs(count) > _MOST_DIGITS - 4)
    scale = jnp.asarray(_TENS)[jnp.clip(jnp.abs(count), 0, _MOST_DIGITS)]
    if x.dtype.kind in "iu":
        return _round_of_ints(run, jnp.asarray(x), count, scale)
    wide = jnp.asarray(x).astype(np.float64)
    scaled = jnp.where(count >= 0, wide * scale, quotient(wide, scale))
    whole = jnp.rint(scaled)
    # Near a tie the product is not exact enough to decide; so is a number with too many digits.
    is_near_tie = jnp.abs(jnp.abs(scaled - jnp.floor(scaled)) - 0.5) <= jnp.abs(scaled) * 2.0**-50
    run.fail((count != 0) & jnp.isfinite(wide) & (is_near_tie | (jnp.abs(scaled) >= 2.0**52)))
    found = jnp.where(count >= 0, quotient(whole, scale), whole * scale)
    return jnp.where(jnp.isfinite(wide), found, wide).astype(x.dtype)


def _round_of_ints(run: Any, x: Any, count: Any, scale: Any) -> Any:
    run.fail((count < 0) & (jnp.abs(x.astype(np.float64)) > 2.0**62))
    by = jnp.where(count < 0, scale, 1).astype(np.int64)
    wide = x.astype(np.int64)
    down = wide // by
    rest = wide - down * by
    is_up = (2 * rest > by) | ((2 * rest == by) & (down % 2 == 1))
    found = (down + is_up) * by
    kept = jnp.where(count < 0, found.astype(x.dtype), x)
    run.fail((count < 0) & (found != found.astype(x.dtype)))
    return kept


@rule("power_modulo")
def _power_modulo(run: Any, node: Any, base: Any, exponent: Any, modulus: Any) -> Any:
    arrays = jnp.broadcast_arrays(base, exponent, modulus)
    x, n, by = (each.astype(np.int64) for each in arrays)
    # The square of a remainder has to fit; the NumPy executor inverts the base.
    run.fail((n < 0) | (by == 0) | (jnp.abs(by.astype(np.float64)) > 2.0**31))
    safe = jnp.where(by == 0, 1, by)

    def step(state: Any) -> Any:
        power, square, left = state
        power = jnp.where(left % 2 == 1, power * square % safe, power)
        return power, square * square % safe, left // 2

    state = (jnp.ones_like(x) % safe, x % safe, jnp.maximum(n, 0))
    found = lax.while_loop(lambda state: jnp.any(state[2] > 0), step, state)[0]
    return found.astype(base.dtype)


@rule("number_method")
def _method(run: Any, node: Any, number: Any, *, method: str) -> Any:
    number = jnp.asarray(number)
    if method == "is_integer":
        is_float = number.dtype.kind == "f"
        if not is_float:
            return jnp.ones((), np.bool_)
        return jnp.isfinite(number) & (number == jnp.floor(number))
    if method not in ("bit_length", "bit_count"):
        raise Unsupported("no texts")
    size = jnp.abs(number.astype(np.int64)).astype(np.uint64)
    if number.dtype == np.uint64:
        size = number
    bits = lax.population_count(size) if method == "bit_count" else 64 - lax.clz(size)
    return bits.astype(np.int32)
