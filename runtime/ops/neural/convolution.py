"""Convolutions of images with filters, and their two adjoints: to images and to filters.

All three are bilinear, so the gradients of each are the other two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import int32
from runtime.core.shapes import Dims, Ints, ShapeLike, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import dims_argument, final_shape
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.convert import matched, to_tensor
from runtime.ops.neural.convolution_kernels import convolve, correlate, spread
from runtime.ops.neural.windows import Sliding, sliding
from runtime.ops.op import apply, define


def _check_operands(x: TensorSpec, y: TensorSpec) -> None:
    infer.check_same_dtype(x, y)
    if not (x.dtype.is_floating or x.dtype is int32):
        words = f"images must be floats or int32, not {x.dtype.name}: write rt.cast(x, rt.float32)"
        raise DTypeError(words)


def _convolved(x: TensorShape, filters: TensorShape, sliding: Sliding) -> TensorShape:
    """Return the shape of a convolution, after a check of the operands."""
    rank = sliding.rank + 2
    if filters.rank not in (None, rank):
        raise ShapeError(f"filters must have {rank} axes, not shape {filters}")
    lead, sizes, channels = sliding.split_shape(x)
    *window, depth, width = filters.dims or (None,) * rank
    if 0 in (*window, depth, width):
        raise ShapeError(f"filters must not be empty, as shape {filters} is")
    if channels is not None and depth is not None and not _divides(depth, channels, width):
        raise ShapeError(
            f"images of shape {x} have {channels} channels, but filters of shape {filters} are "
            f"for {depth}"
        )
    if lead.rank is None:
        return infer.rank_only(rank if sliding.channels_first else None)
    try:
        steps = sliding.all_steps(sizes, window)
    except ShapeError as error:
        raise ShapeError(f"filters of shape {filters} on {x}: {error.message}") from None
    return sliding.join_shape(lead, steps, width)


def _divides(depth: int, channels: int, width: int | None) -> bool:
    """Return whether channels form equal groups, each with the same number of filters."""
    groups, rest = divmod(channels, depth)
    return not rest and groups > 0 and (width is None or width % groups == 0)


def _convolution_infer(x: TensorSpec, filters: TensorSpec, *, sliding: Sliding) -> TensorSpec:
    _check_operands(x, filters)
    return TensorSpec(_convolved(x.shape, filters.shape, sliding), x.dtype)


def _to_input_infer(
    filters: TensorSpec, dy: TensorSpec, *dims: TensorSpec, shape: Dims, sliding: Sliding
) -> TensorSpec:
    _check_operands(dy, filters)
    target = infer.target_shape(dims[0] if dims else None, shape)
    _check_leads_to(dy.shape, target, filters.shape, sliding)
    return TensorSpec(target, dy.dtype)


def _to_filter_infer(
    x: TensorSpec, dy: TensorSpec, *dims: TensorSpec, shape: Dims, sliding: Sliding
) -> TensorSpec:
    _check_operands(dy, x)
    target = infer.target_shape(dims[0] if dims else None, shape)
    _check_leads_to(dy.shape, x.shape, target, sliding)
    return TensorSpec(target, dy.dtype)


def _check_leads_to(
    dy: TensorShape, x: TensorShape, filters: TensorShape, sliding: Sliding
) -> None:
    sliding.split_shape(dy)
    found = _convolved(x, filters, sliding)
    if not found.is_compatible_with(dy):
        raise ShapeError(
            f"images of shape {x} and filters of shape {filters} give shape {found}, not {dy}"
        )


def _convolution_kernel(x: Array, filters: Array, *, sliding: Sliding) -> Array:
    found = _convolution_infer(*map(TensorSpec.of_array, (x, filters)), sliding=sliding)
    if not (x.size and filters.size):
        return np.zeros(found.shape.as_list(), x.dtype)
    return convolve(x, filters, sliding)


def _to_input_kernel(
    filters: Array, dy: Array, *dims: Array, shape: Dims, sliding: Sliding
) -> Array:
    target = final_shape(shape, dims)
    _to_input_infer(*map(TensorSpec.of_array, (filters, dy)), shape=target, sliding=sliding)
    if not (dy.size and filters.size):
        return np.zeros(target, dy.dtype)
    return spread(filters, dy, target, sliding)


def _to_filter_kernel(x: Array, dy: Array, *dims: Array, shape: Dims, sliding: Sliding) -> Array:
    target = final_shape(shape, dims)
    _to_filter_infer(*map(TensorSpec.of_array, (x, dy)), shape=target, sliding=sliding)
    if not (x.size and dy.size):
        return np.zeros(target, dy.dtype)
    return correlate(x, dy, target, sliding)


def _convolution_grad(dys: Any, outputs: Any, inputs: Any, *, sliding: Sliding) -> Any:
    (dy,), (x, filters) = dys, inputs
    return _to_input(filters, dy, x, sliding), _to_filter(x, dy, filters, sliding)


def _to_input_grad(
    dys: Any, outputs: Any, inputs: Any, *, shape: Dims, sliding: Sliding
) -> tuple[Any, ...]:
    (d,), (filters, dy, *dims) = dys, inputs
    to_dy = apply(CONVOLUTION, (d, filters), sliding=sliding)
    return (_to_filter(d, dy, filters, sliding), to_dy, *(None for _ in dims))


def _to_filter_grad(
    dys: Any, outputs: Any, inputs: Any, *, shape: Dims, sliding: Sliding
) -> tuple[Any, ...]:
    (d,), (x, dy, *dims) = dys, inputs
    to_dy = apply(CONVOLUTION, (x, d), sliding=sliding)
    return (_to_input(d, dy, x, sliding), to_dy, *(None for _ in dims))


CONVOLUTION = define(
    "convolution",
    _convolution_kernel,
    _convolution_infer,
    grad=_convolution_grad,
    tensorflow_name="Conv2D",
)
TO_INPUT = define(
    "convolution_to_input",
    _to_input_kernel,
    _to_input_infer,
    grad=_to_input_grad,
    tensorflow_name="Conv2DBackpropInput",
)
TO_FILTER = define(
    "convolution_to_filter",
    _to_filter_kernel,
    _to_filter_infer,
    grad=_to_filter_grad,
    tensorflow_name="Conv2DBackpropFilter",
)


def convolved(x: Any, filters: Any, how: Sliding) -> Tensor:
    """Return a convolution of images and filters, either of which may be a literal."""
    operands, _ = matched((x, filters), "convolution")
    result: Tensor = apply(CONVOLUTION, operands, sliding=how)
    return result


def transposed(dy: Any, filters: Any, dims: Any, how: Sliding) -> Tensor:
    """Return images of shape `dims`: the transposed convolution of `dy` with filters."""
    (gradients, weights), _ = matched((dy, filters), "convolution")
    if isinstance(dims, (list, tuple)) and len(dims) == how.rank:
        dims = _whole_shape(gradients, weights, dims, how)
    target, rest = dims_argument(dims)
    result: Tensor = apply(TO_INPUT, (weights, gradients, *rest), shape=target, sliding=how)
    return result


def _whole_shape(dy: Tensor, filters: Tensor, sizes: Any, how: Sliding) -> list[Any]:
    """Return the shape of images with given spatial sizes."""
    batch, depth = shape_of(dy)[0], shape_of(filters)[-2]
    return [batch, depth, *sizes] if how.channels_first else [batch, *sizes, depth]


def conv1d(
    input: TensorLike,
    filters: TensorLike,
    stride: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = "NWC",
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the convolution of sequences with filters: sums of products at each position.

    Args:
        input: floats or int32 of shape (..., width, channels), or (batch, channels, width) if
            `data_format` is "NCW".
        filters: of shape (size, channels or a divisor of them, results), of the same dtype.
        stride: the distance between two positions of the filters.
        padding: "SAME", "VALID", or pairs of numbers: the padding of each axis.
        dilations: the distance between the elements of a filter.

    Raises:
        ShapeError: ranks or channels do not match, or a filter is larger than the input.

    >>> import autograph.runtime as rt
    >>> rt.nn.conv1d([[[1.0], [2.0], [3.0]]], [[[1.0]], [[1.0]]], 1, "VALID").numpy().ravel()
    array([3., 5.], dtype=float32)
    """
    return convolved(input, filters, sliding(1, stride, padding, dilations, data_format))


