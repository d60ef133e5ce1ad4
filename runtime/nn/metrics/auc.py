"""The `AUC` metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.argument_checks import choice, flag, listed, plain_text
from runtime.core.creation_hooks import creating_once
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.metrics.confusion_counts import Confusion, Thresholds, confusion, is_even
from runtime.nn.metrics.metric import Metric
from runtime.nn.metrics.sensitivity_specificity import counted_thresholds, steps
from runtime.ops.arguments import static_int
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.reduction import reduce_mean, reduce_sum
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import divide_no_nan, maximum, minimum
from runtime.ops.elementwise.comparison import equal, greater
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import log, sigmoid

_CURVES = ("ROC", "PR", "PRGAIN")
_METHODS = ("interpolation", "majoring", "minoring")
# The first threshold is below all predictions, and the last one above all.
_BEYOND = 1e-7


class AUC(Metric):
    """The area under a curve over thresholds.

    Args:
        num_thresholds: the number of thresholds on the curve, at least 2.
        curve: "ROC" (true positive rate over false positive rate), "PR" (precision over recall) or
            "PRGAIN" (gains of those, Flach and Kull, 2015).
        summation_method: "interpolation", "majoring" or "minoring": the height of the curve between
            two thresholds. For "PR", interpolation follows Davis and Goadrich, 2006.
        thresholds: the thresholds between 0 and 1, in place of `num_thresholds`.
        multi_label: whether labels, along the last axis, have curves of their own.
        num_labels: the number of labels, by default that of the first batch.
        label_weights: the weight of each label.
        from_logits: whether predictions are logits, not probabilities.

    Raises:
        ArgumentValueError: an argument has an invalid value.

    Example:
        >>> float(AUC(num_thresholds=3)([0, 0, 1, 1], [0.0, 0.5, 0.3, 0.9]))
        0.75
    """

    config_names = (
        *("num_thresholds", "curve", "summation_method", "multi_label", "num_labels"),
        *("label_weights", "from_logits"),
    )

    def __init__(
        self,
        num_thresholds: int = 200,
        curve: str = "ROC",
        summation_method: str = "interpolation",
        name: str | None = None,
        dtype: DTypeLike | None = None,
        thresholds: Sequence[float] | None = None,
        multi_label: bool = False,
        num_labels: int | None = None,
        label_weights: TensorLike | None = None,
        from_logits: bool = False,
    ) -> None:
        super().__init__(dtype, name)
        self.curve = choice(plain_text(curve, "curve").upper(), "curve", _CURVES)
        method = plain_text(summation_method, "summation_method").lower()
        self.summation_method = choice(method, "summation_method", _METHODS)
        multi_label = flag(multi_label, "multi_label")
        if num_labels is not None:
            num_labels = static_int(num_labels, "num_labels")
        if num_labels and not multi_label:
            raise ArgumentValueError("num_labels needs multi_label=True")
        given = None if thresholds is None else listed(thresholds, "thresholds")
        if given is None:
            inner = steps(counted_thresholds(num_thresholds, 2))[1:-1]
        else:
            inner = sorted(Thresholds(given).values) if given else []
        self._given = given
        self._even = thresholds is None or is_even([0.0, *inner, 1.0])
        self.thresholds = [-_BEYOND, *inner, 1.0 + _BEYOND]
        self.num_thresholds, self.multi_label = len(self.thresholds), multi_label
        self.num_labels, self.from_logits = num_labels, from_logits
        self.label_weights = label_weights
        self._counts: list[Any] = []
        if num_labels or not multi_label:
            self._build(num_labels)

    def _build(self, labels: int | None) -> None:
        shape = (self.num_thresholds, *(() if labels is None else (labels,)))
        for name in Confusion._fields:
            self._counts.append(self.add_weight(shape, name=name))

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Count a batch.

        Args:
            y_true: the labels; not 0 means positive.
            y_pred: the scores, of the same shape; rows of labels if those are counted separately.
            sample_weight: the weight of each item.

        Raises:
            ShapeError: labels are counted separately, and their number is not known.
        """
        predicted = to_tensor(y_pred)
        if self.multi_label and (predicted.shape.rank != 2 or predicted.shape[1] is None):
            raise ShapeError(
                f"{self.name} with multi_label=True needs rows of a known number of labels, not "
                f"shape {predicted.shape}"
            )
        if not self._counts:
            with creating_once(self):
                self._build(predicted.shape[1])
        found = confusion(
            y_true,
            sigmoid(predicted) if self.from_logits else predicted,
            self.thresholds,
            self._own.dtype,
            sample_weight,
            multi_label=self.multi_label,
            label_weights=self.label_weights,
            even=self._even,
        )
        for variable, count in zip(self._counts, found):
            variable.assign_add(count)

    def result(self) -> Tensor:
        """Return the area; if labels have curves of their own, the mean of their areas."""
        if not self._counts:
            return to_tensor(0.0, self._own.dtype)
        now = Confusion(*(each.read_value() for each in self._counts))
        if self.curve == "PR" and self.summation_method == "interpolation":
            return self._combine_labels(_interpolated(now))
        across, up = _points(now, self.curve)
        if self.summation_method == "interpolation":
            height: Any = (up[:-1] + up[1:]) / 2.0
        else:
            height = (minimum if self.summation_method == "minoring" else maximum)(up[:-1], up[1:])
        return self._combine_labels((across[:-1] - across[1:]) * height)

    def _combine_labels(self, parts: Any) -> Any:
        if not self.multi_label:
            return reduce_sum(parts)
        each = reduce_sum(parts, axis=0)
        if self.label_weights is None:
            return reduce_mean(each)
        weights: Any = to_tensor(self.label_weights, each.dtype)
        return divide_no_nan(reduce_sum(each * weights), reduce_sum(weights))

    def get_config(self) -> dict[str, Any]:
        """Return the config from which `from_config` makes the same metric."""
        own = {} if self._given is None else {"thresholds": self._given}
        return {**super().get_config(), **own}


def _points(now: Confusion, curve: str) -> tuple[Any, Any]:
    """Return the coordinates of the points of a curve: x and y for each threshold."""
    true_positives, wrong, passed, missed = now
    recall = divide_no_nan(true_positives, true_positives + missed)
    if curve == "ROC":
        return divide_no_nan(wrong, wrong + passed), recall
    if curve == "PR":
        return recall, divide_no_nan(true_positives, true_positives + wrong)
    scale: Any = divide_no_nan(true_positives + missed, passed + wrong)
    across: Any = 1.0 - scale * divide_no_nan(missed, true_positives)
    up: Any = 1.0 - scale * divide_no_nan(wrong, true_positives)
    nothing = equal(true_positives, 0.0)
    across = where(nothing, zeros_like(across), across)
    return maximum(across, 0.0), where(nothing, ones_like(up), up)


def _interpolated(now: Confusion) -> Any:
    """Return the area between two thresholds, with true positives linear in all positives."""
    right, positives = now.true_positives, now.true_positives + now.false_positives
    more: Any = right[:-1] - right[1:]
    gradient: Any = divide_no_nan(more, maximum(positives[:-1] - positives[1:], 0.0))
    start: Any = right[1:] - gradient * positives[1:]
    both = logical_and(greater(positives[:-1], 0.0), greater(positives[1:], 0.0))
    ratio = divide_no_nan(positives[:-1], maximum(positives[1:], 0.0))
    area: Any = gradient * (more + start * log(where(both, ratio, ones_like(ratio))))
    return divide_no_nan(area, maximum(right[1:] + now.false_negatives[1:], 0.0))
