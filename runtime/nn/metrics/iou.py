"""Intersection-over-union metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.argument_checks import listed
from runtime.core.context import caller_origin
from runtime.core.dtypes import DTypeLike
from runtime.core.source_names import warn_at
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError
from runtime.nn.losses.operands import TINY
from runtime.nn.metrics.metric import Metric
from runtime.ops.arguments import static_int
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.reduction import argmax, reduce_sum
from runtime.ops.arrays.segments import unsorted_segment_sum
from runtime.ops.arrays.shape import reshape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add, divide, multiply, subtract
from runtime.ops.elementwise.comparison import greater, greater_equal, less, not_equal
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.elementwise.selection import where
from runtime.ops.linalg.diagonals import diag_part


class IoU(Metric):
    """The intersection of two areas relative to their union: the mean over some classes.

    Args:
        num_classes: the number of classes.
        target_class_ids: the classes that count.
        ignore_class: a number in y_true that stands for no class.
        sparse_y_true, sparse_y_pred: whether classes are given as indices, else as the largest
            element along `axis`.
        axis: the axis of the classes, if they are not indices.

    Raises:
        ArgumentValueError: there is no such class.

    Example:
        >>> round(float(IoU(2, [0])([0, 0, 1, 1], [0, 1, 0, 1])), 4)
        0.3333
    """

    config_names: tuple[str, ...] = (
        *("num_classes", "target_class_ids", "ignore_class", "sparse_y_true", "sparse_y_pred"),
        "axis",
    )

    def __init__(
        self,
        num_classes: int,
        target_class_ids: Sequence[int],
        name: str | None = None,
        dtype: DTypeLike | None = None,
        ignore_class: int | None = None,
        sparse_y_true: bool = True,
        sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        super().__init__("int64" if dtype is None else dtype, name)
        ids, num_classes = (
            listed(target_class_ids, "target_class_ids"),
            static_int(num_classes, "num_classes"),
        )
        self.target_class_ids = [static_int(each, "a class") for each in ids]
        wrong = [each for each in self.target_class_ids if not 0 <= each < num_classes]
        if wrong or not self.target_class_ids:
            raise ArgumentValueError(
                f"class ids must be from 0 to {num_classes - 1}, not {wrong or 'none'}"
            )
        self.num_classes, self.ignore_class, self.axis = num_classes, ignore_class, axis
        self.sparse_y_true, self.sparse_y_pred = sparse_y_true, sparse_y_pred
        self.total_cm = self.add_weight((num_classes, num_classes), name="total_confusion_matrix")

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Count a batch; items without a valid class index do not count.

        Args:
            y_true: class indices, or the weights of the classes.
            y_pred: class indices, or the scores of the classes.
            sample_weight: the weight of each item.
        """
        truth, predicted = to_tensor(y_true), to_tensor(y_pred)
        truth = truth if self.sparse_y_true else argmax(truth, axis=self.axis)
        predicted = predicted if self.sparse_y_pred else argmax(predicted, axis=self.axis)
        truth, predicted = (reshape(cast(each, "int64"), [-1]) for each in (truth, predicted))
        weights: Any = cast(ones_like(truth), self._own.dtype)
        if sample_weight is not None:
            given = to_tensor(sample_weight)
            if given.dtype.is_floating and self._own.dtype.is_integer:
                warn_at(
                    caller_origin(),
                    f"{self.name} counts integers, so weights lose their fractions: give it "
                    "dtype='float32'",
                    UserWarning,
                )
            given = cast(given, self._own.dtype)
            weights = multiply(weights, given if given.shape.rank == 0 else reshape(given, [-1]))
        counts = logical_and(self._is_class(truth), self._is_class(predicted))
        if self.ignore_class is not None:
            counts = logical_and(counts, not_equal(truth, self.ignore_class))
        weights = where(counts, weights, zeros_like(weights))
        place: Any = add(multiply(truth, self.num_classes), predicted)
        place = where(counts, place, zeros_like(place))
        size = self.num_classes
        found = reshape(unsorted_segment_sum(weights, place, size * size), [size, size])
        self.total_cm.assign_add(found)

    def _is_class(self, number: Any) -> Any:
        return logical_and(greater_equal(number, 0), less(number, self.num_classes))

    def result(self) -> Tensor:
        """Return the mean over the classes that occur; 0 if there are none."""
        total: Any = cast(self.total_cm, "float32")
        both = diag_part(total)
        either = subtract(add(reduce_sum(total, axis=0), reduce_sum(total, axis=1)), both)
        both, either = gather(both, self.target_class_ids), gather(either, self.target_class_ids)
        there = cast(greater(either, 1e-9), "float32")
        shares = multiply(divide(both, add(either, TINY)), there)
        return divide(reduce_sum(shares), add(reduce_sum(there), TINY))