def conv2d(
    input: TensorLike,
    filters: TensorLike,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = "NHWC",
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the convolution of images with filters: sums of products at each position.

    Args:
        input: floats or int32 of shape (..., height, width, channels), or (batch, channels, height,
            width) if `data_format` is "NCHW".
        filters: of shape (height, width, channels or a divisor of them, results).
        strides: the distances between positions of the filters: a number, two, or four.
        padding: "SAME", "VALID", or four pairs of numbers: the padding of each axis.
        dilations: the distance between the elements of a filter.

    Raises:
        ShapeError: ranks or channels do not match, or a filter is larger than the input.

    >>> import autograph.runtime as rt
    >>> rt.nn.conv2d(rt.ones([1, 5, 5, 3]), rt.ones([3, 3, 3, 8]), 2, "SAME").shape
    TensorShape([1, 3, 3, 8])
    """
    return convolved(input, filters, sliding(2, strides, padding, dilations, data_format))


def conv3d(
    input: TensorLike,
    filters: TensorLike,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = "NDHWC",
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the result of `conv2d` for volumes: (..., depth, height, width, channels).

    >>> import autograph.runtime as rt
    >>> rt.nn.conv3d(rt.ones([1, 4, 5, 5, 3]), rt.ones([2, 3, 3, 3, 8]), 1, "VALID").shape
    TensorShape([1, 3, 3, 3, 8])
    """
    return convolved(input, filters, sliding(3, strides, padding, dilations, data_format))


def convolution(
    input: TensorLike,
    filters: TensorLike,
    strides: Ints | None = None,
    padding: str | Sequence[Sequence[int]] = "VALID",
    data_format: str | None = None,
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the result of `conv1d`, `conv2d` or `conv3d`, by the rank of the filters.

    >>> import autograph.runtime as rt
    >>> rt.nn.convolution(rt.ones([1, 5, 5, 3]), rt.ones([3, 3, 3, 8])).shape
    TensorShape([1, 3, 3, 8])
    """
    rank = spatial_rank(filters)
    how = sliding(rank, 1 if strides is None else strides, padding, dilations, data_format)
    return convolved(input, filters, how)


def spatial_rank(filters: Any) -> int:
    """Return the number of spatial axes of filters; ShapeError unless it is 1, 2 or 3."""
    found = to_tensor(filters).shape
    if found.rank is None:
        raise ShapeError("the rank of the filters is unknown: use rt.nn.conv2d or rt.ensure_shape")
    if found.rank not in (3, 4, 5):
        raise ShapeError(f"filters must have 3, 4 or 5 axes, not shape {found}")
    return found.rank - 2


def conv_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: Ints,
    padding: str | Sequence[Sequence[int]] = "SAME",
    data_format: str | None = None,
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the result of `conv1d_transpose`, 2d or 3d, depending on the filters' rank.

    >>> import autograph.runtime as rt
    >>> rt.nn.conv_transpose(rt.ones([1, 3, 6]), rt.ones([3, 4, 6]), [1, 6, 4], 2).shape
    TensorShape([1, 6, 4])
    """
    how = sliding(spatial_rank(filters), strides, padding, dilations, data_format)
    return transposed(input, filters, output_shape, how)


def conv1d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: Ints,
    padding: str | Sequence[Sequence[int]] = "SAME",
    data_format: str | None = "NWC",
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the result of `conv2d_transpose` for sequences; filters are (size, results, channels).

    >>> import autograph.runtime as rt
    >>> rt.nn.conv1d_transpose(rt.ones([1, 3, 6]), rt.ones([3, 4, 6]), [1, 6, 4], 2).shape
    TensorShape([1, 6, 4])
    """
    how = sliding(1, strides, padding, dilations, data_format)
    return transposed(input, filters, output_shape, how)


def conv2d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: Ints,
    padding: str | Sequence[Sequence[int]] = "SAME",
    data_format: str | None = "NHWC",
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the gradient of `conv2d` by its images, for a gradient `input` of its result.

    Args:
        input: floats or int32 of shape (batch, height, width, channels).
        filters: of shape (height, width, results, channels).
        output_shape: the shape of the images: four numbers or a vector, or the height and width.

    Raises:
        ShapeError: a convolution of such images would not have the shape of `input`.

    >>> import autograph.runtime as rt
    >>> rt.nn.conv2d_transpose(rt.ones([1, 3, 3, 6]), rt.ones([3, 3, 4, 6]), [1, 6, 6, 4], 2).shape
    TensorShape([1, 6, 6, 4])
    """
    how = sliding(2, strides, padding, dilations, data_format)
    return transposed(input, filters, output_shape, how)


def conv3d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: Ints,
    padding: str | Sequence[Sequence[int]] = "SAME",
    data_format: str | None = "NDHWC",
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the result of `conv2d_transpose` for volumes.

    >>> import autograph.runtime as rt
    >>> dy, filters = rt.ones([1, 2, 2, 2, 3]), rt.ones([2, 2, 2, 1, 3])
    >>> rt.nn.conv3d_transpose(dy, filters, [1, 4, 4, 4, 1], 2).shape
    TensorShape([1, 4, 4, 4, 1])
    """
    how = sliding(3, strides, padding, dilations, data_format)
    return transposed(input, filters, output_shape, how)


def _to_input(filters: Any, dy: Any, like: Any, how: Sliding) -> Tensor:
    target, rest = _dims_of(like)
    result: Tensor = apply(TO_INPUT, (filters, dy, *rest), shape=target, sliding=how)
    return result


def _to_filter(x: Any, dy: Any, like: Any, how: Sliding) -> Tensor:
    target, rest = _dims_of(like)
    result: Tensor = apply(TO_FILTER, (x, dy, *rest), shape=target, sliding=how)
    return result


def _dims_of(like: Any) -> tuple[Dims, tuple[Tensor, ...]]:
    """Return the known shape of a tensor, and a shape tensor if it is not fully known."""
    if like.shape.is_fully_defined():
        return like.shape.dims, ()
    return like.shape.dims, (shape_of(like),)
