"""Ops that create tensors from a shape, a value or a range."""

from __future__ import annotations

import builtins
import math
from typing import Any, SupportsIndex

import numpy as np

from runtime.core.argument_checks import unavailable
from runtime.core.dtypes import DType, DTypeLike, as_dtype, float32, float64
from runtime.core.lazy_imports import lazy_import
from runtime.core.shapes import Dims, ShapeLike
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import (
    dims_argument,
    final_shape,
    folded_value,
    static_int,
)
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.convert import (
    constant_tensor,
    is_tensor_like,
    is_weak,
    matched,
    strong_cast,
    to_tensor,
)
from runtime.ops.effects.assertions import assert_non_negative
from runtime.ops.elementwise.comparison import equal
from runtime.ops.elementwise.selection import where
from runtime.ops.grad import creation as backward
from runtime.ops.op import Op, apply, define

_spaced = lazy_import("runtime.ops.arrays.linspace:spaced")


def _fill_kernel(value: Array, *dims: Array, shape: Dims) -> Array:
    if value.ndim:
        raise ShapeError(f"the value must be a scalar, not of shape {value.shape}")
    return np.full(final_shape(shape, dims), value[()], value.dtype)


def _fill_infer(value: TensorSpec, *dims: TensorSpec, shape: Dims) -> TensorSpec:
    if value.shape.rank not in (None, 0):
        raise ShapeError(f"the value must be a scalar, not of shape {value.shape}")
    target = infer.target_shape(dims[0] if dims else None, shape)
    return TensorSpec(target.dims, value.dtype)


def _zeros_like_kernel(x: Array, *, dtype: DType) -> Array:
    return np.full(x.shape, b"" if dtype.is_string else 0, dtype.np_dtype)


def _ones_like_kernel(x: Array, *, dtype: DType) -> Array:
    return np.ones(x.shape, dtype.np_dtype)


def _like_infer(x: TensorSpec, *, dtype: DType) -> TensorSpec:
    return TensorSpec(x.shape, dtype)


def _range_kernel(start: Array, limit: Array, delta: Array, *, length: int | None) -> Array:
    # The elements are start + i * delta: arange on floats would drift and may count one too many.
    steps = np.arange(_range_length(start, limit, delta), dtype=start.dtype)
    return start + steps * delta


def _range_length(start: Any, limit: Any, delta: Any) -> int:
    first, last, step = start.item(), limit.item(), delta.item()
    if step == 0:
        raise ArgumentValueError("the delta of a range cannot be 0")
    if isinstance(step, float) and not math.isfinite(first + last + step):
        raise ArgumentValueError(f"a range from {first} to {last} by {step} never ends")
    if isinstance(first, int):
        return len(builtins.range(first, last, step))
    return max(0, math.ceil((last - first) / step))


def _range_infer(
    start: TensorSpec, limit: TensorSpec, delta: TensorSpec, *, length: int | None
) -> TensorSpec:
    infer.check_same_dtype(start, limit, delta)
    for spec in (start, limit, delta):
        if spec.shape.rank not in (None, 0):
            raise ShapeError(f"start, limit and delta must be scalars, not of shape {spec.shape}")
    return TensorSpec((length,), start.dtype)


def _linspace_kernel(start: Array, stop: Array, *, num: int, axis: int) -> Array:
    made = np.linspace(start, stop, num, axis=axis, dtype=start.dtype)
    # NumPy returns NaN for the first element if the last one is infinite.
    np.moveaxis(made, axis, 0)[:1] = start
    return made


def _linspace_infer(start: TensorSpec, stop: TensorSpec, *, num: int, axis: int) -> TensorSpec:
    shape = infer.broadcast(start, stop).shape
    if num < 0:
        raise ArgumentValueError(f"num must be at least 0, not {num}")
    if shape.rank is None:
        return TensorSpec(None, start.dtype)
    position = infer.axis_of(axis, shape.rank + 1)
    return TensorSpec(shape[:position] + (num,) + shape[position:], start.dtype)


def _one_hot_kernel(indices: Array, on: Array, off: Array, *, depth: int, axis: int) -> Array:
    shape = (*indices.shape, depth)
    is_zero = off.dtype.kind != "O" and not off
    hot = np.zeros(shape, off.dtype) if is_zero else np.full(shape, off)
    flat = indices.reshape(-1)
    inside = (flat >= 0) & (flat < depth)
    places = np.arange(0, hot.size, depth) if depth else np.zeros(flat.size, np.int64)
    if not inside.all():
        flat, places = flat[inside], places[inside]
    hot.reshape(-1)[places + flat.astype(np.int64)] = on
    return hot if axis in (-1, indices.ndim) else np.moveaxis(hot, -1, axis)


def _one_hot_infer(
    indices: TensorSpec, on: TensorSpec, off: TensorSpec, *, depth: int, axis: int
) -> TensorSpec:
    infer.check_integer(indices, "indices")
    infer.check_same_dtype(on, off)
    infer.check_scalar(on, "on_value")
    infer.check_scalar(off, "off_value")
    if depth < 0:
        raise ShapeError(f"depth must be at least 0, not {depth}")
    if indices.shape.rank is None:
        return TensorSpec(None, on.dtype)
    position = infer.axis_of(axis, indices.shape.rank + 1)
    return TensorSpec(indices.shape[:position] + (depth,) + indices.shape[position:], on.dtype)


