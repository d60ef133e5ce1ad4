"""Reductions, cumulative sums, quantiles and histograms of `keras.ops`."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import choice, flag, shown
from runtime.core.dtypes import DTypeLike
from runtime.core.lazy_imports import own_names
from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.ops.elementwise import floating
from runtime.nn.ops.numpy_functions import of_numpy
from runtime.ops.arguments import static_int
from runtime.ops.arrays import reduction
from runtime.ops.arrays.creation import one_hot as hot
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.cumulative import cumprod as products_along
from runtime.ops.arrays.cumulative import cumsum as sums_along
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import (
    reduce_all,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from runtime.ops.arrays.searching import searchsorted
from runtime.ops.arrays.shape import expand_dims, reshape, squeeze
from runtime.ops.arrays.shape import shape as sizes_of
from runtime.ops.arrays.sorting import sort
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import (
    add,
    divide,
    floordiv,
    maximum,
    multiply,
    pow,
    subtract,
)
from runtime.ops.elementwise.comparison import equal, less
from runtime.ops.elementwise.logic import logical_and, logical_not, logical_or
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import abs, ceil, floor, is_nan, sqrt, square
from runtime.ops.infer import axis_of
from runtime.ops.linalg.matrices import transpose


def mean(x: TensorLike, axis: AxisLike | None = None, keepdims: bool = False) -> Tensor:
    """Return the mean along axes; integers and bools give float32.

    >>> float(mean([1, 2]))
    1.5
    """
    values = to_tensor(x)
    whole = values.dtype.is_integer or values.dtype.is_bool
    return reduction.reduce_mean(cast(values, "float32") if whole else values, axis, keepdims)


def argmax(x: TensorLike, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the index of the largest element along an axis, or in the flat tensor.

    >>> int(argmax([[1, 5], [7, 2]]))
    2
    """
    return _place(reduction.argmax, x, axis, keepdims)


