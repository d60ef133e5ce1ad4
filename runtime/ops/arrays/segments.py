"""Segment reductions: all rows with one segment id become one row; ids are sorted or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.dtypes import dtype_of_array, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, OutOfBoundsError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import static_int, static_value
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.creation import ones, ones_like, zeros_like
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.nan_ordering import has_nan
from runtime.ops.arrays.scatter_kernels import add_rows
from runtime.ops.arrays.shape import rank, reshape, shape
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise.arithmetic import maximum
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import sqrt
from runtime.ops.gradient_rules import BROADCAST_LIKE
from runtime.ops.op import Op, apply, define

EXTREMES = ("max", "min")

# The initial value of a row, and the function that combines elements with it.
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
    """Return the reduced rows; rows with id -1 are omitted."""
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
    """Reduce rows in order: an element replaces a value that is not more extreme, such as NaN."""
    beyond = np.greater if how == "max" else np.less
    for at, row in zip(flat.tolist(), rows, strict=True):
        result[at] = np.where(beyond(result[at], row), result[at], row)


def sorted_kernel(how: str) -> Callable[..., Array]:
    """Return the kernel for sorted ids; the extreme of no rows is 0, as in TensorFlow."""

    def kernel(data: Array, segment_ids: Array) -> Array:
        sorted_infer(TensorSpec.of_array(data), TensorSpec.of_array(segment_ids))
        if (segment_ids[1:] < segment_ids[:-1]).any():
            raise ArgumentValueError(f"segment_ids must not decrease, as in {segment_ids.tolist()}")
        if segment_ids.size and segment_ids[0] < 0:
            raise ArgumentValueError(
                f"segment_ids must not be negative, as in {segment_ids.tolist()}"
            )
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
    """Return the reduced rows, if rows with the same id are adjacent."""
    firsts = np.concatenate([[0], np.flatnonzero(ids[1:] != ids[:-1]) + 1])
    result = np.full((count, *data.shape[1:]), _STARTS[how](data), data.dtype)
    result[ids[firsts]] = _JOINS[how].reduceat(data, firsts, 0, data.dtype)
    return result


def _mean(total: Array, sizes: Array) -> Array:
    if total.dtype.kind in "iu":
        # The quotient is truncated, as in C.
        return (np.abs(total) // sizes * np.sign(total)).astype(total.dtype)
    return (total / sizes).astype(total.dtype)


def sorted_infer(data: TensorSpec, segment_ids: TensorSpec) -> TensorSpec:
    """Return the spec of the result for sorted ids, of which the last determines the length."""
    infer.check_integer(segment_ids, "segment_ids")
    infer.check_rank_at_least(data, 1)
    length = infer.vector_length(segment_ids)
    if data.shape.rank is None:
        return TensorSpec(None, data.dtype)
    if None not in (length, data.shape[0]) and length != data.shape[0]:
        raise ShapeError(f"{length} segment_ids for the {data.shape[0]} rows of the data")
    return TensorSpec((None, *data.shape[1:]), data.dtype)


def unsorted_kernel(how: str) -> Callable[..., Array]:
    """Return the kernel for ids in any order."""

    def kernel(data: Array, ids: Array, *dims: Array, num_segments: int | None) -> Array:
        count = checked_count(data, ids, *dims, num_segments=num_segments)
        return _gathered(data, ids, count, how)

    return kernel


def checked_count(data: Array, ids: Array, *dims: Array, num_segments: int | None) -> int:
    """Return the number of segments; InvalidArgumentError if an id is too large."""
    specs = [TensorSpec.of_array(each) for each in (data, ids, *dims)]
    unsorted_infer(*specs, num_segments=num_segments)
    count = int(dims[0]) if num_segments is None else num_segments
    if count < 0:
        raise ArgumentValueError(f"num_segments must be at least 0, not {count}")
    if ids.size and ids.max() >= count:
        raise OutOfBoundsError(f"a segment id must be in [0, {count}), not {ids.max()}")
    return count


def unsorted_infer(
    data: TensorSpec, ids: TensorSpec, *dims: TensorSpec, num_segments: int | None
) -> TensorSpec:
    """Return the spec of the result for ids in any order."""
    infer.check_integer(ids, "segment_ids")
    for each in dims:
        infer.check_integer(each, "num_segments")
        if each.shape.rank not in (None, 0):
            raise ShapeError(f"num_segments must be a scalar, not of shape {each.shape}")
    if num_segments is not None and num_segments < 0:
        raise ArgumentValueError(f"num_segments must be at least 0, not {num_segments}")
    if data.shape.rank is None or ids.shape.rank is None:
        return TensorSpec(None, data.dtype)
    rank = ids.shape.rank
    if data.shape.rank < rank or not data.shape[:rank].is_compatible_with(ids.shape):
        raise ShapeError(f"data of shape {data.shape} do not begin with the shape {ids.shape}")
    return TensorSpec((num_segments, *data.shape[rank:]), data.dtype)


# -- gradients -------------------------------------------------------------------------------------


def _picked(rows: Any, ids: Any, data: Any) -> Any:
    """Return for each element the value of its segment; 0 if it belongs to none."""
    known = gather(rows, maximum(ids, zeros_like(ids)))
    return where(_over(ids >= 0, data), known, zeros_like(known))


def _over(flags: Any, data: Any) -> Any:
    """Return flags of rows, broadcast over the elements of the rows."""
    return apply(BROADCAST_LIKE, (_with_axes(flags, data), data))


def _with_axes(x: Any, data: Any) -> Any:
    """Return `x` with axes of size 1 appended, up to the rank of `data`."""
    if None not in (x.shape.rank, data.shape.rank):
        return x[(..., *[None] * (data.shape.rank - x.shape.rank))]
    return reshape(x, concat([shape(x), ones([rank(data) - rank(x)], int32)], 0))


def _sum_rule(again: Any, dy: Any, y: Any, data: Any, ids: Any) -> Any:
    return _picked(dy, ids, data)


def _mean_rule(again: Any, dy: Any, y: Any, data: Any, ids: Any) -> Any:
    sizes = segment_sum(ones_like(ids, dy.dtype), ids)
    return _picked(dy / _with_axes(maximum(sizes, 1), dy), ids, data)


def _extreme_rule(again: Any, dy: Any, y: Any, data: Any, ids: Any) -> Any:
    """Share the gradient evenly among equal extremes."""
    chosen = (data == _picked(y, ids, data)) & _over(ids >= 0, data)
    ties = again(SUMS[again.how], strong_cast(chosen, dy.dtype))
    return where(chosen, _picked(dy / maximum(ties, 1), ids, data), zeros_like(data))


def _prod_rule(again: Any, dy: Any, y: Any, data: Any, ids: Any) -> Any:
    """Return the product of the other elements of a segment, without division by 0."""
    is_zero = data == zeros_like(data)
    others = where(is_zero, ones_like(data), data)
    zeros = again(SUMS[again.how], strong_cast(is_zero, dy.dtype))
    product = again(PRODS[again.how], others)
    alone = where(zeros == 1, product, zeros_like(product))
    whole = _picked(y, ids, data) / others
    return _picked(dy, ids, data) * where(is_zero, _picked(alone, ids, data), whole)


class _SameSegments:
    """The reduction of other elements by the same segment ids, for gradient rules."""

    def __init__(self, how: str, ids: Any, dims: Any, attrs: Any) -> None:
        self.how, self.ids, self.dims, self.attrs = how, ids, dims, attrs

    def __call__(self, op: Op, data: Any) -> Any:
        return apply(op, (data, self.ids, *self.dims), **self.attrs)


def _grad(how: str, rule: Any) -> Any:
    def grad(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        data, ids, *dims = inputs
        dx = rule(_SameSegments(how, ids, dims, attrs), dys[0], outputs[0], data, ids)
        return (dx, *(None for _ in inputs[1:]))

    return grad


_RULES = {
    "sum": _sum_rule,
    "mean": _mean_rule,
    "prod": _prod_rule,
    "max": _extreme_rule,
    "min": _extreme_rule,
}


def _sorted_op(how: str) -> Op:
    kinds = "iuf" if how in EXTREMES else "iufc"
    named = f"Segment{how.title()}"
    grad = _grad("sorted", _RULES[how])
    return define(
        f"segment_{how}",
        sorted_kernel(how),
        sorted_infer,
        kinds=kinds,
        grad=grad,
        tensorflow_name=named,
    )


def _unsorted_op(how: str) -> Op:
    kinds = "iuf" if how in EXTREMES else "iufc"
    named = f"UnsortedSegment{how.title()}"
    grad, kernel = _grad("unsorted", _RULES[how]), unsorted_kernel(how)
    name = f"unsorted_segment_{how}"
    return define(name, kernel, unsorted_infer, kinds=kinds, grad=grad, tensorflow_name=named)


SORTED = {how: _sorted_op(how) for how in ("sum", "mean", "prod", "max", "min")}
UNSORTED = {how: _unsorted_op(how) for how in ("sum", "prod", "max", "min")}
SUMS = {"sorted": SORTED["sum"], "unsorted": UNSORTED["sum"]}
PRODS = {"sorted": SORTED["prod"], "unsorted": UNSORTED["prod"]}


# -- sorted ----------------------------------------------------------------------------------------


def segment_sum(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the sums of the rows of `data` in each segment.

    Args:
        data: numbers of rank 1 or more.
        segment_ids: a sorted vector of integers from 0 on, one for each row.

    Returns:
        A row for each id up to the last one; 0 (1 for products) for an id without rows.

    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not one for each row.

    >>> print(segment_sum([1, 2, 3], [0, 0, 2]))
    rt.Tensor([3 0 3], shape=(3,), dtype=int32)
    """
    return _sorted(SORTED["sum"], data, segment_ids)