FILL = define("fill", _fill_kernel, _fill_infer, grad=backward.fill, tensorflow_name="Fill")
ZEROS_LIKE = define(
    "zeros_like",
    _zeros_like_kernel,
    _like_infer,
    tensorflow_name="ZerosLike",
    grad=lambda dys, outputs, inputs, dtype: (None,),
)
ONES_LIKE = define(
    "ones_like",
    _ones_like_kernel,
    _like_infer,
    tensorflow_name="OnesLike",
    grad=lambda dys, outputs, inputs, dtype: (None,),
)
RANGE = define("range", _range_kernel, _range_infer, kinds="iuf", tensorflow_name="Range")
LINSPACE = define(
    "linspace",
    _linspace_kernel,
    _linspace_infer,
    kinds="fc",
    grad=backward.linspace,
    tensorflow_name="LinSpace",
)
ONE_HOT = define(
    "one_hot",
    _one_hot_kernel,
    _one_hot_infer,
    kinds="iu",
    grad=backward.one_hot,
    tensorflow_name="OneHot",
)

_ONE_DEVICE = "leave it out: all tensors are on one device"


def fill(
    dims: ShapeLike, value: TensorLike, name: str | None = None, layout: object = None
) -> Tensor:
    """Return a tensor of shape `dims` with `value` everywhere.

    >>> print(fill([2, 2], 7))
    rt.Tensor(
    [[7 7]
     [7 7]], shape=(2, 2), dtype=int32)
    """
    unavailable(layout, "fill: layout", _ONE_DEVICE)
    shape, dynamic = dims_argument(dims)
    result: Tensor = apply(FILL, (to_tensor(value), *dynamic), shape=shape)
    return result


def _dtype_after(shape: ShapeLike, dtype: DTypeLike, name: str) -> DType:
    """Return a dtype; the error for a second size in its place says how to write a shape."""
    if type(dtype) is int and type(shape) is int:
        raise DTypeError(f"a shape is one argument: write rt.{name}([{shape}, {dtype}])")
    return as_dtype(dtype)


def zeros(
    shape: ShapeLike, dtype: DTypeLike = float32, name: str | None = None, layout: object = None
) -> Tensor:
    """Return zeros (empty strings, False), float32 by default.

    >>> zeros(3)
    <rt.Tensor: shape=(3,), dtype=float32, numpy=array([0., 0., 0.], dtype=float32)>
    """
    unavailable(layout, "zeros: layout", _ONE_DEVICE)
    target = _dtype_after(shape, dtype, "zeros")
    return fill(shape, _scalar(b"" if target.is_string else 0, target))


def ones(
    shape: ShapeLike, dtype: DTypeLike = float32, name: str | None = None, layout: object = None
) -> Tensor:
    """Return ones, float32 by default.

    >>> ones([2], dtype="int64")
    <rt.Tensor: shape=(2,), dtype=int64, numpy=array([1, 1])>
    """
    unavailable(layout, "ones: layout", _ONE_DEVICE)
    target = _dtype_after(shape, dtype, "ones")
    if target.is_string:
        raise DTypeError("ones has no dtype string: use rt.fill")
    return fill(shape, _scalar(1, target))


def zeros_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: object = None,
) -> Tensor:
    """Return zeros of the shape of `input`, and of its dtype unless another is given.

    >>> zeros_like([1, 2])
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([0, 0], dtype=int32)>
    """
    unavailable(layout, "zeros_like: layout", _ONE_DEVICE)
    return _like(ZEROS_LIKE, input, dtype)


def ones_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: object = None,
) -> Tensor:
    """Return ones of the shape of `input`, and of its dtype unless another is given.

    >>> ones_like([3.0, 4.0])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([1., 1.], dtype=float32)>
    """
    unavailable(layout, "ones_like: layout", _ONE_DEVICE)
    return _like(ONES_LIKE, input, dtype)


