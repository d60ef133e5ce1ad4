"""The learning rate of an optimizer: a variable, a schedule or a callable."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from runtime.core.context import current_recorder, recording
from runtime.core.converter_hooks import run
from runtime.core.dtypes import float32
from runtime.core.tensor import SymbolicTensor
from runtime.errors import ArgumentValueError
from runtime.nn.optimizers.schedules.registry import deserialize
from runtime.nn.optimizers.schedules.schedule import LearningRateSchedule
from runtime.nn.optimizers.variables import named
from runtime.ops.constant import cast
from runtime.state.variable import Variable


class LearningRate:
    """The learning rate of an optimizer.

    Args:
        rate: a number, a schedule, or a function of no argument or of the number of steps.
        owner: the name of the optimizer, for errors.

    Attributes:
        variable: the variable with the rate; None if the rate is computed.
    """

    def __init__(self, rate: Any, owner: str) -> None:
        if isinstance(rate, Mapping):
            rate = deserialize(rate)
        self._owner = owner
        self._rate_source: Callable[..., Any] | None = None
        self.variable: Variable | None = None
        if isinstance(rate, Variable):
            self.variable = rate
        elif callable(rate):
            self._rate_source = rate
        elif isinstance(rate, (str, bytes)) or rate is None:
            raise ArgumentValueError(
                f"a learning rate must be a number, a schedule or a function, not {rate!r}"
            )
        else:
            is_of_a_run = isinstance(rate, SymbolicTensor)
            with recording(None):
                first = 0.0 if is_of_a_run else rate
                made = Variable(first, False, dtype=float32, name="learning_rate")
            self.variable = named(made, owner)
            if is_of_a_run:
                made.assign(cast(rate, float32))

    def now(self, steps: Variable) -> Any:
        """Return the rate after a number of steps."""
        if self._rate_source is None:
            return self.variable
        rate_function: Any = self._rate_source
        if isinstance(rate_function, LearningRateSchedule):
            rate_function = rate_function.__call__
        return run(rate_function, steps) if _takes_one(rate_function) else run(rate_function)

    def set(self, rate: Any) -> None:
        """Set the rate; ArgumentValueError for a number in place of a schedule."""
        if callable(rate) and not isinstance(rate, Variable):
            self._rate_source, self.variable = rate, None
        elif self.variable is None:
            raise ArgumentValueError(
                f"the learning rate of optimizer {self._owner!r} is a schedule, which cannot be "
                "set to a number"
            )
        else:
            self.variable.assign(rate)

    def config(self) -> Any:
        """Return the config of the rate: a number, or the config of a schedule.

        While a graph is recorded, each run reads the number.
        """
        if self.variable is not None:
            value: Any = self.variable.read_value()
            return value if current_recorder() is not None else float(value.numpy())
        if isinstance(self._rate_source, LearningRateSchedule):
            return {
                "class_name": type(self._rate_source).__name__,
                "config": self._rate_source.get_config(),
            }
        return self._rate_source


def _takes_one(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError):
        return False
    return True
