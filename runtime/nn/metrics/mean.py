"""`Sum`, `Mean`, and metrics that average a function of labels and predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.converter_hooks import run
from runtime.core.dtypes import DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.nn.layers.constructor_arguments import give_init
from runtime.nn.layers.masks import mask_of
from runtime.nn.losses.reduction import same_rank
from runtime.nn.metrics.metric import Metric
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.reduction import reduce_mean, reduce_sum
from runtime.ops.arrays.shape import shape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import divide_no_nan, multiply


def of_items(values: Any, weights: Any, reduce: Callable[..., Any], dtype: Any) -> tuple[Any, Any]:
    """Return one weighted value for each item of a batch, and the weights of the items.

    Args:
        values: numbers, with the items along the first axis.
        weights: their weights; with fewer axes they are those of the first axes. None for 1.
        reduce: the reduction to one number, `reduce_mean` or `reduce_sum`.
        dtype: the dtype of the results.

    >>> found, counted = of_items([[1.0, 3.0], [5.0, 7.0]], [1.0, 0.5], reduce_mean, "float32")
    >>> found.numpy().tolist(), counted.numpy().tolist()
    ([2.0, 3.0], [1.0, 0.5])
    """
    found = to_tensor(values)
    mask = mask_of(found)
    found = cast(found, dtype)
    if weights is not None:
        weights = cast(to_tensor(weights), dtype)
        if mask is not None:
            weights = multiply(*same_rank(cast(mask, dtype), weights))
        found, weights = same_rank(found, weights)
        fewer, rank = weights.shape.rank, found.shape.rank
        if None not in (fewer, rank) and fewer < rank:
            found = reduce(found, axis=list(range(fewer, rank)))
        weights = multiply(ones_like(found), weights)
        found = multiply(found, weights)
        weights = _first_axis(weights, reduce)
    return _first_axis(found, reduce), weights


def _first_axis(values: Any, reduce: Callable[..., Any]) -> Any:
    rank = values.shape.rank
    return reduce(values, axis=list(range(1, rank))) if rank and rank > 1 else values


class Sum(Metric):
    """The sum of all values.

    Example:
        >>> total = Sum()
        >>> total.update_state([1.0, 2.0])
        >>> total.update_state([6.0], sample_weight=[0.5])
        >>> float(total.result())
        6.0
    """

    def __init__(self, name: str | None = "sum", dtype: DTypeLike | None = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_weight(name="total")

    def update_state(self, values: TensorLike, sample_weight: TensorLike | None = None) -> None:
        """Add values.

        Args:
            values: numbers of any shape.
            sample_weight: the weights; with fewer axes they are those of the first axes.
        """
        counted, _ = of_items(values, sample_weight, reduce_sum, self._own.dtype)
        self.total.assign_add(reduce_sum(counted))

    def result(self) -> Tensor:
        """Return the sum."""
        return self.total.read_value()


class Mean(Metric):
    """The mean of all values.

    Example:
        >>> mean = Mean()
        >>> mean.update_state([1.0, 2.0])
        >>> mean.update_state([6.0])
        >>> print(mean.result())
        rt.Tensor(3.0, shape=(), dtype=float32)
    """

    def __init__(self, name: str | None = "mean", dtype: DTypeLike | None = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_weight(name="total")
        self.count = self.add_weight(name="count")

    def update_state(self, values: TensorLike, sample_weight: TensorLike | None = None) -> None:
        """Add values.

        Args:
            values: numbers of any shape; each item along the first axis counts as the mean of its
                numbers.
            sample_weight: the weights; with fewer axes they are those of the first axes.
        """
        found, weights = of_items(values, sample_weight, reduce_mean, self._own.dtype)
        if weights is not None:
            number = reduce_sum(weights)
        elif found.shape.rank == 0:
            number = ones_like(found)
        else:
            number = cast(shape(found)[0], self._own.dtype)
        if weights is None and found.shape.rank is None:
            # The number of items is known only at run time.
            number = cast(_items(found), self._own.dtype)
        self.total.assign_add(reduce_sum(found))
        self.count.assign_add(number)

    def result(self) -> Tensor:
        """Return the mean, 0 if there are no values."""
        return divide_no_nan(self.total, self.count)


def _items(values: Any) -> Any:
    return reduce_sum(ones_like(values))


class MeanMetricWrapper(Mean):
    """The mean of a function of y_true and y_pred.

    Args:
        fn: returns a number for each item.
        options: further arguments of the function.

    Example:
        >>> metric = MeanMetricWrapper(lambda y_true, y_pred: y_pred - y_true, name="over")
        >>> float(metric([1.0, 2.0], [2.0, 5.0]))
        2.0
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **options: Any,
    ) -> None:
        super().__init__(name, dtype)
        self._fn, self._options = fn, options

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Count a batch.

        Args:
            y_true: the labels.
            y_pred: the predictions; masked ones do not count.
            sample_weight: the weight of each item.
        """
        predicted = to_tensor(y_pred)
        mask = mask_of(y_pred)
        found = run(self._fn, to_tensor(y_true), predicted, **self._options)
        if mask is not None:
            kept = cast(mask, self._own.dtype)
            if sample_weight is not None:
                given = cast(to_tensor(sample_weight), self._own.dtype)
                kept = multiply(*same_rank(given, kept))
            sample_weight = kept
        super().update_state(found, sample_weight)

    def get_config(self) -> dict[str, Any]:
        """Return the config from which `from_config` makes the same metric."""
        own = {"fn": self._fn} if type(self) is MeanMetricWrapper else {}
        return {**super().get_config(), **own, **self._options}


class PlainMean(MeanMetricWrapper):
    """The mean of a function without options: `class Hinge(PlainMean, fn=hinge)`.

    The class statement of a subclass may give a default name; else it is the function's name.
    """

    _of_class: Callable[..., Any]

    def __init_subclass__(cls, fn: Callable[..., Any] | None = None, name: str = "") -> None:
        if fn is not None:
            cls._of_class = staticmethod(fn)
            give_init(cls, PlainMean.__init__, name=name or fn.__name__)

    def __init__(self, name: str | None = None, dtype: DTypeLike | None = None) -> None:
        super().__init__(self._of_class, name, dtype)
