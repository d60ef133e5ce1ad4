"""The base classes of losses: `Loss`, and losses of a function of labels and predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.converter_hooks import run
from runtime.core.dtypes import DTypeLike, as_dtype, float32
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError, UnimplementedError
from runtime.nn.layers.constructor_arguments import give_init
from runtime.nn.layers.masks import mask_of
from runtime.nn.losses.reduction import checked_reduction, reduced, same_rank
from runtime.nn.modules import names
from runtime.nn.registry import Configured
from runtime.ops.arrays.shape import rank, shape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.effects.assertions import assert_equal


class Loss(Configured):
    """The base class of losses: `call` returns a loss per item, and a reduction combines them.

    Args:
        name: by default derived from the class's name.
        reduction: "sum_over_batch_size", "sum", "mean", "mean_with_sample_weight", "none" or None.
        dtype: the dtype of the predictions, and of the loss; float32 by default.

    Example:
        >>> class Off(Loss):
        ...     def call(self, y_true, y_pred):
        ...         return y_pred - y_true
        >>> print(Off()([1.0, 2.0], [2.0, 5.0]))
        rt.Tensor(2.0, shape=(), dtype=float32)
    """

    config_names = ("name", "reduction")

    def __init__(
        self,
        name: str | None = None,
        reduction: str | None = "sum_over_batch_size",
        dtype: DTypeLike | None = None,
    ) -> None:
        self.name = name or names.snake_case(type(self).__name__)
        self.reduction = checked_reduction(reduction)
        self._dtype = float32 if dtype is None else as_dtype(dtype)

    @property
    def dtype(self) -> str:
        """The name of the dtype of the loss."""
        return str(self._dtype.name)

    def call(self, y_true: TensorLike, y_pred: TensorLike) -> Tensor:
        """Return the loss for each item; a subclass overrides this."""
        raise UnimplementedError(
            f"{type(self).__name__} has no `call`: define call(self, y_true, y_pred)"
        )

    def __call__(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> Tensor:
        """Return the loss.

        Args:
            y_true: the labels; numbers are also cast to the dtype of the loss.
            y_pred: the predictions, cast to the dtype of the loss.
            sample_weight: the weight of each item.
        """
        predicted = cast(to_tensor(y_pred), self._dtype)
        truth = to_tensor(y_true)
        kind = truth.dtype
        if kind.is_integer or kind.is_floating or kind.is_bool:
            truth = cast(truth, self._dtype)
        values = to_tensor(run(self.call, truth, predicted))
        mask = mask_of(values)
        mask = mask_of(predicted) if mask is None else mask
        return reduced(values, sample_weight, mask, self.reduction)


class LossOfFunction(Loss):
    """A loss computed by a function of two tensors.

    Args:
        fn: called with y_true, y_pred and the options.
        options: further arguments of the function, returned by `get_config`.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        name: str | None = None,
        reduction: str | None = "sum_over_batch_size",
        dtype: DTypeLike | None = None,
        **options: Any,
    ) -> None:
        super().__init__(name or getattr(fn, "__name__", None), reduction, dtype)
        self._fn, self._options = fn, options

    def call(self, y_true: TensorLike, y_pred: TensorLike) -> Tensor:
        """Return the function's result."""
        alike = of_same_rank(to_tensor(y_true), to_tensor(y_pred))
        return run(self._fn, *alike, **self._options)

    def get_config(self) -> dict[str, Any]:
        """Return the config from which `from_config` makes the same loss."""
        return {**super().get_config(), **self._options}


class PlainLoss(LossOfFunction):
    """A loss of a function without options: `class Hinge(PlainLoss, fn=hinge)`.

    The class statement of a subclass may give a default name; else it is the function's name.
    """

    _of_class: Callable[..., Any]

    def __init_subclass__(cls, fn: Callable[..., Any] | None = None, name: str = "") -> None:
        if fn is not None:
            cls._of_class = staticmethod(fn)
            give_init(cls, PlainLoss.__init__, name=name or fn.__name__)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(self._of_class, name, reduction, dtype)


def of_same_rank(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Return operands of shapes (n,) and (n, 1) with one rank; others unchanged.

    Broadcasting would compare each number of the one with each of the other.

    >>> [t.shape.as_list() for t in of_same_rank(to_tensor([1.0, 2.0]), to_tensor([[0.5], [1.5]]))]
    [[2, 1], [2, 1]]
    """
    one, other = y_true.shape.rank, y_pred.shape.rank
    if not one or not other or abs(one - other) != 1:
        return y_true, y_pred
    longer = y_true if one > other else y_pred
    return same_rank(y_true, y_pred) if longer.shape.dims[-1] == 1 else (y_true, y_pred)


def check_same_size(name: str, y_true: Any, y_pred: Any) -> None:
    """Raise ShapeError if labels and predictions cannot be compared."""
    if not y_true.shape.is_compatible_with(y_pred.shape):
        are_numbers = "categorical" in name and y_true.shape[-1:] == [1]
        advice = "; for class numbers, take the sparse loss or metric" if are_numbers else ""
        raise ShapeError(
            f"{name} compares tensors of one shape, not y_true of shape {y_true.shape} and y_pred "
            f"of shape {y_pred.shape}{advice}"
        )
    if not (y_true.shape.is_fully_defined() and y_pred.shape.is_fully_defined()):
        words = f"{name} compares tensors of one shape"
        assert_equal(rank(y_true), rank(y_pred), words)
        assert_equal(shape(y_true), shape(y_pred), words)
