"""Reductions along axes: sums, means, extremes, `any` and `all`, variances, `argmax`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.dtypes import DType, DTypeLike, as_dtype, dtype_of_array, int64
from runtime.core.shapes import AxisLike
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arguments import static_axes, static_int
from runtime.ops.arrays.short_reductions import folded
from runtime.ops.convert import to_tensor
from runtime.ops.grad import reductions as backward
from runtime.ops.neural.activation_kernels import along_rows, columns_of, first_best
from runtime.ops.op import Op, apply, define

# The least length of rows that are multiplied by halves.
_LONG = 32
# The least number of short rows that are searched column by column.
_MANY = 4096

_add_up: Any = np.add.reduce


def _sum(x: Array, *, axis: Any, keepdims: Any) -> Array:
    found = folded(np.add, x, axis, keepdims)
    return _add_up(x, axis, x.dtype, None, keepdims) if found is None else found


def _prod(x: Array, *, axis: Any, keepdims: Any) -> Array:
    if x.ndim and x.dtype.kind in "iuf" and axis in (None, (-1,), (x.ndim - 1,)):
        return _prod_of_rows(x, axis is None, keepdims)
    return np.prod(x, axis=axis, keepdims=keepdims, dtype=x.dtype)


def _prod_of_rows(x: Array, is_of_all: bool, keepdims: Any) -> Array:
    """Return products of rows by halving: NumPy would wait for each product before the next one."""
    rows = x.reshape(-1) if is_of_all else x
    while rows.shape[-1] >= _LONG:
        half, is_odd = divmod(rows.shape[-1], 2)
        made = rows[..., :half] * rows[..., half : 2 * half]
        if is_odd:
            made[..., 0] *= rows[..., -1]
        rows = made
    found = np.prod(rows, axis=-1, keepdims=keepdims and not is_of_all, dtype=x.dtype)
    return found.reshape((1,) * x.ndim) if keepdims and is_of_all else found


def whole_mean(total: Any, count: int, dtype: np.dtype[Any]) -> Array:
    """Return the quotient of an integer by a count, truncated towards zero.

    >>> whole_mean(np.int64(-7), 2, np.dtype("int32"))
    array(-3, dtype=int32)
    """
    number = int(total)
    return np.array(number // count if number >= 0 else -(-number // count), dtype)


def _mean(x: Array, *, axis: Any, keepdims: Any) -> Array:
    if x.dtype.kind in "iu":
        # The quotient is truncated, as in C. The mean fits the dtype even if the sum does not.
        wide = np.uint64 if x.dtype.kind == "u" else np.int64
        total = np.asarray(_add_up(x, axis, wide, None, keepdims))
        if total.ndim == 0 and x.size:
            return whole_mean(total, x.size, x.dtype)
        if not (total.size and x.size):
            return total.astype(x.dtype)
        count = wide(x.size // total.size)
        return ((total - np.fmod(total, count)) // count).astype(x.dtype)
    added = folded(np.add, x, axis, keepdims)
    if added is not None:
        return np.divide(added, added.dtype.type(x.size // added.size), out=added)
    if x.size and x.dtype.char in "fd":
        # The computation of NumPy's `mean`, with less overhead.
        total = _add_up(x, axis, None, None, keepdims)
        return np.divide(total, x.size // max(total.size, 1), dtype=x.dtype)
    if x.size:
        return np.mean(x, axis=axis, keepdims=keepdims)
    return _sum(x, axis=axis, keepdims=keepdims) / x.dtype.type(0)


def _extreme(join: np.ufunc, end: str) -> Callable[..., Array]:
    def kernel(x: Array, *, axis: Any, keepdims: Any) -> Array:
        if x.size and x.ndim > 1 and axis in ((-1,), (x.ndim - 1,)):
            found = along_rows(join, x, -1)
            return found if keepdims else found[..., 0]
        if x.size:
            joined = folded(join, x, axis, keepdims)
            return join.reduce(x, axis=axis, keepdims=keepdims) if joined is None else joined
        # For no elements: the limit that every element replaces.
        dtype = dtype_of_array(x)
        worst: Any = {"min": dtype.min, "max": dtype.max}[end]
        if dtype.is_floating:
            worst = x.dtype.type(np.inf if end == "max" else -np.inf)
        return join.reduce(x, axis=axis, keepdims=keepdims, initial=worst)

    return kernel


def _logsumexp(x: Array, *, axis: Any, keepdims: Any) -> Array:
    peak = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    peak = np.where(np.isfinite(peak), peak, np.zeros((), x.dtype)).astype(x.dtype)
    total = np.log(np.sum(np.exp(x - peak), axis=axis, keepdims=True)) + peak
    return total if keepdims else np.squeeze(total, axis)


def _variance(x: Array, *, axis: Any, keepdims: Any) -> Array:
    if not x.size:  # NumPy warns about an empty array.
        return _mean(x, axis=axis, keepdims=keepdims)
    return np.var(x, axis=axis, keepdims=keepdims)


def _std(x: Array, *, axis: Any, keepdims: Any) -> Array:
    if not x.size:
        return _mean(x, axis=axis, keepdims=keepdims)
    return np.std(x, axis=axis, keepdims=keepdims)


def _count_nonzero(x: Array, *, axis: Any, keepdims: Any, output_type: DType) -> Array:
    empty = x == b"" if x.dtype.kind == "O" else x == 0
    counts = np.sum(np.logical_not(empty), axis=axis, keepdims=keepdims)
    return np.asarray(counts).astype(output_type.np_dtype)


def _arg(function: Any, is_better: np.ufunc, worst: float) -> Callable[..., Array]:
    def kernel(x: Array, *, axis: int, output_type: DType) -> Array:
        if x.ndim == 0:
            raise ShapeError("a scalar has no axis to search")
        if x.dtype.kind not in "biu" and (is_none := np.isnan(x)).any():
            x = np.where(is_none, x.dtype.type(worst), x)
        is_last = axis in (-1, x.ndim - 1) and x.size >= x.shape[-1] * _MANY
        columns = columns_of(x) if is_last else None
        if columns is None:
            return np.asarray(function(x, axis=axis)).astype(output_type.np_dtype)
        return first_best(columns, is_better).astype(output_type.np_dtype).reshape(x.shape[:-1])

    return kernel


def _arg_infer(x: TensorSpec, *, axis: int, output_type: DType) -> TensorSpec:
    infer.check_rank_at_least(x, 1)
    if x.shape.rank is not None and x.shape[infer.axis_of(axis, x.shape.rank)] == 0:
        raise ShapeError(
            f"axis {axis} of shape {x.shape} is empty: it has no largest or smallest element"
        )
    return TensorSpec(infer.reduced_shape(x.shape, (axis,), False), output_type)


def _reduces(
    name: str,
    kernel: Any,
    kinds: str,
    tensorflow_name: str = "",
    grad: Any = None,
    dtype: DType | None = None,
) -> Op:
    inferred = infer.reduced(dtype)
    return define(name, kernel, inferred, kinds=kinds, grad=grad, tensorflow_name=tensorflow_name)


SUM = _reduces("reduce_sum", _sum, "iufc", "Sum", grad=backward.SUM)
MEAN = _reduces("reduce_mean", _mean, "iufc", "Mean", grad=backward.MEAN)
PROD = _reduces("reduce_prod", _prod, "iufc", "Prod", grad=backward.PROD)
MAX = _reduces("reduce_max", _extreme(np.maximum, "min"), "iuf", "Max", grad=backward.EXTREME)
MIN = _reduces("reduce_min", _extreme(np.minimum, "max"), "iuf", "Min", grad=backward.EXTREME)
ANY = _reduces("reduce_any", np.any, "b", "Any")
ALL = _reduces("reduce_all", np.all, "b", "All")
LOGSUMEXP = _reduces("reduce_logsumexp", _logsumexp, "f", grad=backward.LOGSUMEXP)
VARIANCE = _reduces("reduce_variance", _variance, "f", grad=backward.VARIANCE)
STD = _reduces("reduce_std", _std, "f", grad=backward.STD)
COUNT_NONZERO = _reduces("count_nonzero", _count_nonzero, "biufcO")
ARGMAX = define(
    "argmax",
    _arg(np.argmax, np.greater, -np.inf),
    _arg_infer,
    kinds="biuf",
    tensorflow_name="ArgMax",
)
ARGMIN = define(
    "argmin",
    _arg(np.argmin, np.less, np.inf),
    _arg_infer,
    kinds="biuf",
    tensorflow_name="ArgMin",
)


def reduce_sum(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the sum along `axis` (None: all axes), in the dtype of the input.

    >>> reduce_sum([[1, 2], [3, 4]], axis=0)
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([4, 6], dtype=int32)>
    """
    return _reduced(SUM, input_tensor, axis, keepdims)


