"""Windows over arrays of images, and convolutions as products of matrices: NumPy only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.ops.windows import Pads, Sliding
from runtime.tensor import Array

# So many numbers of windows are laid out at once: what stays in the cache of a core.
_MOST = 1 << 18


def images_of(x: Array, sliding: Sliding) -> Array:
    """Return images with one axis before the spatial ones and the channels last."""
    if sliding.channels_first:
        return np.moveaxis(x, 1, -1)
    return x if x.ndim == sliding.rank + 2 else x.reshape(_flat(x.shape, sliding))


def like_images(images: Array, shape: Sequence[int], sliding: Sliding) -> Array:
    """Return images laid out again as those of `shape` are, from which they were made."""
    if sliding.channels_first:
        return np.ascontiguousarray(np.moveaxis(images, -1, 1))
    return images.reshape(*shape[: -(sliding.rank + 1)], *images.shape[1:])


def images_shape(shape: Sequence[int], sliding: Sliding) -> tuple[int, ...]:
    """Return the shape that `images_of` gives."""
    if sliding.channels_first:
        return (shape[0], *shape[2:], shape[1])
    return _flat(tuple(shape), sliding)


def padded(images: Array, pads: Pads, value: Any = 0) -> Array:
    """Return images with more of `value` around them."""
    if not any(before or after for before, after in pads):
        return images
    sizes = [size + sum(pad) for size, pad in zip(images.shape[1:-1], pads, strict=True)]
    full = np.full((images.shape[0], *sizes, images.shape[-1]), value, images.dtype)
    full[_inside(pads, images.shape)] = images
    return full


def cropped(images: Array, pads: Pads, sizes: Sequence[int]) -> Array:
    """Return images without what was added around them."""
    return images[_inside(pads, (0, *sizes, 0))]


def convolve(x: Array, filters: Array, sliding: Sliding) -> Array:
    """Return the sums of products of windows and filters."""
    images, weights = images_of(_exact(x), sliding), _exact(filters)
    *window, depth, width = weights.shape
    sizes, channels = images.shape[1:-1], images.shape[-1]
    steps = sliding.all_steps(sizes, window)
    full = padded(images, sliding.all_pads(sizes, window))
    out: Array = np.empty((len(images), *steps, width), full.dtype)
    if depth == 1 < channels:
        _convolve_apart(full, weights, out, sliding)
    else:
        groups = channels // depth
        rows = _grouped_filters(weights, groups)
        for block, columns in _columns(full, steps, window, groups, sliding):
            part = out[block]
            if groups == 1:
                np.matmul(columns[0], rows[0], out=part.reshape(-1, width))
            else:
                part[...] = np.moveaxis(columns @ rows, 0, 1).reshape(part.shape)
    return like_images(out, x.shape, sliding).astype(x.dtype, copy=False)


def _convolve_apart(full: Array, weights: Array, out: Array, sliding: Sliding) -> None:
    """Convolve each channel with filters of its own."""
    *window, _, width = weights.shape
    channels, steps = full.shape[-1], out.shape[1:-1]
    for some in image_parts(out.shape):
        part = out[some].reshape(-1, *steps, channels, width // channels)
        product = np.empty_like(part)
        for position, met in sliding.places(steps, window):
            own = _repeated(weights[position].reshape(channels, width // channels), steps[-1])
            seen = full[(some, *met, slice(None), None)]
            if any(position):
                np.add(part, np.multiply(seen, own, out=product), out=part)
            else:
                np.multiply(seen, own, out=part)


def spread(filters: Array, dy: Array, shape: Sequence[int], sliding: Sliding) -> Array:
    """Return images of `shape`, in which each number of `dy` is spread as its filter says."""
    weights, slopes = _exact(filters), images_of(_exact(dy), sliding)
    *window, depth, _ = weights.shape
    count, *sizes, channels = images_shape(shape, sliding)
    steps, pads = slopes.shape[1:-1], sliding.all_pads(sizes, window)
    total = [size + sum(pad) for size, pad in zip(sizes, pads, strict=True)]
    out: Array = np.zeros((count, *total, channels), slopes.dtype)
    for some in image_parts((count, *steps, max(channels, slopes.shape[-1]))):
        for position, met in sliding.places(steps, window):
            found = _spread_by(weights[position], slopes[some], channels // depth)
            out[(some, *met)] += found.reshape(-1, *steps, channels)
    result = like_images(cropped(out, pads, sizes), shape, sliding)
    return result.astype(dy.dtype, copy=False)


def _spread_by(weights: Array, slopes: Array, groups: int) -> Array:
    """Return what numbers give to the channels that one position of the filters meets."""
    depth, width = weights.shape
    if groups == 1:
        return slopes.reshape(-1, width) @ weights.T
    apart = slopes.reshape(-1, groups, width // groups)
    part = weights.reshape(depth, groups, -1)
    if depth > 1:
        return np.moveaxis(np.moveaxis(apart, 1, 0) @ part.transpose(1, 2, 0), 0, 1)
    line = slopes.shape[-2]
    product: Array = apart.reshape(-1, line, *part.shape[1:]) * _repeated(part[0], line)
    return product if groups == width else np.sum(product, -1)


def _repeated(weights: Array, count: int) -> Array:
    """Return weights of channels for each place of a line, which NumPy then takes in one go."""
    return np.ascontiguousarray(np.broadcast_to(weights, (count, *weights.shape)))


def correlate(x: Array, dy: Array, shape: Sequence[int], sliding: Sliding) -> Array:
    """Return filters of `shape`: the sums of products of windows of `x` and numbers of `dy`."""
    images, slopes = images_of(_exact(x), sliding), images_of(_exact(dy), sliding)
    *window, depth, width = shape
    sizes, channels = images.shape[1:-1], images.shape[-1]
    steps, groups = slopes.shape[1:-1], channels // depth
    full = padded(images, sliding.all_pads(sizes, window))
    if depth == 1 < channels:
        out: Array = np.zeros(shape, full.dtype)
        parts = slopes.reshape(-1, channels, width // channels) if width else slopes
        for position, met in sliding.places(steps, window):
            met_by = full[(slice(None), *met)].reshape(-1, channels)
            out[position] = np.einsum("mc,mcd->cd", met_by, parts).reshape(1, width)
    else:
        total: Array = np.zeros((groups, prod(window) * depth, width // groups), full.dtype)
        for block, columns in _columns(full, steps, window, groups, sliding):
            rows = slopes[block].reshape(-1, groups, width // groups)
            total += columns.swapaxes(1, 2) @ np.moveaxis(rows, 1, 0)
        laid = total.reshape(groups, prod(window), depth, -1).transpose(1, 2, 0, 3)
        out = laid.reshape(shape)
    return out.astype(dy.dtype, copy=False)


def _flat(shape: tuple[int, ...], sliding: Sliding) -> tuple[int, ...]:
    last = sliding.rank + 1
    return (prod(shape[:-last]), *shape[-last:])


def _inside(pads: Pads, shape: Sequence[int]) -> Any:
    sizes = shape[1:-1]
    spans = [slice(pad[0], pad[0] + size) for pad, size in zip(pads, sizes, strict=True)]
    return (slice(None), *spans)


def _exact(x: Array) -> Array:
    """Halves are added up as floats: NumPy's products of halves are slow and lose digits."""
    return x.astype(np.float32) if x.dtype == np.float16 else x


