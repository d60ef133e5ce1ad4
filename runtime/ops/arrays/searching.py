"""Positions: `searchsorted`, `invert_permutation` and `unravel_index`."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from runtime.core.dtypes import DType, DTypeLike, as_dtype, int32, int64
from runtime.core.shapes import ShapeLike, TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, OutOfBoundsError, ShapeError
from runtime.ops import infer
from runtime.ops.arrays.nan_ordering import bisect, has_nan
from runtime.ops.convert import matched, to_tensor
from runtime.ops.op import apply, define


def _searched_kernel(
    ordered: Array, values: Array, *, side: Literal["left", "right"], out_type: DType
) -> Array:
    _searched_infer(*map(TensorSpec.of_array, (ordered, values)), side=side, out_type=out_type)
    count = math.prod(ordered.shape[:-1])
    rows, wanted = (x.reshape(count, x.shape[-1]) for x in (ordered, values))
    found = np.zeros(wanted.shape, out_type.np_dtype)
    search: Any = bisect if has_nan(rows) or has_nan(wanted) else np.searchsorted
    for at, row in enumerate(rows):
        found[at] = search(row, wanted[at], side)
    return found.reshape(values.shape)


def _searched_infer(
    ordered: TensorSpec, values: TensorSpec, *, side: Literal["left", "right"], out_type: DType
) -> TensorSpec:
    infer.check_same_dtype(ordered, values)
    infer.check_rank_at_least(ordered, 1)
    infer.check_rank_at_least(values, 1)
    if ordered.shape.rank is not None and values.shape.rank is not None:
        if not ordered.shape[:-1].is_compatible_with(values.shape[:-1]):
            raise ShapeError(
                "values must have a row for each row of sorted_sequence, but the shapes are "
                f"{values.shape} and "
                f"{ordered.shape}"
            )
    return TensorSpec(values.shape, out_type)


def _inverted_kernel(x: Array) -> Array:
    _inverted_infer(TensorSpec.of_array(x))
    outside = (x < 0) | (x >= len(x))
    if outside.any():
        raise ArgumentValueError(
            f"a permutation of {len(x)} elements has numbers from 0 to {len(x) - 1}, not "
            f"{int(x[outside][0])}"
        )
    counts = np.bincount(x, minlength=len(x))
    if (counts > 1).any():
        raise ArgumentValueError(f"{int(np.argmax(counts > 1))} is duplicated in the input")
    return np.argsort(x).astype(x.dtype)


def _inverted_infer(x: TensorSpec) -> TensorSpec:
    if x.dtype not in (int32, int64):
        raise DTypeError(f"a permutation must be int32 or int64, not {x.dtype.name}")
    infer.vector_length(x)
    return x.unnamed()


def _unraveled_kernel(indices: Array, dims: Array) -> Array:
    _unraveled_infer(TensorSpec.of_array(indices), TensorSpec.of_array(dims))
    count = int(np.prod(dims, dtype=np.int64))
    if (dims <= 0).any():
        raise ArgumentValueError(f"dims must be 1 or more, not {dims.tolist()}")
    if ((indices < 0) | (indices >= count)).any():
        raise OutOfBoundsError(f"indices must be below {count}, the number of elements")
    return np.stack(np.unravel_index(indices, tuple(dims.tolist()))).astype(indices.dtype)


def _unraveled_infer(indices: TensorSpec, dims: TensorSpec) -> TensorSpec:
    infer.check_same_dtype(indices, dims)
    if dims.shape.rank not in (None, 1):
        raise ShapeError(f"dims must be a vector, not of shape {dims.shape}")
    if indices.shape.rank not in (None, 0, 1):
        raise ShapeError(f"indices must be a number or a vector, not of shape {indices.shape}")
    if indices.shape.rank is None:
        return TensorSpec(None, indices.dtype)
    return TensorSpec(TensorShape.of((dims.shape[0],)) + indices.shape, indices.dtype)


SEARCHSORTED = define("searchsorted", _searched_kernel, _searched_infer, kinds="iuf")
INVERT_PERMUTATION = define(
    "invert_permutation",
    _inverted_kernel,
    _inverted_infer,
    kinds="iu",
    tensorflow_name="InvertPermutation",
)
UNRAVEL_INDEX = define(
    "unravel_index",
    _unraveled_kernel,
    _unraveled_infer,
    kinds="iu",
    tensorflow_name="UnravelIndex",
)


def searchsorted(
    sorted_sequence: TensorLike,
    values: TensorLike,
    side: str = "left",
    out_type: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """Return the indices at which values can be inserted without breaking the order.

    Args:
        sorted_sequence: of shape (..., n), sorted along the last axis.
        values: of shape (..., m), the shape of the result.
        side: "left" for the first such index, "right" for the last.
        out_type: int32 or int64.

    Raises:
        ArgumentValueError: there is no such side.
        DTypeError: `out_type` is not int32 or int64.

    >>> print(searchsorted([1, 3, 3, 5], [3, 9]), searchsorted([1, 3, 3, 5], [3], side="right"))
    rt.Tensor([1 4], shape=(2,), dtype=int32) rt.Tensor([3], shape=(1,), dtype=int32)
    """
    if not isinstance(side, str) or side not in ("left", "right"):
        raise ArgumentValueError(f"side must be 'left' or 'right', not {side!r}")
    dtype = as_dtype(out_type)
    if dtype not in (int32, int64):
        raise DTypeError(f"out_type of searchsorted must be int32 or int64, not {dtype.name}")
    inputs, _ = matched((sorted_sequence, values), "searchsorted")
    result: Tensor = apply(SEARCHSORTED, inputs, side=side, out_type=dtype)
    return result


def invert_permutation(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the positions of 0, 1, 2, ... in a vector that has each of them once.

    Raises:
        InvalidArgumentError: a number occurs twice, or is too large.

    >>> print(invert_permutation([2, 0, 1]))
    rt.Tensor([1 2 0], shape=(3,), dtype=int32)
    """
    result: Tensor = apply(INVERT_PERMUTATION, (to_tensor(x, dtype_hint=int32),))
    return result


def unravel_index(indices: TensorLike, dims: ShapeLike, name: str | None = None) -> Tensor:
    """Return the coordinates of elements from their row-major indices, one row for each axis.

    Args:
        indices: an integer or a vector of them.
        dims: the shape of the indexed array.

    Raises:
        InvalidArgumentError: there is no such element.

    >>> unravel_index([7, 2], [3, 3]).numpy().tolist()
    [[2, 0], [1, 2]]
    """
    inputs, _ = matched((indices, dims), "unravel_index")
    result: Tensor = apply(UNRAVEL_INDEX, inputs)
    return result
