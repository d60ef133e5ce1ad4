"""Regression metrics that are no mean of a loss."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import choice
from runtime.core.context import caller_origin, current_recorder
from runtime.core.creation_hooks import creating_once
from runtime.core.dtypes import DTypeLike
from runtime.core.source_names import warn_at
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn.losses import divergences
from runtime.nn.losses.operands import TINY, broadcast_operands, same_operands
from runtime.nn.metrics.mean import Mean, MeanMetricWrapper
from runtime.nn.metrics.metric import Metric
from runtime.ops.arguments import static_int
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.reduction import reduce_mean, reduce_std, reduce_sum, reduce_variance
from runtime.ops.arrays.shape import expand_dims, size
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import divide, divide_no_nan, multiply
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import is_inf, sqrt, square


def cosine_similarity(y_true: Any, y_pred: Any, axis: Any = -1) -> Any:
    """Return the cosine of the angle between vectors along an axis: 1 for one direction.

    >>> print(cosine_similarity([[0.0, 2.0]], [[0.0, 3.0]]))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    return -divergences.cosine_similarity(y_true, y_pred, axis)


def pearson_correlation(y_true: TensorLike, y_pred: TensorLike, axis: Any = -1) -> Tensor:
    """Return the correlation of two rows of numbers (Pearson, 1895), from -1 to 1.

    >>> float(pearson_correlation([[0.0, 2.0]], [[1.0, 4.0]])[0])
    1.0
    """
    found: list[Any] = []
    for each in same_operands("pearson_correlation", y_true, y_pred):
        apart: Any = each - reduce_mean(each, axis=axis, keepdims=True)
        found.append(divide(apart, reduce_std(apart, axis=axis, keepdims=True)))
    return reduce_mean(multiply(found[0], found[1]), axis=axis)


def concordance_correlation(y_true: TensorLike, y_pred: TensorLike, axis: Any = -1) -> Tensor:
    """Return the concordance of two rows of numbers (Lin, "A concordance correlation", 1989).

    >>> round(float(concordance_correlation([[0.0, 2.0]], [[1.0, 3.0]])[0]), 4)
    0.6667
    """
    truth, predicted = same_operands("concordance_correlation", y_true, y_pred)
    true_mean: Any = reduce_mean(truth, axis=axis, keepdims=True)
    mean: Any = reduce_mean(predicted, axis=axis, keepdims=True)
    spread: Any = reduce_variance(truth - true_mean, axis=axis, keepdims=True)
    spread = spread + reduce_variance(predicted - mean, axis=axis, keepdims=True)
    together = (truth - mean) * (predicted - mean) * 2.0
    return reduce_mean(together / (spread + square(true_mean - mean) + TINY), axis=axis)


class CosineSimilarity(MeanMetricWrapper):
    """The mean of the cosines of the angles between vectors.

    Args:
        axis: the axis of the vectors.

    Example:
        >>> float(CosineSimilarity()([[0.0, 2.0]], [[0.0, 3.0]]))
        1.0
    """

    def __init__(
        self, name: str | None = "cosine_similarity", dtype: DTypeLike | None = None, axis: Any = -1
    ) -> None:
        super().__init__(cosine_similarity, name, dtype, axis=axis)


class PearsonCorrelation(MeanMetricWrapper):
    """The mean of the correlations of rows of numbers.

    Args:
        axis: the axis of the rows.

    Example:
        >>> float(PearsonCorrelation()([[0.0, 2.0]], [[1.0, 4.0]]))
        1.0
    """

    def __init__(
        self,
        name: str | None = "pearson_correlation",
        dtype: DTypeLike | None = None,
        axis: Any = -1,
    ) -> None:
        super().__init__(pearson_correlation, name, dtype, axis=axis)


class ConcordanceCorrelation(MeanMetricWrapper):
    """The mean of the concordance correlations of rows of numbers.

    Args:
        axis: the axis of the rows.

    Example:
        >>> round(float(ConcordanceCorrelation()([[0.0, 2.0]], [[1.0, 3.0]])), 4)
        0.6667
    """

    def __init__(
        self,
        name: str | None = "concordance_correlation",
        dtype: DTypeLike | None = None,
        axis: Any = -1,
    ) -> None:
        super().__init__(concordance_correlation, name, dtype, axis=axis)