def reduce_mean(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the mean along `axis`; for integers an integer, truncated towards zero.

    >>> reduce_mean([1, 2, 4])
    <rt.Tensor: shape=(), dtype=int32, numpy=2>
    >>> reduce_mean([1.0, 2.0, 4.5])
    <rt.Tensor: shape=(), dtype=float32, numpy=2.5>
    """
    return _reduced(MEAN, input_tensor, axis, keepdims)


def reduce_prod(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the product along `axis`.

    >>> reduce_prod([2, 3, 4])
    <rt.Tensor: shape=(), dtype=int32, numpy=24>
    """
    return _reduced(PROD, input_tensor, axis, keepdims)


def reduce_max(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the largest element along `axis`; for no elements -inf, or the lowest integer.

    >>> reduce_max([[1, 5], [7, 2]], axis=1)
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([5, 7], dtype=int32)>
    """
    return _reduced(MAX, input_tensor, axis, keepdims)


def reduce_min(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the smallest element along `axis`; for no elements inf, or the highest integer.

    >>> reduce_min([3, 1, 2])
    <rt.Tensor: shape=(), dtype=int32, numpy=1>
    """
    return _reduced(MIN, input_tensor, axis, keepdims)


def reduce_any(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return whether any bool along `axis` is true.

    >>> reduce_any([False, True])
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    return _reduced(ANY, input_tensor, axis, keepdims)


def reduce_all(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return whether every bool along `axis` is true.

    >>> reduce_all([False, True])
    <rt.Tensor: shape=(), dtype=bool, numpy=False>
    """
    return _reduced(ALL, input_tensor, axis, keepdims)


def reduce_logsumexp(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return log(sum(exp(x))) along `axis`, computed without overflow; floats only.

    >>> reduce_logsumexp([1000.0])
    <rt.Tensor: shape=(), dtype=float32, numpy=1000.0>
    """
    return _reduced(LOGSUMEXP, input_tensor, axis, keepdims)


def reduce_variance(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the mean squared distance from the mean along `axis`; floats only.

    >>> reduce_variance([1.0, 3.0])
    <rt.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return _reduced(VARIANCE, input_tensor, axis, keepdims)


def reduce_std(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the square root of the variance along `axis`; floats only.

    >>> reduce_std([1.0, 3.0])
    <rt.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return _reduced(STD, input_tensor, axis, keepdims)


def count_nonzero(
    input: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = int64,
    name: str | None = None,
) -> Tensor:
    """Return the number of elements along `axis` that are not 0 (not empty, for strings).

    >>> count_nonzero([0, 3, 0, 4])
    <rt.Tensor: shape=(), dtype=int64, numpy=2>
    """
    return _reduced(
        COUNT_NONZERO, input, axis, flag(keepdims, "keepdims"), output_type=as_dtype(dtype)
    )


def argmax(
    input: TensorLike,
    axis: SupportsIndex | None = None,
    output_type: DTypeLike = int64,
    name: str | None = None,
) -> Tensor:
    """Return the index of the first largest element along `axis`, 0 by default.

    >>> argmax([1, 9, 3])
    <rt.Tensor: shape=(), dtype=int64, numpy=1>
    """
    return _searched(ARGMAX, input, axis, output_type)


def argmin(
    input: TensorLike,
    axis: SupportsIndex | None = None,
    output_type: DTypeLike = int64,
    name: str | None = None,
) -> Tensor:
    """Return the index of the first smallest element along `axis`, 0 by default.

    >>> argmin([4, 9, 3])
    <rt.Tensor: shape=(), dtype=int64, numpy=2>
    """
    return _searched(ARGMIN, input, axis, output_type)


def _reduced(op: Op, x: Any, axis: Any, keepdims: bool, **attrs: Any) -> Tensor:
    tensor = to_tensor(x)
    if type(keepdims) is type(axis) is int:
        # It is meant as a second axis.
        several = f"axis=({axis}, {keepdims}) for two axes"
        raise DTypeError(f"keepdims must be True or False, not {keepdims}: write {several}")
    result: Tensor = apply(
        op, (tensor,), axis=static_axes(axis), keepdims=flag(keepdims, "keepdims"), **attrs
    )
    return result


def _searched(op: Op, x: Any, axis: Any, output_type: Any) -> Tensor:
    along = 0 if axis is None else static_int(axis, "axis")
    result: Tensor = apply(op, (to_tensor(x),), axis=along, output_type=as_dtype(output_type))
    return result
