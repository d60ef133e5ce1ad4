"""F-scores: means of precision and recall (van Rijsbergen, "Information retrieval", 1979)."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import choice
from runtime.core.creation_hooks import creating_once
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.losses.operands import TINY
from runtime.nn.metrics.metric import Metric
from runtime.ops.arrays.reduction import reduce_max, reduce_mean, reduce_sum
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import divide
from runtime.ops.elementwise.comparison import greater, greater_equal
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.elementwise.unary import abs as absolute

_AVERAGES = (None, "micro", "macro", "weighted")


class FBetaScore(Metric):
    """A mean of precision and recall, for each class or over all.

    Args:
        average: None for one score for each class; "micro" counts all classes together; "macro" is
            the mean of the scores, "weighted" the mean weighted by the frequency of each class.
        beta: a float above 0: the relative weight of recall.
        threshold: the number above which predictions are positive; None for the largest one only.

    Raises:
        ArgumentValueError: an argument has an invalid value.

    Example:
        >>> metric = FBetaScore(beta=2.0, threshold=0.5)
        >>> print(metric([[1, 1], [1, 0]], [[0.2, 0.6], [0.8, 0.9]]).numpy().round(4))
        [0.5556 0.8333]
    """

    config_names: tuple[str, ...] = ("average", "beta", "threshold")

    def __init__(
        self,
        average: str | None = None,
        beta: float = 1.0,
        threshold: float | None = None,
        name: str | None = "fbeta_score",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        if not isinstance(beta, float) or beta <= 0:
            raise ArgumentValueError(f"beta must be a float above 0, not {beta!r}")
        if threshold is not None and (not isinstance(threshold, float) or not 0 < threshold <= 1):
            raise ArgumentValueError(f"threshold must be a float from 0 to 1, not {threshold!r}")
        self.average = choice(average, "average", _AVERAGES)
        self.beta, self.threshold = beta, threshold
        self._counts: list[Any] = []

    def _build(self, classes: int) -> None:
        shape = () if self.average == "micro" else (classes,)
        names = ("true_positives", "false_positives", "false_negatives", "intermediate_weights")
        self._counts = [self.add_weight(shape, name=name) for name in names]

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Count a batch.

        Args:
            y_true: rows of 0 and 1, one for each class.
            y_pred: rows with the scores of the classes.
            sample_weight: the weight of each row.

        Raises:
            ShapeError: there are no rows, or the number of classes is not known.
        """
        dtype = self._own.dtype
        truth: Any = cast(to_tensor(y_true), dtype)
        predicted: Any = cast(to_tensor(y_pred), dtype)
        for each in (truth, predicted):
            if each.shape.rank != 2 or each.shape[1] is None:
                raise ShapeError(
                    f"{self.name} needs rows of a known number of classes, not y_true of shape "
                    f"{truth.shape} and y_pred of shape {predicted.shape}"
                )
        if not self._counts:
            with creating_once(self):
                self._build(predicted.shape[1])
        if self.threshold is None:
            most = greater_equal(predicted, reduce_max(predicted, axis=-1, keepdims=True))
            positive: Any = cast(logical_and(most, greater(absolute(predicted), 1e-9)), dtype)
        else:
            positive = cast(greater(predicted, self.threshold), dtype)
        weights = None
        if sample_weight is not None:
            weights = expand_dims(cast(to_tensor(sample_weight), dtype), 1)
        found = (positive * truth, positive * (1.0 - truth), (1.0 - positive) * truth, truth)
        for variable, each in zip(self._counts, found):
            counted = each if weights is None else each * weights
            variable.assign_add(reduce_sum(counted, axis=None if self.average == "micro" else 0))

    def result(self) -> Tensor:
        """Return the score, or one for each class; 0 before the first batch."""
        if not self._counts:
            return to_tensor(0.0, self._own.dtype)
        right, wrong, missed, often = (each.read_value() for each in self._counts)
        precision: Any = divide(right, right + wrong + TINY)
        recall: Any = divide(right, right + missed + TINY)
        more = self.beta**2
        score: Any = divide(precision * recall, precision * more + recall + TINY) * (1 + more)
        if self.average == "weighted":
            return reduce_sum(score * divide(often, reduce_sum(often) + TINY))
        return score if self.average is None else reduce_mean(score)


class F1Score(FBetaScore):
    """The harmonic mean of precision and recall, for each class or over all.

    Args:
        average: None, "micro", "macro" or "weighted", as for FBetaScore.
        threshold: the number above which predictions are positive; None for the largest one only.

    Example:
        >>> round(float(F1Score("micro")([[0, 1], [1, 0]], [[0.2, 0.6], [0.4, 0.9]])), 4)
        0.5
    """

    config_names = ("average", "threshold")

    def __init__(
        self,
        average: str | None = None,
        threshold: float | None = None,
        name: str | None = "f1_score",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(average, 1.0, threshold, name, dtype)
