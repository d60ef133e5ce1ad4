"""Operands of losses and metrics: floats of one dtype and one shape."""

from __future__ import annotations

from typing import Any

from runtime.errors import ArgumentValueError
from runtime.nn.losses.loss import check_same_size
from runtime.nn.losses.reduction import same_rank
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor

# This lower bound keeps logarithms and quotients finite.
TINY = 1e-7


def floats(y_pred: Any) -> Any:
    """Return predictions as floats: float32 unless they are floats already."""
    predicted = to_tensor(y_pred)
    return predicted if predicted.dtype.is_floating else cast(predicted, "float32")


def same_operands(name: str, y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Return the labels and the predictions as floats of one shape.

    Args:
        name: the name of the loss or metric, for errors.
        y_true: numbers of any dtype; a last axis of size 1 may be missing or additional.
        y_pred: numbers.

    Raises:
        ShapeError: their shapes differ.

    >>> [t.shape.as_list() for t in same_operands("loss", [1, 2], [[0.5], [1.5]])]
    [[2, 1], [2, 1]]
    """
    predicted = floats(y_pred)
    truth, predicted = same_rank(cast(to_tensor(y_true), predicted.dtype), predicted)
    check_same_size(name, truth, predicted)
    return truth, predicted


def broadcast_operands(name: str, y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Return floats of one shape or, as Keras allows, of shapes of one rank that broadcast.

    Args:
        name, y_true, y_pred: those of `same_operands`.

    Raises:
        ShapeError: neither is the case.

    >>> [t.shape.as_list() for t in broadcast_operands("loss", [[1], [2]], [[0.5, 1.5]] * 2)]
    [[2, 1], [2, 2]]
    """
    truth, predicted = to_tensor(y_true), floats(y_pred)
    one, other = truth.shape, predicted.shape
    if one.rank is None or one.rank != other.rank:
        return same_operands(name, truth, predicted)
    pairs = zip(one.dims or (), other.dims or ())
    if not all(a == b or 1 in (a, b) or None in (a, b) for a, b in pairs):
        check_same_size(name, truth, predicted)
    return cast(truth, predicted.dtype), predicted


def check_share(name: str, value: Any) -> None:
    """Raise ArgumentValueError unless a number lies from 0 to 1."""
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ArgumentValueError(f"{name} must be from 0 to 1, not {value!r}")