def segment_mean(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the means of the rows of each segment; see `segment_sum`.

    >>> print(segment_mean([1.0, 2.0, 3.0], [0, 0, 1]))
    rt.Tensor([1.5 3. ], shape=(2,), dtype=float32)
    """
    return _sorted(SORTED["mean"], data, segment_ids)


def segment_prod(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the products of the rows of each segment; see `segment_sum`.

    >>> print(segment_prod([2, 3, 4], [0, 0, 1]))
    rt.Tensor([6 4], shape=(2,), dtype=int32)
    """
    return _sorted(SORTED["prod"], data, segment_ids)


def segment_max(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the maxima of the rows of each segment; see `segment_sum`.

    >>> print(segment_max([2, 3, 4], [0, 0, 1]))
    rt.Tensor([3 4], shape=(2,), dtype=int32)
    """
    return _sorted(SORTED["max"], data, segment_ids)


def segment_min(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Return the minima of the rows of each segment; see `segment_sum`.

    >>> print(segment_min([2, 3, 4], [0, 0, 1]))
    rt.Tensor([2 4], shape=(2,), dtype=int32)
    """
    return _sorted(SORTED["min"], data, segment_ids)


# -- unsorted --------------------------------------------------------------------------------------


def unsorted_segment_sum(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Return the sums of the elements of `data` in each of `num_segments` segments.

    Args:
        data: numbers.
        segment_ids: integers below `num_segments`, in any order; the shape of `data` starts with
            their shape. Elements with a negative id are omitted.
        num_segments: an int, or a scalar tensor of integers.

    Raises:
        InvalidArgumentError: an id is too large, or the shapes do not fit.

    >>> print(unsorted_segment_sum([1, 2, 3], [2, 0, 2], 3))
    rt.Tensor([2 0 4], shape=(3,), dtype=int32)
    """
    return over_segments(UNSORTED["sum"], data, segment_ids, num_segments)


def unsorted_segment_prod(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Return the products of the elements of each segment, 1 for none.

    >>> print(unsorted_segment_prod([2, 3, 4], [2, 0, 2], 3))
    rt.Tensor([3 1 8], shape=(3,), dtype=int32)
    """
    return over_segments(UNSORTED["prod"], data, segment_ids, num_segments)


def unsorted_segment_max(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Return the maximum of each segment; for no elements the lowest number of the dtype.

    >>> print(unsorted_segment_max([2, 3, 4], [1, 0, 1], 2))
    rt.Tensor([3 4], shape=(2,), dtype=int32)
    """
    return over_segments(UNSORTED["max"], data, segment_ids, num_segments)


def unsorted_segment_min(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Return the minimum of each segment; for no elements the highest number of the dtype.

    >>> print(unsorted_segment_min([2, 3, 4], [1, 0, 1], 2))
    rt.Tensor([3 2], shape=(2,), dtype=int32)
    """
    return over_segments(UNSORTED["min"], data, segment_ids, num_segments)


def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Return the means of the elements of each segment, 0 for none; floats only.

    >>> print(unsorted_segment_mean([1.0, 2.0, 4.0], [1, 0, 1], 3))
    rt.Tensor([2.  2.5 0. ], shape=(3,), dtype=float32)
    """
    total, sizes = _total_and_sizes(data, segment_ids, num_segments)
    result: Tensor = total / sizes
    return result


def unsorted_segment_sqrt_n(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Return the sums of the elements of each segment over the root of their number.

    >>> print(unsorted_segment_sqrt_n([1.0] * 4, [0, 0, 0, 0], 1))
    rt.Tensor([2.], shape=(1,), dtype=float32)
    """
    total, sizes = _total_and_sizes(data, segment_ids, num_segments)
    result: Tensor = total / sqrt(sizes)
    return result


def _sorted(op: Op, data: Any, ids: Any) -> Tensor:
    result: Tensor = apply(op, (to_tensor(data), to_tensor(ids, dtype_hint=int32)))
    return result


def over_segments(op: Op, data: Any, ids: Any, num_segments: Any, **attrs: Any) -> Tensor:
    """Return the result of an unsorted segment op."""
    inputs = (to_tensor(data), to_tensor(ids, dtype_hint=int32))
    count = to_tensor(num_segments)
    known = static_value(count)
    if known is not None and known.ndim == 0:
        size = static_int(count, "num_segments")
        result: Tensor = apply(op, inputs, num_segments=size, **attrs)
    else:
        result = apply(op, (*inputs, count), num_segments=None, **attrs)
    return result


def _total_and_sizes(data: Any, ids: Any, num_segments: Any) -> tuple[Any, Any]:
    tensor, numbers = to_tensor(data), to_tensor(ids, dtype_hint=int32)
    total = unsorted_segment_sum(tensor, numbers, num_segments)
    sizes = unsorted_segment_sum(ones_like(numbers, tensor.dtype), numbers, num_segments)
    return total, _with_axes(maximum(sizes, 1), total)
