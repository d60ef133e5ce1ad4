"""Sorting: `sort`, `argsort`, `top_k`, `in_top_k` and `unique`."""

from __future__ import annotations

from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from runtime.core.dtypes import DType, DTypeLike, as_dtype, bool_, float32, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import folded_value, static_int
from runtime.ops.arrays.creation import range
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.nan_ordering import falling_order, has_nan
from runtime.ops.arrays.shape import reshape, shape
from runtime.ops.convert import is_tensor_like, strong_cast, to_tensor
from runtime.ops.grad import sorting as backward
from runtime.ops.op import apply, define


class TopKV2(NamedTuple):
    """The largest elements and their indices."""

    values: Tensor
    indices: Tensor


class UniqueWithCounts(NamedTuple):
    """The distinct elements, the index of each element among them, and their counts."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]


class UniqueElements(NamedTuple):
    """The distinct elements, and the index of each element among them."""

    y: Tensor
    idx: Tensor


# Rows with at least so many elements for each of the `k` are searched in blocks.
_LEAST = 16
# For fewer elements, sorting is faster.
_FEW = 1000


def _order(x: Array, axis: int, descending: bool) -> Array:
    if has_nan(x):
        return falling_order(x if descending else -x, axis)
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    # Reversed before and after the sort, so that equal elements keep their order.
    back: Any = (..., slice(None, None, -1), *[slice(None)] * (x.ndim - 1 - axis % x.ndim))
    turned = x[back].argsort(axis, "stable")[back]
    return x.shape[axis] - 1 - turned


def _sort_kernel(x: Array, *, axis: int, descending: bool) -> Array:
    if has_nan(x):
        return np.take_along_axis(x, _order(x, axis, descending), axis)
    ordered = np.sort(x, axis=axis, kind="stable")
    return np.flip(ordered, axis) if descending else ordered


def _argsort_kernel(x: Array, *, axis: int, descending: bool) -> Array:
    return _order(x, axis, descending).astype(np.int32)


def _sort_infer(x: TensorSpec, *, axis: int, descending: bool) -> TensorSpec:
    infer.check_rank_at_least(x, 1)
    infer.checked_axes(x, axis)
    return x.unnamed()


def _argsort_infer(x: TensorSpec, *, axis: int, descending: bool) -> TensorSpec:
    return _sort_infer(x, axis=axis, descending=descending).with_dtype(int32)


def _top_k_kernel(x: Array, *, k: int) -> tuple[Array, Array]:
    if x.ndim and k > x.shape[-1]:
        raise ArgumentValueError(f"input must have at least k={k} columns, not {x.shape[-1]}")
    if k == 1 and has_nan(x):
        indices = _at_largest(x)
    elif 0 < k and x.dtype.kind in "iuf" and _is_long(x, k) and not has_nan(x):
        indices = _largest_of_blocks(x, k)
    else:
        indices = _order(x, -1, True)[..., :k]
    return np.take_along_axis(x, indices, -1), indices.astype(np.int32)


def _is_long(x: Array, k: int) -> bool:
    return x.shape[-1] >= max(_LEAST * k, _FEW)


def _largest_of_blocks(x: Array, k: int) -> Array:
    """Return the positions of the k largest elements of each row without NaN.

    They are in the k blocks with the largest maxima, since these have k elements that are at least
    as large as any other block's. The remainder at the end of a row is a separate block.
    """
    length = x.shape[-1]
    size = 1 << (round(np.log2(length / k)) // 2)
    whole = length - length % size
    maxima = np.maximum.reduce(x[..., :whole].reshape(*x.shape[:-1], -1, size), -1)
    blocks = np.sort(_order(maxima, -1, True)[..., :k], -1)
    at = (blocks[..., None] * size + np.arange(size)).reshape(*x.shape[:-1], k * size)
    rest = np.broadcast_to(np.arange(whole, length), (*x.shape[:-1], length - whole))
    at = np.concatenate([at, rest], -1)
    best = _order(np.take_along_axis(x, at, -1), -1, True)[..., :k]
    return np.take_along_axis(at, best, -1)


def _at_largest(x: Array) -> Array:
    """Return the position of the largest element; of a NaN only if all elements are NaN."""
    return np.argmax(np.where(np.isnan(x), -np.inf, x), -1, keepdims=True)


def _top_k_infer(x: TensorSpec, *, k: int) -> tuple[TensorSpec, TensorSpec]:
    if k < 0:
        raise ArgumentValueError(f"k must be at least 0, not {k}")
    infer.check_rank_at_least(x, 1)
    shape = infer.replaced(x.shape, -1, k)
    return TensorSpec(shape, x.dtype), TensorSpec(shape, int32)


def _unique_kernel(x: Array, *, out_idx: DType) -> tuple[Array, Array]:
    if x.ndim != 1:
        raise ShapeError(f"unique takes a vector, not shape {x.shape}")
    y, idx, _ = _distinct(x)
    return y, idx.astype(out_idx.np_dtype)


def _distinct(x: Array) -> tuple[Array, Array, Array]:
    if x.dtype.kind in "iu" and x.size > _FEW:
        least = int(x.min())
        span = int(x.max()) - least + 1
        if span <= 2 * x.size:
            return _distinct_within(x, x.astype(np.int64) - least, span)
    # NaNs are all distinct.
    options = {} if x.dtype.kind == "O" else {"equal_nan": False}
    _, first, inverse, counts = np.unique(x, True, True, True, **options)
    appearance = np.argsort(first)
    position = np.empty_like(appearance)
    position[appearance] = np.arange(len(appearance))
    return x[np.sort(first)], position[inverse], counts[appearance]


def _distinct_within(x: Array, offsets: Array, span: int) -> tuple[Array, Array, Array]:
    """Return the result of `_distinct` for integers in a small range, without sorting them."""
    counts = np.bincount(offsets, minlength=span)
    first = np.full(span, x.size)
    # Written in reverse order, so that the first occurrence stays.
    first[offsets[::-1]] = np.arange(x.size - 1, -1, -1)
    found = np.flatnonzero(counts)
    found = found[np.argsort(first[found])]
    position = np.empty(span, np.intp)
    position[found] = np.arange(len(found))
    return x[first[found]], position[offsets], counts[found]


def _counted_kernel(x: Array, *, out_idx: DType) -> tuple[Array, Array, Array]:
    if x.ndim != 1:
        raise ShapeError(f"unique_with_counts takes a vector, not shape {x.shape}")
    y, idx, counts = _distinct(x)
    return y, idx.astype(out_idx.np_dtype), counts.astype(out_idx.np_dtype)


def _counted_infer(x: TensorSpec, *, out_idx: DType) -> tuple[TensorSpec, TensorSpec, TensorSpec]:
    return *_unique_infer(x, out_idx=out_idx), TensorSpec((None,), out_idx)


def _unique_infer(x: TensorSpec, *, out_idx: DType) -> tuple[TensorSpec, TensorSpec]:
    length = infer.vector_length(x)
    return TensorSpec((None,), x.dtype), TensorSpec((length,), out_idx)


SORT = define("sort", _sort_kernel, _sort_infer, kinds="biufO", grad=backward.sort)
ARGSORT = define("argsort", _argsort_kernel, _argsort_infer, kinds="biufO")
TOP_K = define(
    "top_k",
    _top_k_kernel,
    _top_k_infer,
    kinds="iuf",
    n_outputs=2,
    grad=backward.top_k,
    tensorflow_name="TopKV2",
)
UNIQUE = define(
    "unique",
    _unique_kernel,
    _unique_infer,
    n_outputs=2,
    tensorflow_name="Unique",
)


UNIQUE_WITH_COUNTS = define(
    "unique_with_counts",
    _counted_kernel,
    _counted_infer,
    n_outputs=3,
    tensorflow_name="UniqueWithCounts",
)


def sort(
    values: TensorLike,
    axis: SupportsIndex = -1,
    direction: str = "ASCENDING",
    name: str | None = None,
) -> Tensor:
    """Return the elements in order along an axis.

    >>> print(sort([3, 1, 2], direction="DESCENDING"))
    rt.Tensor([3 2 1], shape=(3,), dtype=int32)
    """
    result: Tensor = apply(SORT, (to_tensor(values),), **_direction(axis, direction))
    return result


def argsort(
    values: TensorLike,
    axis: SupportsIndex = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the int32 indices that sort the elements; equal elements keep their order.

    >>> print(argsort([3, 1, 2]))
    rt.Tensor([1 2 0], shape=(3,), dtype=int32)
    """
    result: Tensor = apply(ARGSORT, (to_tensor(values),), **_direction(axis, direction))
    return result


