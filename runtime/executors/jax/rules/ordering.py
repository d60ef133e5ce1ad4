"""Rules that sort, search, and compare items. Rows with NaN are left to the NumPy executor.

The kernels order NaN as TensorFlow and Python happen to, so there is no formula for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jax, jnp, lax
from runtime.executors.jax.rules.table import rule


def _fail_for_nan(run: Any, *arrays: Any) -> None:
    for each in arrays:
        if each.dtype.kind == "f":
            run.fail(jnp.isnan(each))


@rule("sort")
def _sort(run: Any, node: Any, x: Any, *, axis: int, descending: bool) -> Any:
    _fail_for_nan(run, x)
    return jnp.sort(x, axis, descending=descending)


@rule("argsort")
def _argsort(run: Any, node: Any, x: Any, *, axis: int, descending: bool) -> Any:
    _fail_for_nan(run, x)
    return jnp.argsort(x, axis, stable=True, descending=descending).astype(np.int32)


@rule("top_k")
def _top_k(run: Any, node: Any, x: Any, *, k: int) -> Any:
    _fail_for_nan(run, x)
    if x.dtype.kind == "f":
        x = x + jnp.zeros((), x.dtype)  # -0.0 becomes 0.0, which XLA holds for larger
    values, places = lax.top_k(jnp.asarray(x), k)
    return values, places.astype(np.int32)


@rule("searchsorted")
def _searchsorted(
    run: Any, node: Any, ordered: Any, values: Any, *, side: str, out_type: Any
) -> Any:
    _fail_for_nan(run, ordered, values)
    count = math.prod(ordered.shape[:-1])
    rows, wanted = (jnp.reshape(x, (count, x.shape[-1])) for x in (ordered, values))
    found = jax.vmap(lambda row, wanted: jnp.searchsorted(row, wanted, side))(rows, wanted)
    return found.reshape(values.shape).astype(out_type.np_dtype)


@rule("invert_permutation")
def _invert_permutation(run: Any, node: Any, x: Any) -> Any:
    size = len(x)
    run.fail((x < 0) | (x >= size))
    counts = jnp.zeros(size, np.int32).at[x].add(1)
    run.fail(counts > 1)
    return jnp.zeros(size, x.dtype).at[x].set(jnp.arange(size, dtype=x.dtype))


@rule("unravel_index")
def _unravel_index(run: Any, node: Any, indices: Any, dims: Any) -> Any:
    sizes = jnp.asarray(dims).astype(np.int64)
    run.fail((sizes <= 0) | (jnp.prod(sizes) > 2**62))
    run.fail((indices < 0) | (indices >= jnp.prod(sizes)))
    rest, found = jnp.asarray(indices).astype(np.int64), list[Any]()
    for at in reversed(range(len(dims))):
        size = jnp.maximum(sizes[at], 1)
        found.append(rest % size)
        rest = rest // size
    return jnp.stack(found[::-1]).astype(indices.dtype)


@rule("in_top_k")
def _in_top_k(run: Any, node: Any, targets: Any, predictions: Any, k: Any) -> Any:
    classes = predictions.shape[1]
    if not classes:
        return jnp.zeros(targets.shape, np.bool_)
    inside = (targets >= 0) & (targets < classes)
    safe = jnp.where(inside, targets, 0)[:, None]
    own = jnp.take_along_axis(predictions, safe, 1, mode="clip")
    above = jnp.sum(predictions > own, 1)
    return inside & jnp.all(jnp.isfinite(predictions), 1) & (above < k)


# -- Python's order --------------------------------------------------------------------------------


@rule("python_order")
def _python_order(run: Any, node: Any, *columns: Any, descending: bool) -> Any:
    _fail_for_nan(run, *columns)
    keys = [_falling(each) if descending else each for each in columns]
    return jnp.lexsort(keys[::-1]).astype(np.int32)


def _falling(x: Any) -> Any:
    """Return keys in the opposite order."""
    return -x if x.dtype.kind == "f" else ~x


@rule("first_extreme")
def _first_extreme(run: Any, node: Any, *columns: Any, largest: bool) -> Any:
    run.fail(not columns[0].shape[0])
    if not columns[0].shape[0]:
        return jnp.zeros((), np.int32)
    if len(columns) == 1:
        return _extreme_of(columns[0], largest)
    _fail_for_nan(run, *columns)
    is_best: Any = np.ones(columns[0].shape, np.bool_)
    for column in columns:
        is_best = is_best & _equals_extreme(column, is_best, largest)
    return lax.argmax(jnp.asarray(is_best), 0, np.int32)


def _extreme_of(x: Any, largest: bool) -> Any:
    x = jnp.asarray(x)
    if x.dtype == np.bool_:
        x = x.astype(np.uint8)
    if x.dtype.kind == "f":
        # The first element stays unless another one is more extreme, which NaN never is.
        x = jnp.where(jnp.isnan(x), x[0], x)
    found = (lax.argmax if largest else lax.argmin)(x, 0, np.int32)
    return jnp.where(jnp.isnan(x[0]), 0, found).astype(np.int32)


def _equals_extreme(x: Any, among: Any, largest: bool) -> Any:
    x = jnp.asarray(x)
    if x.dtype == np.bool_:
        x = x.astype(np.uint8)
    limits: Sequence[Any] = (-np.inf, np.inf)
    if x.dtype.kind != "f":
        limits = (np.iinfo(x.dtype).min, np.iinfo(x.dtype).max)
    reduce = jnp.max if largest else jnp.min
    return x == reduce(jnp.where(among, x, jnp.asarray(limits[not largest], x.dtype)))
