"""Kernels of pooling and its gradients: windows are reduced axis by axis.

One axis at a time takes fewer steps than one window at a time, and contiguous elements are
processed at once. A few images at a time stay in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import Array
from runtime.ops.elementwise.selection import masked
from runtime.ops.neural.convolution_kernels import cropped, image_parts, padded
from runtime.ops.neural.windows import Sliding


def window_reductions(
    images: Array, window: Sequence[int], how: Sliding, join: Any, value: Any
) -> Array:
    """Return the reduction of each window by a function of two elements.

    Args:
        images: images with one axis before the spatial ones and the channels last.
        join: a commutative function of two arrays, with an argument `out`.
        value: the value of the padding.
    """
    sizes = images.shape[1:-1]
    pads, steps = how.all_pads(sizes, window), how.all_steps(sizes, window)
    out = np.empty((len(images), *steps, images.shape[-1]), images.dtype)
    if out.size == 0:
        return out  # No window fits into the images.
    for some in image_parts(images.shape):
        found = padded(images[some], pads, value)
        for axis in range(how.rank - 1):
            found = _joined_along(found, axis, steps[axis], window[axis], how, join)
        last = how.rank - 1
        _joined_along(found, last, steps[last], window[last], how, join, out[some])
    return out


def _joined_along(
    full: Array, axis: int, steps: int, window: int, how: Sliding, join: Any, out: Any = None
) -> Array:
    elements = _elements_at(full, axis, steps, window, how)
    if window == 1:
        out = np.empty_like(elements[0]) if out is None else out
        np.copyto(out, elements[0])
        return out
    out = join(elements[0], elements[1], out=out)
    for each in elements[2:]:
        join(out, each, out=out)
    return out


def _elements_at(full: Array, axis: int, steps: int, window: int, how: Sliding) -> list[Array]:
    """Return the elements under each position in the windows, along a spatial axis."""
    before = (slice(None),) * (axis + 1)
    return [full[(*before, how.slice_at(axis, position, steps))] for position in range(window)]


def spread_evenly(
    gradients: Array, sizes: Sequence[int], window: Sequence[int], how: Sliding
) -> Array:
    """Return images in which each element gets the sum of the gradients of its windows."""
    pads = how.all_pads(sizes, window)
    total = [size + sum(pad) for size, pad in zip(sizes, pads, strict=True)]
    if gradients.size == 0:
        return np.zeros((len(gradients), *sizes, gradients.shape[-1]), gradients.dtype)
    out = np.empty((len(gradients), *sizes, gradients.shape[-1]), gradients.dtype)
    for some in image_parts(out.shape):
        found = gradients[some]
        for axis in reversed(range(how.rank)):
            steps = found.shape[axis + 1]
            shape = (*found.shape[: axis + 1], total[axis], *found.shape[axis + 2 :])
            wider = np.zeros(shape, gradients.dtype)
            for each in _elements_at(wider, axis, steps, window[axis], how):
                np.add(each, found, out=each)
            found = wider
        out[some] = cropped(found, pads, sizes)
    return out


def counts(sizes: Sequence[int], window: Sequence[int], how: Sliding) -> Any:
    """Return the number of image elements in each window, without the padding.

    The result is a single number if it is the same for all windows.
    """
    found: Any = np.ones((1,) * (how.rank + 2), np.float32)
    for axis, (size, within) in enumerate(zip(sizes, window, strict=True)):
        first = np.arange(how.steps(axis, size, within) or 0) * how.strides[axis]
        first = first - how.pads(axis, size, within)[0]
        inside = np.minimum(first + within, size) - np.maximum(first, 0)
        found = found * inside.reshape(-1, *[1] * (how.rank - axis)).astype(np.float32)
    is_one = found.size > 0 and found.min() == found.max()
    return float(found.flat[0]) if is_one else found


def first_largest(images: Array, window: Sequence[int], how: Sliding, lowest: Any) -> Array:
    """Return the position of the first largest element in each window.

    A NaN at the first position is the largest; any other is skipped.
    """
    sizes = images.shape[1:-1]
    pads, steps = how.all_pads(sizes, window), how.all_steps(sizes, window)
    full, number = padded(images, pads, lowest), np.prod(window)
    where = np.zeros((len(images), *steps, images.shape[-1]), _small(int(number)))
    if where.size == 0:
        return where
    least = images.min() if images.size else lowest  # NaN if the images contain one
    if least == least and (full is images or least != lowest):
        _first_of_numbers(full, where, window, how)
    else:
        around = (1, *sizes, 1)
        inside = padded(np.ones(around, bool), pads, False)
        _first_of_any(full, inside, where, window, how)
    return where


def _small(count: int) -> Any:
    return np.uint8 if count <= 256 else np.int32


def _first_of_numbers(full: Array, where: Array, window: Sequence[int], how: Sliding) -> None:
    best: Any = None
    for number, (_, slices) in enumerate(how.places(where.shape[1:-1], window)):
        found = np.ascontiguousarray(full[(slice(None), *slices)])
        if best is None:
            best = found if found.base is None and found is not full else found.copy()
            continue
        # The running maximum only grows: the last element that raised it is the largest.
        better = (found > best).astype(where.dtype)
        np.maximum(where, np.multiply(better, where.dtype.type(number), out=better), out=where)
        np.maximum(best, found, out=best)


def _first_of_any(
    full: Array, inside: Array, where: Array, window: Sequence[int], how: Sliding
) -> None:
    best: Any = None
    for number, (_, slices) in enumerate(how.places(where.shape[1:-1], window)):
        found, there = full[(slice(None), *slices)], inside[(slice(None), *slices)]
        if best is None:
            best, held = found.copy(), there
            continue
        # The padding is never the largest element, and does not hide a NaN.
        better = ((found > best) | ~held) & there
        held = held | there
        np.copyto(best, found, where=better)
        where[better] = number


def spread_to_largest(
    images: Array, gradients: Array, window: Sequence[int], how: Sliding, lowest: Any
) -> Array:
    """Return images in which the largest element of each window gets its gradient."""
    sizes = images.shape[1:-1]
    pads = how.all_pads(sizes, window)
    total = [size + sum(pad) for size, pad in zip(sizes, pads, strict=True)]
    is_apart = all(by >= size for by, size in zip(how.strides, window, strict=True))
    is_filled = is_apart and _tile_images(total, gradients.shape[1:-1], window, how)
    shape = (len(images), *total, images.shape[-1])
    out = (np.empty if is_filled else np.zeros)(shape, gradients.dtype)
    for some in image_parts(images.shape):
        part = gradients[some]
        masks = _masks_of_largest(images[some], part.shape[1:-1], window, how, lowest)
        for (_, slices), mask in zip(how.places(part.shape[1:-1], window), masks, strict=True):
            seen, found = out[(some, *slices)], masked(part, mask)
            if is_apart:
                seen[...] = found
            else:
                np.add(seen, found, out=seen)
    return np.ascontiguousarray(cropped(out, pads, sizes))


def _tile_images(
    sizes: Sequence[int], steps: Sequence[int], window: Sequence[int], how: Sliding
) -> bool:
    """Return whether windows are disjoint and cover the images."""
    ways = zip(sizes, steps, window, how.strides, strict=True)
    return all(within == by and size == by * step for size, step, within, by in ways)


def _masks_of_largest(
    images: Array, steps: Sequence[int], window: Sequence[int], how: Sliding, lowest: Any
) -> Sequence[Array]:
    """Return for each position in a window a mask: the first largest element is there."""
    pads = how.all_pads(images.shape[1:-1], window)
    full = padded(images, pads, lowest)
    # Contiguous elements are compared faster.
    places = how.places(steps, window)
    elements = [np.ascontiguousarray(full[(slice(None), *each)]) for _, each in places]
    best = elements[0]
    for number, each in enumerate(elements[1:]):
        best = np.maximum(best, each, out=best if number else None)
    least = best.min() if best.size else lowest  # NaN if there is one
    if least != least or (full is not images and least == lowest):
        where = first_largest(images, window, how, lowest)
        return [where == number for number in range(len(elements))]
    masks, others = [], np.ones(best.shape, bool)
    for each in elements[:-1]:
        mask = np.equal(each, best)
        masks.append(np.logical_and(mask, others, out=mask))
        np.greater(others, mask, out=others)
    return [*masks, others]
