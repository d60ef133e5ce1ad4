"""Accuracy metrics."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.nn.losses.loss import check_same_size
from runtime.nn.losses.reduction import same_rank
from runtime.nn.losses.sparse_categorical import one_hot_advice
from runtime.nn.metrics.mean import MeanMetricWrapper, PlainMean
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.reduction import argmax, reduce_any
from runtime.ops.arrays.shape import expand_dims, rank, reshape, shape, squeeze
from runtime.ops.arrays.sorting import in_top_k
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.effects.assertions import Assert
from runtime.ops.elementwise.comparison import equal, greater
from runtime.ops.elementwise.logic import logical_and, logical_or


def accuracy(y_true: Any, y_pred: Any) -> Any:
    """Return 1 where the prediction equals the label, else 0.

    >>> print(accuracy([1, 2], [1, 3]))
    rt.Tensor([1. 0.], shape=(2,), dtype=float32)
    """
    predicted = to_tensor(y_pred)
    truth, predicted = same_rank(cast(to_tensor(y_true), predicted.dtype), predicted)
    check_same_size("accuracy", truth, predicted)
    return cast(equal(truth, predicted), "float32")


def binary_accuracy(y_true: TensorLike, y_pred: TensorLike, threshold: float = 0.5) -> Tensor:
    """Return 1 where a prediction, 1 above the threshold, equals the label, else 0.

    >>> print(binary_accuracy([1, 0], [0.4, 0.4]))
    rt.Tensor([0. 1.], shape=(2,), dtype=float32)
    """
    truth, predicted = same_rank(to_tensor(y_true), to_tensor(y_pred))
    check_same_size("binary_accuracy", truth, predicted)
    positive = greater(cast(predicted, "float32"), to_tensor(threshold, "float32"))
    return cast(equal(truth, cast(positive, truth.dtype)), "float32")


def categorical_accuracy(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return 1 where the class with the highest score is the one with label 1, else 0.

    >>> print(categorical_accuracy([[0, 1], [1, 0]], [[0.2, 0.8], [0.4, 0.6]]))
    rt.Tensor([1. 0.], shape=(2,), dtype=float32)
    """
    truth, predicted = to_tensor(y_true), to_tensor(y_pred)
    check_same_size("categorical_accuracy", truth, predicted)
    return cast(equal(argmax(truth, axis=-1), argmax(predicted, axis=-1)), "float32")


