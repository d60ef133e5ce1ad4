"""Kernels of depthwise convolutions, which process one line of an image at a time.

The elements of a line of an image, with all its channels, are contiguous. With a stride of 1, so
are the elements at one window position along a line, which NumPy processes at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core.tensor import Array
from runtime.ops.neural.windows import Sliding

# The number of window elements processed at once: they stay in the cache of a core.
MOST = 1 << 16


def image_parts(shape: Sequence[int], most: int | None = None) -> Iterator[slice]:
    """Yield parts of images that are small enough for several passes."""
    by = max((most or MOST) // max(prod(shape[1:]), 1), 1)
    return (slice(at, at + by) for at in range(0, shape[0], by))


def convolve(full: Array, weights: Array, out: Array, sliding: Sliding) -> None:
    """Write the convolution of each channel with its filters.

    Args:
        full: padded images, channels last.
        weights: filters of shape (window..., 1, channels times results per channel).
        out: the results; those of a channel are consecutive.
    """
    steps, count = out.shape[1:-1], weights.shape[-1] // full.shape[-1]
    full = np.ascontiguousarray(full)
    for some in image_parts(out.shape, 2 * MOST):
        for which in range(count):
            own = out[some][..., which::count]
            part = own if count == 1 else np.empty(own.shape, own.dtype)
            _convolve_lines(full[some], weights[..., 0, which::count], part, steps, sliding)
            if count > 1:
                own[...] = part


def _convolve_lines(
    full: Array, weights: Array, out: Array, steps: Sequence[int], sliding: Sliding
) -> None:
    lines = as_lines(out, sliding)
    product = np.empty_like(lines)
    for number, (position, slices) in enumerate(sliding.places(steps, weights.shape[:-1])):
        seen, own = seen_lines(full, slices, sliding), of_line(weights[position], steps, sliding)
        if number:
            np.add(lines, np.multiply(seen, own, out=product), out=lines)
        else:
            np.multiply(seen, own, out=lines)


def spread(weights: Array, gradients: Array, out: Array, sliding: Sliding) -> None:
    """Add each number of `gradients` times the weights to its window of the images.

    Args:
        weights, gradients: like the filters and results of `convolve`.
        out: the padded images.
    """
    steps, count = gradients.shape[1:-1], weights.shape[-1] // out.shape[-1]
    window = weights.shape[:-2]
    for some in image_parts(gradients.shape, 2 * MOST):
        for which in range(count):
            given = as_lines(np.ascontiguousarray(gradients[some][..., which::count]), sliding)
            product = np.empty_like(given)
            for position, slices in sliding.places(steps, window):
                own = of_line(weights[position][0, which::count], steps, sliding)
                seen = seen_lines(out[some], slices, sliding)
                np.add(seen, np.multiply(given, own, out=product), out=seen)


def correlate(full: Array, gradients: Array, shape: Sequence[int], sliding: Sliding) -> Array:
    """Return filters of `shape`: the sums of products of image elements and `gradients`.

    Args:
        full, gradients: like the images and results of `convolve`.
    """
    *window, _, width = shape
    steps, channels = gradients.shape[1:-1], full.shape[-1]
    count, full = width // channels, np.ascontiguousarray(full)
    out = np.zeros(tuple(shape), full.dtype)
    for some in image_parts(gradients.shape, 2 * MOST):
        for which in range(count):
            given = as_lines(np.ascontiguousarray(gradients[some][..., which::count]), sliding)
            product = np.empty_like(given)
            for position, slices in sliding.places(steps, window):
                np.multiply(seen_lines(full[some], slices, sliding), given, out=product)
                line = np.add.reduce(product.reshape(-1, steps[-1] * channels), 0)
                total = np.add.reduce(line.reshape(-1, channels), 0)
                out[position][0, which::count] += total
    return out


def as_lines(images: Array, sliding: Sliding) -> Array:
    """Return a view of contiguous images as lines of all channels, if the stride allows it."""
    if sliding.strides[-1] > 1:
        return images
    return images.reshape(*images.shape[:-2], images.shape[-2] * images.shape[-1])


def seen_lines(full: Array, slices: Sequence[slice], sliding: Sliding) -> Array:
    """Return the elements under one position in the windows, in the layout of `as_lines`."""
    if sliding.strides[-1] > 1:
        return np.asarray(full[(slice(None), *slices)])
    channels = full.shape[-1]
    along = slice(slices[-1].start * channels, slices[-1].stop * channels)
    return np.asarray(as_lines(full, sliding)[(slice(None), *slices[:-1], along)])


def of_line(weights: Array, steps: Sequence[int], sliding: Sliding) -> Any:
    """Return weights repeated along a line, in the layout of `as_lines`."""
    repeated = np.ascontiguousarray(np.broadcast_to(weights, (steps[-1], len(weights))))
    return repeated if sliding.strides[-1] > 1 else repeated.reshape(-1)
