"""Confusion counts at thresholds: true and false positives and negatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core.argument_checks import shown
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.nn.losses.loss import check_same_size
from runtime.nn.losses.reduction import same_rank
from runtime.ops.arguments import known_array
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.cumulative import cumsum
from runtime.ops.arrays.reduction import reduce_any, reduce_sum
from runtime.ops.arrays.segments import unsorted_segment_sum
from runtime.ops.arrays.shape import expand_dims, reshape, shape, squeeze
from runtime.ops.arrays.sorting import top_k as largest
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import clip_by_value, maximum, multiply
from runtime.ops.elementwise.comparison import equal, greater
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import ceil

# The value of predictions outside the top k.
OUT = -1e10


class Confusion(NamedTuple):
    """The confusion counts: by threshold, and by label if labels are counted separately."""

    true_positives: Any
    false_positives: Any
    true_negatives: Any
    false_negatives: Any


class Thresholds:
    """The thresholds above which predictions are positive.

    Args:
        given: a number from 0 to 1, or several; None for `default`.
        default: the threshold if none is given.

    Raises:
        ArgumentValueError: one is not between 0 and 1.
        DTypeError: they are not numbers.
    """

    def __init__(self, given: Any, default: float = 0.5) -> None:
        if given is None:
            self.values = [default]
            return
        numbers = known_array(given, "thresholds")
        if numbers.dtype.kind not in "biuf":
            raise DTypeError(f"thresholds must be numbers from 0 to 1, not {shown(given)}")
        self.values = [float(each) for each in numbers.ravel().tolist()]
        wrong = [each for each in self.values if not 0 <= each <= 1]
        if wrong or not self.values:
            raise ArgumentValueError(f"thresholds must be from 0 to 1, not {shown(wrong or given)}")


def is_even(values: Sequence[float]) -> bool:
    """Return whether thresholds are evenly spaced from 0 to 1.

    >>> is_even([0.0, 0.5, 1.0]), is_even([0.0, 0.7, 1.0])
    (True, False)
    """
    steps = np.arange(len(values), dtype=np.float32) / max(len(values) - 1, 1)
    return len(values) > 2 and bool(np.allclose(values, steps, atol=1e-7))


def confusion(
    y_true: Any,
    y_pred: Any,
    thresholds: Sequence[float],
    dtype: Any,
    sample_weight: Any = None,
    top_k: int | None = None,
    class_id: int | None = None,
    multi_label: bool = False,
    label_weights: Any = None,
    even: bool | None = None,
) -> Confusion:
    """Return the confusion counts of a batch.

    Args:
        y_true: the labels; not 0 means positive.
        y_pred: the scores.
        thresholds: the thresholds above which a score is positive.
        dtype: the dtype of the counts.
        sample_weight: the weight of each item.
        top_k: the maximum number of positive predictions along the last axis.
        class_id: the index along the last axis that counts; None for all.
        multi_label: whether labels, along the last axis, are counted separately.
        label_weights: the weight of each label, if they are not counted separately.
        even: whether thresholds are evenly spaced from 0 to 1; by default this is computed.

    >>> found = confusion([0, 1, 1], [0.1, 0.4, 0.8], [0.5], "float32")
    >>> [float(each[0]) for each in found]
    [1.0, 0.0, 1.0, 1.0]
    """
    truth, predicted = cast(to_tensor(y_true), dtype), cast(to_tensor(y_pred), dtype)
    truth, predicted = same_rank(truth, predicted)
    check_same_size("a metric of thresholds", truth, predicted)
    weights = None if sample_weight is None else _weights(sample_weight, truth)
    if top_k is not None:
        predicted = _only_largest(predicted, top_k)
    if class_id is not None:
        if predicted.shape.rank == 1:
            raise ShapeError(f"a class_id needs classes along a last axis, not {predicted.shape}")
        truth = expand_dims(truth[..., class_id], -1)
        predicted = expand_dims(predicted[..., class_id], -1)
    counted = ones_like(predicted)
    if weights is not None:
        counted = multiply(counted, weights)
    if label_weights is not None and not multi_label:
        counted = multiply(counted, cast(to_tensor(label_weights), dtype))
    is_true = cast(truth, "bool")
    yes = where(is_true, counted, zeros_like(counted))
    no = where(is_true, zeros_like(counted), counted)
    labels = shape(predicted)[-1] if multi_label else to_tensor(1)
    columns: Any = [reshape(each, [-1, labels]) for each in (predicted, yes, no)]
    even = is_even(thresholds) if even is None else even
    found = _above(columns[0], columns[1], columns[2], thresholds, even)
    totals = [reduce_sum(each, axis=0) for each in columns[1:]]
    each = Confusion(found[0], found[1], totals[1] - found[1], totals[0] - found[0])
    return each if multi_label else Confusion(*(squeeze(one, axis=-1) for one in each))


def _above(
    predicted: Any, yes: Any, no: Any, thresholds: Sequence[float], even: bool
) -> tuple[Any, Any]:
    """Return the weights of items above each threshold: of positive, and of negative labels."""
    if not even:
        limits = reshape(to_tensor(np.array(thresholds), predicted.dtype), [-1, 1, 1])
        is_positive = cast(greater(expand_dims(predicted, 0), limits), predicted.dtype)
        return tuple(reduce_sum(multiply(is_positive, each), axis=1) for each in (yes, no))  # type: ignore[return-value]
    # A prediction is above all thresholds up to an index: it is counted once, at that index.
    last = len(thresholds) - 1
    index: Any = ceil(clip_by_value(predicted, 0.0, 1.0) * float(last)) - 1.0
    if thresholds[0] < 0:
        index = maximum(index, 0.0)
    labels: Any = cast(shape(predicted)[-1], "int64")
    below = equal(index, -1.0)
    # Items above no threshold get one additional index.
    index = cast(where(below, to_tensor(float(last + 1), index.dtype), index), "int64")
    segment = reshape(index * labels + cast(numbers(labels), "int64"), [-1])
    found = []
    for each in (yes, no):
        total = unsorted_segment_sum(reshape(each, [-1]), segment, labels * (last + 2))
        kept = reshape(total, [last + 2, labels])[: last + 1]
        found.append(cumsum(kept, axis=0, reverse=True))
    return found[0], found[1]


def _weights(sample_weight: Any, truth: Any) -> Any:
    weights = expand_dims(cast(to_tensor(sample_weight), truth.dtype), -1)
    rank, wanted = weights.shape.rank, truth.shape.rank
    if rank is not None and wanted is not None and rank == wanted + 1:
        weights = squeeze(weights, axis=-1)
    return weights


def _only_largest(predicted: Any, count: int) -> Any:
    _, indexs = largest(predicted, count)
    every = cast(numbers(shape(predicted)[-1]), indexs.dtype)
    chosen = reduce_any(equal(expand_dims(indexs, -1), every), axis=-2)
    return where(chosen, predicted, zeros_like(predicted) + OUT)
