"""Rules of reductions over segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jnp
from runtime.executors.jax.rules.shapes import UNKNOWN_SHAPE, is_known
from runtime.executors.jax.rules.table import Unsupported, rule


def reduced_segments(run: Any, how: str, data: Any, ids: Any, count: int) -> Any:
    """Return the reduced rows of `count` segments; rows of other segments are left out."""
    rest = data.shape[ids.ndim :]
    rows, flat = data.reshape(-1, *rest), jnp.ravel(ids)
    flat = jnp.where(flat < 0, count, flat)
    if how in ("max", "min"):
        # NaN replaces what comes before it, and is replaced by what follows.
        run.fail(jnp.isnan(rows))
        limits = np.finfo(data.dtype) if data.dtype.kind == "f" else np.iinfo(data.dtype)
        start = limits.min if how == "max" else limits.max
    else:
        start = 1 if how == "prod" else 0
    total = jnp.full((count, *rest), start, data.dtype)
    method = {"sum": "add", "mean": "add", "prod": "mul"}.get(how, how)
    return getattr(total.at[flat], method)(rows, mode="drop")


def reduced_sorted_segments(run: Any, how: str, data: Any, ids: Any, count: int) -> Any:
    """Return the same for sorted ids: the extreme of no rows is 0, and there are means."""
    found = reduced_segments(run, how, data, ids, count)
    if how not in ("max", "min", "mean"):
        return found
    sizes = reduced_segments(run, "sum", jnp.ones(ids.shape, np.int64), ids, count)
    sizes = sizes.reshape(-1, *[1] * (data.ndim - 1))
    if how != "mean":
        return jnp.where(sizes == 0, jnp.zeros((), data.dtype), found)
    sizes = jnp.maximum(sizes, 1)
    if data.dtype.kind in "iu":
        return (jnp.abs(found) // sizes * jnp.sign(found)).astype(data.dtype)
    return (found / sizes).astype(data.dtype)


@rule(*(f"unsorted_segment_{how}" for how in ("sum", "prod", "max", "min")))
def _unsorted_segments(
    run: Any, node: Any, data: Any, ids: Any, *dims: Any, num_segments: int | None
) -> Any:
    if num_segments is None:
        known = node.outputs[0].shape.dims
        count = int(dims[0]) if is_known(dims[0]) else known[0] if known else None
        if count is None:
            raise Unsupported(UNKNOWN_SHAPE)
        run.fail(dims[0] != count)
        num_segments = count
    run.fail(ids >= num_segments)
    return reduced_segments(run, node.op.name.rpartition("_")[2], data, ids, num_segments)


@rule(*(f"segment_{how}" for how in ("sum", "mean", "prod", "max", "min")))
def _sorted_segments(run: Any, node: Any, data: Any, ids: Any) -> Any:
    if not is_known(ids):
        raise Unsupported(UNKNOWN_SHAPE)
    run.fail(bool((ids[1:] < ids[:-1]).any()) or bool((ids[:1] < 0).any()))
    count = max(int(ids[-1]) + 1, 0) if ids.size else 0
    return reduced_sorted_segments(run, node.op.name.rpartition("_")[2], data, ids, count)
