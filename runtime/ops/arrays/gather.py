"""Gathers elements of a tensor by indices or by a mask."""

from __future__ import annotations

from itertools import cycle
from math import prod
from typing import Any, SupportsIndex

import numpy as np

from runtime.core.argument_checks import flag, unavailable
from runtime.core.dtypes import bool_, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    InvalidArgumentError,
    OutOfBoundsError,
    ShapeError,
)
from runtime.ops.arguments import static_int
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.grad import gather as backward
from runtime.ops.infer import axis_of, check_integer, check_rank_at_least
from runtime.ops.literals import is_empty
from runtime.ops.op import apply, define

# Up to this number of indices, a Python loop checks them faster.
_FEW = 16


def _gather_kernel(
    params: Array, indices: Array, *, axis: int, batch_dims: int = 0, wrap: bool = False
) -> Array:
    axis = axis_of(axis, params.ndim)
    size = params.shape[axis]
    _check_range(indices, size, wrap)
    if wrap:
        indices = np.where(indices < 0, indices + size, indices)
    if batch_dims == 0:
        return np.take(params, indices, axis)
    rows = np.ndindex(*params.shape[:batch_dims])
    parts = [np.take(params[row], indices[row], axis - batch_dims) for row in rows]
    shape = params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1 :]
    return np.reshape(np.array(parts, params.dtype), shape)


def _check_range(indices: Array, size: int, wrap: bool) -> None:
    least = -size if wrap else 0
    if indices.size and not (indices.min() >= least and indices.max() < size):
        wrong = (indices < least) | (indices >= size)
        place = tuple(np.argwhere(wrong)[0].tolist())
        where = f"indices[{','.join(map(str, place))}]" if place else "indices"
        # With `wrap`, an index counts as in Python, so the error is also Python's.
        kind = OutOfBoundsError if wrap else InvalidArgumentError
        raise kind(f"{where} = {indices[place]} is not in [{least}, {size})")


def _gather_infer(
    params: TensorSpec, indices: TensorSpec, *, axis: int, batch_dims: int = 0, wrap: bool = False
) -> TensorSpec:
    check_integer(indices, "indices")
    if params.shape.rank is None or indices.shape.rank is None:
        return TensorSpec(None, params.dtype)
    if params.shape.rank == 0:
        raise ShapeError("params must have at least one axis, not be a scalar")
    axis = axis_of(axis, params.shape.rank)
    _check_batch(params, indices, batch_dims)
    if batch_dims > axis:
        raise ShapeError(f"batch_dims must be at most axis, {axis}, not {batch_dims}")
    picked = params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1 :]
    return TensorSpec(picked, params.dtype)


def _check_batch(params: TensorSpec, indices: TensorSpec, batch_dims: int) -> None:
    """Raise an error unless both shapes start with the same `batch_dims` dimensions."""
    if batch_dims < 0:
        raise ShapeError(f"batch_dims must be at least 0, not {batch_dims}")
    if batch_dims > min(params.shape.rank or 0, indices.shape.rank or 0):
        raise ShapeError(
            f"shapes {params.shape} and {indices.shape} do not have {batch_dims} batch dimensions"
        )
    if not params.shape[:batch_dims].is_compatible_with(indices.shape[:batch_dims]):
        raise ShapeError(
            f"shapes {params.shape} and {indices.shape} differ in the first {batch_dims} dimensions"
        )


def _gather_nd_kernel(params: Array, indices: Array, *, batch_dims: int = 0) -> Array:
    if batch_dims:
        rows = list(np.ndindex(*params.shape[:batch_dims]))
        parts = [_gather_nd_kernel(params[row], indices[row]) for row in rows]
        shape = indices.shape[:-1] + params.shape[batch_dims + indices.shape[-1] :]
        return np.reshape(np.array(parts, params.dtype), shape)
    check_rows(indices, params.shape)
    if not indices.shape[-1]:
        return np.broadcast_to(params, indices.shape[:-1] + params.shape)
    depth = indices.shape[-1]
    if depth == 1:
        return np.asarray(np.take(params, indices[..., 0], 0))
    places = indices[..., 0].astype(np.intp)
    for axis in range(1, depth):
        places = places * params.shape[axis] + indices[..., axis]
    flat = params.reshape(prod(params.shape[:depth]), *params.shape[depth:])
    return np.asarray(np.take(flat, places, 0))


def check_rows(indices: Array, shape: tuple[int, ...]) -> None:
    """Raise InvalidArgumentError unless every row of `indices` lies in `shape`."""
    depth = indices.shape[-1]
    if depth > len(shape):
        raise ShapeError(f"indices of {depth} numbers are too long for shape {shape}")
    if indices.size <= _FEW:
        if all(0 <= at < dim for at, dim in zip(indices.ravel().tolist(), cycle(shape[:depth]))):
            return
    elif indices.min() >= 0 and all(
        indices[..., axis].max() < shape[axis] for axis in range(depth)
    ):
        return
    wrong = ((indices < 0) | (indices >= np.array(shape[:depth], np.int64))).any(-1)
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        where = f"indices[{','.join(map(str, place))}]" if place else "indices"
        raise ArgumentValueError(
            f"{where} = {indices[place].tolist()} does not index into shape {list(shape)}"
        )


