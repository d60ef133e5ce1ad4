"""Rules that gather, scatter and sum elements at index arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.executors.jax.rules.indexing import set_last
from runtime.executors.jax.rules.jax_modules import jax, jnp, lax
from runtime.executors.jax.rules.shapes import UNKNOWN_SHAPE, final_shape, is_known
from runtime.executors.jax.rules.table import NoResult, Unsupported, rule

# Indices are checked before, and those of a failed run do not count.
_SURE = "promise_in_bounds"


def _wrapped(run: Any, indices: Any, size: int, wrap: bool) -> Any:
    if run.bounds.are_inside(indices, 0, size):
        return jnp.asarray(indices)
    run.fail((indices < (-size if wrap else 0)) | (indices >= size))
    return jnp.where(indices < 0, indices + size, indices) if wrap else jnp.asarray(indices)


def _batched(function: Callable[..., Any], batch_dims: int) -> Callable[..., Any]:
    for _ in range(batch_dims):
        function = jax.vmap(function)
    return function


# -- gather ----------------------------------------------------------------------------------------


@rule("gather")
def _gather(
    run: Any, node: Any, x: Any, indices: Any, *, axis: int, batch_dims: int = 0, wrap: bool = False
) -> Any:
    axis = axis % x.ndim
    places = _wrapped(run, indices, x.shape[axis], wrap)
    if not x.shape[axis]:
        shape = (*x.shape[:axis], *indices.shape[batch_dims:], *x.shape[axis + 1 :])
        return jnp.zeros(shape, x.dtype)
    if not indices.ndim:
        return lax.dynamic_index_in_dim(x, places, axis, keepdims=False)
    before = (slice(None),) * (axis - batch_dims)
    read = _batched(lambda rows, at: rows.at[(*before, at)].get(mode=_SURE), batch_dims)
    return read(jnp.asarray(x), places)


@rule("gathered_back")
def _gathered_back(
    run: Any, node: Any, dy: Any, indices: Any, like: Any, *,
    axis: int, batch_dims: int = 0, wrap: bool = False,
) -> Any:  # fmt: skip
    axis = axis % like.ndim
    places = _wrapped(run, indices, like.shape[axis], wrap)
    zeros = jnp.zeros(like.shape, dy.dtype)

    def add(rows: Any, at: Any, dy: Any) -> Any:
        return rows.at[(slice(None),) * (axis - batch_dims) + (at,)].add(dy, mode=_SURE)

    return _batched(add, batch_dims)(zeros, places, dy)


def _columns(run: Any, indices: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the rows of an index array as an index."""
    depth = indices.shape[-1]
    limits = np.array(shape[:depth], np.int64)
    run.fail((indices < 0) | (indices >= limits))
    return tuple(indices[..., at] for at in range(depth))


@rule("gather_nd")
def _gather_nd(run: Any, node: Any, x: Any, indices: Any, *, batch_dims: int = 0) -> Any:
    columns = _columns(run, indices, x.shape[batch_dims:])
    if not columns:
        lead = indices.shape[batch_dims:-1]
        shape = (*x.shape[:batch_dims], *lead, *x.shape[batch_dims:])
        x = x.reshape(*x.shape[:batch_dims], *[1] * len(lead), *x.shape[batch_dims:])
        return jnp.broadcast_to(x, shape)
    read = _batched(lambda x, *at: x.at[at].get(mode=_SURE), batch_dims)
    return read(jnp.asarray(x), *map(jnp.asarray, columns))


@rule("rows_back")
def _rows_back(
    run: Any, node: Any, dy: Any, indices: Any, like: Any, *, batch_dims: int = 0
) -> Any:
    columns = _columns(run, indices, like.shape[batch_dims:])
    if not columns:
        return jnp.sum(dy, tuple(range(batch_dims, indices.ndim - 1)), dtype=dy.dtype)
    add = _batched(lambda x, dy, *at: x.at[at].add(dy, mode=_SURE), batch_dims)
    return add(jnp.zeros(like.shape, dy.dtype), dy, *map(jnp.asarray, columns))


