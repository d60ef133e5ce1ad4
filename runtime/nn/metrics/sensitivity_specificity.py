"""Metrics of one rate at a given value of another, such as `SensitivityAtSpecificity`."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.losses.operands import check_share
from runtime.nn.metrics.confusion_counts import Confusion, confusion
from runtime.nn.metrics.metric import Metric
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.reduction import reduce_max
from runtime.ops.elementwise.arithmetic import add, divide_no_nan
from runtime.ops.elementwise.comparison import greater_equal
from runtime.ops.elementwise.selection import where

# With more thresholds, neighbours would be equal as 32-bit floats.
_MAX_THRESHOLDS = 2**24


def counted_thresholds(number: Any, least: int) -> int:
    """Return a checked number of thresholds.

    Raises:
        ArgumentValueError: it is not an int from `least` to the maximum.

    >>> counted_thresholds(200, 2)
    200
    """
    if not isinstance(number, int) or not least <= number <= _MAX_THRESHOLDS:
        raise ArgumentValueError(
            f"num_thresholds must be from {least} to {_MAX_THRESHOLDS}, not {shown(number)}"
        )
    return number


def steps(number: int) -> list[float]:
    """Return thresholds from 0 to 1 in equal steps.

    >>> steps(3)
    [0.0, 0.5, 1.0]
    """
    return [0.0, *((at + 1) * 1.0 / (number - 1) for at in range(number - 2)), 1.0]


# Rates, each by the counts of right and of wrong predictions.
_RATES = {
    "precision": ("true_positives", "false_positives"),
    "recall": ("true_positives", "false_negatives"),
    "sensitivity": ("true_positives", "false_negatives"),
    "specificity": ("true_negatives", "false_positives"),
}


class _RateAtRate(Metric):
    """The maximum of one rate where another is at least a given value.

    Args:
        value: the given value.
        num_thresholds: the number of thresholds to try.
        class_id: the index along the last axis that counts.

    Attributes:
        config_names: the names for the config, of which the last one is that of the given rate.
        maximized: the name of the maximized rate.
    """

    config_names: tuple[str, ...] = ("num_thresholds", "class_id")
    maximized = ""

    def __init__(
        self,
        value: float,
        num_thresholds: int,
        class_id: int | None,
        name: str | None,
        dtype: DTypeLike | None,
    ) -> None:
        super().__init__(dtype, name)
        check_share(self.config_names[-1], value)
        self.num_thresholds = counted_thresholds(num_thresholds, 1)
        self.value, self.class_id = value, class_id
        self.thresholds = [0.5] if num_thresholds == 1 else steps(num_thresholds)
        shape = (len(self.thresholds),)
        self.true_positives = self.add_weight(shape, name="true_positives")
        self.false_positives = self.add_weight(shape, name="false_positives")
        self.true_negatives = self.add_weight(shape, name="true_negatives")
        self.false_negatives = self.add_weight(shape, name="false_negatives")

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Count a batch.

        Args:
            y_true: the labels; not 0 means positive.
            y_pred: the scores, of the same shape.
            sample_weight: the weight of each item.
        """
        found = confusion(
            y_true,
            y_pred,
            self.thresholds,
            self._own.dtype,
            sample_weight,
            class_id=self.class_id,
            even=self.num_thresholds > 1,
        )
        for name, count in zip(Confusion._fields, found):
            getattr(self, name).assign_add(count)

    def result(self) -> Tensor:
        """Return the maximal rate."""
        given, wanted = self._rate(self.config_names[-1]), self._rate(self.maximized)
        return reduce_max(where(greater_equal(given, self.value), wanted, zeros_like(wanted)))

    def _rate(self, name: str) -> Any:
        right, wrong = (getattr(self, count) for count in _RATES[name])
        return divide_no_nan(right, add(right, wrong))


class SensitivityAtSpecificity(_RateAtRate):
    """The fraction of positive labels predicted as positive, at a specificity.

    Args:
        specificity: the minimum specificity, from 0 to 1.
        num_thresholds: the number of thresholds to try.
        class_id: the index along the last axis that counts.

    Example:
        >>> float(SensitivityAtSpecificity(0.5)([0, 0, 1, 1], [0.1, 0.4, 0.5, 0.9]))
        1.0
    """

    config_names = ("num_thresholds", "class_id", "specificity")
    maximized = "sensitivity"

    def __init__(
        self,
        specificity: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(specificity, num_thresholds, class_id, name, dtype)
        self.specificity = specificity


class SpecificityAtSensitivity(_RateAtRate):
    """The fraction of negative labels predicted as negative, at a sensitivity.

    Args:
        sensitivity: the minimum sensitivity, from 0 to 1.
        num_thresholds: the number of thresholds to try.
        class_id: the index along the last axis that counts.

    Example:
        >>> float(SpecificityAtSensitivity(0.5)([0, 0, 1, 1], [0.1, 0.4, 0.5, 0.9]))
        1.0
    """

    config_names = ("num_thresholds", "class_id", "sensitivity")
    maximized = "specificity"

    def __init__(
        self,
        sensitivity: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(sensitivity, num_thresholds, class_id, name, dtype)
        self.sensitivity = sensitivity


class PrecisionAtRecall(_RateAtRate):
    """The fraction of positive predictions that are correct, at a recall.

    Args:
        recall: the minimum recall, from 0 to 1.
        num_thresholds: the number of thresholds to try.
        class_id: the index along the last axis that counts.

    Example:
        >>> float(PrecisionAtRecall(0.5)([0, 0, 1, 1], [0.1, 0.4, 0.5, 0.9]))
        1.0
    """

    config_names = ("num_thresholds", "class_id", "recall")
    maximized = "precision"

    def __init__(
        self,
        recall: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(recall, num_thresholds, class_id, name, dtype)
        self.recall = recall


class RecallAtPrecision(_RateAtRate):
    """The fraction of positive labels predicted as positive, at a precision.

    Args:
        precision: the minimum precision, from 0 to 1.
        num_thresholds: the number of thresholds to try.
        class_id: the index along the last axis that counts.

    Example:
        >>> float(RecallAtPrecision(0.5)([0, 0, 1, 1], [0.1, 0.4, 0.5, 0.9]))
        1.0
    """

    config_names = ("num_thresholds", "class_id", "precision")
    maximized = "recall"

    def __init__(
        self,
        precision: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(precision, num_thresholds, class_id, name, dtype)
        self.precision = precision