def _gather_nd_infer(params: TensorSpec, indices: TensorSpec, *, batch_dims: int = 0) -> TensorSpec:
    check_integer(indices, "indices")
    check_rank_at_least(indices, 1)
    if params.shape.rank is not None and indices.shape.rank is not None:
        _check_batch(params, indices, batch_dims)
        if batch_dims >= indices.shape.rank:
            raise ShapeError(
                f"batch_dims={batch_dims} must be below the rank of indices, whose shape is "
                f"{indices.shape}"
            )
    depth = indices.shape[-1] if indices.shape.rank else None
    if params.shape.rank is None or depth is None:
        return TensorSpec(None, params.dtype)
    if depth + batch_dims > params.shape.rank:
        raise ShapeError(f"indices of {depth} numbers are too long for shape {params.shape}")
    return TensorSpec(indices.shape[:-1] + params.shape[batch_dims + depth :], params.dtype)


def _boolean_mask_kernel(x: Array, mask: Array, *, axis: int) -> Array:
    # NumPy would treat integers as indices; the checks of specs apply to arrays as well.
    _boolean_mask_infer(TensorSpec.of_array(x), TensorSpec.of_array(mask), axis=axis)
    before: tuple[Any, ...] = (slice(None),) * axis_of(axis, x.ndim)
    return x[(*before, mask)]


def _boolean_mask_infer(x: TensorSpec, mask: TensorSpec, *, axis: int) -> TensorSpec:
    if mask.dtype is not bool_:
        raise DTypeError(f"a mask must be bool, not {mask.dtype.name}")
    if mask.shape.rank == 0:
        raise ShapeError("a mask must not be a scalar")
    if x.shape.rank is None or mask.shape.rank is None:
        return TensorSpec(None, x.dtype)
    axis = axis_of(axis, x.shape.rank)
    covered = x.shape[axis : axis + mask.shape.rank]
    if not covered.is_compatible_with(mask.shape):
        raise ShapeError(f"a mask of shape {mask.shape} does not fit {x.shape} at axis {axis}")
    return TensorSpec(x.shape[:axis] + (None,) + x.shape[axis + mask.shape.rank :], x.dtype)


GATHER = define(
    "gather",
    _gather_kernel,
    _gather_infer,
    grad=backward.gather,
    tensorflow_name="GatherV2",
)
GATHER_ND = define(
    "gather_nd",
    _gather_nd_kernel,
    _gather_nd_infer,
    grad=backward.gather_nd,
    tensorflow_name="GatherNd",
)
BOOLEAN_MASK = define(
    "boolean_mask",
    _boolean_mask_kernel,
    _boolean_mask_infer,
    grad=backward.boolean_mask,
)


def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: TensorLike | None = None,
    axis: SupportsIndex | None = None,
    batch_dims: int = 0,
    name: str | None = None,
    wrap: bool = False,
) -> Tensor:
    """Return the slices of `params` at `indices` along `axis`.

    Args:
        params: of rank 1 or more.
        indices: integers of any shape, which replaces the axis in the result.
        axis: 0 by default, or `batch_dims`.
        batch_dims: the number of leading axes that params and indices share; if negative, the
            number of axes of `indices` that are not shared.
        wrap: whether negative indices count from the end, else they are an error.

    Raises:
        InvalidArgumentError: an index is out of range; with `wrap` an IndexError, too.

    >>> print(gather([10, 20, 30], [2, 0]))
    rt.Tensor([30 10], shape=(2,), dtype=int32)
    """
    batch_dims = static_int(batch_dims, "batch_dims")
    inputs = (to_tensor(params), to_tensor(indices, int32 if is_empty(indices) else None))
    if batch_dims < 0 and inputs[1].shape.rank is not None:
        batch_dims = axis_of(batch_dims, inputs[1].shape.rank)
    along = batch_dims if axis is None else static_int(axis, "axis")
    extra = {"wrap": True} if flag(wrap, "wrap") else {}
    result: Tensor = apply(GATHER, inputs, axis=along, batch_dims=batch_dims, **extra)
    return result


def check_policy(bad_indices_policy: Any, what: str) -> None:
    """Refuse policies that skip indices out of range, which are always an error.

    >>> check_policy("ERROR", "gather_nd")
    """
    mask = "leave out the rows that are out of range, by rt.boolean_mask(indices, mask)"
    unavailable(bad_indices_policy, f"{what}: bad_indices_policy", mask, "", "DEFAULT", "ERROR")


def gather_nd(
    params: TensorLike,
    indices: TensorLike,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Tensor:
    """Return `params[row]` for each row of `indices`; its last axis indexes the first dimensions.

    Raises:
        InvalidArgumentError: a row is out of range.

    >>> print(gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]))
    rt.Tensor([2 3], shape=(2,), dtype=int32)
    """
    check_policy(bad_indices_policy, "gather_nd")
    inputs = (to_tensor(params), to_tensor(indices))
    result: Tensor = apply(GATHER_ND, inputs, batch_dims=static_int(batch_dims, "batch_dims"))
    return result


def boolean_mask(
    tensor: TensorLike, mask: TensorLike, axis: SupportsIndex | None = None, name: str | None = None
) -> Tensor:
    """Return the elements (or slices) where `mask` is true; the mask covers axes from `axis` on.

    Numbers of a mask are true where they are not 0.

    >>> print(boolean_mask([1, 2, 3], [True, False, True]))
    rt.Tensor([1 3], shape=(2,), dtype=int32)
    """
    along = 0 if axis is None else static_int(axis, "axis")
    chosen = to_tensor(mask)
    if chosen.dtype.is_numeric:
        chosen = strong_cast(chosen, bool_)
    result: Tensor = apply(BOOLEAN_MASK, (to_tensor(tensor), chosen), axis=along)
    return result
