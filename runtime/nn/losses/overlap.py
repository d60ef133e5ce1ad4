"""Overlap losses of regions: Dice and Tversky."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import number
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.nn.losses.loss import LossOfFunction
from runtime.nn.losses.operands import TINY, same_operands
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.elementwise.arithmetic import divide


def dice(y_true: TensorLike, y_pred: TensorLike, axis: Any = None) -> Tensor:
    """Return 1 minus twice the overlap, relative to the sum of both sizes (Dice, 1945).

    Args:
        y_true, y_pred: fractions from 0 to 1.
        axis: the axes of the sums; None for all.

    >>> round(float(dice([1.0, 1.0, 0.0], [1.0, 0.0, 0.0])), 4)
    0.3333
    """
    truth, predicted = same_operands("dice", y_true, y_pred)
    both: Any = reduce_sum(truth * predicted, axis=axis)
    each: Any = reduce_sum(truth, axis=axis) + reduce_sum(predicted, axis=axis)
    return 1.0 - divide(both * 2.0, each + TINY)


def tversky(
    y_true: TensorLike, y_pred: TensorLike, alpha: float = 0.5, beta: float = 0.5, axis: Any = None
) -> Tensor:
    """Return 1 minus the overlap, relative to the overlap and the parts in only one operand.

    From Salehi, Erdogmus and Gholipour, "Tversky loss function", 2017.

    Args:
        y_true, y_pred: fractions from 0 to 1.
        alpha: the weight of the parts in `y_true` only.
        beta: the weight of the parts in `y_pred` only.
        axis: the axes of the sums; None for all.

    >>> round(float(tversky([1.0, 1.0, 0.0], [1.0, 0.0, 0.0])), 4)
    0.3333
    """
    truth, predicted = same_operands("tversky", y_true, y_pred)
    both: Any = reduce_sum(truth * predicted, axis=axis)
    missed: Any = reduce_sum((1.0 - predicted) * truth, axis=axis)
    wrong: Any = reduce_sum(predicted * (1.0 - truth), axis=axis)
    return 1.0 - divide(
        both, both + missed * number(alpha, "alpha") + wrong * number(beta, "beta") + TINY
    )


class Dice(LossOfFunction):
    """1 minus twice the overlap, relative to the sum of both sizes.

    Args:
        axis: the axes of the sums; None for all.

    Example:
        >>> round(float(Dice()([1.0, 1.0, 0.0], [1.0, 0.0, 0.0])), 4)
        0.3333
    """

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "dice",
        axis: Any = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dice, name, reduction, dtype, axis=axis)


class Tversky(LossOfFunction):
    """1 minus the overlap, relative to the overlap and the parts in only one operand.

    Args:
        alpha: the weight of the parts in `y_true` only.
        beta: the weight of the parts in `y_pred` only.
        axis: the axes of the sums; None for all.

    Example:
        >>> round(float(Tversky()([1.0, 1.0, 0.0], [1.0, 0.0, 0.0])), 4)
        0.3333
    """

    def __init__(
        self,
        alpha: float = 0.5,
        beta: float = 0.5,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "tversky",
        axis: Any = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(tversky, name, reduction, dtype, alpha=alpha, beta=beta, axis=axis)
