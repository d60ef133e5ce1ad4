"""Depthwise, separable and dilated convolutions of images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.shapes import Ints
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.ops.arrays.concatenation import unstack
from runtime.ops.arrays.shape import reshape, shape
from runtime.ops.convert import to_tensor
from runtime.ops.neural.convolution import convolved
from runtime.ops.neural.windows import sliding


def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = None,
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the convolution of each channel with separate filters.

    Args:
        input: floats or int32 of shape (batch, height, width, channels), or "NCHW".
        filter: of shape (height, width, channels, results per channel).
        strides, padding, dilations: as in `conv2d`.

    Raises:
        ShapeError: the filters are for another number of channels.

    >>> import autograph.runtime as rt
    >>> images, filters = rt.ones([1, 5, 5, 3]), rt.ones([3, 3, 3, 2])
    >>> rt.nn.depthwise_conv2d(images, filters, [1, 1, 1, 1], "SAME").shape
    TensorShape([1, 5, 5, 6])
    """
    images, filters = to_tensor(input), to_tensor(filter)
    how = sliding(2, strides, padding, dilations, data_format)
    if filters.shape.rank not in (None, 4):
        raise ShapeError(f"filters must have 4 axes, not shape {filters.shape}")
    channels, depth = how.split_shape(images.shape)[2], filters.shape[2]
    if channels is not None and depth is not None and channels != depth:
        raise ShapeError(
            f"images of shape {images.shape} have {channels} channels, but filters of shape "
            f"{filters.shape} are for {depth}"
        )
    return convolved(images, _one_by_one(filters), how)


def separable_conv2d(
    input: TensorLike,
    depthwise_filter: TensorLike,
    pointwise_filter: TensorLike,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = None,
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return `depthwise_conv2d`, followed by a convolution with `pointwise_filter`.

    Args:
        pointwise_filter: of shape (1, 1, channels times results per channel, results).

    >>> import autograph.runtime as rt
    >>> images, filters, mixed = rt.ones([1, 5, 5, 3]), rt.ones([3, 3, 3, 2]), rt.ones([1, 1, 6, 4])
    >>> rt.nn.separable_conv2d(images, filters, mixed, [1, 1, 1, 1], "SAME").shape
    TensorShape([1, 5, 5, 4])
    """
    points = to_tensor(pointwise_filter)
    if not points.shape.is_compatible_with((1, 1, None, None)):
        raise ShapeError(f"pointwise_filter must have shape (1, 1, ...), not {points.shape}")
    parts = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return convolved(parts, points, sliding(2, 1, "VALID", None, data_format))


def atrous_conv2d(
    value: TensorLike,
    filters: TensorLike,
    rate: TensorLike,
    padding: str | Sequence[Sequence[int]],
    name: str | None = None,
) -> Tensor:
    """Return `conv2d` with a distance of `rate` between the elements of a filter.

    >>> import autograph.runtime as rt
    >>> rt.nn.atrous_conv2d(rt.ones([1, 9, 9, 3]), rt.ones([3, 3, 3, 8]), 2, "VALID").shape
    TensorShape([1, 5, 5, 8])
    """
    return convolved(value, filters, sliding(2, 1, padding, rate))


def _one_by_one(filters: Any) -> Tensor:
    """Return filters for a convolution in groups of one channel."""
    sizes = filters.shape if filters.shape.is_fully_defined() else unstack(shape(filters), 4)
    height, width, depth, count = sizes
    return reshape(filters, [height, width, 1, depth * count])
