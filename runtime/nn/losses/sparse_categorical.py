"""Sparse categorical losses: true classes are integers."""

from __future__ import annotations

from runtime.core.argument_checks import flag
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError
from runtime.nn.layers.masks import put_mask
from runtime.nn.losses.loss import LossOfFunction
from runtime.ops.arguments import static_int
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.shape import squeeze
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import clip_by_value
from runtime.ops.elementwise.comparison import not_equal
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import log
from runtime.ops.infer import axis_of
from runtime.ops.linalg.matrices import transpose
from runtime.ops.neural.softmax import (
    sparse_softmax_cross_entropy_with_logits,
)

# Probabilities are clipped to this distance from 0 and 1, so that logarithms are finite.
NEAR = 1e-7


def one_hot_advice(truth: Tensor, predicted: Tensor) -> str:
    """Return advice for true classes that are one-hot, "" for others."""
    if not truth.shape.rank or truth.shape.rank != predicted.shape.rank:
        return ""
    if truth.shape[-1] != predicted.shape[-1]:
        return ""
    return "; for one-hot rows, take the categorical loss or metric without `sparse`"


def sparse_categorical_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    from_logits: bool = False,
    ignore_class: int | None = None,
    axis: int = -1,
) -> Tensor:
    """Return the cross entropy with class indices as labels.

    Args:
        y_true: integers, of the shape of `y_pred` without the axis of classes; a last axis of size
            1 may follow.
        y_pred: probabilities, or logits if `from_logits`.
        ignore_class: a number that stands for no class: its items have loss 0 and do not count.
        axis: the axis of the classes in `y_pred`.

    Raises:
        ShapeError: the ranks do not match, or the rank of `y_pred` is unknown and `axis` is not -1.

    >>> sparse_categorical_crossentropy([1], [[0.5, 0.5]]).numpy().round(4)
    array([0.6931], dtype=float32)
    """
    truth, logits = to_tensor(y_true), to_tensor(y_pred)
    rank, axis = logits.shape.rank, static_int(axis, "axis")
    if rank is None and axis != -1:
        raise ShapeError(f"with axis {axis}, the rank of y_pred must be known")
    if rank is not None and axis not in (-1, rank - 1):
        axis = axis_of(axis, rank)
        order = [n for n in range(rank) if n != axis % rank]
        logits = transpose(logits, [*order, axis % rank])
    if rank and truth.shape.rank == rank and truth.shape[-1] == 1:
        truth = squeeze(truth, axis=-1)
    classes_rank = truth.shape.rank
    if rank is not None and classes_rank is not None and classes_rank + 1 != rank:
        raise ShapeError(
            f"y_true of shape {truth.shape} does not fit y_pred of shape "
            f"{logits.shape}: it must have one axis less{one_hot_advice(truth, logits)}"
        )
    if truth.dtype.is_string:
        raise DTypeError(
            "labels are numbers of classes, not texts: write "
            "np.unique(labels, return_inverse=True)[1]"
        )
    labels = truth if truth.dtype.is_integer else cast(truth, "int64")
    if not flag(from_logits, "from_logits"):
        logits = log(clip_by_value(logits, NEAR, 1 - NEAR))
    if ignore_class is None:
        return sparse_softmax_cross_entropy_with_logits(labels, logits)
    valid = not_equal(labels, to_tensor(ignore_class, labels.dtype))
    labels = where(valid, labels, zeros_like(labels))
    found = sparse_softmax_cross_entropy_with_logits(labels, logits)
    found = where(valid, found, zeros_like(found))
    put_mask(found, valid)
    return found


class SparseCategoricalCrossentropy(LossOfFunction):
    """The cross entropy with class indices as labels.

    Args:
        from_logits: whether predictions are logits, not probabilities.
        ignore_class: a number that stands for no class: its items do not count.

    Example:
        >>> loss = SparseCategoricalCrossentropy(from_logits=True)
        >>> round(float(loss([0, 1], [[0.0, 0.0], [0.0, 0.0]])), 4)
        0.6931
    """

    def __init__(
        self,
        from_logits: bool = False,
        ignore_class: int | None = None,
        reduction: str | None = "sum_over_batch_size",
        axis: int = -1,
        name: str | None = "sparse_categorical_crossentropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            sparse_categorical_crossentropy,
            name,
            reduction,
            dtype,
            from_logits=from_logits,
            ignore_class=ignore_class,
            axis=axis,
        )
