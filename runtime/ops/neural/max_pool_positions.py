"""`max_pool_with_argmax`, and `pool` with the kind of pooling as an argument."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.dtypes import DType, DTypeLike, as_dtype, dtype_of_array, int32, int64
from runtime.core.shapes import Ints, ShapeLike, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import static_axes
from runtime.ops.arrays.concatenation import stack
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.shape import reshape, shape
from runtime.ops.convert import to_tensor
from runtime.ops.neural.convolution_kernels import padded
from runtime.ops.neural.pooling import AVG_POOL, MAX_POOL
from runtime.ops.neural.windows import FORMATS, Sliding, per_axis, sliding
from runtime.ops.op import apply, define


class MaxPoolWithArgmax(NamedTuple):
    """The largest elements, and their positions."""

    output: Tensor
    argmax: Tensor


def _places_kernel(
    x: Array, *, window: tuple[int, ...], sliding: Sliding, dtype: DType, in_batch: bool
) -> Array:
    rules: Any = {"window": window, "sliding": sliding, "dtype": dtype, "in_batch": in_batch}
    _places_infer(TensorSpec.of_array(x), **rules)
    sizes = x.shape[1:-1]
    pads, steps = sliding.all_pads(sizes, window), sliding.all_steps(sizes, window)
    lowest = -np.inf if dtype_of_array(x).is_floating else np.iinfo(x.dtype).min
    full = padded(x, pads, lowest)
    numbers = np.arange(int(np.prod(x.shape[1:]))).reshape(1, *x.shape[1:])
    # The padding is never the largest element of a window.
    places = padded(numbers, pads, -1)
    best: Any = None
    found: Any = None
    for _, slices in sliding.places(steps, window):
        there = np.broadcast_to(places[(slice(None), *slices)], full[(slice(None), *slices)].shape)
        value = full[(slice(None), *slices)]
        if best is None:
            best, found = value.copy(), there.copy()
            continue
        better = ((value > best) | (found < 0)) & (there >= 0)
        np.copyto(best, value, where=better)
        np.copyto(found, there, where=better)
    if in_batch:
        found = found + (np.arange(len(x)) * numbers.size).reshape(-1, 1, 1, 1)
    return np.asarray(found.astype(dtype.np_dtype))


def _places_infer(
    x: TensorSpec, *, window: tuple[int, ...], sliding: Sliding, dtype: DType, in_batch: bool
) -> TensorSpec:
    if x.shape.rank is None:
        return TensorSpec(infer.rank_only(4), dtype)
    if x.shape.rank != 4:
        raise ShapeError(f"images must have 4 axes (NHWC), not shape {x.shape}")
    sizes = sliding.all_steps(x.shape.as_list()[1:-1], window)
    return TensorSpec(x.shape[:1] + TensorShape.of(tuple(sizes)) + x.shape[-1:], dtype)


PLACES = define("max_pool_places", _places_kernel, _places_infer, kinds="iuf")


def max_pool_with_argmax(
    input: TensorLike,
    ksize: Ints,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str = "NHWC",
    output_dtype: DTypeLike = int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> MaxPoolWithArgmax:
    """Return the largest element of each window of images, and its index in the image.

    Args:
        input: numbers of shape (batch, height, width, channels).
        ksize, strides, padding: as for `max_pool2d`; "SAME" or "VALID".
        output_dtype: the dtype of the indices, int32 or int64. An index counts the elements of an
            image in row-major order.
        include_batch_in_index: whether an index counts the elements of the whole batch.

    Raises:
        ArgumentValueError: there is no such `data_format`.
        DTypeError: `output_dtype` is another one, or `padding` is no text.

    >>> values, places = max_pool_with_argmax([[[[1.0], [3.0], [2.0]]]], [1, 2], 1, "VALID")
    >>> places.numpy().ravel().tolist()
    [1, 1]
    """
    if not isinstance(data_format, str) or data_format != "NHWC":
        raise ArgumentValueError(
            f"data_format of max_pool_with_argmax must be NHWC, not {data_format!r}"
        )
    dtype = as_dtype(output_dtype)
    if dtype not in (int32, int64):
        raise DTypeError(f"output_dtype must be int32 or int64, not {dtype.name}")
    if not isinstance(padding, str):
        raise DTypeError(f'padding must be "SAME" or "VALID", not {padding!r}')
    x, how = to_tensor(input), sliding(2, strides, padding)
    window = per_axis(ksize, 2, False, "ksize")
    attrs = {"window": window, "sliding": how, "dtype": dtype}
    in_batch = flag(include_batch_in_index, "include_batch_in_index")
    inside = apply(PLACES, (x,), **attrs, in_batch=False)
    places = apply(PLACES, (x,), **attrs, in_batch=True) if in_batch else inside
    # These elements may differ from the result of max_pool, which skips NaN and -inf.
    rows, found = (reshape(each, stack([shape(x)[0], -1])) for each in (x, inside))
    return MaxPoolWithArgmax(reshape(gather(rows, found, batch_dims=1), shape(places)), places)


def pool(
    input: TensorLike,
    window_shape: ShapeLike,
    pooling_type: str,
    strides: Ints | None = None,
    padding: str | Sequence[Sequence[int]] = "VALID",
    data_format: str | None = None,
    dilations: Ints | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the largest element, or the mean, of each window of images.

    Args:
        input: numbers of shape (batch, spatial axes..., channels), with 1, 2 or 3 of them; channels
            first if `data_format` says so.
        window_shape: a size for each spatial axis.
        pooling_type: "MAX" or "AVG".
        strides: the distance between two windows along each spatial axis, by default 1.
        padding: "SAME" or "VALID".
        dilations: the distance between the elements of a window, by default 1. Larger ones exclude
            strides and "SAME".

    Raises:
        ArgumentValueError: there is no such type, or dilations have strides or "SAME" with them.
        ShapeError: `window_shape` does not have a size for each spatial axis.

    >>> pool([[[1.0], [3.0], [2.0]]], [2], "AVG").numpy().ravel()
    array([2. , 2.5], dtype=float32)
    """
    if not isinstance(pooling_type, str) or pooling_type not in ("MAX", "AVG"):
        raise ArgumentValueError(f"pooling_type must be 'MAX' or 'AVG', not {pooling_type!r}")
    if not isinstance(padding, str):
        raise DTypeError(f'padding must be "SAME" or "VALID", not {padding!r}')
    sizes = static_axes(window_shape) or ()
    rank = len(sizes)
    x = to_tensor(input)
    if rank not in FORMATS or x.shape.rank not in (None, rank + 2):
        raise ShapeError(
            f"window_shape must have a size for each spatial axis of shape {x.shape}, not {rank} "
            "sizes"
        )
    how = sliding(rank, 1 if strides is None else strides, padding, dilations, data_format)
    if max(how.dilations) > 1 and (max(how.strides) > 1 or padding != "VALID"):
        raise ArgumentValueError("a pool with dilations must have strides of 1 and padding VALID")
    op = MAX_POOL if pooling_type == "MAX" else AVG_POOL
    window = per_axis(sizes, rank, how.channels_first, "window_shape")
    result: Tensor = apply(op, (x,), window=window, sliding=how)
    return result
