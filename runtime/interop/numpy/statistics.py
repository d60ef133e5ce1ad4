"""NumPy's functions of sorted data, of averages and of sampled curves.

np.median(x)    ->    the element in the middle of rt.sort(x)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import as_dtype, float64, int32, int64
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, ShapeError
from runtime.interop.numpy.conversion import promoted, tensor_of
from runtime.interop.numpy.functions import as_floating, flat, implements, in_sum_dtype
from runtime.interop.numpy.matrices import moved
from runtime.ops.arrays import histograms, padding, searching
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import (
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_sum,
)
from runtime.ops.arrays.shape import expand_dims, reshape, shape
from runtime.ops.arrays.sorting import sort
from runtime.ops.convert import strong_cast
from runtime.ops.elementwise import unary
from runtime.ops.elementwise.arithmetic import clip_by_value, maximum, minimum, multiply
from runtime.ops.elementwise.comparison import equal, less_equal
from runtime.ops.elementwise.complex_numbers import conj
from runtime.ops.elementwise.logic import logical_not
from runtime.ops.elementwise.selection import where
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.matrices import transpose

# -- sorted data -----------------------------------------------------------------------------------


@implements(np.searchsorted)
def _searchsorted(a: Any, v: Any, side: str = "left") -> Tensor:
    places, values = promoted(a, v)
    found = searching.searchsorted(places, reshape(values, [-1]), side, int64)
    return reshape(found, shape(values))


@implements(np.digitize)
def _digitize(x: Any, bins: Any, right: bool = False) -> Tensor:
    return _searchsorted(bins, x, "left" if right else "right")


@implements(np.isin)
def _isin(element: Any, test_elements: Any, invert: bool = False) -> Tensor:
    x, several = promoted(element, test_elements)
    found = reduce_any(equal(expand_dims(x, -1), reshape(several, [-1])), -1)
    return logical_not(found) if invert else found


@implements(np.argwhere)
def _argwhere(a: Any) -> Any:
    return where(strong_cast(tensor_of(a), as_dtype(bool)))


@implements(np.bincount)
def _bincount(x: Any, weights: Any = None, minlength: int = 0) -> Tensor:
    values = strong_cast(tensor_of(x), int32)
    given = None if weights is None else strong_cast(tensor_of(weights), float64)
    counts = histograms.bincount(
        values, given, minlength, dtype=int64 if given is None else float64
    )
    return strong_cast(counts, int64) if given is None else counts


@implements(np.quantile)
def _quantile(a: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the elements at shares of the sorted data, interpolated between two neighbours."""
    given, share = tensor_of(a), tensor_of(q)
    sample = 0.5 if isinstance(q, float) else np.zeros((), share.dtype.np_dtype)
    dtype = as_dtype(np.quantile(np.ones(1, given.dtype.np_dtype), sample).dtype)
    tensor, along = flat(given, axis)
    ordered: Any = sort(moved(strong_cast(tensor, dtype), along, 0), 0)
    last: Any = strong_cast(shape(ordered)[0] - 1, dtype)
    place: Any = strong_cast(share, dtype) * last
    low = unary.floor(place)
    below: Any = gather(ordered, strong_cast(low, int64))
    above: Any = gather(ordered, strong_cast(unary.ceil(place), int64))
    weight = place - low
    for _ in ordered.shape[1:]:
        weight = expand_dims(weight, -1)
    result = below + (above - below) * weight
    # A NaN is the last one of the sorted data.
    result = where(unary.is_nan(ordered[-1]), dtype.np_dtype.type(np.nan), result)
    if not keepdims:
        return result
    axes = range(len(given.shape)) if axis is None else [axis]
    for each in sorted(each % len(given.shape) for each in axes):
        result = expand_dims(result, each + len(place.shape))
    return result


