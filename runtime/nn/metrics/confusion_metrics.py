"""Metrics of confusion counts: true and false positives and negatives, precision, recall."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.metrics.confusion_counts import OUT, Confusion, Thresholds, confusion
from runtime.nn.metrics.metric import Metric
from runtime.ops.elementwise.arithmetic import add, divide_no_nan
from runtime.state.variable import Variable


class ConfusionMetric(Metric):
    """The base class of metrics that store some of the confusion counts for each threshold.

    Args:
        thresholds: a prediction above one is positive: a number, several, or None for 0.5.
        top_k: the number of largest predictions along the last axis that may be positive; None for
            all.
        class_id: the index along the last axis that counts; None for all.

    Raises:
        ArgumentValueError: a threshold does not lie from 0 to 1, or a number is too small.
    """

    counted: tuple[str, ...] = ()

    def __init__(
        self,
        thresholds: TensorLike | None = None,
        top_k: int | None = None,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        for word, value, least in (("top_k", top_k, 1), ("class_id", class_id, 0)):
            if value is not None and (not isinstance(value, int) or value < least):
                raise ArgumentValueError(f"{word} must be at least {least}, not {value!r}")
        self.init_thresholds = thresholds
        self.thresholds = Thresholds(thresholds, 0.5 if top_k is None else OUT).values
        self.top_k, self.class_id = top_k, class_id
        self._counters = {name: self._counter(name) for name in self.counted}

    def _counter(self, name: str) -> Variable:
        made = self.add_weight((len(self.thresholds),), name=name)
        setattr(self, name, made)
        return made

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
            self.top_k,
            self.class_id,
        )
        self._count(found)

    def _count(self, found: Confusion) -> None:
        for name, variable in self._counters.items():
            variable.assign_add(getattr(found, name))

    def _one_or_all(self, found: Any) -> Any:
        return found[0] if len(self.thresholds) == 1 else found

    def get_config(self) -> dict[str, Any]:
        """Return the config from which `from_config` makes the same metric."""
        config = {**super().get_config(), "thresholds": self.init_thresholds}
        return {**config, "top_k": self.top_k, "class_id": self.class_id}


class _SingleCount(ConfusionMetric):
    def __init__(
        self,
        thresholds: TensorLike | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(thresholds, name=name, dtype=dtype)
        (self.accumulator,) = self._counters.values()

    def _counter(self, name: str) -> Variable:
        return self.add_weight((len(self.thresholds),), name="accumulator")

    def result(self) -> Tensor:
        """Return the count, or one for each threshold."""
        return self._one_or_all(self.accumulator.read_value())

    def get_config(self) -> dict[str, Any]:
        """Return the config from which `from_config` makes the same metric."""
        config = super().get_config()
        return {name: config[name] for name in ("name", "dtype", "thresholds")}


class TruePositives(_SingleCount):
    """The number of true positives.

    Args:
        thresholds: a prediction above one is positive: a number, several, or None for 0.5.

    Example:
        >>> float(TruePositives()([0, 1, 1], [0.9, 0.8, 0.1]))
        1.0
    """

    counted = ("true_positives",)


class FalsePositives(_SingleCount):
    """The number of false positives.

    Args:
        thresholds: a prediction above one is positive: a number, several, or None for 0.5.

    Example:
        >>> float(FalsePositives()([0, 1, 1], [0.9, 0.8, 0.1]))
        1.0
    """

    counted = ("false_positives",)


class TrueNegatives(_SingleCount):
    """The number of true negatives.

    Args:
        thresholds: a prediction above one is positive: a number, several, or None for 0.5.

    Example:
        >>> float(TrueNegatives()([0, 1, 1], [0.9, 0.8, 0.1]))
        0.0
    """

    counted = ("true_negatives",)


class FalseNegatives(_SingleCount):
    """The number of false negatives.

    Args:
        thresholds: a prediction above one is positive: a number, several, or None for 0.5.

    Example:
        >>> float(FalseNegatives()([0, 1, 1], [0.9, 0.8, 0.1]))
        1.0
    """

    counted = ("false_negatives",)


class _Fraction(ConfusionMetric):
    def result(self) -> Tensor:
        """Return the fraction, or one for each threshold; 0 if nothing was counted."""
        right, wrong = self._counters.values()
        return self._one_or_all(divide_no_nan(right, add(right, wrong)))


class Precision(_Fraction):
    """The precision: the fraction of positive predictions that are correct.

    Args:
        thresholds: a prediction above one is positive: a number, several, or None for 0.5.
        top_k: the number of largest predictions along the last axis that may be positive; then the
            default threshold is below all predictions.
        class_id: the index along the last axis that counts; None for all.

    Example:
        >>> round(float(Precision()([0, 1, 1], [0.9, 0.8, 0.7])), 4)
        0.6667
    """

    counted = ("true_positives", "false_positives")


class Recall(_Fraction):
    """The fraction of positive labels that are predicted as positive.

    Args:
        thresholds: a prediction above one is positive: a number, several, or None for 0.5.
        top_k: the number of largest predictions along the last axis that may be positive; then the
            default threshold is below all predictions.
        class_id: the index along the last axis that counts; None for all.

    Example:
        >>> float(Recall()([0, 1, 1], [0.9, 0.8, 0.1]))
        0.5
    """

    counted = ("true_positives", "false_negatives")