@rule("taken_along")
def _taken_along(run: Any, node: Any, x: Any, places: Any, *, axis: int) -> Any:
    size = x.shape[axis]
    run.fail((places < -size) | (places >= size))
    return jnp.take_along_axis(x, places, axis, mode="clip")


@rule("placed_along")
def _placed_along(run: Any, node: Any, dy: Any, places: Any, like: Any, *, axis: int) -> Any:
    size = like.shape[axis]
    run.fail((places < -size) | (places >= size))
    return jnp.put_along_axis(
        jnp.zeros(like.shape, dy.dtype), places, dy, axis, inplace=False, mode="clip"
    )


@rule("unmasked")
def _unmasked(run: Any, node: Any, dy: Any, mask: Any, like: Any, *, axis: int) -> Any:
    axis = axis % like.ndim
    count = dy.shape[axis]
    run.fail(jnp.sum(mask) != count)
    if not count:
        return jnp.zeros(like.shape, dy.dtype)
    order = jnp.cumsum(jnp.ravel(mask)).reshape(mask.shape) - 1
    rows = jnp.take(dy, order, axis, mode="clip")
    flags = mask.reshape(*mask.shape, *[1] * (like.ndim - axis - mask.ndim))
    return jnp.where(flags, rows, jnp.zeros((), dy.dtype))


# -- scatter ---------------------------------------------------------------------------------------


def _added(x: Any, key: Any, updates: Any) -> Any:
    return x.at[key].add(updates, mode=_SURE)


def _extreme(how: str, least: float) -> Callable[..., Any]:
    def changed(x: Any, key: Any, updates: Any) -> Any:
        if updates.dtype.kind == "f":
            updates = jnp.where(jnp.isnan(updates), least, updates)
        if x.dtype == np.bool_:
            found = changed(x.astype(np.uint8), key, updates.astype(np.uint8))
            return found.astype(np.bool_)
        return getattr(x.at[key], how)(updates, mode=_SURE)

    return changed


_SCATTERS: dict[str, Callable[..., Any]] = {
    "tensor_scatter_nd_update": set_last,
    "tensor_scatter_nd_add": _added,
    "tensor_scatter_nd_max": _extreme("max", -math.inf),
    "tensor_scatter_nd_min": _extreme("min", math.inf),
}


@rule(*_SCATTERS)
def _scatter(run: Any, node: Any, x: Any, indices: Any, updates: Any) -> Any:
    return scattered(run, node.op.name, x, indices, updates)


def scattered(run: Any, how: str, x: Any, indices: Any, updates: Any) -> Any:
    """Return `x` changed by updates at the rows of an index array, by one of the scatter ops."""
    key = _columns(run, indices, x.shape)
    return _SCATTERS[how](jnp.asarray(x), key or (...,), jnp.asarray(updates))


@rule("scatter_nd")
def _scatter_nd(run: Any, node: Any, indices: Any, updates: Any, *dims: Any, shape: Any) -> Any:
    zeros = jnp.zeros(final_shape(run, node, dims, shape), updates.dtype)
    return scattered(run, "tensor_scatter_nd_add", zeros, indices, updates)


@rule("dynamic_stitch")
def _dynamic_stitch(run: Any, node: Any, *inputs: Any) -> Any:
    half = len(inputs) // 2
    indices, data = inputs[:half], inputs[half:]
    if not all(map(is_known, indices)):
        raise Unsupported(UNKNOWN_SHAPE)
    if any((each < 0).any() for each in indices):
        raise NoResult
    length = 1 + max((int(each.max()) for each in indices if each.size), default=-1)
    rest = data[0].shape[indices[0].ndim :]
    places = np.concatenate([np.ravel(each) for each in indices])
    rows = jnp.concatenate([jnp.reshape(each, (-1, *rest)) for each in data])
    return set_last(jnp.zeros((length, *rest), data[0].dtype), (places,), rows)