@implements(np.percentile)
def _percentile(a: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    share: Any = q / 100.0 if isinstance(q, (int, float)) else as_floating(q) / 100.0
    return _quantile(a, share, axis, keepdims)


@implements(np.median)
def _median(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return _quantile(a, 0.5, axis, keepdims)


# -- averages --------------------------------------------------------------------------------------


@implements(np.average)
def _average(a: Any, axis: Any = None, weights: Any = None, keepdims: bool = False) -> Tensor:
    if weights is None:
        return reduce_mean(as_floating(a), axis, keepdims)
    x, given = map(as_floating, promoted(a, weights))
    if len(given.shape) < len(x.shape):
        given = moved(reshape(given, [-1, *[1] * (len(x.shape) - 1)]), 0, axis)
    values: Any = reduce_sum(x * given, axis, keepdims)
    return values / reduce_sum(x * 0 + given, axis, keepdims)


@implements(np.cov)
def _cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None) -> Any:
    parts = [_rows_of(each, rowvar) for each in (m, y) if each is not None]
    rows: Any = concat(parts, 0)
    centred = rows - reduce_mean(rows, 1, keepdims=True)
    freedom = (0 if bias else 1) if ddof is None else ddof
    count: Any = strong_cast(shape(rows)[1] - freedom, rows.dtype)
    found = centred @ conj(transpose(centred)) / count
    return reshape(found, []) if found.shape == (1, 1) else found


def _rows_of(a: Any, rowvar: bool) -> Tensor:
    x: Any = tensor_of(a)
    x = strong_cast(x, as_dtype(np.result_type(x.dtype.np_dtype, np.float64)))
    if len(x.shape) < 2:
        return reshape(x, [1, -1])
    return x if rowvar else transpose(x)


@implements(np.corrcoef)
def _corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Tensor:
    found = _cov(x, y, rowvar)
    if len(found.shape) == 0:
        return found / found
    spread: Any = unary.sqrt(diag_part(found))
    return clip_by_value(found / spread[:, None] / spread[None, :], -1.0, 1.0)


@implements(np.nansum)
def _nansum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    x = in_sum_dtype(a, dtype)
    return reduce_sum(_nan_to(x, 0), axis, keepdims)


@implements(np.nanmean)
def _nanmean(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    x = as_floating(a)
    total: Any = reduce_sum(_nan_to(x, 0), axis, keepdims)
    return total / reduce_sum(strong_cast(logical_not(unary.is_nan(x)), x.dtype), axis, keepdims)


@implements(np.nanmax)
def _nanmax(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return _nan_extreme(reduce_max, a, -np.inf, axis, keepdims)


@implements(np.nanmin)
def _nanmin(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    return _nan_extreme(reduce_min, a, np.inf, axis, keepdims)


def _nan_extreme(function: Any, a: Any, instead: float, axis: Any, keepdims: bool) -> Tensor:
    x = tensor_of(a)
    if not x.dtype.is_floating:
        return function(x, axis, keepdims)
    nothing = reduce_all(unary.is_nan(x), axis, keepdims)
    found = function(_nan_to(x, instead), axis, keepdims)
    return where(nothing, x.dtype.np_dtype.type(np.nan), found)


def _nan_to(x: Tensor, number: Any) -> Tensor:
    if not x.dtype.is_floating:
        return x
    return where(unary.is_nan(x), x.dtype.np_dtype.type(number), x)


@implements(np.nan_to_num)
def _nan_to_num(x: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor:
    tensor: Any = tensor_of(x)
    if not tensor.dtype.is_floating:
        return tensor
    limits, kind = np.finfo(tensor.dtype.np_dtype), tensor.dtype.np_dtype.type
    found = _nan_to(tensor, nan)
    found = where(
        equal(tensor, kind(np.inf)), kind(limits.max if posinf is None else posinf), found
    )
    low = limits.min if neginf is None else neginf
    return where(equal(tensor, kind(-np.inf)), kind(low), found)


# -- sampled curves --------------------------------------------------------------------------------


@implements(np.interp)
def _interp(x: Any, xp: Any, fp: Any) -> Tensor:
    at, places, values = (strong_cast(tensor_of(each), float64) for each in (x, xp, fp))
    if len(places.shape) != 1:
        raise ShapeError(f"np.interp: xp must have one axis, not shape {places.shape}")
    count: Any = strong_cast(shape(places)[0], int64)
    right: Any = clip_by_value(_searchsorted(places, at, "right"), 1, count - 1)
    begin: Any = gather(places, right - 1)
    low: Any = gather(values, right - 1)
    slope = (gather(values, right) - low) / (gather(places, right) - begin)
    inside = clip_by_value(at, places[0], places[-1])
    return low + slope * (inside - begin)


@implements(np.trapezoid)
def _trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Tensor:
    heights: Any = moved(as_floating(y), axis, -1)
    middle = (heights[..., 1:] + heights[..., :-1]) / 2.0
    if x is None:
        return reduce_sum(middle * dx, -1)
    places: Any = as_floating(x)
    if len(places.shape) > 1:
        places = moved(places, axis, -1)
    areas, widths = promoted(middle, places[..., 1:] - places[..., :-1])
    return reduce_sum(multiply(areas, widths), -1)


@implements(np.gradient)
def _gradient(f: Any, dx: Any = 1.0) -> Tensor:
    x: Any = as_floating(f)
    if len(x.shape) != 1:
        raise ShapeError(f"np.gradient: f must have one axis, not shape {x.shape}")
    steps = [x[1:2] - x[:1], (x[2:] - x[:-2]) / 2.0, x[-1:] - x[-2:-1]]
    return concat(steps, 0) / dx


@implements(np.convolve)
def _convolve(a: Any, v: Any, mode: str = "full") -> Tensor:
    """Return the sums of the products whose positions have one sum.

    In the products, a row for each element of `a`, the rows of a matrix one column wider than the
    result are shifted by one each.
    """
    x, y = promoted(a, v)
    first: Any = shape(x)[0]
    second: Any = shape(y)[0]
    products = padding.pad(expand_dims(x, 1) * expand_dims(y, 0), [[0, 0], [0, first]])
    width = first + second - 1
    rows = reshape(reshape(products, [-1])[: first * width], [first, width])
    return _part(reduce_sum(rows, 0), mode, minimum(first, second), maximum(first, second), 1)


def _part(full: Any, mode: str, short: Any, long: Any, less: Any) -> Tensor:
    """Return the part of a full convolution where the shorter curve is inside, or the middle."""
    if mode not in ("full", "valid", "same"):
        raise ArgumentValueError(f"mode must be 'full', 'valid' or 'same', not {mode!r}")
    if mode == "valid":
        return full[short - 1 : long]
    begin = (short - less) // 2
    return full if mode == "full" else full[begin : begin + long]


@implements(np.correlate)
def _correlate(a: Any, v: Any, mode: str = "valid") -> Tensor:
    other: Any = tensor_of(v)
    first, second = shape(tensor_of(a))[0], shape(other)[0]
    sizes = minimum(first, second), maximum(first, second)
    # The middle of an even number of elements is on the other side where `a` is the shorter one.
    is_less = strong_cast(less_equal(second, first), first.dtype)
    return _part(_convolve(a, conj(other[::-1])), mode, *sizes, is_less)
