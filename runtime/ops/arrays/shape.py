"""Shapes of tensors, and reshaped tensors with the same elements."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np

from runtime.core.dtypes import DType, DTypeLike, as_dtype, int32
from runtime.core.shapes import AxisLike, Dims, ShapeLike, TensorShape, as_shape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.ops import infer
from runtime.ops.arguments import (
    check_list,
    dims_argument,
    final_shape,
    folded_value,
    static_axes,
    static_int,
)
from runtime.ops.convert import constant_tensor, matched, to_tensor
from runtime.ops.elementwise.logic import LOGICAL_OR
from runtime.ops.gradient_rules import BROADCAST_LIKE, sum_to_like
from runtime.ops.op import apply, define


def _shape_kernel(x: Array, *, out_type: DType) -> Array:
    return np.array(x.shape, out_type.np_dtype)


def _shape_infer(x: TensorSpec, *, out_type: DType) -> TensorSpec:
    return TensorSpec((x.shape.rank,), out_type)


def _reshape_kernel(x: Array, *dims: Array, shape: Dims) -> Array:
    target = tuple(dims[0].tolist()) if dims else shape
    inferred = _reshape_infer(TensorSpec.of_array(x), shape=target)
    return np.reshape(x, inferred.shape.as_list())


def _reshape_infer(x: TensorSpec, *dims: TensorSpec, shape: Dims) -> TensorSpec:
    if dims:
        infer.check_integer(dims[0], "the sizes of a shape")
        length = infer.vector_length(dims[0])
        if shape is None:
            return TensorSpec(infer.rank_only(length), x.dtype)
    assert shape is not None
    if any(dim is not None and dim < -1 for dim in shape):
        raise ShapeError(
            f"the shape {list(shape)} has a negative dimension: only -1 stands for one"
        )
    if sum(dim == -1 for dim in shape) > 1:
        raise ShapeError(f"only one dimension of {shape} can be -1")
    count = x.shape.num_elements()
    if count == 0 and -1 in shape and 0 in shape:
        shape = _of_nothing(x.shape, shape)
    rest = infer.product(tuple(dim for dim in shape if dim != -1))
    if count is not None and rest is not None and not _fits(count, rest, -1 in shape):
        raise ShapeError(f"shape {x.shape} with {count} elements does not become {shape}")
    filled = count // rest if count is not None and rest else None
    known = tuple(filled if dim == -1 else dim for dim in shape)
    return TensorSpec(_without_choice(known, count), x.dtype)


def _of_nothing(x: TensorShape, shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Return a shape with the size for -1, for an array without elements."""
    whole, rest = (infer.product(tuple(d for d in s if d != 0 and d != -1)) for s in (x, shape))
    if whole is None or not rest or whole % rest:
        return shape
    return tuple(whole // rest if dim == -1 else dim for dim in shape)


def _without_choice(known: tuple[int | None, ...], count: int | None) -> tuple[int | None, ...]:
    """Return a shape with a single unknown dimension computed from the others."""
    others = infer.product(tuple(dim for dim in known if dim is not None))
    if known.count(None) != 1 or count is None or not others or count % others:
        return known
    return tuple(count // others if dim is None else dim for dim in known)


def _fits(count: int, rest: int, open_: bool) -> bool:
    if not open_:
        return count == rest
    return rest != 0 and count % rest == 0


def _expand_dims_kernel(x: Array, *, axis: int) -> Array:
    place = axis if axis >= 0 else axis + x.ndim + 1
    if not 0 <= place <= x.ndim:
        return np.expand_dims(x, axis)
    return x[(slice(None),) * place + (None,)]


def _expand_dims_infer(x: TensorSpec, *, axis: int) -> TensorSpec:
    if x.shape.rank is None:
        return TensorSpec(None, x.dtype)
    position = infer.axis_of(axis, x.shape.rank + 1)
    return TensorSpec(x.shape[:position] + (1,) + x.shape[position:], x.dtype)


def _squeeze_infer(x: TensorSpec, *, axis: tuple[int, ...] | None) -> TensorSpec:
    if x.shape.dims is None or (axis is None and None in x.shape.dims):
        return TensorSpec(None, x.dtype)
    rank = len(x.shape)
    ones = tuple(i for i, dim in enumerate(x.shape.dims) if dim == 1)
    chosen = ones if axis is None else tuple(infer.distinct_axes(axis, rank))
    for position in chosen:
        if x.shape[position] not in (None, 1):
            raise ShapeError(f"squeeze: axis {position} of shape {x.shape} must have size 1")
    kept = tuple(dim for i, dim in enumerate(x.shape.dims) if i not in chosen)
    return TensorSpec(TensorShape.of(kept), x.dtype)


def _broadcast_to_kernel(x: Array, *dims: Array, shape: Dims) -> Array:
    target = final_shape(shape, dims)
    _broadcast_to_infer(TensorSpec.of_array(x), shape=target)
    return np.broadcast_to(x, target)


def _broadcast_to_infer(x: TensorSpec, *dims: TensorSpec, shape: Dims) -> TensorSpec:
    target = infer.target_shape(dims[0] if dims else None, shape)
    if not x.shape.broadcasts_to(target):
        raise ShapeError(f"shape {x.shape} does not broadcast to {target}")
    return TensorSpec(target, x.dtype)


def _ensure_shape_kernel(x: Array, *, shape: TensorShape) -> Array:
    if not shape.contains(x.shape):
        raise ShapeError(f"ensure_shape: the shape must be {shape}, not {x.shape}")
    return x


def _ensure_shape_infer(x: TensorSpec, *, shape: TensorShape) -> TensorSpec:
    if not shape.is_compatible_with(x.shape):
        raise ShapeError(f"ensure_shape: the shape must be {shape}, not {x.shape}")
    return TensorSpec(x.shape.merge(shape), x.dtype)


def _size_infer(x: TensorSpec, *, out_type: DType) -> TensorSpec:
    return TensorSpec((), out_type)


SHAPE = define("shape", _shape_kernel, _shape_infer, tensorflow_name="Shape")
SIZE = define(
    "size",
    lambda x, *, out_type: np.array(x.size, out_type.np_dtype),
    _size_infer,
    tensorflow_name="Size",
)
RANK = define(
    "rank", lambda x: np.array(x.ndim, np.int32), infer.fixed((), int32), tensorflow_name="Rank"
)
RESHAPE = define(
    "reshape",
    _reshape_kernel,
    _reshape_infer,
    grad=lambda dys, outputs, inputs, shape: (
        reshape(dys[0], _shape_of(inputs[0])),
        *(None for _ in inputs[1:]),
    ),
    tensorflow_name="Reshape",
)
EXPAND_DIMS = define(
    "expand_dims",
    _expand_dims_kernel,
    _expand_dims_infer,
    grad=lambda dys, outputs, inputs, axis: (squeeze(dys[0], axis),),
    tensorflow_name="ExpandDims",
)
SQUEEZE = define(
    "squeeze",
    lambda x, *, axis: np.squeeze(x, axis),
    _squeeze_infer,
    grad=lambda dys, outputs, inputs, axis: (reshape(dys[0], _shape_of(inputs[0])),),
    tensorflow_name="Squeeze",
)
BROADCAST_TO = define(
    "broadcast_to",
    _broadcast_to_kernel,
    _broadcast_to_infer,
    grad=lambda dys, outputs, inputs, shape: (
        sum_to_like(dys[0], inputs[0]),
        *(None for _ in inputs[1:]),
    ),
    tensorflow_name="BroadcastTo",
)
ENSURE_SHAPE = define(
    "ensure_shape",
    _ensure_shape_kernel,
    _ensure_shape_infer,
    grad=lambda dys, outputs, inputs, shape: dys,
    tensorflow_name="EnsureShape",
)


def shape(input: TensorLike, out_type: DTypeLike = int32, name: str | None = None) -> Tensor:
    """Return the shape as a vector; a constant if it is known while tracing.

    >>> print(shape([[1, 2, 3]]))
    rt.Tensor([1 3], shape=(2,), dtype=int32)
    """
    tensor, dtype = to_tensor(input), as_dtype(out_type)
    if tensor.shape.is_fully_defined():
        return constant_tensor(np.array(tensor.shape.as_list(), dtype.np_dtype))
    result: Tensor = apply(SHAPE, (tensor,), out_type=dtype)
    return result


def size(input: TensorLike, out_type: DTypeLike = int32, name: str | None = None) -> Tensor:
    """Return the number of elements.

    >>> size([[1, 2, 3]])
    <rt.Tensor: shape=(), dtype=int32, numpy=3>
    """
    tensor, dtype = to_tensor(input), as_dtype(out_type)
    count = tensor.shape.num_elements()
    if count is not None:
        return constant_tensor(np.array(count, dtype.np_dtype))
    result: Tensor = apply(SIZE, (tensor,), out_type=dtype)
    return result


def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the number of dimensions.

    >>> rank([[1, 2, 3]])
    <rt.Tensor: shape=(), dtype=int32, numpy=2>
    """
    tensor = to_tensor(input)
    if tensor.shape.rank is not None:
        return constant_tensor(np.array(tensor.shape.rank, np.int32))
    result: Tensor = apply(RANK, (tensor,))
    return result


def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Return the elements in another shape; one dimension may be -1, to be computed.

    Raises:
        ShapeError: the elements do not fill the shape; names both shapes.

    >>> print(reshape([1, 2, 3, 4], [2, -1]))
    rt.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    check_list("reshape", tensor, shape, name)
    target, dims = dims_argument(shape)
    result: Tensor = apply(RESHAPE, (to_tensor(tensor), *dims), shape=target)
    return result


def expand_dims(input: TensorLike, axis: SupportsIndex, name: str | None = None) -> Tensor:
    """Return the tensor with a new dimension of 1 at `axis`.

    >>> expand_dims([1, 2], -1).shape
    TensorShape([2, 1])
    """
    if isinstance(axis, (list, tuple)) and len(axis) == 1:
        (axis,) = axis
    result: Tensor = apply(EXPAND_DIMS, (to_tensor(input),), axis=static_int(axis, "axis"))
    return result


def squeeze(input: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Tensor:
    """Return the tensor without its dimensions of 1, or without those in `axis`.

    Raises:
        ShapeError: a dimension in `axis` is not 1.

    >>> squeeze([[[1], [2]]]).shape
    TensorShape([2])
    """
    axes = static_axes(axis) or None
    result: Tensor = apply(SQUEEZE, (to_tensor(input),), axis=axes)
    return result


def broadcast_to(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Return the tensor repeated along new dimensions and along those of 1.

    >>> print(broadcast_to([1, 2], [2, 2]))
    rt.Tensor(
    [[1 2]
     [1 2]], shape=(2, 2), dtype=int32)
    """
    check_list("broadcast_to", input, shape, name)
    target, dims = dims_argument(shape)
    result: Tensor = apply(BROADCAST_TO, (to_tensor(input), *dims), shape=target)
    return result


def ensure_shape(x: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Return `x` with a shape that is then known; ShapeError if it has another one.

    >>> ensure_shape([1, 2], [None]).shape
    TensorShape([2])
    """
    result: Tensor = apply(ENSURE_SHAPE, (to_tensor(x),), shape=as_shape(shape))
    return result


def of_rank(x: Tensor, rank: int) -> Tensor:
    """Return `x` with this rank; an unknown rank is checked at run time.

    >>> of_rank(to_tensor([1]), 1).shape
    TensorShape([1])
    """
    return x if x.shape.rank == rank else ensure_shape(x, (None,) * rank)


def of_one_shape(what: str, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Return two tensors with the same shape; unknown shapes are checked at run time.

    Raises:
        ShapeError: the shapes differ.

    >>> [each.shape for each in of_one_shape("the sum", to_tensor([1]), to_tensor([2]))]
    [TensorShape([1]), TensorShape([1])]
    """
    if not x.shape.is_compatible_with(y.shape):
        raise ShapeError(f"{what} takes tensors of one shape, not of {x.shape} and {y.shape}")
    if x.shape.is_fully_defined() and y.shape.is_fully_defined():
        return x, y
    # Each is broadcast to the other, which succeeds only for equal shapes.
    return apply(BROADCAST_LIKE, (x, y)), apply(BROADCAST_LIKE, (y, x))


def broadcast_static_shape(shape_x: ShapeLike, shape_y: ShapeLike) -> TensorShape:
    """Return the shape two static shapes broadcast to.

    >>> broadcast_static_shape([2, 1], [3])
    TensorShape([2, 3])
    """
    return as_shape(shape_x).broadcast(shape_y)


def broadcast_dynamic_shape(shape_x: ShapeLike, shape_y: ShapeLike) -> Tensor:
    """Return the shape that tensors of two shapes broadcast to, as a vector.

    Raises:
        ShapeError: they do not broadcast; unknown shapes are checked at run time.

    >>> print(broadcast_dynamic_shape([2, 1], [3]))
    rt.Tensor([2 3], shape=(2,), dtype=int32)
    """
    (first, second), _ = matched((shape_x, shape_y), "broadcast_dynamic_shape")
    known = [folded_value(each) for each in (first, second)]
    if not any(each is None for each in known):
        return constant_tensor(
            np.array(as_shape(known[0]).broadcast(known[1]), first.dtype.np_dtype)
        )
    empty = to_tensor(False)
    whole = apply(LOGICAL_OR, (broadcast_to(empty, first), broadcast_to(empty, second)))
    return shape(whole, first.dtype)


def _shape_of(x: Tensor) -> Any:
    """Return the shape for a gradient: plain ints if they are known."""
    return x.shape if x.shape.is_fully_defined() else shape(x)
