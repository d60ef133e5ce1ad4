"""Metrics of how often predictions are right."""

from __future__ import annotations

from typing import Any

from runtime.errors import ShapeError
from runtime.nn.metrics.mean import MeanMetricWrapper
from runtime.ops.comparison import equal
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.reduction import argmax
from runtime.ops.shape import squeeze


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """Return 1 where the likeliest class is the true one, given by its number, and 0 elsewhere.

    >>> print(sparse_categorical_accuracy([1, 0], [[0.2, 0.8], [0.4, 0.6]]))
    rt.Tensor([1. 0.], shape=(2,), dtype=float32)
    """
    truth, predicted = to_tensor(y_true), to_tensor(y_pred)
    rank, wanted = truth.shape.rank, predicted.shape.rank
    if rank is not None and rank == wanted and truth.shape[-1] == 1:
        truth, rank = squeeze(truth, axis=-1), rank - 1
    if rank is not None and wanted is not None and rank + 1 != wanted:
        raise ShapeError(
            f"y_true of shape {truth.shape} does not tell the classes of y_pred of shape "
            f"{predicted.shape}: it has to have one axis less"
        )
    found = cast(argmax(predicted, axis=-1), "int64")
    return cast(equal(cast(truth, "int64"), found), "float32")


class SparseCategoricalAccuracy(MeanMetricWrapper):
    """How often the likeliest class is the true one, given by its number.

    Example:
        >>> metric = SparseCategoricalAccuracy()
        >>> float(metric([1, 0], [[0.2, 0.8], [0.4, 0.6]]))
        0.5
    """

    def __init__(self, name: str | None = "sparse_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(sparse_categorical_accuracy, name, dtype)
