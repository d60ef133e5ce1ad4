"""Max and average pooling: the largest element, or the mean, of sliding windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import as_dtype, dtype_of_array
from runtime.core.lazy_imports import lazy_import
from runtime.core.shapes import Dims, Ints, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import final_shape
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.convert import to_tensor
from runtime.ops.neural.convolution_kernels import images_of, images_shape, like_images, padded
from runtime.ops.neural.pool_kernels import (
    counts,
    first_largest,
    spread_evenly,
    spread_to_largest,
    window_reductions,
)
from runtime.ops.neural.windows import FORMATS, Sliding, per_axis, sliding
from runtime.ops.op import Op, apply, define

with_name = lazy_import("runtime.diagnostics.operand_names:with_name")

Window = tuple[int, ...]


def _pooled(x: TensorShape, window: Window, how: Sliding) -> TensorShape:
    lead, sizes, channels = how.split_shape(x)
    if lead.rank is None:
        return infer.rank_only(how.rank + 2 if how.channels_first else None)
    try:
        return how.join_shape(lead, how.all_steps(sizes, window), channels)
    except ShapeError as error:
        raise ShapeError(f"a window {window} on shape {x}: {error.message}") from None


def _pool_infer(x: TensorSpec, *, window: Window, sliding: Sliding) -> TensorSpec:
    return TensorSpec(_pooled(x.shape, window, sliding), x.dtype)


def _check_fits(dy: TensorShape, x: TensorShape, window: Window, how: Sliding) -> None:
    how.split_shape(dy)
    if not (found := _pooled(x, window, how)).is_compatible_with(dy):
        raise ShapeError(f"pools of shape {x} give shape {found}, not {dy}")


def _max_back_infer(
    x: TensorSpec, dy: TensorSpec, *, window: Window, sliding: Sliding
) -> TensorSpec:
    infer.check_same_dtype(x, dy)
    _check_fits(dy.shape, x.shape, window, sliding)
    return x.unnamed()


def _picked_infer(x: TensorSpec, d: TensorSpec, *, window: Window, sliding: Sliding) -> TensorSpec:
    infer.check_same_dtype(x, d)
    return TensorSpec(_pooled(x.shape.merge(d.shape), window, sliding), x.dtype)


def _mean_back_infer(
    dy: TensorSpec, *dims: TensorSpec, shape: Dims, window: Window, sliding: Sliding
) -> TensorSpec:
    target = infer.target_shape(dims[0] if dims else None, shape)
    _check_fits(dy.shape, target, window, sliding)
    return TensorSpec(target, dy.dtype)


def _lowest(dtype: Any) -> Any:
    return -np.inf if as_dtype(dtype).is_floating else np.iinfo(dtype).min


def _max_kernel(x: Array, *, window: Window, sliding: Sliding) -> Array:
    _pool_infer(TensorSpec.of_array(x), window=window, sliding=sliding)
    lowest, images = dtype_of_array(x).min, images_of(x, sliding)
    # As in TensorFlow, in volumes a NaN replaces the elements before it; else it is skipped.
    if len(window) == 3:
        return like_images(_last_largest(images, window, sliding, lowest), x.shape, sliding)
    join = np.maximum if x.dtype.kind in "iu" else np.fmax
    out = window_reductions(images, window, sliding, join, lowest)
    # The lowest number is also the result of windows with only NaN or -inf.
    return like_images(join(out, lowest, out=out), x.shape, sliding)


def _last_largest(images: Array, window: Window, how: Sliding, lowest: Any) -> Array:
    sizes = images.shape[1:-1]
    full, out = padded(images, how.all_pads(sizes, window), lowest), None
    for _, slices in how.places(how.all_steps(sizes, window), window):
        found = full[(slice(None), *slices)]
        if out is None:
            out = found.copy()
        else:
            np.copyto(out, found, where=~(out > found))
    assert out is not None, "a window has a place"
    return out


def _max_back_kernel(x: Array, dy: Array, *, window: Window, sliding: Sliding) -> Array:
    _max_back_infer(*map(TensorSpec.of_array, (x, dy)), window=window, sliding=sliding)
    images, gradients = images_of(x, sliding), images_of(dy, sliding)
    out = spread_to_largest(images, gradients, window, sliding, _lowest(x.dtype))
    return like_images(out, x.shape, sliding)


def _picked_kernel(x: Array, d: Array, *, window: Window, sliding: Sliding) -> Array:
    _picked_infer(*map(TensorSpec.of_array, (x, d)), window=window, sliding=sliding)
    images = images_of(x, sliding)
    where = first_largest(images, window, sliding, _lowest(x.dtype))
    gradients = padded(images_of(d, sliding), sliding.all_pads(images.shape[1:-1], window))
    out = np.zeros(where.shape, d.dtype)
    for number, (_, slices) in enumerate(sliding.places(where.shape[1:-1], window)):
        np.copyto(out, gradients[(slice(None), *slices)], where=where == number)
    return like_images(out, x.shape, sliding)


def _mean_kernel(x: Array, *, window: Window, sliding: Sliding) -> Array:
    _pool_infer(TensorSpec.of_array(x), window=window, sliding=sliding)
    exact = x.astype(np.float32) if x.dtype == np.float16 else x
    images = images_of(exact, sliding)
    total = window_reductions(images, window, sliding, np.add, 0)
    count = counts(images.shape[1:-1], window, sliding)
    # bfloat16, which has no NumPy float kind, is divided as float32.
    mean = np.divide(total, count, out=total if total.dtype.kind == "f" else None)
    return like_images(mean.astype(x.dtype, copy=False), x.shape, sliding)


def _mean_back_kernel(
    dy: Array, *dims: Array, shape: Dims, window: Window, sliding: Sliding
) -> Array:
    target = final_shape(shape, dims)
    spec = TensorSpec.of_array(dy)
    _mean_back_infer(spec, shape=target, window=window, sliding=sliding)
    sizes = images_shape(target, sliding)[1:-1]
    gradients = (images_of(dy, sliding) / counts(sizes, window, sliding)).astype(
        dy.dtype, copy=False
    )
    return like_images(spread_evenly(gradients, sizes, window, sliding), target, sliding)


def _max_grad(dys: Any, outputs: Any, inputs: Any, **how: Any) -> tuple[Any]:
    return (apply(MAX_BACK, (inputs[0], dys[0]), **how),)


def _mean_grad(dys: Any, outputs: Any, inputs: Any, **how: Any) -> tuple[Any]:
    x = inputs[0]
    shape, dims = x.shape.dims, () if x.shape.is_fully_defined() else (shape_of(x),)
    return (apply(MEAN_BACK, (dys[0], *dims), shape=shape, **how),)


def _mean_back_grad(
    dys: Any, outputs: Any, inputs: Any, *, shape: Dims, **how: Any
) -> tuple[Any, ...]:
    return (apply(AVG_POOL, dys, **how), *(None for _ in inputs[1:]))


MAX_POOL: Op = define(
    "max_pool",
    _max_kernel,
    _pool_infer,
    kinds="iuf",
    grad=_max_grad,
    tensorflow_name="MaxPool",
)
MAX_BACK: Op = define(
    "max_pool_back",
    _max_back_kernel,
    _max_back_infer,
    kinds="iuf",
    grad=lambda dys, outputs, inputs, **how: (
        None,
        apply(MAX_PICKED, (inputs[0], dys[0]), **how),
    ),
    tensorflow_name="MaxPoolGrad",
)
MAX_PICKED: Op = define(
    "max_pool_picked",
    _picked_kernel,
    _picked_infer,
    kinds="iuf",
    grad=lambda dys, outputs, inputs, **how: (None, apply(MAX_BACK, (inputs[0], dys[0]), **how)),
    tensorflow_name="MaxPoolGradGrad",
)
AVG_POOL: Op = define(
    "avg_pool",
    _mean_kernel,
    _pool_infer,
    kinds="f",
    grad=_mean_grad,
    tensorflow_name="AvgPool",
)
MEAN_BACK: Op = define(
    "avg_pool_back",
    _mean_back_kernel,
    _mean_back_infer,
    kinds="f",
    grad=_mean_back_grad,
    tensorflow_name="AvgPoolGrad",
)


def max_pool(
    input: TensorLike,
    ksize: Ints,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the largest element of each window, of images with 1, 2 or 3 spatial axes.

    Args:
        input: numbers of shape (batch, height, width, channels), or with one spatial axis less or
            more; channels first if `data_format` says so.
        ksize: the size of the window: one number, or one per axis.
        strides: the distance between two windows.
        padding: "SAME", "VALID", or pairs of numbers; the added elements never count.

    >>> max_pool([[[1.0], [3.0], [2.0]]], 2, 1, "VALID").numpy().ravel()
    array([3., 3.], dtype=float32)
    """
    return _pool(MAX_POOL, input, ksize, strides, padding, data_format, _rank(input, data_format))


