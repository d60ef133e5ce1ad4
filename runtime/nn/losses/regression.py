"""Regression losses."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import number
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.nn.losses.loss import LossOfFunction, PlainLoss
from runtime.nn.losses.operands import TINY, broadcast_operands
from runtime.ops.arrays.reduction import reduce_mean
from runtime.ops.elementwise.arithmetic import maximum, subtract
from runtime.ops.elementwise.comparison import less_equal
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import abs as absolute
from runtime.ops.elementwise.unary import log, square
from runtime.ops.neural.activations import softplus

_LOG_2 = 0.6931471805599453


def mean_squared_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return the mean of the squares of differences, along the last axis.

    >>> print(mean_squared_error([[1.0, 2.0]], [[1.0, 4.0]]))
    rt.Tensor([2.], shape=(1,), dtype=float32)
    """
    truth, predicted = broadcast_operands("mean_squared_error", y_true, y_pred)
    return reduce_mean(square(subtract(truth, predicted)), axis=-1)


def mean_absolute_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return the mean of the absolute differences, along the last axis.

    >>> print(mean_absolute_error([[1.0, 2.0]], [[1.0, 4.0]]))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    truth, predicted = broadcast_operands("mean_absolute_error", y_true, y_pred)
    return reduce_mean(absolute(subtract(truth, predicted)), axis=-1)


def mean_absolute_percentage_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return the mean of absolute differences in percent of the labels, along the last axis.

    >>> print(mean_absolute_percentage_error([[1.0, 2.0]], [[1.0, 4.0]]))
    rt.Tensor([50.], shape=(1,), dtype=float32)
    """
    truth, predicted = broadcast_operands("mean_absolute_percentage_error", y_true, y_pred)
    shares = absolute((truth - predicted) / maximum(absolute(truth), TINY))
    return reduce_mean(shares, axis=-1) * 100.0


def mean_squared_logarithmic_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return the mean of the squares of differences of `log(1 + y)`, along the last axis.

    >>> print(mean_squared_logarithmic_error([[0.0, 1.0]], [[0.0, 3.0]]).numpy().round(4))
    [0.2402]
    """
    truth, predicted = broadcast_operands("mean_squared_logarithmic_error", y_true, y_pred)
    one: Any = log(maximum(predicted, TINY) + 1.0)
    other: Any = log(maximum(truth, TINY) + 1.0)
    return reduce_mean(square(one - other), axis=-1)


def huber(y_true: TensorLike, y_pred: TensorLike, delta: float = 1.0) -> Tensor:
    """Return the mean along the last axis of a loss that is quadratic up to `delta`, then linear.

    From Huber, "Robust estimation of a location parameter", 1964.

    >>> print(huber([[0.0, 0.0]], [[1.0, 3.0]]))
    rt.Tensor([1.5], shape=(1,), dtype=float32)
    """
    truth, predicted = broadcast_operands("huber", y_true, y_pred)
    error: Any = subtract(predicted, truth)
    size: Any = absolute(error)
    near: Any = square(error) * 0.5
    far = size * number(delta, "delta") - 0.5 * number(delta, "delta") ** 2
    return reduce_mean(where(less_equal(size, number(delta, "delta")), near, far), axis=-1)


def log_cosh(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return the mean of the logarithms of the hyperbolic cosines of differences.

    The mean is along the last axis; large differences do not become infinite.

    >>> print(log_cosh([[0.0, 0.0]], [[0.0, 1000.0]]).numpy().round(4))
    [499.6534]
    """
    truth, predicted = broadcast_operands("log_cosh", y_true, y_pred)
    error: Any = predicted - truth
    return reduce_mean(error + softplus(error * -2.0) - _LOG_2, axis=-1)


class MeanSquaredError(PlainLoss, fn=mean_squared_error):
    """The mean of the squares of differences.

    Example:
        >>> print(MeanSquaredError()([[1.0, 2.0]], [[1.0, 4.0]]))
        rt.Tensor(2.0, shape=(), dtype=float32)
    """


class MeanAbsoluteError(PlainLoss, fn=mean_absolute_error):
    """The mean of the absolute differences.

    Example:
        >>> print(MeanAbsoluteError()([[1.0, 2.0]], [[1.0, 4.0]]))
        rt.Tensor(1.0, shape=(), dtype=float32)
    """


class MeanAbsolutePercentageError(PlainLoss, fn=mean_absolute_percentage_error):
    """The mean of absolute differences in percent of the labels.

    Example:
        >>> print(MeanAbsolutePercentageError()([[1.0, 2.0]], [[1.0, 4.0]]))
        rt.Tensor(50.0, shape=(), dtype=float32)
    """


class MeanSquaredLogarithmicError(PlainLoss, fn=mean_squared_logarithmic_error):
    """The mean of the squares of differences of `log(1 + y)`.

    Example:
        >>> round(float(MeanSquaredLogarithmicError()([[0.0, 1.0]], [[0.0, 3.0]])), 4)
        0.2402
    """


class Huber(LossOfFunction):
    """Half the squares of small differences; larger ones count linearly.

    Args:
        delta: the largest small difference.

    Example:
        >>> print(Huber()([[0.0, 0.0]], [[1.0, 3.0]]))
        rt.Tensor(1.5, shape=(), dtype=float32)
    """

    def __init__(
        self,
        delta: float = 1.0,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "huber_loss",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(huber, name, reduction, dtype, delta=delta)


class LogCosh(PlainLoss, fn=log_cosh):
    """The logarithm of the hyperbolic cosine of differences.

    Example:
        >>> round(float(LogCosh()([[0.0, 0.0]], [[0.0, 1000.0]])), 4)
        499.6534
    """
