"""Neural network functions of `keras.ops`: normalization, attention, convolution, pooling."""

from __future__ import annotations

import math
from typing import Any

from runtime.core.argument_checks import choice, flag, listed, unavailable
from runtime.core.dtypes import DTypeLike, as_dtype
from runtime.core.lazy_imports import own_names
from runtime.core.shapes import AxisLike, Ints
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError
from runtime.nn.activations.functions import gelu as gelu_by_erf
from runtime.nn.losses.operands import TINY, floats
from runtime.nn.ops.elementwise import floating
from runtime.ops.arguments import static_int
from runtime.ops.arrays.creation import one_hot as hot
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.reduction import reduce_max, reduce_mean
from runtime.ops.arrays.shape import ensure_shape, reshape
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.arrays.sorting import in_top_k as targets_in_top_k
from runtime.ops.arrays.space_to_depth import depth_to_space as channels_as_blocks
from runtime.ops.arrays.space_to_depth import space_to_depth as blocks_as_channels
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add, clip_by_value, divide, multiply, subtract
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import log, rsqrt, square, tanh
from runtime.ops.linalg.diagonals import band_part
from runtime.ops.linalg.einsum import einsum
from runtime.ops.neural.convolution import convolution
from runtime.ops.neural.max_pool_positions import pool
from runtime.ops.neural.softmax import softmax
from runtime.ops.neural.weighted_losses import sigmoid_cross_entropy_with_logits


def gelu(x: TensorLike, approximate: bool = True) -> Tensor:
    """Return x times the probability that a standard normal number is smaller.

    >>> print(gelu([0.0]))
    rt.Tensor([0.], shape=(1,), dtype=float32)
    """
    return gelu_by_erf(x, approximate)


def one_hot(
    x: TensorLike,
    num_classes: int,
    axis: int = -1,
    dtype: DTypeLike | None = None,
    sparse: bool = False,
) -> Tensor:
    """Return one-hot vectors for class indices; negative ones become zeros.

    >>> one_hot([1], 3).numpy().tolist()
    [[0.0, 1.0, 0.0]]
    """
    classes: Any = to_tensor(x)
    if classes.dtype.is_floating:
        classes = cast(classes, as_dtype("int64"))
    return hot(
        classes, num_classes, axis=axis, dtype=as_dtype("float32" if dtype is None else dtype)
    )


def multi_hot(
    inputs: TensorLike,
    num_classes: int | None = None,
    axis: int = -1,
    dtype: DTypeLike | None = None,
    sparse: bool = False,
) -> Tensor:
    """Return vectors with ones at all class indices of a row.

    >>> multi_hot([0, 2], 4).numpy().tolist()
    [1.0, 0.0, 1.0, 0.0]
    """
    unavailable(sparse, "multi_hot: sparse", "leave it out", False)
    count = static_int(num_classes, "num_classes")
    classes: Any = to_tensor(inputs)
    wanted = as_dtype("float32" if dtype is None else dtype)
    ones = hot(classes, count, axis=axis, dtype=wanted)
    return reduce_max(ones, axis=1 if classes.ndim > 1 else 0)


def binary_crossentropy(target: Any, output: TensorLike, from_logits: bool = False) -> Tensor:
    """Return the binary cross entropy of each element, without a mean.

    Args:
        target: 0 and 1, or numbers between them.
        output: floats of that shape: probabilities of 1, or logits if `from_logits`.

    >>> print(binary_crossentropy([1.0, 0.0], [0.5, 0.75]).numpy().round(4))
    [0.6931 1.3863]
    """
    predicted = floats(output)
    truth = cast(to_tensor(target), predicted.dtype)
    if flag(from_logits, "from_logits"):
        return sigmoid_cross_entropy_with_logits(truth, predicted)
    sure: Any = clip_by_value(predicted, TINY, 1.0 - TINY)
    yes: Any = truth * log(sure)
    return -(yes + (1.0 - truth) * log(1.0 - sure))


def in_top_k(targets: TensorLike, predictions: TensorLike, k: int) -> Tensor:
    """Return for each row whether its class has one of the k largest predictions.

    >>> print(in_top_k([0, 2], [[0.1, 0.5, 0.2], [0.1, 0.5, 0.4]], 2).numpy())
    [False  True]
    """
    return targets_in_top_k(to_tensor(targets), to_tensor(predictions), k)