class BinaryIoU(IoU):
    """The mean intersection over union, for two classes by a threshold.

    Args:
        target_class_ids: 0, 1 or both.
        threshold: the smallest prediction that counts as 1.

    Example:
        >>> round(float(BinaryIoU()([0, 1, 0, 1], [0.1, 0.2, 0.4, 0.7])), 4)
        0.5833
    """

    config_names = ("target_class_ids", "threshold")

    def __init__(
        self,
        target_class_ids: Sequence[int] = (0, 1),
        threshold: float = 0.5,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(2, target_class_ids, name, dtype)
        self.threshold = threshold

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Count a batch of 0 and 1, and of predictions of 1."""
        predicted = greater_equal(cast(to_tensor(y_pred), "float32"), float(self.threshold))
        super().update_state(y_true, cast(predicted, "int64"), sample_weight)


class MeanIoU(IoU):
    """The mean intersection over union, over all classes.

    Args:
        num_classes: the number of classes.
        ignore_class, sparse_y_true, sparse_y_pred, axis: as for IoU.

    Example:
        >>> round(float(MeanIoU(2)([0, 0, 1, 1], [0, 1, 0, 1])), 4)
        0.3333
    """

    config_names: tuple[str, ...] = (
        "num_classes",
        "ignore_class",
        "sparse_y_true",
        "sparse_y_pred",
        "axis",
    )

    def __init__(
        self,
        num_classes: int,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        ignore_class: int | None = None,
        sparse_y_true: bool = True,
        sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        every = range(static_int(num_classes, "num_classes"))
        sparse = (sparse_y_true, sparse_y_pred)
        super().__init__(num_classes, every, name, dtype, ignore_class, *sparse, axis)


class OneHotIoU(IoU):
    """The mean intersection over union, for one-hot classes.

    Args:
        num_classes: the number of classes.
        target_class_ids: the classes that count.
        ignore_class, sparse_y_pred, axis: as for IoU.

    Example:
        >>> metric = OneHotIoU(2, [0])
        >>> round(float(metric([[1, 0], [0, 1]], [[0.9, 0.1], [0.8, 0.2]])), 4)
        0.5
    """

    config_names = ("num_classes", "target_class_ids", "ignore_class", "sparse_y_pred", "axis")

    def __init__(
        self,
        num_classes: int,
        target_class_ids: Sequence[int],
        name: str | None = None,
        dtype: DTypeLike | None = None,
        ignore_class: int | None = None,
        sparse_y_pred: bool = False,
        axis: int = -1,
    ) -> None:
        sparse = (False, sparse_y_pred)
        super().__init__(num_classes, target_class_ids, name, dtype, ignore_class, *sparse, axis)


class OneHotMeanIoU(MeanIoU):
    """The mean intersection over union, over all one-hot classes.

    Args:
        num_classes: the number of classes.
        ignore_class, sparse_y_pred, axis: as for IoU.

    Example:
        >>> metric = OneHotMeanIoU(2)
        >>> round(float(metric([[1, 0], [0, 1]], [[0.9, 0.1], [0.8, 0.2]])), 4)
        0.25
    """

    config_names = ("num_classes", "ignore_class", "sparse_y_pred", "axis")

    def __init__(
        self,
        num_classes: int,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        ignore_class: int | None = None,
        sparse_y_pred: bool = False,
        axis: int = -1,
    ) -> None:
        super().__init__(num_classes, name, dtype, ignore_class, False, sparse_y_pred, axis)
