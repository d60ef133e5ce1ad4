"""Categorical losses: true classes are one-hot vectors."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag, number
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.losses.loss import LossOfFunction
from runtime.nn.losses.operands import TINY, check_share, floats, same_operands
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import expand_dims, shape, squeeze
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import clip_by_value, divide, multiply, pow
from runtime.ops.elementwise.comparison import equal
from runtime.ops.elementwise.unary import log
from runtime.ops.neural.softmax import (
    softmax,
    softmax_cross_entropy_with_logits,
)


def categorical_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Tensor:
    """Return the cross entropy of classes, along an axis.

    Args:
        y_true: probabilities, usually 1 for one class and 0 for the others.
        y_pred: probabilities, which are normalized to a sum of 1; or logits if `from_logits`.
        label_smoothing: the fraction of the labels spread evenly over all classes.
        axis: the axis of the classes.

    >>> print(categorical_crossentropy([[0, 1]], [[0.5, 0.5]]).numpy().round(4))
    [0.6931]
    """
    truth, predicted = same_operands("categorical_crossentropy", y_true, y_pred)
    truth = _smoothed(truth, label_smoothing)
    if flag(from_logits, "from_logits"):
        return softmax_cross_entropy_with_logits(truth, predicted, axis)
    return -reduce_sum(multiply(truth, log(_shares(predicted, axis))), axis=axis)


def categorical_focal_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    alpha: TensorLike = 0.25,
    gamma: float = 2.0,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Tensor:
    """Return the cross entropy of classes, with less weight for nearly correct predictions.

    From Lin et al., "Focal loss for dense object detection", 2018.

    Args:
        y_true: probabilities, usually 1 for one class and 0 for the others.
        y_pred: probabilities, or logits if `from_logits`.
        alpha: the weight of classes: one number, or one for each.
        gamma: the reduction of the weight of nearly correct predictions.
        label_smoothing: the fraction of the labels spread evenly over all classes.
        axis: the axis of the classes.

    >>> print(categorical_focal_crossentropy([[0, 1]], [[0.5, 0.5]]).numpy().round(4))
    [0.0433]
    """
    truth, predicted = same_operands("categorical_focal_crossentropy", y_true, y_pred)
    truth = _smoothed(truth, label_smoothing)
    if flag(from_logits, "from_logits"):
        predicted = softmax(predicted, axis=axis)
    found: Any = _shares(predicted, axis)
    entropy: Any = -truth * log(found)
    weights: Any = pow(1.0 - found, number(gamma, "gamma")) * to_tensor(alpha, found.dtype)
    return reduce_sum(weights * entropy, axis=axis)


def categorical_generalized_cross_entropy(
    y_true: TensorLike, y_pred: TensorLike, q: float
) -> Tensor:
    """Return `(1 - p ** q) / q` for the probabilities `p` of the true classes.

    From Zhang and Sabuncu, "Generalized cross entropy loss", 2018.

    Args:
        y_true: numbers of classes.
        y_pred: probabilities, of one axis more.
        q: more than 0 and less than 1; near 0 it is the cross entropy.

    >>> print(categorical_generalized_cross_entropy([1], [[0.75, 0.25]], 0.5))
    rt.Tensor([1.], shape=(1,), dtype=float32)
    """
    predicted = floats(y_pred)
    truth = cast(to_tensor(y_true), "int64")
    if truth.shape.rank is not None and truth.shape.rank == predicted.shape.rank:
        truth = squeeze(truth, axis=-1)
    # The class is found by comparison, since the number of classes may be known only at run time.
    classes = cast(numbers(shape(predicted)[-1]), "int64")
    chosen = cast(equal(expand_dims(truth, -1), classes), predicted.dtype)
    name = "categorical_generalized_cross_entropy"
    right = reduce_sum(multiply(*same_operands(name, chosen, predicted)), axis=-1)
    return (1.0 - pow(right, number(q, "q"))) / q


def _smoothed(truth: Any, smoothing: float) -> Any:
    check_share("label_smoothing", smoothing)
    if not smoothing:
        return truth
    classes: Any = cast(shape(truth)[-1], truth.dtype)
    return truth * (1.0 - smoothing) + smoothing / classes


def _shares(predicted: Any, axis: int) -> Any:
    shares = divide(predicted, reduce_sum(predicted, axis=axis, keepdims=True))
    return clip_by_value(shares, TINY, 1.0 - TINY)


class CategoricalCrossentropy(LossOfFunction):
    """The cross entropy of classes.

    Args:
        from_logits: whether predictions are logits, not probabilities.
        label_smoothing: the fraction of the labels spread evenly over all classes.
        axis: the axis of the classes.

    Example:
        >>> round(float(CategoricalCrossentropy(from_logits=True)([[0, 1]], [[0.0, 0.0]])), 4)
        0.6931
    """

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "categorical_crossentropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            categorical_crossentropy,
            name,
            reduction,
            dtype,
            from_logits=from_logits,
            label_smoothing=label_smoothing,
            axis=axis,
        )


class CategoricalFocalCrossentropy(LossOfFunction):
    """The cross entropy of classes, with less weight for nearly correct predictions.

    Args:
        alpha: the weight of classes: one number, or one for each.
        gamma: the reduction of the weight of nearly correct predictions.
        from_logits: whether predictions are logits, not probabilities.
        label_smoothing: the fraction of the labels spread evenly over all classes.
        axis: the axis of the classes.

    Example:
        >>> round(float(CategoricalFocalCrossentropy()([[0, 1]], [[0.5, 0.5]])), 4)
        0.0433
    """

    def __init__(
        self,
        alpha: TensorLike = 0.25,
        gamma: float = 2.0,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "categorical_focal_crossentropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            categorical_focal_crossentropy,
            name,
            reduction,
            dtype,
            alpha=alpha,
            gamma=gamma,
            from_logits=from_logits,
            label_smoothing=label_smoothing,
            axis=axis,
        )


class CategoricalGeneralizedCrossEntropy(LossOfFunction):
    """`(1 - p ** q) / q` for the probabilities `p` of the true classes.

    Args:
        q: more than 0 and less than 1; near 0 it is the cross entropy.

    Example:
        >>> print(CategoricalGeneralizedCrossEntropy()([1], [[0.75, 0.25]]))
        rt.Tensor(1.0, shape=(), dtype=float32)
    """

    def __init__(
        self,
        q: float = 0.5,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "categorical_generalized_cross_entropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        if not 0 < number(q, "q") < 1:
            raise ArgumentValueError(f"q must be between 0 and 1, not {q!r}")
        super().__init__(categorical_generalized_cross_entropy, name, reduction, dtype, q=q)