def top_k(
    input: TensorLike,
    k: TensorLike = 1,
    sorted: bool = True,
    index_type: DTypeLike = int32,
    name: str | None = None,
) -> TopKV2:
    """Return the k largest elements along the last axis and their indices.

    Args:
        index_type: the dtype of the indices, int16, int32 or int64.

    Raises:
        InvalidArgumentError: there are fewer than k, or k is negative.
        DTypeError: there is no such dtype of indices.

    >>> values, indices = top_k([5, 9, 7], k=2)
    >>> print(values, indices)
    rt.Tensor([9 7], shape=(2,), dtype=int32) rt.Tensor([1 2], shape=(2,), dtype=int32)
    """
    dtype = as_dtype(index_type)
    if dtype.name not in ("int16", "int32", "int64"):
        raise DTypeError(f"index_type must be int16, int32 or int64, not {dtype.name}")
    if is_tensor_like(k) and folded_value(to_tensor(k)) is None:
        return _largest(to_tensor(input), to_tensor(k), dtype)
    count = static_int(k, "k")
    if count < 0:
        raise ArgumentValueError(f"k must be 0 or more, not {count}")
    values, indices = apply(TOP_K, (to_tensor(input),), k=count)
    return TopKV2(values, strong_cast(indices, dtype))


def _largest(x: Tensor, k: Tensor, dtype: DType) -> TopKV2:
    """Return the result of `top_k` for a `k` that only a run knows."""
    infer.check_rank_at_least(x.spec, 1)
    places = range(shape(x)[-1])
    # A slice would accept any shape; a reshape refuses more than one element.
    infer.check_integer(k.spec, "k")
    count = strong_cast(reshape(k, []), places.dtype)
    first = reshape(places[:count], [count])
    indices = gather(argsort(x, direction="DESCENDING", stable=True), first, axis=-1)
    return TopKV2(
        gather(sort(x, direction="DESCENDING"), first, axis=-1), strong_cast(indices, dtype)
    )