def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the numbers from `start` below `limit` in steps of `delta`; `range(n)` starts at 0.

    They have the widest dtype of the three.

    Raises:
        InvalidArgumentError: delta is 0.

    >>> print(range(3), range(5, 0, -2))
    rt.Tensor([0 1 2], shape=(3,), dtype=int32) rt.Tensor([5 3 1], shape=(3,), dtype=int32)
    """
    if limit is None:
        start, limit = 0, start
    inputs, _ = matched(_widened((start, limit, delta)), "range", arithmetic=True)
    if dtype is not None:
        inputs = [strong_cast(tensor, as_dtype(dtype)) for tensor in inputs]
    known = [folded_value(tensor) for tensor in inputs]
    unknown = any(array is None or array.ndim or array.dtype.kind not in "iuf" for array in known)
    length = None if unknown else _range_length(*known)
    result: Tensor = apply(RANGE, inputs, length=length)
    return result


def linspace(
    start: TensorLike, stop: TensorLike, num: TensorLike, name: str | None = None, axis: int = 0
) -> Tensor:
    """Return `num` floats evenly spaced from `start` to `stop`, both included.

    Integers are taken as float64.

    >>> print(linspace(0.0, 1.0, 3))
    rt.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    result: Tensor
    inputs, _ = matched((start, stop), "linspace")
    if inputs[0].dtype.is_integer:
        inputs = [strong_cast(tensor, float64) for tensor in inputs]
    if isinstance(num, Tensor) and not num.dtype.is_integer:
        raise DTypeError(f"num must be one int, not {num.dtype.name} of shape {num.shape}")
    if isinstance(num, Tensor) and folded_value(num) is None:
        num = reshape(num, [])
        assert_non_negative(num, message="linspace: num must be 0 or more")
        result = _spaced(*inputs, num, range(num), static_int(axis, "axis"))
        return result
    count = static_int(num, "num")
    if count < 0:
        raise ArgumentValueError(f"num must be 0 or more, not {count}")
    result = apply(LINSPACE, inputs, num=count, axis=static_int(axis, "axis"))
    return result


def one_hot(
    indices: TensorLike,
    depth: TensorLike,
    on_value: TensorLike | None = None,
    off_value: TensorLike | None = None,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return vectors of length `depth` with `on_value` at the index, `off_value` elsewhere.

    An index out of range gives a vector without `on_value`. The defaults are 1, 0 and float32.
    Floats in an array or a list count as indices if they are whole; a tensor of floats is
    refused.

    >>> print(one_hot([1, 0], 3))
    rt.Tensor(
    [[0. 1. 0.]
     [1. 0. 0.]], shape=(2, 3), dtype=float32)
    """
    on = 1 if on_value is None else on_value
    off = 0 if off_value is None else off_value
    if dtype is None and on_value is None and off_value is None:
        dtype = float32
    if dtype is None:
        values, _ = matched((on, off), "one_hot")
    else:
        values = [to_tensor(on, dtype), to_tensor(off, dtype)]
    along = -1 if axis is None else static_int(axis, "axis")
    inputs = (to_tensor(_whole(indices)), *values)
    if is_tensor_like(depth) and folded_value(to_tensor(depth)) is None:
        return _hot_rows(inputs[0], values[0], values[1], to_tensor(depth), along)
    result: Tensor = apply(ONE_HOT, inputs, depth=static_int(depth, "depth"), axis=along)
    return result


def _whole(indices: Any) -> Any:
    """Return whole floats in an array or list as integers, other values unchanged."""
    if not isinstance(indices, (np.ndarray, np.floating, list, tuple)) or is_tensor_like(indices):
        return indices
    try:
        array = np.asarray(indices)
    except (TypeError, ValueError):
        return indices  # Ragged, or with tensors in it.
    if array.dtype.kind != "f" or not np.array_equal(array, np.floor(array)):
        return indices
    return array.astype(np.int64)


def _hot_rows(indices: Tensor, on: Tensor, off: Tensor, depth: Tensor, axis: int) -> Tensor:
    """Return one-hot vectors of a depth that only a run knows, by comparison with all classes."""
    infer.check_integer(indices.spec, "indices")
    infer.check_integer(depth.spec, "depth")
    assert_non_negative(depth, "depth must be at least 0")
    classes = range(reshape(strong_cast(depth, indices.dtype), []))
    rank = indices.shape.rank
    if axis != -1:
        if rank is None:
            raise ShapeError("the rank of indices must be known: write rt.ensure_shape")
        place = infer.axis_of(axis, rank + 1)
        classes = reshape(classes, [-1] + [1] * (rank - place))
    return where(equal(expand_dims(indices, axis), classes), on, off)


def _widened(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the ends of a range, tensors of narrower dtypes cast to the widest among them."""
    are_tensors = [is_tensor_like(each) and not is_weak(each) for each in values]
    tensors = [to_tensor(each) if is_own else None for each, is_own in zip(values, are_tensors)]
    dtypes = [each.dtype for each in tensors if each is not None and each.dtype.is_numeric]
    if not dtypes:
        return values
    if any(isinstance(each, float) for each in values):
        dtypes.append(float32)
    widest = max(dtypes, key=lambda each: (each.is_floating, each.size))
    pairs = zip(values, tensors, strict=True)
    return tuple(value if x is None else _wider(x, widest) for value, x in pairs)


def _wider(x: Tensor, dtype: DType) -> Tensor:
    is_narrow = x.dtype.is_integer and not x.dtype.is_unsigned
    return strong_cast(x, dtype) if is_narrow else x


def _scalar(value: Any, dtype: DType) -> Tensor:
    return constant_tensor(np.full((), value, dtype.np_dtype))


def _like(op: Op, value: Any, dtype: Any) -> Tensor:
    tensor = to_tensor(value)
    target = tensor.dtype if dtype is None else as_dtype(dtype)
    result: Tensor = apply(op, (tensor,), dtype=target)
    return result