def conv(
    inputs: TensorLike,
    kernel: TensorLike,
    strides: Ints = 1,
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: Ints = 1,
) -> Tensor:
    """Return the convolution of images, rows or volumes with a kernel.

    Args:
        inputs: floats, shape (batch, *sizes, channels), or (batch, channels, *sizes) where
            `data_format` is "channels_first".
        kernel: shape (*window, channels in, channels out).
        strides, dilation_rate: a number, or one for each axis of the window.
        padding: "valid" or "same".

    >>> conv([[[1.0], [2.0], [3.0]]], [[[1.0]], [[1.0]]]).numpy().tolist()
    [[[3.0], [5.0]]]
    """
    window: Any = floats(kernel)
    values = _images(floats(inputs), window.shape.rank or 4)
    return convolution(
        values,
        window,
        strides=_for_each(strides, values),
        padding=_padding(padding),
        data_format=_layout(data_format, values),
        dilations=_for_each(dilation_rate, values),
    )


def max_pool(
    inputs: TensorLike,
    pool_size: Ints,
    strides: Ints | None = None,
    padding: str = "valid",
    data_format: str | None = None,
) -> Tensor:
    """Return the largest number of each window; the other arguments are those of `conv`.

    Args:
        pool_size: the size of the window: a number, or one for each axis.
        strides: by default `pool_size`.

    >>> max_pool([[[1.0], [2.0], [4.0], [3.0]]], 2).numpy().tolist()
    [[[2.0], [4.0]]]
    """
    return _pooled("MAX", inputs, pool_size, strides, padding, data_format)


def average_pool(
    inputs: TensorLike,
    pool_size: Ints,
    strides: Ints | None = None,
    padding: str = "valid",
    data_format: str | None = None,
) -> Tensor:
    """Return the mean of each window; the arguments are those of `max_pool`.

    >>> average_pool([[[1.0], [2.0], [4.0], [3.0]]], 2).numpy().tolist()
    [[[1.5], [3.5]]]
    """
    return _pooled("AVG", inputs, pool_size, strides, padding, data_format)


def _pooled(
    kind: str, inputs: Any, size: Any, strides: Any, padding: str, data_format: str | None
) -> Any:
    values = _images(to_tensor(inputs), 4)
    return pool(
        values,
        _for_each(size, values),
        kind,
        strides=_for_each(size if strides is None else strides, values),
        padding=_padding(padding),
        data_format=_layout(data_format, values),
    )


def _images(values: Any, axes: int) -> Any:
    """Return images of a known rank: of `axes`, as a call checks, where tracing knows none."""
    rank = axes if values.shape.rank is None else values.shape.rank
    if not 3 <= rank <= 5:
        raise ShapeError(f"inputs must have 3, 4 or 5 axes, not {rank}")
    return ensure_shape(values, (None,) * rank) if values.shape.rank is None else values


def _for_each(number: Any, values: Any) -> list[Any]:
    axes = values.shape.rank - 2
    if isinstance(number, (set, frozenset)):
        raise DTypeError(f"sizes and strides must be ints or lists of ints, not the set {number}")
    return [number] * axes if isinstance(number, int) else listed(number, "sizes or strides")


def _padding(padding: str) -> str:
    return str(choice(padding, "padding", ("valid", "same"))).upper()


def _layout(data_format: str | None, values: Any) -> str | None:
    known = choice(data_format, "data_format", (None, "channels_last", "channels_first"))
    letters = {3: "W", 4: "HW", 5: "DHW"}[values.shape.rank]
    return f"NC{letters}" if known == "channels_first" else f"N{letters}C"


_EPSILON = 1e-7


def layer_normalization(
    x: TensorLike,
    gamma: TensorLike | None = None,
    beta: TensorLike | None = None,
    axis: AxisLike = -1,
    epsilon: TensorLike | None = None,
) -> Tensor:
    """Return numbers of mean 0 and variance 1 along axes, times `gamma` and plus `beta`.

    >>> print(layer_normalization([1.0, 3.0]).numpy().round(3))
    [-1.  1.]
    """
    values = floating(x)
    mean = reduce_mean(values, axis, True)
    apart = subtract(values, mean)
    variance = reduce_mean(square(apart), axis, True)
    found = multiply(apart, rsqrt(add(variance, _EPSILON if epsilon is None else epsilon)))
    return _scaled(found, gamma, beta)


def rms_normalization(
    x: TensorLike,
    scale: TensorLike | None = None,
    axis: AxisLike = -1,
    epsilon: TensorLike | None = None,
) -> Tensor:
    """Return numbers divided by the root of the mean of their squares along an axis.

    >>> print(rms_normalization([3.0, 4.0]).numpy().round(3))
    [0.849 1.131]
    """
    values = floating(x)
    least = _EPSILON if epsilon is None else epsilon
    found = multiply(values, rsqrt(add(reduce_mean(square(values), axis, True), least)))
    return _scaled(found, scale, None)