def unique(x: TensorLike, out_idx: DTypeLike = int32, name: str | None = None) -> UniqueElements:
    """Return the distinct elements of a vector in order of appearance, and each one's index there.

    >>> y, idx = unique([7, 3, 7])
    >>> print(y, idx)
    rt.Tensor([7 3], shape=(2,), dtype=int32) rt.Tensor([0 1 0], shape=(3,), dtype=int32)
    """
    return UniqueElements(*apply(UNIQUE, (to_tensor(x),), out_idx=as_dtype(out_idx)))


def unique_with_counts(
    x: TensorLike, out_idx: DTypeLike = int32, name: str | None = None
) -> UniqueWithCounts:
    """Return the results of `unique`, and the count of each of the distinct elements.

    >>> y, idx, count = unique_with_counts([7, 3, 7])
    >>> print(y, count)
    rt.Tensor([7 3], shape=(2,), dtype=int32) rt.Tensor([2 1], shape=(2,), dtype=int32)
    """
    dtype = as_dtype(out_idx)
    if not dtype.is_integer:
        raise DTypeError(f"out_idx must be an integer dtype, not {dtype.name}")
    return UniqueWithCounts(*apply(UNIQUE_WITH_COUNTS, (to_tensor(x),), out_idx=dtype))


def _direction(axis: Any, direction: str) -> dict[str, Any]:
    if not isinstance(direction, str) or direction not in ("ASCENDING", "DESCENDING"):
        raise ArgumentValueError(f"direction must be ASCENDING or DESCENDING, not {direction!r}")
    return {"axis": static_int(axis, "axis"), "descending": direction == "DESCENDING"}


def _in_top_k_kernel(targets: Array, predictions: Array, k: Array) -> Array:
    _in_top_k_infer(*map(TensorSpec.of_array, (targets, predictions, k)))
    classes = predictions.shape[1]
    inside = (targets >= 0) & (targets < classes)
    if not classes:
        return np.zeros(targets.shape, np.bool_)
    safe = np.where(inside, targets, 0).astype(np.int64)[:, None]
    own = np.take_along_axis(predictions, safe, 1)
    above = np.sum(predictions > own, 1)
    return inside & np.isfinite(predictions).all(1) & (above < k)


def _in_top_k_infer(targets: TensorSpec, predictions: TensorSpec, k: TensorSpec) -> TensorSpec:
    infer.check_integer(k, "k")
    if predictions.dtype is not float32:
        raise DTypeError(f"predictions must be float32, not {predictions.dtype.name}: use rt.cast")
    if predictions.shape.rank not in (None, 2):
        raise ShapeError(f"predictions must be a matrix, not of shape {predictions.shape}")
    if k.shape.rank not in (None, 0):
        raise ShapeError(f"k must be a scalar, not of shape {k.shape}")
    infer.vector_length(targets)
    if not targets.shape.is_compatible_with(predictions.shape[:1]):
        raise ShapeError(
            f"targets of shape {targets.shape} do not fit predictions of shape {predictions.shape}"
        )
    return TensorSpec((targets.shape.merge(predictions.shape[:1])[0],), bool_)


IN_TOP_K = define(
    "in_top_k", _in_top_k_kernel, _in_top_k_infer, kinds="iu", tensorflow_name="InTopKV2"
)


def in_top_k(
    targets: TensorLike, predictions: TensorLike, k: TensorLike, name: str | None = None
) -> Tensor:
    """Return whether fewer than `k` classes have a higher prediction than the target.

    Args:
        targets: a vector of class indices; the answer for an invalid one is False.
        predictions: float32 of shape (number of targets, classes); where one is not finite, the
            answer is False.

    >>> in_top_k([1, 0], [[0.1, 0.8], [0.3, 0.7]], 1).numpy()
    array([ True, False])
    """
    inputs = (to_tensor(targets, dtype_hint=int32), to_tensor(predictions), to_tensor(k))
    result: Tensor = apply(IN_TOP_K, inputs)
    return result