def _grouped_filters(weights: Array, groups: int) -> Array:
    *window, depth, width = weights.shape
    apart = weights.reshape(prod(window), depth, groups, width // groups)
    return apart.transpose(2, 0, 1, 3).reshape(groups, prod(window) * depth, width // groups)


def _columns(
    full: Array, steps: Sequence[int], window: Sequence[int], groups: int, sliding: Sliding
) -> Iterator[tuple[Any, Array]]:
    """Yield where results go, and the windows they are made of: one row each, by groups."""
    view = _windows(full, steps, window, sliding)
    depth, size = full.shape[-1] // groups, prod(window)
    if groups == size == prod(sliding.strides) == 1:
        yield (slice(None), slice(None)), full.reshape(1, -1, depth)
        return
    laid = np.empty(0, full.dtype)
    for block in _blocks(view.shape):
        part = view[block]
        rows = prod(part.shape[: sliding.rank + 1])
        # Each block is laid out where the one before it was, which the cache still has.
        laid = laid if laid.size >= part.size else np.empty(part.size, full.dtype)
        columns = laid[: part.size].reshape(groups, *part.shape[:-1], depth)
        apart = part.reshape(*part.shape[:-1], groups, depth)
        np.copyto(columns, np.moveaxis(apart, -2, 0))
        yield block, columns.reshape(groups, rows, size * depth)


def _windows(full: Array, steps: Sequence[int], window: Sequence[int], sliding: Sliding) -> Array:
    """Return a view: for each image and place the window that is seen there."""
    first, *spatial, last = full.strides
    going = [stride * by for stride, by in zip(spatial, sliding.strides, strict=True)]
    within = [stride * by for stride, by in zip(spatial, sliding.dilations, strict=True)]
    return np.lib.stride_tricks.as_strided(
        full,
        (len(full), *steps, *window, full.shape[-1]),
        (first, *going, *within, last),
        writeable=False,
    )


def image_parts(shape: Sequence[int]) -> Iterator[slice]:
    """Yield parts of images of a shape that are not too large to be gone over again and again."""
    by = max(_MOST // 4 // max(prod(shape[1:]), 1), 1)
    return (slice(at, at + by) for at in range(0, shape[0], by))


def _blocks(shape: Sequence[int]) -> Iterator[tuple[slice, slice]]:
    """Yield parts of windows that are not too large to be laid out at once."""
    row = max(prod(shape[2:]), 1)
    rows = max(min(_MOST // row, shape[1]), 1)
    images = max(_MOST // (row * rows), 1) if rows == shape[1] else 1
    for i in range(0, shape[0], images):
        for j in range(0, shape[1], rows):
            yield slice(i, i + images), slice(j, j + rows)
