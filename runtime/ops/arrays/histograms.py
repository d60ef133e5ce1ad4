"""Counts: `bincount`, `confusion_matrix` and fixed-width histograms."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag
from runtime.core.dtypes import DTypeLike, as_dtype, float32, float64, int32, int64
from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arguments import static_value
from runtime.ops.arrays.concatenation import concat, stack
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.creation import range as counted
from runtime.ops.arrays.reduction import reduce_max
from runtime.ops.arrays.scatter import scatter_nd
from runtime.ops.arrays.segments import unsorted_segment_sum
from runtime.ops.arrays.shape import ensure_shape, expand_dims, of_rank, reshape, shape, squeeze
from runtime.ops.constant import cast
from runtime.ops.convert import matched, strong_cast, to_tensor
from runtime.ops.effects.assertions import assert_equal, assert_less, assert_non_negative
from runtime.ops.elementwise.arithmetic import clip_by_value, maximum, minimum
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import floor

_COUNTS = (int32, int64, float32, float64)


def bincount(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: TensorLike | None = None,
    maxlength: TensorLike | None = None,
    dtype: DTypeLike = int32,
    name: str | None = None,
    axis: AxisLike | None = None,
    binary_output: bool = False,
) -> Tensor:
    """Return the counts of 0, 1, 2, ... among integers, up to the largest of them.

    Args:
        arr: non-negative integers.
        weights: the weight of each element, in the shape of `arr`; the result has their dtype.
        minlength: the minimum length of the result.
        maxlength: the maximum length; larger numbers are omitted.
        dtype: int32, int64, float32 or float64, if there are no weights.
        axis: None or 0 to count all elements; -1 to count each row of a matrix.
        binary_output: whether to return 1, not the count, for numbers that occur.

    Raises:
        InvalidArgumentError: a number is negative, or there are weights with `binary_output`.
        ShapeError: `axis` is -1, and the numbers are no vector or matrix.

    >>> print(bincount([1, 1, 3]))
    rt.Tensor([0 2 0 1], shape=(4,), dtype=int32)
    """
    if not (axis is None or isinstance(axis, int)) or axis not in (None, 0, -1):
        raise ArgumentValueError(f"axis of bincount must be None, 0 or -1, not {axis!r}")
    as_truths = flag(binary_output, "binary_output")
    if weights is not None and as_truths:
        raise ArgumentValueError("bincount takes weights or binary_output, not both")
    numbers = _whole(arr, "arr")
    data: Any = _counting_as(numbers, weights, as_dtype(dtype))
    assert_non_negative(numbers, "arr of bincount")
    rows_known = numbers.shape.rank
    if axis == -1 and rows_known not in (1, 2):
        raise ShapeError(f"axis=-1 needs a matrix, not shape {numbers.shape}")
    by_row = axis == -1 and rows_known == 2
    length = _length(numbers, minlength, maxlength)
    kept: Any = where(numbers < length, numbers, -1)
    if by_row:
        rows: Any = shape(numbers, out_type=kept.dtype)[0]
        kept = where(kept < 0, kept, kept + expand_dims(counted(rows) * length, 1))
        found = reshape(_summed(data, kept, rows * length), stack([rows, length]))
    else:
        found = _summed(data, kept, length)
    return cast(found > 0, found.dtype) if as_truths else found


def _whole(value: Any, what: str) -> Tensor:
    tensor = to_tensor(value)
    if tensor.dtype.is_floating:
        # Fractions are cut off, as in TensorFlow.
        tensor = cast(tensor, int32)
    if not tensor.dtype.is_integer:
        raise DTypeError(f"{what} must be integers, not {tensor.dtype.name}")
    return tensor if tensor.dtype in (int32, int64) else cast(tensor, int64)


def _counting_as(numbers: Tensor, weights: Any, dtype: Any) -> Tensor:
    if weights is None:
        if dtype not in _COUNTS:
            raise DTypeError(f"counts must be int32, int64, float32 or float64, not {dtype.name}")
        return ones_like(numbers, dtype)
    data = to_tensor(weights)
    if data.dtype not in _COUNTS:
        raise DTypeError(f"weights must be int32, int64, float32 or float64, not {data.dtype.name}")
    if not data.shape.is_compatible_with(numbers.shape):
        raise ShapeError(f"weights must have the shape of arr, {numbers.shape}, not {data.shape}")
    return data


def _length(numbers: Tensor, least: Any, most: Any) -> Any:
    length, shortest = _one_more(numbers), None
    if least is not None:
        shortest = _number(least, numbers.dtype, "minlength")
        length = maximum(length, shortest)
    if most is not None:
        limit = _number(most, numbers.dtype, "maxlength")
        assert_non_negative(limit, "maxlength of bincount")
        low, high = static_value(shortest), static_value(limit)
        if low is not None and high is not None and low >= high:
            return limit
        length = minimum(length, limit)
    return length


def _number(value: Any, dtype: Any, what: str) -> Tensor:
    tensor = to_tensor(value)
    if not tensor.dtype.is_integer or tensor.shape.rank not in (None, 0):
        raise ArgumentValueError(
            f"{what} must be one integer, not {tensor.dtype.name} of {tensor.shape}"
        )
    return strong_cast(of_rank(tensor, 0), dtype)


def _one_more(*numbers: Tensor) -> Any:
    """Return the largest number plus one, 0 if there are no numbers."""
    flat = [reshape(each, [-1]) for each in numbers]
    largest: Any = reduce_max(concat([*flat, to_tensor([-1], numbers[0].dtype)], 0))
    return largest + 1


def _summed(data: Tensor, numbers: Tensor, count: Any) -> Tensor:
    return unsorted_segment_sum(reshape(data, [-1]), reshape(numbers, [-1]), count)


def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: TensorLike | None = None,
    weights: TensorLike | None = None,
    dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """Return the confusion matrix: rows are labels, columns predictions.

    Args:
        labels, predictions: vectors of class numbers.
        num_classes: the number of classes; by default the largest number plus one.
        weights: the weight of each element, by default 1.

    Raises:
        InvalidArgumentError: a number is negative or too large.
        ShapeError: labels, predictions and weights differ in length, or are no vectors.
        DTypeError: `dtype` is not one of numbers.

    >>> confusion_matrix([0, 1, 1], [0, 0, 1]).numpy().tolist()
    [[1, 0], [1, 1]]
    """
    labelled, predicted = (cast(_flat(each), int64) for each in (labels, predictions))
    if not labelled.shape.is_compatible_with(predicted.shape):
        raise ShapeError(
            f"labels of shape {labelled.shape} and predictions of {predicted.shape} must have one "
            "shape"
        )
    for each, what in ((labelled, "labels"), (predicted, "predictions")):
        assert_non_negative(each, f"{what} of confusion_matrix")
    if num_classes is None:
        count = _one_more(labelled, predicted)
    else:
        count = _number(num_classes, int64, "num_classes")
        for each, what in ((labelled, "labels"), (predicted, "predictions")):
            assert_less(each, count, f"{what} of confusion_matrix")
    wanted = as_dtype(dtype)
    if wanted.kind not in "iufc":
        raise DTypeError(f"dtype of confusion_matrix must be numeric, not {wanted.name}")
    counting = ones_like(labelled, wanted) if weights is None else cast(weights, wanted)
    if not counting.shape.is_compatible_with(labelled.shape):
        raise ShapeError(f"weights of shape {counting.shape} must have one number for each label")
    return scatter_nd(stack([labelled, predicted], 1), counting, stack([count, count]))


def _flat(value: Any) -> Tensor:
    tensor = to_tensor(value)
    tensor = squeeze(tensor, -1) if tensor.shape.rank == 2 else tensor
    if tensor.shape.rank not in (None, 1):
        raise ShapeError(f"labels and predictions must be vectors, not of shape {tensor.shape}")
    return tensor


def histogram_fixed_width_bins(
    values: TensorLike,
    value_range: TensorLike,
    nbins: TensorLike = 100,
    dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """Return, for each value, the index of its bin among `nbins` equal parts of a range.

    Args:
        values: numbers; the result has their shape.
        value_range: the limits of the range. Values outside are in the first or the last bin.
        dtype: int32 or int64.

    Raises:
        InvalidArgumentError: a value is nan, or `nbins` is less than 1.
        ShapeError: `value_range` is not two numbers.
        DTypeError: `dtype` is another one.

    >>> print(histogram_fixed_width_bins([-1.0, 0.2, 0.9, 7.0], [0.0, 1.0], nbins=2))
    rt.Tensor([0 0 1 1], shape=(4,), dtype=int32)
    """
    if as_dtype(dtype) not in (int32, int64):
        raise DTypeError(f"dtype of a histogram must be int32 or int64, not {as_dtype(dtype).name}")
    (x, ends), _ = matched((values, value_range), "histogram_fixed_width")
    if ends.shape.rank not in (None, 1) or (ends.shape.rank and ends.shape[0] not in (None, 2)):
        raise ShapeError(f"value_range must be two numbers, not of shape {ends.shape}")
    wide: Any = x if x.dtype.is_floating else cast(x, float64)
    ends = ensure_shape(strong_cast(ends, wide.dtype), [2])
    assert_equal(wide, wide, "values of a histogram must not be nan")
    count: Any = _number(nbins, int32, "nbins")
    assert_less(0, count, "nbins of a histogram")
    low: Any = ends[0]
    share = (wide - low) / (ends[1] - low)
    place = floor(share * cast(count, wide.dtype))
    last = cast(count - 1, wide.dtype)
    return cast(clip_by_value(place, 0.0, last), dtype)


def histogram_fixed_width(
    values: TensorLike,
    value_range: TensorLike,
    nbins: TensorLike = 100,
    dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """Return the number of values in each of `nbins` equal parts of a range.

    Args:
        values, value_range, dtype: as for `histogram_fixed_width_bins`.

    Raises:
        InvalidArgumentError: the range ends before it begins, or a value is nan.

    >>> print(histogram_fixed_width([-1.0, 0.2, 0.9, 7.0], [0.0, 1.0], nbins=3))
    rt.Tensor([2 0 2], shape=(3,), dtype=int32)
    """
    ends: Any = matched((values, value_range), "histogram_fixed_width")[0][1]
    places = histogram_fixed_width_bins(values, ends, nbins, dtype)
    assert_less(ends[0], ends[1], "value_range of a histogram")
    return bincount(places, minlength=nbins, maxlength=nbins, dtype=dtype)
