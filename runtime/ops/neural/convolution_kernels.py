"""Windows over arrays of images, and convolutions as products of matrices: NumPy only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core.tensor import Array
from runtime.ops.neural import depthwise_kernels
from runtime.ops.neural.depthwise_kernels import image_parts
from runtime.ops.neural.windows import Pads, Sliding

# The number of window elements that are copied at once for a matrix product.
LAID = 1 << 18

# Matrix products are slow for fewer results, and copying windows is slow for more terms.
_MANY = 32


def images_of(x: Array, sliding: Sliding) -> Array:
    """Return images with one batch axis and the channels last."""
    if sliding.channels_first:
        return np.moveaxis(x, 1, -1)
    return x if x.ndim == sliding.rank + 2 else x.reshape(_flat(x.shape, sliding))


def like_images(images: Array, shape: Sequence[int], sliding: Sliding) -> Array:
    """Return images in the original layout of the images of `shape`."""
    if sliding.channels_first:
        return np.ascontiguousarray(np.moveaxis(images, -1, 1))
    return images.reshape(*shape[: -(sliding.rank + 1)], *images.shape[1:])


def images_shape(shape: Sequence[int], sliding: Sliding) -> tuple[int, ...]:
    """Return the shape of the result of `images_of`."""
    if sliding.channels_first:
        return (shape[0], *shape[2:], shape[1])
    return _flat(tuple(shape), sliding)


def padded(images: Array, pads: Pads, value: Any = 0) -> Array:
    """Return images padded with `value`."""
    if not any(before or after for before, after in pads):
        return images
    sizes = [size + sum(pad) for size, pad in zip(images.shape[1:-1], pads, strict=True)]
    full = np.full((images.shape[0], *sizes, images.shape[-1]), value, images.dtype)
    full[_inside(pads, images.shape)] = images
    return full


def cropped(images: Array, pads: Pads, sizes: Sequence[int]) -> Array:
    """Return images without the padding around them."""
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
        depthwise_kernels.convolve(full, weights, out, sliding)
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


def spread(filters: Array, dy: Array, shape: Sequence[int], sliding: Sliding) -> Array:
    """Return images of `shape`, to which each number of `dy` adds a multiple of a filter."""
    weights, gradients = _exact(filters), images_of(_exact(dy), sliding)
    *window, depth, _ = weights.shape
    count, *sizes, channels = images_shape(shape, sliding)
    pads = sliding.all_pads(sizes, window)
    if depth == channels and _is_point(window, sliding, pads):
        out: Array = gradients.reshape(-1, gradients.shape[-1]) @ weights.reshape(depth, -1).T
        out = out.reshape(count, *sizes, channels)
    elif depth == channels and (how := _flipped_sliding(sizes, weights.shape, sliding)):
        out = convolve(gradients, _flipped(weights), how)
    else:
        total = [size + sum(pad) for size, pad in zip(sizes, pads, strict=True)]
        out = np.zeros((count, *total, channels), gradients.dtype)
        if depth == 1 < channels:
            depthwise_kernels.spread(weights, gradients, out, sliding)
        else:
            _spread_over(weights, gradients, out, sliding)
        out = cropped(out, pads, sizes)
    return like_images(out, shape, sliding).astype(dy.dtype, copy=False)


def _flipped(filters: Array) -> Array:
    """Return the filters of the adjoint convolution: flipped, with channels exchanged."""
    return np.flip(filters, tuple(range(filters.ndim - 2))).swapaxes(-1, -2)


def _flipped_sliding(
    sizes: Sequence[int], filters: Sequence[int], sliding: Sliding
) -> Sliding | None:
    """Return the sliding of flipped filters over the results; None if that is not faster."""
    *window, channels, width = filters
    if channels < _MANY < width or set(sliding.strides) | set(sliding.dilations) != {1}:
        return None
    pads, steps = sliding.all_pads(sizes, window), sliding.all_steps(sizes, window)
    if prod(sizes) * 4 > prod(steps) * 5:
        return None  # Flipped filters would slide over too much padding.
    around = [[size - 1 - each for each in pad] for pad, size in zip(pads, window, strict=True)]
    if min(map(min, around)) < 0:
        return None
    return Sliding(sliding.strides, tuple((a, b) for a, b in around), sliding.dilations)


def _spread_over(weights: Array, gradients: Array, out: Array, sliding: Sliding) -> None:
    """Add each number's contribution to its window, in images of zeros."""
    *window, depth, width = weights.shape
    steps, channels = gradients.shape[1:-1], out.shape[-1]
    groups = channels // depth
    apart = weights.reshape(prod(window), depth, groups, width // groups)
    back = np.ascontiguousarray(apart.transpose(0, 2, 3, 1))
    for some in image_parts((len(out), *steps, max(channels, width) * 3 // 4)):
        rows = gradients[some].reshape(-1, groups, width // groups)
        made = np.empty((len(rows), groups, depth), gradients.dtype)
        for filters, (_, slices) in zip(back, sliding.places(steps, window)):
            if groups == 1:
                np.matmul(rows[:, 0], filters[0], out=made[:, 0])
            else:
                np.matmul(np.moveaxis(rows, 1, 0), filters, out=np.moveaxis(made, 1, 0))
            seen = out[(some, *slices)]
            np.add(seen, made.reshape(seen.shape), out=seen)


def correlate(x: Array, dy: Array, shape: Sequence[int], sliding: Sliding) -> Array:
    """Return filters of `shape`: the sums of products of windows of `x` and numbers of `dy`."""
    images, gradients = images_of(_exact(x), sliding), images_of(_exact(dy), sliding)
    *window, depth, width = shape
    sizes, channels = images.shape[1:-1], images.shape[-1]
    steps, groups = gradients.shape[1:-1], channels // depth
    full = padded(images, sliding.all_pads(sizes, window))
    if depth == 1 < channels:
        out: Array = depthwise_kernels.correlate(full, gradients, shape, sliding)
    else:
        total: Array = np.zeros((groups, prod(window) * depth, width // groups), full.dtype)
        for block, columns in _columns(full, steps, window, groups, sliding):
            rows = gradients[block].reshape(-1, groups, width // groups)
            total += columns.swapaxes(1, 2) @ np.moveaxis(rows, 1, 0)
        laid = total.reshape(groups, prod(window), depth, -1).transpose(1, 2, 0, 3)
        out = laid.reshape(shape)
    return out.astype(dy.dtype, copy=False)


def _is_point(window: Sequence[int], sliding: Sliding, pads: Pads) -> bool:
    """Return whether a window is a single element that visits all elements."""
    return prod(window) == prod(sliding.strides) == 1 and not any(map(any, pads))


def _flat(shape: tuple[int, ...], sliding: Sliding) -> tuple[int, ...]:
    last = sliding.rank + 1
    return (prod(shape[:-last]), *shape[-last:])


def _inside(pads: Pads, shape: Sequence[int]) -> Any:
    sizes = shape[1:-1]
    spans = [slice(pad[0], pad[0] + size) for pad, size in zip(pads, sizes, strict=True)]
    return (slice(None), *spans)


def _exact(x: Array) -> Array:
    """Return float16 arrays as float32: products of float16 are slow and lose digits."""
    return x.astype(np.float32) if x.dtype == np.float16 else x


def _grouped_filters(weights: Array, groups: int) -> Array:
    *window, depth, width = weights.shape
    apart = weights.reshape(prod(window), depth, groups, width // groups)
    return apart.transpose(2, 0, 1, 3).reshape(groups, prod(window) * depth, width // groups)


def _columns(
    full: Array, steps: Sequence[int], window: Sequence[int], groups: int, sliding: Sliding
) -> Iterator[tuple[Any, Array]]:
    """Yield the positions of results with their windows: one row each, by groups."""
    view = _windows(full, steps, window, sliding, groups)
    depth, size = full.shape[-1] // groups, prod(window)
    if groups == size == prod(sliding.strides) == 1:
        yield (slice(None), slice(None)), full.reshape(1, -1, depth)
        return
    laid = np.empty(0, full.dtype)
    for block in _blocks(view.shape):
        part = view[block]
        rows = prod(part.shape[: sliding.rank + 1])
        # Each block is copied into the memory of the block before, which is in the cache.
        laid = laid if laid.size >= part.size else np.empty(part.size, full.dtype)
        columns = laid[: part.size]
        if depth == groups == sliding.strides[-1] == 1 < size:
            # With one channel, adjacent elements belong to different windows.
            axes = (*range(sliding.rank + 1, part.ndim), *range(sliding.rank + 1))
            by_position = part.transpose(axes)
            np.copyto(columns.reshape(by_position.shape), by_position)
            yield block, columns.reshape(1, size, rows).swapaxes(1, 2)
            continue
        if groups == 1:
            np.copyto(columns.reshape(part.shape), part)
        else:
            apart = part.reshape(*part.shape[:-1], groups, depth)
            by_group = columns.reshape(groups, *part.shape[:-1], depth)
            np.copyto(by_group, np.moveaxis(apart, -2, 0))
        yield block, columns.reshape(groups, rows, size * depth)


def _windows(
    full: Array, steps: Sequence[int], window: Sequence[int], sliding: Sliding, groups: int
) -> Array:
    """Return a view with the window at each image and position.

    With one group, contiguous elements of a window are one axis, which is copied at once.
    """
    first, *spatial, last = full.strides
    going = [stride * by for stride, by in zip(spatial, sliding.strides, strict=True)]
    within = [stride * by for stride, by in zip(spatial, sliding.dilations, strict=True)]
    inner: tuple[int, ...] = (*window, full.shape[-1])
    if groups == sliding.dilations[-1] == 1 and full.flags.c_contiguous:
        inner, within = (*window[:-1], window[-1] * full.shape[-1]), within[:-1]
        last = full.itemsize  # The stride of an axis of size 1 is arbitrary.
    return np.lib.stride_tricks.as_strided(
        full, (len(full), *steps, *inner), (first, *going, *within, last), writeable=False
    )


def _blocks(shape: Sequence[int]) -> Iterator[tuple[slice, slice]]:
    """Yield parts of the windows that are small enough to be copied at once."""
    row = max(prod(shape[2:]), 1)
    # A product with few rows is slower than one that exceeds the cache.
    is_small = row * shape[1] <= 2 * LAID
    rows = max(shape[1] if is_small else LAID // row, 1)
    images = max(LAID // (row * rows), 1) if is_small else 1
    for i in range(0, shape[0], images):
        for j in range(0, shape[1], rows):
            yield slice(i, i + images), slice(j, j + rows)
