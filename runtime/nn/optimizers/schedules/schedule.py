"""The base class of learning rate schedules."""

from __future__ import annotations

from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, UnimplementedError
from runtime.nn.registry import Configured
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor


class LearningRateSchedule(Configured):
    """The base class of schedules: maps the number of steps so far to a learning rate.

    Example:
        >>> class Halves(LearningRateSchedule):
        ...     def __call__(self, step):
        ...         return 0.5 ** cast(step, "float32")
        >>> float(Halves()(3))
        0.125
    """

    def __call__(self, step: TensorLike) -> Tensor:
        """Return the learning rate after a number of steps; subclasses override this."""
        raise UnimplementedError(
            f"{type(self).__name__} has no `__call__`: define __call__(self, step)"
        )


def count(step: Any) -> Any:
    """Return a number of steps as a float tensor."""
    return cast(to_tensor(step), "float32")


def check_positive(name: str, value: Any) -> None:
    """Raise ArgumentValueError unless a known number is above 0."""
    if isinstance(value, (int, float)) and value <= 0:
        raise ArgumentValueError(f"{name} must be above 0, not {value!r}")
