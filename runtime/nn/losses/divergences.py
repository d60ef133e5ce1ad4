"""KL divergence, Poisson and cosine similarity losses."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.nn.losses.loss import LossOfFunction, PlainLoss
from runtime.nn.losses.operands import TINY, broadcast_operands
from runtime.ops.arrays.reduction import reduce_mean, reduce_sum
from runtime.ops.elementwise.arithmetic import clip_by_value, divide, multiply
from runtime.ops.elementwise.unary import log
from runtime.ops.linalg.norms import l2_normalize


def kl_divergence(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return the Kullback-Leibler divergence (1951) of distributions along the last axis.

    >>> print(kl_divergence([[0.5, 0.5]], [[0.25, 0.75]]).numpy().round(4))
    [0.1438]
    """
    truth, predicted = broadcast_operands("kl_divergence", y_true, y_pred)
    truth, predicted = clip_by_value(truth, TINY, 1.0), clip_by_value(predicted, TINY, 1.0)
    return reduce_sum(multiply(truth, log(divide(truth, predicted))), axis=-1)


def poisson(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return the mean of `y_pred - y_true * log(y_pred)`, along the last axis.

    Up to a constant, this is the negative log likelihood of counts.

    >>> print(poisson([[1.0, 2.0]], [[1.0, 2.0]]).numpy().round(4))
    [0.8069]
    """
    truth, predicted = broadcast_operands("poisson", y_true, y_pred)
    return reduce_mean(predicted - truth * log(predicted + TINY), axis=-1)


def cosine_similarity(y_true: TensorLike, y_pred: TensorLike, axis: Any = -1) -> Tensor:
    """Return the negative cosine of the angle between vectors along an axis: -1 for one direction.

    >>> print(cosine_similarity([[3.0, 4.0]], [[4.0, 3.0]]).numpy().round(4))
    [-0.96]
    """
    truth, predicted = broadcast_operands("cosine_similarity", y_true, y_pred)
    # Vectors shorter than TINY are not scaled to length 1, so their similarity is about 0.
    truth = l2_normalize(truth, axis=axis, epsilon=TINY**2)
    predicted = l2_normalize(predicted, axis=axis, epsilon=TINY**2)
    return -reduce_sum(multiply(truth, predicted), axis=axis)


class KLDivergence(PlainLoss, fn=kl_divergence):
    """The Kullback-Leibler divergence of distributions.

    Example:
        >>> round(float(KLDivergence()([[0.5, 0.5]], [[0.25, 0.75]])), 4)
        0.1438
    """


class Poisson(PlainLoss, fn=poisson):
    """The loss of predicted rates of counts.

    Example:
        >>> round(float(Poisson()([[1.0, 2.0]], [[1.0, 2.0]])), 4)
        0.8069
    """


class CosineSimilarity(LossOfFunction):
    """The negative cosine of the angle between vectors.

    Args:
        axis: the axis of the vectors.

    Example:
        >>> round(float(CosineSimilarity()([[3.0, 4.0]], [[4.0, 3.0]])), 4)
        -0.96
    """

    def __init__(
        self,
        axis: Any = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "cosine_similarity",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(cosine_similarity, name, reduction, dtype, axis=axis)
