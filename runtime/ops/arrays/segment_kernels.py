"""How rows that have one number are joined: on arrays, and what is known of the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.dtypes import dtype_of_array
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError, OutOfBoundsError, ShapeError
from runtime.ops import infer
from runtime.ops.arrays.nan_ordering import has_nan
from runtime.ops.arrays.scatter_kernels import add_rows

EXTREMES = ("max", "min")

# What a row starts from, and how elements join it.
_STARTS: dict[str, Callable[[Array], Any]] = {
    "sum": lambda data: 0,
    "mean": lambda data: 0,
    "prod": lambda data: 1,
    "max": lambda data: dtype_of_array(data).min,
    "min": lambda data: dtype_of_array(data).max,
}
_JOINS: dict[str, Any] = {
    "sum": np.add,
    "mean": np.add,
    "prod": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}


def _gathered(data: Array, ids: Array, count: int, how: str) -> Array:
    """Return the joined rows; those numbered -1 are left out."""
    rest = data.shape[ids.ndim :]
    flat, rows = ids.reshape(-1), data.reshape(ids.size, *rest)
    if flat.size and flat.min() < 0:
        kept = flat >= 0
        flat, rows = flat[kept], rows[kept]
    result = np.full((count, *rest), _STARTS[how](data), data.dtype)
    if how in EXTREMES and has_nan(rows):
        _follow(result, flat, rows, how)
    else:
        _join_rows(result, flat, rows, how)
    return result


def _join_rows(result: Array, flat: Array, rows: Array, how: str) -> None:
    if _JOINS[how] is np.add:
        add_rows(result, flat, rows)
    else:
        _JOINS[how].at(result, flat, rows)


def _follow(result: Array, flat: Array, rows: Array, how: str) -> None:
    """Join one row after the other: what is not beyond the next one gives way, and so does nan."""
    beyond = np.greater if how == "max" else np.less
    for at, row in zip(flat.tolist(), rows, strict=True):
        result[at] = np.where(beyond(result[at], row), result[at], row)


def sorted_kernel(how: str) -> Callable[..., Array]:
    """Return the kernel for numbers that go up; the extreme of no row is 0, as in TensorFlow."""

    def kernel(data: Array, segment_ids: Array) -> Array:
        sorted_infer(TensorSpec.of_array(data), TensorSpec.of_array(segment_ids))
        if (segment_ids[1:] < segment_ids[:-1]).any():
            raise ArgumentValueError(f"segment_ids go down: {segment_ids.tolist()}")
        if segment_ids.size and segment_ids[0] < 0:
            raise ArgumentValueError(f"segment_ids are negative: {segment_ids.tolist()}")
        count = int(segment_ids[-1]) + 1 if segment_ids.size else 0
        if data.dtype.kind in "iuf" and data.size and not (how in EXTREMES and has_nan(data)):
            result = _runs_joined(data, segment_ids, count, how)
        else:
            result = _gathered(data, segment_ids, count, how)
        if how not in ("mean", *EXTREMES):
            return result
        sizes = np.bincount(segment_ids, minlength=count).reshape(-1, *[1] * (data.ndim - 1))
        if how == "mean":
            return _mean(result, np.maximum(sizes, 1))
        return np.where(sizes == 0, 0, result).astype(data.dtype)

    return kernel


def _runs_joined(data: Array, ids: Array, count: int, how: str) -> Array:
    """Return the joined rows where those with one number follow each other."""
    firsts = np.concatenate([[0], np.flatnonzero(ids[1:] != ids[:-1]) + 1])
    result = np.full((count, *data.shape[1:]), _STARTS[how](data), data.dtype)
    result[ids[firsts]] = _JOINS[how].reduceat(data, firsts, 0, data.dtype)
    return result


def _mean(total: Array, sizes: Array) -> Array:
    if total.dtype.kind in "iu":
        # As C divides: cut towards zero.
        return (np.abs(total) // sizes * np.sign(total)).astype(total.dtype)
    return (total / sizes).astype(total.dtype)


def sorted_infer(data: TensorSpec, segment_ids: TensorSpec) -> TensorSpec:
    """Return what is known of the rows of numbers that go up: the last one tells how many."""
    infer.check_integer(segment_ids, "segment_ids")
    infer.check_rank_at_least(data, 1)
    length = infer.vector_length(segment_ids)
    if data.shape.rank is None:
        return TensorSpec(None, data.dtype)
    if None not in (length, data.shape[0]) and length != data.shape[0]:
        raise ShapeError(f"{length} segment_ids for the {data.shape[0]} rows of the data")
    return TensorSpec((None, *data.shape[1:]), data.dtype)


def unsorted_kernel(how: str) -> Callable[..., Array]:
    """Return the kernel for numbers in any order."""

    def kernel(data: Array, ids: Array, *dims: Array, num_segments: int | None) -> Array:
        count = checked_count(data, ids, *dims, num_segments=num_segments)
        return _gathered(data, ids, count, how)

    return kernel


def checked_count(data: Array, ids: Array, *dims: Array, num_segments: int | None) -> int:
    """Return how many rows there are; an InvalidArgumentError when a number is not below that."""
    specs = [TensorSpec.of_array(each) for each in (data, ids, *dims)]
    unsorted_infer(*specs, num_segments=num_segments)
    count = int(dims[0]) if num_segments is None else num_segments
    if count < 0:
        raise ArgumentValueError(f"num_segments is {count}, which is negative")
    if ids.size and ids.max() >= count:
        raise OutOfBoundsError(f"a segment id is {ids.max()}, which is not in [0, {count})")
    return count


def unsorted_infer(
    data: TensorSpec, ids: TensorSpec, *dims: TensorSpec, num_segments: int | None
) -> TensorSpec:
    """Return what is known of the rows of numbers in any order."""
    infer.check_integer(ids, "segment_ids")
    for each in dims:
        infer.check_integer(each, "num_segments")
        if each.shape.rank not in (None, 0):
            raise ShapeError(f"num_segments is a scalar, not of shape {each.shape}")
    if num_segments is not None and num_segments < 0:
        raise ArgumentValueError(f"num_segments is {num_segments}, which is negative")
    if data.shape.rank is None or ids.shape.rank is None:
        return TensorSpec(None, data.dtype)
    rank = ids.shape.rank
    if data.shape.rank < rank or not data.shape[:rank].is_compatible_with(ids.shape):
        raise ShapeError(f"data of shape {data.shape} do not begin with the shape {ids.shape}")
    return TensorSpec((num_segments, *data.shape[rank:]), data.dtype)
