"""Rules of arrays that are created from a shape, a count or a range."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.executors.jax.rules.functions import quotient
from runtime.executors.jax.rules.jax_modules import jnp, lax
from runtime.executors.jax.rules.shapes import UNKNOWN_SHAPE, final_shape
from runtime.executors.jax.rules.table import Unsupported, rule


@rule("fill")
def _fill(run: Any, node: Any, value: Any, *dims: Any, shape: Any) -> Any:
    return jnp.broadcast_to(value, final_shape(run, node, dims, shape))


@rule("zeros_like")
def _zeros_like(run: Any, node: Any, x: Any, *, dtype: Any) -> Any:
    return jnp.zeros(x.shape, dtype.np_dtype)


@rule("ones_like")
def _ones_like(run: Any, node: Any, x: Any, *, dtype: Any) -> Any:
    return jnp.ones(x.shape, dtype.np_dtype)


@rule("eye")
def _eye(run: Any, node: Any, *dims: Any, shape: Any, dtype: Any) -> Any:
    *batch, rows, columns = final_shape(run, node, dims, shape)
    return jnp.broadcast_to(jnp.eye(rows, columns, dtype=dtype.np_dtype), (*batch, rows, columns))


@rule("range")
def _range(run: Any, node: Any, start: Any, limit: Any, delta: Any, *, length: Any) -> Any:
    if length is None:
        (length,) = node.outputs[0].shape.dims or (None,)
    if length is None:
        raise Unsupported(UNKNOWN_SHAPE)
    run.fail(delta == 0)
    if start.dtype.kind == "f":
        run.fail(~jnp.isfinite(start + limit + delta))
        count = jnp.ceil((limit - start) / delta)
    else:
        count = -((start - limit) // delta)
    run.fail(jnp.maximum(count, 0) != length)
    return start + jnp.arange(length, dtype=start.dtype) * delta


@rule("linspace")
def _linspace(run: Any, node: Any, start: Any, stop: Any, *, num: int, axis: int) -> Any:
    start, stop = jnp.broadcast_arrays(start, stop)
    at = axis % (start.ndim + 1)
    places = lax.broadcasted_iota(np.int32, (num, *[1] * (start.ndim - at)), 0)
    first, last = jnp.expand_dims(start, at), jnp.expand_dims(stop, at)
    steps = np.array(max(num - 1, 1), start.dtype)
    made = first + places.astype(start.dtype) * quotient(last - first, steps)
    made = jnp.where(places == num - 1, last, made)
    return jnp.where(places == 0, first, made)


@rule("one_hot")
def _one_hot(run: Any, node: Any, indices: Any, on: Any, off: Any, *, depth: int, axis: int) -> Any:
    place = axis % (indices.ndim + 1)
    shape = [1] * (indices.ndim + 1)
    shape[place] = depth
    classes = lax.broadcasted_iota(indices.dtype, shape, place)
    largest = np.iinfo(indices.dtype).max
    is_hot = jnp.expand_dims(indices, place) == classes
    if depth - 1 > largest:
        raise Unsupported(f"no {depth} classes of dtype {indices.dtype}")
    return jnp.where(is_hot, on, off)
