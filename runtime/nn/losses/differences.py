"""Losses of predictions of numbers."""

from __future__ import annotations

from typing import Any

from runtime.nn.losses.loss import LossOfFunction, check_same_size
from runtime.nn.losses.reduction import same_rank
from runtime.ops.arithmetic import subtract
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise import square
from runtime.ops.reduction import reduce_mean


def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    """Return the mean of the squares of differences, along the last axis.

    >>> print(mean_squared_error([[1.0, 2.0]], [[1.0, 4.0]]))
    rt.Tensor([2.], shape=(1,), dtype=float32)
    """
    predicted = to_tensor(y_pred)
    predicted = predicted if predicted.dtype.is_floating else cast(predicted, "float32")
    truth, predicted = same_rank(cast(to_tensor(y_true), predicted.dtype), predicted)
    check_same_size("mean_squared_error", truth, predicted)
    return reduce_mean(square(subtract(truth, predicted)), axis=-1)


class MeanSquaredError(LossOfFunction):
    """The mean of the squares of differences.

    Example:
        >>> print(MeanSquaredError()([[1.0, 2.0]], [[1.0, 4.0]]))
        rt.Tensor(2.0, shape=(), dtype=float32)
    """

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "mean_squared_error",
        dtype: Any = None,
    ) -> None:
        super().__init__(mean_squared_error, name, reduction, dtype)
