"""Rules of sums, products, extremes and other reductions, and of running ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.executors.jax.rules.functions import quotient
from runtime.executors.jax.rules.jax_modules import jnp, lax, size_of
from runtime.executors.jax.rules.table import rule

# Steps up to which a recurrence is computed one after the other, and a size that is worth it.
_FEW_STEPS, _WIDE = 32, 256


@rule("reduce_sum")
def _sum(run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return jnp.sum(x, axis, dtype=x.dtype, keepdims=keepdims)


@rule("reduce_prod")
def _prod(run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return jnp.prod(x, axis, dtype=x.dtype, keepdims=keepdims)


@rule("reduce_any")
def _any(run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return jnp.any(x, axis, keepdims=keepdims)


@rule("reduce_all")
def _all(run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return jnp.all(x, axis, keepdims=keepdims)


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _highest(dtype: Any) -> Any:
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max


@rule("reduce_max")
def _max(run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return jnp.max(x, axis, keepdims=keepdims, initial=_lowest(x.dtype))


@rule("reduce_min")
def _min(run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return jnp.min(x, axis, keepdims=keepdims, initial=_highest(x.dtype))


@rule("reduce_mean")
def _mean(run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _mean_of(x, axis, keepdims)


def _mean_of(x: Any, axis: Any, keepdims: bool) -> Any:
    if x.dtype.kind not in "iu":
        wide = x.astype(np.float32) if x.dtype == np.float16 else x
        total = jnp.sum(wide, axis, keepdims=keepdims)
        count = math.prod(x.shape) // max(math.prod(total.shape), 1)
        return quotient(total, size_of(count, total.dtype)).astype(x.dtype)
    wide = np.uint64 if x.dtype.kind == "u" else np.int64
    total = jnp.sum(x, axis, dtype=wide, keepdims=keepdims)
    # The quotient is rounded towards zero.
    count = math.prod(x.shape) // max(math.prod(total.shape), 1)
    return lax.div(total, jnp.full_like(total, size_of(max(count, 1), total.dtype))).astype(x.dtype)


@rule("reduce_variance")
def _variance(run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return jnp.var(x, axis, keepdims=keepdims)


@rule("reduce_std")
def _std(run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return jnp.std(x, axis, keepdims=keepdims)


@rule("reduce_logsumexp")
def _logsumexp(run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    peak = jnp.max(x, axis, keepdims=True, initial=-np.inf)
    peak = jnp.where(jnp.isfinite(peak), peak, jnp.zeros((), x.dtype))
    total = jnp.log(jnp.sum(jnp.exp(x - peak), axis, keepdims=True)) + peak
    return total if keepdims else jnp.squeeze(total, axis)


@rule("count_nonzero")
def _count_nonzero(
    run: Any, node: Any, x: Any, *, axis: Any, keepdims: bool, output_type: Any
) -> Any:
    counts = jnp.sum(x != 0, axis, dtype=np.int64, keepdims=keepdims)
    return counts.astype(output_type.np_dtype)


@rule("argmax", "argmin")
def _arg(run: Any, node: Any, x: Any, *, axis: int, output_type: Any) -> Any:
    is_max = node.op.name == "argmax"
    if x.dtype.kind == "f":
        x = jnp.where(jnp.isnan(x), -np.inf if is_max else np.inf, x)
    if x.dtype == np.bool_:
        x = jnp.asarray(x).astype(np.uint8)
    search = lax.argmax if is_max else lax.argmin
    return search(jnp.asarray(x), axis % x.ndim, np.int64).astype(output_type.np_dtype)


# -- running ---------------------------------------------------------------------------------------


def _running(function: Any, start: Any, x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    axis = axis % x.ndim
    found = function(jnp.asarray(x), axis=axis, reverse=reverse)
    if not exclusive or not x.shape[axis]:
        return found
    around = [(0, 0, 0)] * x.ndim
    around[axis] = (-1, 1, 0) if reverse else (1, -1, 0)
    return lax.pad(found, jnp.asarray(start, x.dtype), around)


@rule("cumsum")
def _cumsum(run: Any, node: Any, x: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
    return _running(lax.cumsum, 0, x, axis, exclusive, reverse)


@rule("cumprod")
def _cumprod(run: Any, node: Any, x: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
    return _running(lax.cumprod, 1, x, axis, exclusive, reverse)


@rule("cumulative_logsumexp")
def _cumulative_logsumexp(
    run: Any, node: Any, x: Any, *, axis: int, exclusive: bool, reverse: bool
) -> Any:
    return _running(lax.cumlogsumexp, -np.inf, x, axis, exclusive, reverse)


@rule("recurrence")
def _recurrence(run: Any, node: Any, x: Any, factors: Any, *, axis: int, reverse: bool) -> Any:
    rows, steep = (jnp.moveaxis(jnp.broadcast_to(each, x.shape), axis, 0) for each in (x, factors))
    steps = rows.shape[0]
    if steps > _FEW_STEPS and math.prod(rows.shape[1:]) < _WIDE:
        found = lax.associative_scan(_composed, (steep, rows), reverse=reverse)[1]
    elif steps:
        first = jnp.zeros(rows.shape[1:], x.dtype)
        begin = steps - 1 if reverse else 0
        # The factor of the first step does not count.
        steep = steep.at[begin].set(0)
        found = lax.scan(_step, first, (rows, steep), reverse=reverse)[1]
    else:
        found = rows
    return jnp.moveaxis(found, 0, axis)


def _composed(first: Any, second: Any) -> Any:
    """Return two steps of a recurrence as one."""
    (f, x), (g, y) = first, second
    return f * g, y + g * x


def _step(y: Any, at: Any) -> Any:
    row, factor = at
    y = row + factor * y
    return y, y
