"""Binary cross-entropy losses."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag, number
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.nn.losses.loss import LossOfFunction
from runtime.nn.losses.operands import TINY, check_share, same_operands
from runtime.ops.arrays.reduction import reduce_mean
from runtime.ops.elementwise.arithmetic import clip_by_value, pow
from runtime.ops.elementwise.unary import log, sigmoid
from runtime.ops.neural.weighted_losses import sigmoid_cross_entropy_with_logits


def binary_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: Any = -1,
) -> Tensor:
    """Return the mean binary cross entropy along an axis.

    Args:
        y_true: 0 and 1, or numbers between them.
        y_pred: probabilities of 1, or logits if `from_logits`.
        label_smoothing: the fraction by which labels are moved towards one half.
        axis: the axis of the mean.

    >>> print(binary_crossentropy([[0, 1]], [[0.5, 0.5]]).numpy().round(4))
    [0.6931]
    """
    truth, predicted = same_operands("binary_crossentropy", y_true, y_pred)
    truth = _smoothed(truth, label_smoothing)
    if flag(from_logits, "from_logits"):
        return reduce_mean(sigmoid_cross_entropy_with_logits(truth, predicted), axis=axis)
    return reduce_mean(_entropy(truth, predicted), axis=axis)


def binary_focal_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    apply_class_balancing: bool = False,
    alpha: float = 0.25,
    gamma: float = 2.0,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: Any = -1,
) -> Tensor:
    """Return the mean binary cross entropy, with less weight for nearly correct predictions.

    From Lin et al., "Focal loss for dense object detection", 2018.

    Args:
        y_true: 0 and 1, or numbers between them.
        y_pred: probabilities of 1, or logits if `from_logits`.
        apply_class_balancing: whether to weight label 1 by `alpha` and label 0 by the rest.
        gamma: the reduction of the weight of nearly correct predictions.
        label_smoothing: the fraction by which labels are moved towards one half.
        axis: the axis of the mean.

    >>> print(binary_focal_crossentropy([[0, 1]], [[0.5, 0.5]]).numpy().round(4))
    [0.1733]
    """
    truth, predicted = same_operands("binary_focal_crossentropy", y_true, y_pred)
    truth = _smoothed(truth, label_smoothing)
    if flag(from_logits, "from_logits"):
        predicted = sigmoid(predicted)
    right: Any = truth * predicted + (1.0 - truth) * (1.0 - predicted)
    found: Any = pow(1.0 - right, number(gamma, "gamma")) * _entropy(truth, predicted)
    if flag(apply_class_balancing, "apply_class_balancing"):
        found = found * (truth * alpha + (1.0 - truth) * (1.0 - alpha))
    return reduce_mean(found, axis=axis)


def _smoothed(truth: Any, smoothing: float) -> Any:
    check_share("label_smoothing", smoothing)
    return truth * (1.0 - smoothing) + 0.5 * smoothing if smoothing else truth


def _entropy(truth: Any, predicted: Any) -> Any:
    inside: Any = clip_by_value(predicted, TINY, 1.0 - TINY)
    yes: Any = truth * log(inside)
    return -(yes + (1.0 - truth) * log(1.0 - inside))


class BinaryCrossentropy(LossOfFunction):
    """The binary cross entropy.

    Args:
        from_logits: whether predictions are logits, not probabilities.
        label_smoothing: the fraction by which labels are moved towards one half.
        axis: the axis of the mean for each item.

    Example:
        >>> round(float(BinaryCrossentropy(from_logits=True)([[0, 1]], [[0.0, 0.0]])), 4)
        0.6931
    """

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: Any = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "binary_crossentropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            binary_crossentropy,
            name,
            reduction,
            dtype,
            from_logits=from_logits,
            label_smoothing=label_smoothing,
            axis=axis,
        )


class BinaryFocalCrossentropy(LossOfFunction):
    """The binary cross entropy, with less weight for nearly correct predictions.

    Args:
        apply_class_balancing: whether to weight label 1 by `alpha` and label 0 by the rest.
        gamma: the reduction of the weight of nearly correct predictions.
        from_logits: whether predictions are logits, not probabilities.
        label_smoothing: the fraction by which labels are moved towards one half.
        axis: the axis of the mean for each item.

    Example:
        >>> round(float(BinaryFocalCrossentropy()([[0, 1]], [[0.5, 0.5]])), 4)
        0.1733
    """

    def __init__(
        self,
        apply_class_balancing: bool = False,
        alpha: float = 0.25,
        gamma: float = 2.0,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: Any = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "binary_focal_crossentropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            binary_focal_crossentropy,
            name,
            reduction,
            dtype,
            apply_class_balancing=apply_class_balancing,
            alpha=alpha,
            gamma=gamma,
            from_logits=from_logits,
            label_smoothing=label_smoothing,
            axis=axis,
        )
