"""Metrics that are means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.nn.losses.reduction import same_rank
from runtime.nn.metrics.metric import Metric
from runtime.ops.arithmetic import divide, multiply
from runtime.ops.comparison import equal
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.creation import ones_like
from runtime.ops.reduction import reduce_mean, reduce_sum
from runtime.ops.selection import where


class Mean(Metric):
    """The mean of all values it was given.

    Example:
        >>> mean = Mean()
        >>> mean.update_state([1.0, 2.0])
        >>> mean.update_state([6.0])
        >>> print(mean.result())
        rt.Tensor(3.0, shape=(), dtype=float32)
    """

    def __init__(self, name: str | None = "mean", dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_weight(name="total")
        self.count = self.add_weight(name="count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Count values.

        Args:
            values: numbers of any shape.
            sample_weight: how much each one counts; with fewer axes it is for all along the last.
        """
        counted: Any = cast(to_tensor(values), self._own.dtype)
        weights: Any = ones_like(counted)
        if sample_weight is not None:
            given: Any = cast(to_tensor(sample_weight), self._own.dtype)
            if given.shape.rank and given.shape[-1] == 1:
                counted, given = same_rank(counted, given)
            fewer = given.shape.rank
            if None not in (fewer, counted.shape.rank) and fewer and counted.shape.rank > fewer:
                counted = reduce_mean(counted, axis=list(range(fewer, counted.shape.rank)))
            weights = multiply(ones_like(counted), given)
            counted = multiply(counted, weights)
        self.total.assign_add(reduce_sum(counted))
        self.count.assign_add(reduce_sum(weights))

    def result(self) -> Any:
        """Return the mean, 0 if there was nothing."""
        count: Any = self.count.read_value()
        return divide(self.total, where(equal(count, 0), ones_like(count), count))


class MeanMetricWrapper(Mean):
    """The mean of what a function of y_true and y_pred gives.

    Args:
        fn: gives a number for each item.
        options: given to the function.

    Example:
        >>> metric = MeanMetricWrapper(lambda y_true, y_pred: y_pred - y_true, name="over")
        >>> float(metric([1.0, 2.0], [2.0, 5.0]))
        2.0
    """

    def __init__(
        self, fn: Callable[..., Any], name: str | None = None, dtype: Any = None, **options: Any
    ) -> None:
        super().__init__(name, dtype)
        self._fn, self._options = fn, options

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        """Count a batch.

        Args:
            y_true: what is true.
            y_pred: what was predicted.
            sample_weight: how much each item counts.
        """
        found = self._fn(to_tensor(y_true), to_tensor(y_pred), **self._options)
        super().update_state(found, sample_weight)

    def get_config(self) -> dict[str, Any]:
        """Return what `from_config` makes the same metric of."""
        return {**super().get_config(), **self._options}
