"""The circle loss (Sun et al., "Circle loss: a unified perspective", 2020)."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag, number
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.nn.layers.masks import put_mask
from runtime.nn.losses.loss import LossOfFunction
from runtime.nn.losses.operands import floats
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.reduction import reduce_logsumexp
from runtime.ops.arrays.shape import expand_dims, of_rank, reshape, shape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import maximum
from runtime.ops.elementwise.comparison import equal, greater
from runtime.ops.elementwise.logic import logical_and, logical_not
from runtime.ops.elementwise.selection import where
from runtime.ops.linalg.matrices import matmul, transpose
from runtime.ops.neural.activations import softplus


def circle(
    y_true: TensorLike,
    y_pred: TensorLike,
    ref_labels: TensorLike | None = None,
    ref_embeddings: TensorLike | None = None,
    remove_diagonal: bool = True,
    gamma: float = 80,
    margin: float = 0.4,
) -> Tensor:
    """Return each vector's loss from its similarity to other classes and to its own class.

    Args:
        y_true: integers, the classes.
        y_pred: rows, vectors of length 1.
        ref_labels, ref_embeddings: classes and vectors to compare with; by default the same ones.
        remove_diagonal: whether to omit the comparison of a vector with the one at its own index.
        gamma: the scale of the differences.
        margin: the relaxation of the similarity, from 0 to 1.

    Raises:
        ShapeError: the vectors are not rows of a matrix.

    >>> found = circle([0, 1], [[1.0, 0.0], [0.0, 1.0]])
    >>> found.numpy().tolist()
    [0.0, 0.0]
    """
    gamma, margin = number(gamma, "gamma"), number(margin, "margin")
    vectors = floats(y_pred)
    others = vectors if ref_embeddings is None else floats(ref_embeddings)
    labels = reshape(cast(to_tensor(y_true), "int32"), [-1])
    known = labels if ref_labels is None else reshape(cast(to_tensor(ref_labels), "int32"), [-1])
    if vectors.shape.rank not in (None, 2):
        raise ShapeError(
            "circle: y_pred must be a matrix whose rows have length 1, not of shape "
            f"{vectors.shape}"
        )
    vectors, others = of_rank(vectors, 2), of_rank(others, 2)
    apart: Any = maximum(1.0 - matmul(vectors, transpose(others)), 0.0)
    same = equal(expand_dims(labels, 1), expand_dims(known, 0))
    other = logical_not(same)
    if flag(remove_diagonal, "remove_diagonal"):
        rows, columns = numbers(shape(labels)[0]), numbers(shape(known)[0])
        itself = equal(expand_dims(rows, 1), expand_dims(columns, 0))
        same = logical_and(same, logical_not(itself))
    near: Any = (apart + margin) * (apart - margin) * gamma
    far: Any = maximum(1.0 + margin - apart, 0.0) * (1.0 - margin - apart) * gamma
    total: Any = reduce_logsumexp(_only(same, near), axis=1)
    found = softplus(total + reduce_logsumexp(_only(other, far), axis=1))
    put_mask(found, greater(found, 0.0))
    return found


def _only(chosen: Any, values: Any) -> Any:
    return where(chosen, values, zeros_like(values) - float("inf"))


class Circle(LossOfFunction):
    """The circle loss: similarity to vectors of other classes, and distance from the own class.

    Items without a loss do not count.

    Args:
        gamma: the scale of the differences.
        margin: the relaxation of the similarity, from 0 to 1.
        remove_diagonal: whether to omit the comparison of a vector with itself.

    Example:
        >>> round(float(Circle(gamma=1.0)([0, 0, 1], [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])), 4)
        0.789
    """

    def __init__(
        self,
        gamma: float = 80.0,
        margin: float = 0.4,
        remove_diagonal: bool = True,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = "circle",
        dtype: DTypeLike | None = None,
    ) -> None:
        options = {"gamma": gamma, "margin": margin, "remove_diagonal": remove_diagonal}
        super().__init__(circle, name, reduction, dtype, **options)