def max_pool1d(
    input: TensorLike,
    ksize: Ints,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """Return the largest element of each window in sequences: see `max_pool`.

    >>> max_pool1d([[[1.0], [3.0], [2.0]]], 2, 2, "SAME").numpy().ravel()
    array([3., 2.], dtype=float32)
    """
    return _pool(MAX_POOL, input, ksize, strides, padding, data_format, 1)


def max_pool2d(
    input: TensorLike,
    ksize: Ints,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """Return the largest element of each window in images: see `max_pool`.

    >>> max_pool2d([[[[1.0], [3.0]], [[2.0], [4.0]]]], 2, 1, "VALID").numpy().ravel()
    array([4.], dtype=float32)
    """
    return _pool(MAX_POOL, input, ksize, strides, padding, data_format, 2)


def max_pool3d(
    input: TensorLike,
    ksize: Ints,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """Return the largest element of each window in volumes: see `max_pool`.

    >>> max_pool3d([[[[[1.0], [3.0]]]]], [1, 1, 2], 1, "VALID").numpy().ravel()
    array([3.], dtype=float32)
    """
    return _pool(MAX_POOL, input, ksize, strides, padding, data_format, 3)


def avg_pool(
    input: TensorLike,
    ksize: Ints,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the mean of each window; for floats only, with the arguments of `max_pool`.

    The padding of "SAME" is not part of the mean.

    >>> avg_pool([[[1.0], [3.0], [2.0]]], 2, 1, "SAME").numpy().ravel()
    array([2. , 2.5, 2. ], dtype=float32)
    """
    return _pool(AVG_POOL, input, ksize, strides, padding, data_format, _rank(input, data_format))


def avg_pool1d(
    input: TensorLike,
    ksize: Ints,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """Return the mean of each window in sequences: see `avg_pool`.

    >>> avg_pool1d([[[1.0], [3.0]]], 2, 2, "SAME").numpy().ravel()
    array([2.], dtype=float32)
    """
    return _pool(AVG_POOL, input, ksize, strides, padding, data_format, 1)


def avg_pool2d(
    input: TensorLike,
    ksize: Ints,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """Return the mean of each window in images: see `avg_pool`.

    >>> avg_pool2d([[[[1.0], [3.0]], [[2.0], [4.0]]]], 2, 1, "VALID").numpy().ravel()
    array([2.5], dtype=float32)
    """
    return _pool(AVG_POOL, input, ksize, strides, padding, data_format, 2)


def avg_pool3d(
    input: TensorLike,
    ksize: Ints,
    strides: Ints,
    padding: str | Sequence[Sequence[int]],
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """Return the mean of each window in volumes: see `avg_pool`.

    >>> avg_pool3d([[[[[1.0], [3.0]]]]], [1, 1, 2], 1, "VALID").numpy().ravel()
    array([2.], dtype=float32)
    """
    return _pool(AVG_POOL, input, ksize, strides, padding, data_format, 3)


def _rank(input: Any, data_format: Any) -> int:
    for rank, names in FORMATS.items():
        if isinstance(data_format, str) and data_format in names:
            return rank
    found = to_tensor(input).shape
    if found.rank is None:
        advice = with_name(input, "rt.ensure_shape(x, [None, None, None, None])")
        raise ShapeError(f"the rank of the images must be known: write {advice}")
    if found.rank not in (3, 4, 5):
        raise ShapeError(f"images must have 3, 4 or 5 axes, not shape {found}")
    return found.rank - 2


def _pool(
    op: Op, input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any, rank: int
) -> Tensor:
    if op is AVG_POOL and not isinstance(padding, str):
        raise DTypeError(f'padding of means must be "SAME" or "VALID", not {padding!r}')
    how = sliding(rank, strides, padding, None, data_format)
    window = per_axis(ksize, rank, how.channels_first, "ksize")
    if not isinstance(how.padding, str):
        for size, pads in zip(window, how.padding, strict=True):
            if max(pads) >= size:
                raise ArgumentValueError(
                    f"padding must be smaller than the window {size}, not {pads}"
                )
    result: Tensor = apply(op, (to_tensor(input),), window=window, sliding=how)
    return result
