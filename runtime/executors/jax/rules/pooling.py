"""Rules of pools and of their gradients.

A window is seen as one strided part of the images for each position in it; the parts are compared
or added in order, as the kernels do, so that ties and NaN have the same results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.executors.jax.rules.convolution import images_of, spatial
from runtime.executors.jax.rules.functions import quotient
from runtime.executors.jax.rules.jax_modules import jnp, lax
from runtime.executors.jax.rules.shapes import final_shape
from runtime.executors.jax.rules.table import rule
from runtime.ops.neural.pool_kernels import counts

Window = tuple[int, ...]


def _channels_last(x: Any, sliding: Any) -> Any:
    images = images_of(x, sliding)
    return jnp.moveaxis(images, 1, -1) if sliding.channels_first else jnp.asarray(images)


def _like(images: Any, shape: Sequence[int], sliding: Any) -> Any:
    """Return images in the layout of the images of `shape`."""
    if sliding.channels_first:
        return jnp.moveaxis(images, -1, 1)
    return images.reshape(*shape[: -(sliding.rank + 1)], *images.shape[1:])


def _padded(images: Any, pads: Any, value: Any) -> Any:
    widths = [(0, 0, 0), *((before, after, 0) for before, after in pads), (0, 0, 0)]
    return lax.pad(images, jnp.asarray(value, images.dtype), widths)


def _parts(images: Any, window: Window, sliding: Any, value: Any) -> Iterator[Any]:
    """Yield for each position in the window the elements under it."""
    sizes = images.shape[1:-1]
    full = _padded(images, sliding.all_pads(sizes, window), value)
    for _, slices in sliding.places(sliding.all_steps(sizes, window), window):
        yield full[(slice(None), *slices)]


def _spread(parts: Sequence[Any], sizes: Sequence[int], window: Window, sliding: Any) -> Any:
    """Return images to which each part is added at its position in the windows."""
    pads = sliding.all_pads(sizes, window)
    total = [size + sum(pad) for size, pad in zip(sizes, pads, strict=True)]
    whole: Any = None
    steps = parts[0].shape[1:-1]
    for part, (_, slices) in zip(parts, sliding.places(steps, window), strict=True):
        around = [
            (each.start, size - each.stop, each.step - 1)
            for each, size in zip(slices, total, strict=True)
        ]
        widths = [(0, 0, 0), *around, (0, 0, 0)]
        wide = lax.pad(part, jnp.zeros((), part.dtype), widths)
        whole = wide if whole is None else whole + wide
    inside = [slice(pad[0], pad[0] + size) for pad, size in zip(pads, sizes, strict=True)]
    return whole[(slice(None), *inside)]


def _least(dtype: Any) -> Any:
    """Return the lowest finite number of a dtype."""
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _larger(x: Any, y: Any) -> Any:
    """Return the larger of two numbers; NaN does not count."""
    return lax.select((x > y) | (y != y), x, y)


# -- the largest elements --------------------------------------------------------------------------


@rule("max_pool")
def _max_pool(run: Any, node: Any, x: Any, *, window: Window, sliding: Any) -> Any:
    images, least = _channels_last(x, sliding), _least(x.dtype)
    if len(window) == 3 and x.dtype.kind == "f":
        found: Any = None
        for part in _parts(images, window, sliding, least):
            found = part if found is None else jnp.where(found > part, found, part)
        return _like(found, x.shape, sliding)
    found = lax.reduce_window(
        images,
        jnp.asarray(least, x.dtype),
        _larger if x.dtype.kind == "f" else lax.max,
        (1, *window, 1),
        (1, *sliding.strides, 1),
        ((0, 0), *sliding.all_pads(images.shape[1:-1], window), (0, 0)),
    )
    return _like(found, x.shape, sliding)


def _first_largest(images: Any, window: Window, sliding: Any) -> Any:
    """Return the number of the position in each window that has the first largest element."""
    inside = jnp.ones((1, *images.shape[1:-1], 1), np.bool_)
    pairs = zip(
        _parts(images, window, sliding, _lowest(images.dtype)),
        _parts(inside, window, sliding, False),
        strict=True,
    )
    best: Any = None
    for number, (part, there) in enumerate(pairs):
        if best is None:
            best, held, where = part, there, jnp.zeros(part.shape, np.int32)
            continue
        better = ((part > best) | ~held) & there
        best, held = jnp.where(better, part, best), held | there
        where = jnp.where(better, number, where)
    return where


@rule("max_pool_back")
def _max_pool_back(run: Any, node: Any, x: Any, dy: Any, *, window: Window, sliding: Any) -> Any:
    if not prod(dy.shape):
        return jnp.zeros(x.shape, dy.dtype)
    images, gradients = _channels_last(x, sliding), _channels_last(dy, sliding)
    where = _first_largest(images, window, sliding)
    zero = jnp.zeros((), dy.dtype)
    parts = [jnp.where(where == number, gradients, zero) for number in range(prod(window))]
    return _like(_spread(parts, images.shape[1:-1], window, sliding), x.shape, sliding)


@rule("max_pool_picked")
def _max_pool_picked(run: Any, node: Any, x: Any, d: Any, *, window: Window, sliding: Any) -> Any:
    images = _channels_last(x, sliding)
    where = _first_largest(images, window, sliding)
    found = jnp.zeros(where.shape, d.dtype)
    for number, part in enumerate(_parts(_channels_last(d, sliding), window, sliding, 0)):
        found = jnp.where(where == number, part, found)
    return _like(found, x.shape, sliding)


@rule("max_pool_places")
def _max_pool_places(
    run: Any, node: Any, x: Any, *, window: Window, sliding: Any, dtype: Any, in_batch: bool
) -> Any:
    where = _first_largest(jnp.asarray(x), window, sliding)
    size = prod(x.shape[1:])
    numbers = np.arange(size).reshape(1, *x.shape[1:])
    found = jnp.zeros(where.shape, np.int64)
    for number, part in enumerate(_parts(jnp.asarray(numbers), window, sliding, -1)):
        found = jnp.where(where == number, part, found)
    if in_batch:
        found = found + (np.arange(len(x)) * size).reshape(-1, 1, 1, 1)
    return found.astype(dtype.np_dtype)


# -- means -----------------------------------------------------------------------------------------


def _over_counts(total: Any, sizes: Sequence[int], window: Window, sliding: Any) -> Any:
    """Return sums over windows, divided by the numbers of elements in them."""
    return quotient(total, np.asarray(counts(sizes, window, sliding), total.dtype))


@rule("avg_pool")
def _avg_pool(run: Any, node: Any, x: Any, *, window: Window, sliding: Any) -> Any:
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    images = _channels_last(wide, sliding)
    total = lax.reduce_window(
        images,
        jnp.zeros((), images.dtype),
        lax.add,
        (1, *window, 1),
        (1, *sliding.strides, 1),
        ((0, 0), *sliding.all_pads(images.shape[1:-1], window), (0, 0)),
    )
    found = _over_counts(total, images.shape[1:-1], window, sliding).astype(x.dtype)
    return _like(found, x.shape, sliding)


@rule("avg_pool_back")
def _avg_pool_back(
    run: Any, node: Any, dy: Any, *dims: Any, shape: Any, window: Window, sliding: Any
) -> Any:
    target = final_shape(run, node, dims, shape)
    if not prod(dy.shape):
        return jnp.zeros(target, dy.dtype)
    sizes = spatial(target, sliding)
    shares = _over_counts(_channels_last(dy, sliding), sizes, window, sliding)
    shares = shares.astype(dy.dtype)
    found = _spread([shares] * prod(window), sizes, window, sliding)
    return _like(found, target, sliding)
