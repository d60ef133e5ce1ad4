"""Metrics that average a loss."""

from __future__ import annotations

from runtime.core.dtypes import DTypeLike
from runtime.nn.losses import (
    binary,
    categorical,
    divergences,
    hinge_losses,
    regression,
    sparse_categorical,
)
from runtime.nn.metrics.mean import MeanMetricWrapper, PlainMean


class MeanSquaredError(PlainMean, fn=regression.mean_squared_error):
    """The mean of the squares of differences.

    Example:
        >>> float(MeanSquaredError()([[1.0, 2.0]], [[1.0, 4.0]]))
        2.0
    """


class MeanAbsoluteError(PlainMean, fn=regression.mean_absolute_error):
    """The mean of the absolute differences.

    Example:
        >>> float(MeanAbsoluteError()([[1.0, 2.0]], [[1.0, 4.0]]))
        1.0
    """


class MeanAbsolutePercentageError(PlainMean, fn=regression.mean_absolute_percentage_error):
    """The mean of the absolute differences in percent of the labels.

    Example:
        >>> float(MeanAbsolutePercentageError()([[1.0, 2.0]], [[1.0, 4.0]]))
        50.0
    """


class MeanSquaredLogarithmicError(PlainMean, fn=regression.mean_squared_logarithmic_error):
    """The mean of the squares of differences of `log(1 + y)`.

    Example:
        >>> round(float(MeanSquaredLogarithmicError()([[0.0, 1.0]], [[0.0, 3.0]])), 4)
        0.2402
    """


class LogCoshError(PlainMean, fn=regression.log_cosh, name="logcosh"):
    """The mean of the logarithms of the hyperbolic cosines of differences.

    Example:
        >>> round(float(LogCoshError()([[0.0, 0.0]], [[0.0, 1000.0]])), 2)
        499.65
    """


class KLDivergence(PlainMean, fn=divergences.kl_divergence):
    """The mean Kullback-Leibler divergence of distributions.

    Example:
        >>> round(float(KLDivergence()([[0.5, 0.5]], [[0.25, 0.75]])), 4)
        0.1438
    """


class Poisson(PlainMean, fn=divergences.poisson):
    """The mean Poisson loss of predicted rates of counts.

    Example:
        >>> round(float(Poisson()([[1.0, 2.0]], [[1.0, 2.0]])), 4)
        0.8069
    """


class Hinge(PlainMean, fn=hinge_losses.hinge):
    """The mean shortfall of predictions from a margin of 1.

    Example:
        >>> float(Hinge()([[1, -1]], [[0.5, -2.0]]))
        0.25
    """


class SquaredHinge(PlainMean, fn=hinge_losses.squared_hinge):
    """The mean of the squared shortfalls of predictions from a margin of 1.

    Example:
        >>> float(SquaredHinge()([[1, -1]], [[0.5, -2.0]]))
        0.125
    """


class CategoricalHinge(PlainMean, fn=hinge_losses.categorical_hinge):
    """The mean shortfall of the true class from a margin of 1 to the highest other class.

    Example:
        >>> float(CategoricalHinge()([[0, 1]], [[0.5, 0.75]]))
        0.75
    """


class BinaryCrossentropy(MeanMetricWrapper):
    """The mean binary cross entropy.

    Example:
        >>> round(float(BinaryCrossentropy()([[0, 1]], [[0.5, 0.5]])), 4)
        0.6931
    """

    def __init__(
        self,
        name: str | None = "binary_crossentropy",
        dtype: DTypeLike | None = None,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(
            binary.binary_crossentropy,
            name,
            dtype,
            from_logits=from_logits,
            label_smoothing=label_smoothing,
        )


class CategoricalCrossentropy(MeanMetricWrapper):
    """The mean cross entropy of sparse_categorical.

    Example:
        >>> round(float(CategoricalCrossentropy()([[0, 1]], [[0.5, 0.5]])), 4)
        0.6931
    """

    def __init__(
        self,
        name: str | None = "categorical_crossentropy",
        dtype: DTypeLike | None = None,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
    ) -> None:
        super().__init__(
            categorical.categorical_crossentropy,
            name,
            dtype,
            from_logits=from_logits,
            label_smoothing=label_smoothing,
            axis=axis,
        )


class SparseCategoricalCrossentropy(MeanMetricWrapper):
    """The mean cross entropy with class indices as labels.

    Example:
        >>> round(float(SparseCategoricalCrossentropy()([1], [[0.5, 0.5]])), 4)
        0.6931
    """

    def __init__(
        self,
        name: str | None = "sparse_categorical_crossentropy",
        dtype: DTypeLike | None = None,
        from_logits: bool = False,
        ignore_class: int | None = None,
        axis: int = -1,
    ) -> None:
        super().__init__(
            sparse_categorical.sparse_categorical_crossentropy,
            name,
            dtype,
            from_logits=from_logits,
            ignore_class=ignore_class,
            axis=axis,
        )