class RootMeanSquaredError(Mean):
    """The root of the mean of the squares of differences.

    Example:
        >>> float(RootMeanSquaredError()([0.0, 0.0], [3.0, 3.0]))
        3.0
    """

    def __init__(
        self, name: str | None = "root_mean_squared_error", dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(name, dtype)

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Count a batch.

        Args:
            y_true, y_pred: numbers of one shape.
            sample_weight: the weight of each item.
        """
        truth, predicted = broadcast_operands(self.name, y_true, y_pred)
        super().update_state(square(predicted - truth), sample_weight)

    def result(self) -> Tensor:
        """Return the root of the mean."""
        return sqrt(super().result())


class R2Score(Metric):
    """R squared: the fraction of the variance of the labels that the predictions explain.

    Args:
        class_aggregation: the aggregation of the scores of columns: their mean ("uniform_average"),
            their mean weighted by variance ("variance_weighted_average"), or all of them (None).
        num_regressors: the number of regressors, to adjust the score by; 0 for no adjustment.

    Raises:
        ArgumentValueError: an argument has an invalid value.

    Example:
        >>> float(R2Score()([[1.0], [3.0]], [[1.0], [2.0]]))
        0.5
    """

    config_names = ("class_aggregation", "num_regressors")

    def __init__(
        self,
        class_aggregation: str | None = "uniform_average",
        num_regressors: int = 0,
        name: str | None = "r2_score",
        dtype: DTypeLike | None = None,
    ) -> None:
        known = (None, "uniform_average", "variance_weighted_average")
        choice(class_aggregation, "class_aggregation", known)
        num_regressors = static_int(num_regressors, "num_regressors")
        if num_regressors < 0:
            raise ArgumentValueError(f"num_regressors must be at least 0, not {num_regressors!r}")
        super().__init__(dtype, name)
        self.class_aggregation, self.num_regressors = class_aggregation, num_regressors
        self.num_samples = self.add_weight(name="num_samples")
        self._built = False

    def _build(self, columns: int) -> None:
        self.squared_sum = self.add_weight((columns,), name="squared_sum")
        self.sum = self.add_weight((columns,), name="sum")
        self.total_mse = self.add_weight((columns,), name="residual")
        self.count = self.add_weight((columns,), name="count")
        self._built = True

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Count a batch.

        Args:
            y_true, y_pred: numbers in rows and columns.
            sample_weight: the weight of each row, or of each number.

        Raises:
            ShapeError: they have no columns, or their number is not known.
        """
        truth, predicted = same_operands(self.name, y_true, y_pred)
        truth, predicted = cast(truth, self._own.dtype), cast(predicted, self._own.dtype)
        if predicted.shape.rank != 2 or predicted.shape[1] is None:
            raise ShapeError(
                f"{self.name} needs rows and a known number of columns, not shape {predicted.shape}"
            )
        if not self._built:
            with creating_once(self):
                self._build(predicted.shape[1])
        weights: Any = ones_like(truth)
        if sample_weight is not None:
            given = cast(to_tensor(sample_weight), self._own.dtype)
            weights = multiply(weights, expand_dims(given, 1) if given.shape.rank == 1 else given)
        weighted = truth * weights
        self.sum.assign_add(reduce_sum(weighted, axis=0))
        self.squared_sum.assign_add(reduce_sum(truth * weighted, axis=0))
        self.total_mse.assign_add(reduce_sum(square(truth - predicted) * weights, axis=0))
        self.count.assign_add(reduce_sum(weights, axis=0))
        self.num_samples.assign_add(cast(size(truth), self._own.dtype))

    def result(self) -> Tensor:
        """Return the score; 0 before the first batch.

        A column without variance counts as 0, or as NaN if all its predictions are right.
        """
        if not self._built:
            return zeros_like(self.num_samples)
        total: Any = self.squared_sum - self.sum * divide_no_nan(self.sum, self.count)
        scores: Any = 1.0 - divide(self.total_mse, total)
        scores = where(is_inf(scores), zeros_like(scores), scores)
        if self.class_aggregation == "uniform_average":
            scores = reduce_mean(scores)
        elif self.class_aggregation is not None:
            scores = divide(reduce_sum(total * scores), reduce_sum(total))
        return self._adjusted(scores) if self.num_regressors else scores

    def _adjusted(self, scores: Any) -> Any:
        number: Any = self.num_samples.read_value()
        free = number - (self.num_regressors + 1.0)
        if current_recorder() is None and float(free) <= 0:
            warn_at(
                caller_origin(),
                "the score is not adjusted: there are not more rows than regressors",
                UserWarning,
            )
        adjusted = 1.0 - (1.0 - scores) * (number - 1.0) / free
        return where(free > 0.0, adjusted, scores)