def argmin(x: TensorLike, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the index of the smallest element; see `argmax`.

    >>> int(argmin([[1, 5], [7, 2]]))
    0
    """
    return _place(reduction.argmin, x, axis, keepdims)


def _place(find: Any, x: Any, axis: int | None, keepdims: bool) -> Any:
    values: Any = to_tensor(x)
    rank = values.shape.rank
    flat = reshape(values, [-1]) if axis is None else values
    found = find(flat, 0 if axis is None else axis, "int32")
    if not flag(keepdims, "keepdims"):
        return found
    ones = sizes_of(reduction.reduce_max(values, axis, keepdims=True))
    return found if rank == 0 else reshape(found, ones)


def count_nonzero(x: TensorLike, axis: AxisLike | None = None) -> Tensor:
    """Return the number of elements that are not zero, as int32.

    >>> print(count_nonzero([1, 0, 3]))
    rt.Tensor(2, shape=(), dtype=int32)
    """
    return reduction.count_nonzero(to_tensor(x), axis, dtype="int32")


def cumsum(x: TensorLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """Return the running sums along an axis, or of the flat tensor.

    >>> cumsum([[1, 2], [3, 4]]).numpy().tolist()
    [1, 3, 6, 10]
    """
    values = to_tensor(x) if dtype is None else cast(x, dtype)
    return sums_along(reshape(values, [-1]), 0) if axis is None else sums_along(values, axis)


def cumprod(x: TensorLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """Return the running products along an axis, or of the flat tensor.

    >>> cumprod([[1, 2], [3, 4]]).numpy().tolist()
    [1, 2, 6, 24]
    """
    values = to_tensor(x) if dtype is None else cast(x, dtype)
    return (
        products_along(reshape(values, [-1]), 0) if axis is None else products_along(values, axis)
    )


def average(
    x: TensorLike, axis: AxisLike | None = None, weights: TensorLike | None = None
) -> Tensor:
    """Return the weighted mean along axes.

    >>> float(average([1.0, 3.0], weights=[3.0, 1.0]))
    1.5
    """
    values = floating(x)
    if weights is None:
        return reduce_mean(values, axis)
    counts: Any = cast(to_tensor(weights), values.dtype)
    if axis is not None and counts.ndim == 1 != values.ndim:
        dims = [1] * values.ndim
        dims[static_int(axis, "axis")] = -1
        counts = reshape(counts, dims)
    counts = multiply(ones_like(values), counts)
    return divide(reduce_sum(multiply(values, counts), axis), reduce_sum(counts, axis))


def quantile(
    x: TensorLike,
    q: TensorLike,
    axis: AxisLike | None = None,
    method: str = "linear",
    keepdims: bool = False,
) -> Tensor:
    """Return the quantiles `q` along axes.

    Args:
        q: a fraction from 0 to 1, or a vector of them, along the first axis of the result.
        method: the interpolation between two numbers: "linear", "lower", "higher", "nearest" or
            "midpoint".

    >>> float(quantile([1.0, 2.0, 3.0, 4.0], 0.5))
    2.5
    """
    how = choice(method, "method", ("linear", "lower", "higher", "nearest", "midpoint"))
    values = floating(x)
    axes = _axes(axis, values.ndim)
    rows = sort(_last(values, axes), -1)
    shares: Any = cast(to_tensor(q), values.dtype)
    last = cast(subtract(sizes_of(rows)[-1], 1), values.dtype)
    found = _between(rows, multiply(reshape(shares, [-1]), last), how)
    # NaN is sorted last; then every quantile is NaN.
    found = where(is_nan(rows[..., -1]), cast(float("nan"), values.dtype), found)
    if flag(keepdims, "keepdims"):
        for each in axes:
            found = expand_dims(found, each + 1)
    return squeeze(found, 0) if shares.ndim == 0 else found


def _between(rows: Any, places: Any, how: str) -> Any:
    """Return the values of sorted rows at fractional positions, one row for each position."""
    below, above = floor(places), ceil(places)
    if how == "nearest":
        # A position halfway between two elements is rounded to the even one.
        half = subtract(places, below)
        is_even = equal(multiply(floordiv(below, 2.0), 2.0), below)
        down = logical_or(less(half, 0.5), logical_and(equal(half, 0.5), is_even))
        below = above = where(down, below, above)
    share: Any = subtract(places, below)
    if how in ("lower", "higher"):
        share = zeros_like(share) if how == "lower" else ones_like(share)
    if how == "midpoint":
        share = where(equal(below, above), zeros_like(share), 0.5 * ones_like(share))
    first, second = (gather(rows, cast(at, "int32"), axis=-1) for at in (below, above))
    found = add(first, multiply(subtract(second, first), share))
    return _first(found)


def _first(x: Any) -> Any:
    """Return a tensor with the last axis moved to the front."""
    return transpose(x, [x.ndim - 1, *range(x.ndim - 1)])


def _axes(axis: Any, rank: int) -> list[int]:
    if axis is None:
        return list(range(rank))
    given = axis if isinstance(axis, (list, tuple)) else (axis,)
    return sorted(static_int(each, "axis") % rank for each in given)


def _last(x: Any, axes: list[int]) -> Any:
    """Return a tensor with some of its axes merged into one, the last."""
    others = [at for at in range(x.ndim) if at not in axes]
    moved: Any = transpose(x, [*others, *axes])
    sizes = sizes_of(moved)
    return reshape(moved, [*(sizes[at] for at in range(len(others))), -1])


def percentile(
    x: TensorLike,
    q: TensorLike,
    axis: AxisLike | None = None,
    method: str = "linear",
    keepdims: bool = False,
) -> Tensor:
    """Return the percentiles `q` along axes; see `quantile`.

    >>> float(percentile([1.0, 2.0, 3.0, 4.0], 50))
    2.5
    """
    return quantile(x, divide(floating(q), 100.0), axis, method, keepdims)


def median(x: TensorLike, axis: AxisLike | None = None, keepdims: bool = False) -> Tensor:
    """Return the median along axes; of an even number of elements the mean of the middle two.

    >>> float(median([3.0, 1.0, 2.0]))
    2.0
    """
    return quantile(x, 0.5, axis, "linear", keepdims)


def nansum(x: TensorLike, axis: AxisLike | None = None, keepdims: bool = False) -> Tensor:
    """Return the sums of the elements that are not NaN.

    >>> float(nansum([1.0, float("nan")]))
    1.0
    """
    return reduce_sum(nan_to_zero(x), axis, keepdims)


def nanprod(x: TensorLike, axis: AxisLike | None = None, keepdims: bool = False) -> Tensor:
    """Return the products of the elements that are not NaN.

    >>> float(nanprod([2.0, float("nan")]))
    2.0
    """
    values = floating(x)
    return reduce_prod(where(is_nan(values), ones_like(values), values), axis, keepdims)


def nan_to_zero(x: TensorLike) -> Tensor:
    """Return a tensor with 0 in place of NaN.

    >>> nan_to_zero([1.0, float("nan")]).numpy().tolist()
    [1.0, 0.0]
    """
    values: Any = to_tensor(x)
    if not values.dtype.is_floating:
        return values
    return where(is_nan(values), zeros_like(values), values)


def nanmean(x: TensorLike, axis: AxisLike | None = None, keepdims: bool = False) -> Tensor:
    """Return the means of the elements that are not NaN.

    >>> float(nanmean([1.0, 3.0, float("nan")]))
    2.0
    """
    values = floating(x)
    count = reduce_sum(cast(logical_not(is_nan(values)), values.dtype), axis, keepdims)
    return divide(nansum(values, axis, keepdims), count)


def nanvar(x: TensorLike, axis: AxisLike | None = None, keepdims: bool = False) -> Tensor:
    """Return the variance of the elements that are not NaN.

    >>> float(nanvar([1.0, 3.0, float("nan")]))
    1.0
    """
    values = floating(x)
    return nanmean(square(subtract(values, nanmean(values, axis, True))), axis, keepdims)


def nanstd(x: TensorLike, axis: AxisLike | None = None, keepdims: bool = False) -> Tensor:
    """Return the root of `nanvar`.

    >>> float(nanstd([1.0, 3.0, float("nan")]))
    1.0
    """
    return sqrt(nanvar(x, axis, keepdims))


def nanmax(x: TensorLike, axis: AxisLike | None = None, keepdims: bool = False) -> Tensor:
    """Return the largest of the elements that are not NaN, or NaN if there are none.

    >>> float(nanmax([1.0, float("nan")]))
    1.0
    """
    return _extreme(reduce_max, "-inf", x, axis, keepdims)


def nanmin(x: TensorLike, axis: AxisLike | None = None, keepdims: bool = False) -> Tensor:
    """Return the smallest of the elements that are not NaN, or NaN if there are none.

    >>> float(nanmin([1.0, float("nan")]))
    1.0
    """
    return _extreme(reduce_min, "inf", x, axis, keepdims)


def _extreme(function: Any, least: str, x: Any, axis: Any, keepdims: bool) -> Any:
    values: Any = to_tensor(x)
    if not values.dtype.is_floating:
        return function(values, axis, keepdims)
    filled = where(is_nan(values), cast(float(least), values.dtype), values)
    is_none = reduce_all(is_nan(values), axis, keepdims)
    found = function(filled, axis, keepdims)
    return where(is_none, cast(float("nan"), values.dtype), found)


def normalize(
    x: TensorLike, axis: AxisLike = -1, order: TensorLike = 2, epsilon: TensorLike | None = None
) -> Tensor:
    """Return numbers divided by their norm along an axis, or by `epsilon` if that is larger.

    >>> print(normalize([3.0, 4.0]))
    rt.Tensor([0.6 0.8], shape=(2,), dtype=float32)
    """
    values = floating(x)
    least = 1e-7 if epsilon is None else epsilon
    size = abs(values)
    if isinstance(order, (int, float, str)) and order in (float("inf"), "inf"):
        norm = reduce_max(size, axis, True)
    elif isinstance(order, (int, float)) and order > 0:
        norm = pow(reduce_sum(pow(size, float(order)), axis, True), 1.0 / order)
    else:
        raise ArgumentValueError(f"normalize: order must be a number above 0, not {shown(order)}")
    return divide(values, maximum(norm, cast(least, values.dtype)))


def trapezoid(
    y: TensorLike, x: TensorLike | None = None, dx: TensorLike = 1.0, axis: int = -1
) -> Tensor:
    """Return integrals along an axis by the trapezoidal rule.

    Args:
        x: the positions of the values; by default they are `dx` apart.

    >>> float(trapezoid([1.0, 2.0, 3.0]))
    4.0
    """
    values = floating(y)
    at = axis_of(static_int(axis, "axis"), values.ndim)
    before, after = _neighbours(values, at)
    widths: Any = cast(dx, values.dtype)
    if x is not None:
        places: Any = cast(to_tensor(x), values.dtype)
        first, second = _neighbours(places, at if places.ndim > 1 else 0)
        widths = subtract(second, first)
        if places.ndim == 1:
            widths = reshape(widths, [-1] + [1] * (values.ndim - at - 1))
    return reduce_sum(multiply(multiply(add(before, after), 0.5), widths), at)


def _neighbours(x: Any, axis: int) -> tuple[Any, Any]:
    """Return all elements but the last, and all but the first, along an axis."""
    ahead = (slice(None),) * axis
    return x[(*ahead, slice(None, -1))], x[(*ahead, slice(1, None))]


def digitize(x: TensorLike, bins: TensorLike) -> Tensor:
    """Return the index of the bin of each element, as int32; `bins` are increasing edges.

    >>> digitize([0.5, 1.0, 3.0], [0.0, 1.0, 2.0]).numpy().tolist()
    [1, 2, 3]
    """
    values, edges = floating(x), cast(floating(bins), floating(x).dtype)
    found = searchsorted(edges, reshape(values, [-1]), side="right")
    return reshape(cast(found, "int32"), sizes_of(values))


def histogram(
    x: TensorLike, bins: int = 10, range: TensorLike | None = None
) -> tuple[Tensor, Tensor]:
    """Return the counts of elements in bins of equal width, as floats, and the edges of the bins.

    >>> [each.numpy().tolist() for each in histogram([1.0, 2.0, 2.0], 2)]
    [[1.0, 2.0], [1.0, 1.5, 2.0]]
    """
    values: Any = reshape(to_tensor(x), [-1])
    count = static_int(bins, "bins")
    floats = floating(values)
    ends = (reduce_min(floats), reduce_max(floats)) if range is None else range
    if not isinstance(ends, (tuple, list)) or len(ends) != 2:
        raise ArgumentValueError(f"range must be the lowest and the highest number, not {ends}")
    low, high = ends
    low, high = (cast(to_tensor(each), floats.dtype) for each in (low, high))
    steps = cast(numbers(count + 1), floats.dtype)
    edges = add(low, multiply(steps, subtract(high, low) / float(count)))
    place = searchsorted(edges, floats, side="right") - 1
    # The last bin includes its upper edge.
    place = place - cast(floats >= high, place.dtype) * cast(floats <= high, place.dtype)
    inside = hot(place, count, dtype=floats.dtype)
    return reduce_sum(inside, 0), edges


diff = of_numpy("diff")
ptp = of_numpy("ptp")


__dir__ = own_names(__name__, "diff", "ptp")