def sparse_categorical_accuracy(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return 1 where the class with the highest score equals the class index, else 0.

    >>> print(sparse_categorical_accuracy([1, 0], [[0.2, 0.8], [0.4, 0.6]]))
    rt.Tensor([1. 0.], shape=(2,), dtype=float32)
    """
    predicted = to_tensor(y_pred)
    truth = class_indices(y_true, predicted)
    found = cast(argmax(predicted, axis=-1), "int64")
    check_same_size("sparse_categorical_accuracy", truth, found)
    return cast(equal(cast(truth, "int64"), found), "float32")


def top_k_categorical_accuracy(y_true: TensorLike, y_pred: TensorLike, k: int = 5) -> Tensor:
    """Return 1 where the class with label 1 has one of the `k` highest scores, else 0.

    >>> print(top_k_categorical_accuracy([[0, 0, 1]], [[0.1, 0.7, 0.2]], k=2))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    truth, predicted = to_tensor(y_true), to_tensor(y_pred)
    check_same_size("top_k_categorical_accuracy", truth, predicted)
    return sparse_top_k_categorical_accuracy(argmax(truth, axis=-1), predicted, k)


def sparse_top_k_categorical_accuracy(
    y_true: TensorLike, y_pred: TensorLike, k: int = 5, from_sorted_ids: bool = False
) -> Tensor:
    """Return 1 where the true class has one of the `k` highest scores, else 0.

    Args:
        y_true: class indices.
        y_pred: the scores of the classes; or class indices in falling order of their scores, if
            `from_sorted_ids`.

    >>> print(sparse_top_k_categorical_accuracy([2, 0], [[0.1, 0.7, 0.2]] * 2, k=2))
    rt.Tensor([1. 0.], shape=(2,), dtype=float32)
    """
    predicted = to_tensor(y_pred)
    truth = class_indices(y_true, predicted)
    rows = truth if truth.shape.rank == 1 else reshape(truth, [-1])
    if predicted.shape.rank != 2:
        predicted = reshape(predicted, [-1, shape(predicted)[-1]])
    if flag(from_sorted_ids, "from_sorted_ids"):
        first = predicted[:, :k]
        found = reduce_any(equal(expand_dims(cast(rows, predicted.dtype), 1), first), axis=1)
    else:
        found = in_top_k(cast(rows, "int32"), predicted, k)
    found = cast(found, "float32")
    return found if rows is truth else reshape(found, shape(truth))


def class_indices(y_true: Any, predicted: Any) -> Any:
    """Return class indices, with one axis less than the predictions.

    Raises:
        ShapeError: they have neither that nor a last axis of size 1.
    """
    truth = to_tensor(y_true)
    known, wanted = truth.shape.rank, predicted.shape.rank
    if known is None or wanted is None:
        return _indices_for_run_time_ranks(truth, predicted)
    if known and known == wanted and truth.shape[-1] == 1:
        truth, known = squeeze(truth, axis=-1), known - 1
    if known + 1 != wanted:
        raise ShapeError(
            f"y_true of shape {truth.shape} does not fit y_pred of shape "
            f"{predicted.shape}: it must have one axis less{one_hot_advice(truth, predicted)}"
        )
    return truth


def _indices_for_run_time_ranks(truth: Any, predicted: Any) -> Any:
    fewer: Any = rank(predicted) - rank(truth)
    last: Any = concat([[0], shape(truth)], 0)[-1]
    tells = logical_or(equal(fewer, 1), logical_and(equal(fewer, 0), equal(last, 1)))
    words = "y_true must have one axis less than y_pred; they have the shapes"
    Assert(tells, [words, shape(truth), shape(predicted)])
    return reshape(truth, shape(predicted)[:-1])


class Accuracy(PlainMean, fn=accuracy):
    """The accuracy: the fraction of predictions that equal the labels.

    Example:
        >>> float(Accuracy()([1, 2], [1, 3]))
        0.5
    """


class BinaryAccuracy(MeanMetricWrapper):
    """The binary accuracy: the fraction of thresholded predictions that equal the labels.

    Args:
        threshold: the number above which a prediction is positive.

    Example:
        >>> float(BinaryAccuracy()([1, 0], [0.4, 0.4]))
        0.5
    """

    def __init__(
        self,
        name: str | None = "binary_accuracy",
        dtype: DTypeLike | None = None,
        threshold: float = 0.5,
    ) -> None:
        super().__init__(binary_accuracy, name, dtype, threshold=threshold)


class CategoricalAccuracy(PlainMean, fn=categorical_accuracy):
    """The accuracy of class predictions against one-hot labels.

    Example:
        >>> float(CategoricalAccuracy()([[0, 1], [1, 0]], [[0.2, 0.8], [0.4, 0.6]]))
        0.5
    """


class SparseCategoricalAccuracy(PlainMean, fn=sparse_categorical_accuracy):
    """The accuracy of class predictions against integer labels.

    Example:
        >>> metric = SparseCategoricalAccuracy()
        >>> float(metric([1, 0], [[0.2, 0.8], [0.4, 0.6]]))
        0.5
    """


class TopKCategoricalAccuracy(MeanMetricWrapper):
    """The top-k accuracy of class predictions against one-hot labels.

    Example:
        >>> float(TopKCategoricalAccuracy(k=2)([[0, 0, 1]], [[0.1, 0.7, 0.2]]))
        1.0
    """

    def __init__(
        self,
        k: int = 5,
        name: str | None = "top_k_categorical_accuracy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(top_k_categorical_accuracy, name, dtype, k=k)


class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    """The top-k accuracy of class predictions against integer labels.

    Args:
        k: the number of highest scores that count.
        from_sorted_ids: whether predictions are class indices in falling order of their scores.

    Example:
        >>> float(SparseTopKCategoricalAccuracy(k=2)([2, 0], [[0.1, 0.7, 0.2]] * 2))
        0.5
    """

    def __init__(
        self,
        k: int = 5,
        name: str | None = "sparse_top_k_categorical_accuracy",
        dtype: DTypeLike | None = None,
        from_sorted_ids: bool = False,
    ) -> None:
        options = {"k": k, "from_sorted_ids": from_sorted_ids}
        super().__init__(sparse_top_k_categorical_accuracy, name, dtype, **options)
