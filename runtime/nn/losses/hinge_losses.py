"""Hinge losses."""

from __future__ import annotations

from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.nn.losses.loss import PlainLoss
from runtime.nn.losses.operands import broadcast_operands
from runtime.ops.arrays.reduction import reduce_all, reduce_max, reduce_mean, reduce_sum
from runtime.ops.elementwise.arithmetic import maximum, multiply
from runtime.ops.elementwise.comparison import equal
from runtime.ops.elementwise.logic import logical_or
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import square


def hinge(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return the mean of `maximum(1 - y_true * y_pred, 0)` along the last axis.

    Args:
        y_true: -1 and 1; or 0 and 1, where 0 counts as -1.
        y_pred: numbers; the sign is the predicted class.

    >>> print(hinge([[1, -1]], [[0.5, -2.0]]))
    rt.Tensor([0.25], shape=(1,), dtype=float32)
    """
    return reduce_mean(_shortfall("hinge", y_true, y_pred), axis=-1)


def squared_hinge(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return the mean of the squares of the terms of `hinge`.

    >>> print(squared_hinge([[1, -1]], [[0.5, -2.0]]))
    rt.Tensor([0.125], shape=(1,), dtype=float32)
    """
    return reduce_mean(square(_shortfall("squared_hinge", y_true, y_pred)), axis=-1)


def categorical_hinge(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return the shortfall of the true class from a margin of 1 to the highest other class.

    The classes are along the last axis.

    Args:
        y_true: 1 for the true class, 0 for others.
        y_pred: numbers.

    >>> print(categorical_hinge([[0, 1]], [[0.5, 0.75]]))
    rt.Tensor([0.75], shape=(1,), dtype=float32)
    """
    truth, predicted = broadcast_operands("categorical_hinge", y_true, y_pred)
    right: Any = reduce_sum(multiply(truth, predicted), axis=-1)
    wrong: Any = reduce_max(multiply(1.0 - truth, predicted), axis=-1)
    return maximum(wrong - right + 1.0, 0.0)


def _shortfall(name: str, y_true: Any, y_pred: Any) -> Any:
    truth, predicted = broadcast_operands(name, y_true, y_pred)
    counted = reduce_all(logical_or(equal(truth, 0.0), equal(truth, 1.0)))
    return maximum(1.0 - where(counted, truth * 2.0 - 1.0, truth) * predicted, 0.0)


class Hinge(PlainLoss, fn=hinge):
    """The shortfall of predictions from a margin of 1.

    Example:
        >>> print(Hinge()([[1, -1]], [[0.5, -2.0]]))
        rt.Tensor(0.25, shape=(), dtype=float32)
    """


class SquaredHinge(PlainLoss, fn=squared_hinge):
    """The squares of the shortfalls of predictions from a margin of 1.

    Example:
        >>> print(SquaredHinge()([[1, -1]], [[0.5, -2.0]]))
        rt.Tensor(0.125, shape=(), dtype=float32)
    """


class CategoricalHinge(PlainLoss, fn=categorical_hinge):
    """The shortfall of the true class from a margin of 1 to the highest other class.

    Example:
        >>> print(CategoricalHinge()([[0, 1]], [[0.5, 0.75]]))
        rt.Tensor(0.75, shape=(), dtype=float32)
    """