def _scaled(x: Any, scale: Any, offset: Any) -> Any:
    found = x if scale is None else multiply(x, cast(to_tensor(scale), x.dtype))
    return found if offset is None else add(found, cast(to_tensor(offset), x.dtype))


def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    axis: int,
    offset: TensorLike | None = None,
    scale: TensorLike | None = None,
    epsilon: float = 0.001,
) -> Tensor:
    """Return numbers normalized by the mean and variance of each element of an axis.

    >>> print(batch_normalization([[1.0, 2.0]], [1.0, 0.0], [1.0, 4.0], -1).numpy().round(3))
    [[0. 1.]]
    """
    values, place = floating(x), static_int(axis, "axis")
    dims = [1] * values.ndim
    if not -len(dims) <= place < len(dims):
        raise ShapeError(f"batch_normalization: axis {place} is out of range for rank {len(dims)}")
    dims[place] = -1

    def along(value: Any) -> Any:
        return reshape(cast(to_tensor(value), values.dtype), dims)

    apart = subtract(values, along(mean))
    found = multiply(apart, rsqrt(add(along(variance), epsilon)))
    found = found if scale is None else multiply(found, along(scale))
    return found if offset is None else add(found, along(offset))


def dot_product_attention(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    bias: TensorLike | None = None,
    mask: TensorLike | None = None,
    scale: TensorLike | None = None,
    is_causal: bool = False,
    flash_attention: object = None,
    attn_logits_soft_cap: TensorLike | None = None,
) -> Tensor:
    """Return means of values, weighted by the similarity of their keys to a query, per head.

    Args:
        query: floats, shape (batch, targets, heads, size).
        key, value: those of sources in place of targets; with fewer heads, each serves several.
        bias: added to the similarities.
        mask: bool: True for elements that count.
        scale: the factor of the similarities; by default one over the root of the size.
        is_causal: whether each target only sees sources up to its own position.
        flash_attention: no effect here.
        attn_logits_soft_cap: a smooth limit of the similarities.

    >>> import numpy as np
    >>> x = np.ones((1, 2, 1, 3), np.float32)
    >>> dot_product_attention(x, x, x).numpy().ravel().tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    q, k, v = (floating(each) for each in (query, key, value))
    if q.shape.rank == 0:
        raise ShapeError("dot_product_attention: query must have four axes, but is a scalar")
    size = q.shape[-1]
    known = 1.0 / math.sqrt(size) if size else rsqrt(cast(shape_of(q)[-1], q.dtype))
    factor = known if scale is None else scale
    alike: Any = multiply(einsum("BTNH,BSNH->BNTS", q, k), factor)
    if attn_logits_soft_cap is not None:
        alike = multiply(tanh(divide(alike, attn_logits_soft_cap)), attn_logits_soft_cap)
    if bias is not None:
        alike = add(alike, cast(to_tensor(bias), alike.dtype))
    counts = None if mask is None else cast(to_tensor(mask), "bool")
    if flag(is_causal, "is_causal"):
        before = cast(band_part(ones_like(alike[0, 0]), -1, 0), "bool")
        counts = before if counts is None else logical_and(counts, before)
    if counts is not None:
        alike = where(counts, alike, cast(alike.dtype.min * 0.7, alike.dtype))
    return einsum("BNTS,BSNH->BTNH", softmax(alike, -1), v)


_FORMATS = {"channels_last": "NHWC", "channels_first": "NCHW"}


def depth_to_space(x: TensorLike, block_size: int, data_format: str = "channels_last") -> Tensor:
    """Return images in which the channels of each pixel become a block of pixels.

    >>> tuple(depth_to_space([[[[1, 2, 3, 4]]]], 2).shape)
    (1, 2, 2, 1)
    """
    return channels_as_blocks(x, block_size, _FORMATS[_format(data_format)])


def space_to_depth(x: TensorLike, block_size: int, data_format: str = "channels_last") -> Tensor:
    """Return images in which the pixels of each block become channels of one pixel.

    >>> tuple(space_to_depth([[[[1], [2]], [[3], [4]]]], 2).shape)
    (1, 1, 1, 4)
    """
    return blocks_as_channels(x, block_size, _FORMATS[_format(data_format)])


def _format(value: Any) -> str:
    return str(choice(value, "data_format", tuple(_FORMATS)))


__dir__ = own_names(__name__)
