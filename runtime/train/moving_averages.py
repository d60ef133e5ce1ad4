"""Exponential moving averages of variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.argument_checks import flag, listed, plain_text
from runtime.core.context import recording
from runtime.core.creation_hooks import creating_once, note_new_owner, outlasts_trace
from runtime.core.name_scopes import name_scope
from runtime.core.tensor import TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import minimum
from runtime.state.variable import Variable


class ExponentialMovingAverage:
    """Updates an average of each variable: `average -= (1 - decay) * (average - variable)`.

    Args:
        decay: a number up to 1, the weight of the old average in each step.
        num_updates: the number of the step, for a smaller decay in the first steps: `min(decay, (1
            + num_updates) / (10 + num_updates))`.
        zero_debias: no effect here, since averages start with the values of variables.
        name: the suffix of the variables' names.

    Example:
        >>> v = Variable(0.0)
        >>> averages = ExponentialMovingAverage(0.75)
        >>> averages.apply([v])
        >>> _ = v.assign(4.0)
        >>> averages.apply([v])
        >>> averages.average(v).numpy().item()
        1.0
    """

    def __init__(
        self,
        decay: TensorLike,
        num_updates: TensorLike | None = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        self._decay, self._num_updates = decay, num_updates
        flag(zero_debias, "zero_debias")
        self._name = plain_text(name, "name")
        self._averages: dict[Any, Variable] = {}
        note_new_owner(self)

    @property
    def name(self) -> str:
        """The suffix of the names of the variables."""
        return self._name

    def apply(self, var_list: Sequence[Variable] | None = None) -> None:
        """Update the averages by one step; new ones start with the values of the variables.

        Raises:
            ArgumentValueError: no variables are given.
            DTypeError: one is not a variable, or not of a floating dtype.
        """
        if var_list is None:
            raise ArgumentValueError("apply needs a list of variables: write apply([v])")
        # All variables are checked before the first average changes.
        for variable in list(map(_checked, listed(var_list, "var_list"))):
            self._follow(variable)

    def average(self, var: Variable) -> Variable | None:
        """Return the average of a variable; None before `apply` was called with it."""
        return self._averages.get(_checked(var).ref())

    def average_name(self, var: Variable) -> str:
        """Return the name of the average of a variable.

        >>> ExponentialMovingAverage(0.9).average_name(Variable(1.0, name="w"))
        'w/ExponentialMovingAverage'
        """
        return f"{_checked(var).name.partition(':')[0]}/{self._name}"

    def variables_to_restore(
        self, moving_avg_variables: Sequence[Variable] | None = None
    ) -> dict[str, Variable]:
        """Return variables by the names of their averages, for a Saver that reads the averages."""
        known = [ref.deref() for ref in self._averages]
        if moving_avg_variables is None:
            given = known
        else:
            given = listed(moving_avg_variables, "moving_avg_variables")
        return {self.average_name(variable): variable for variable in given}

    def checkpoint_parts(self) -> dict[str, Any]:
        """Return the averages, in the order in which their variables were added."""
        return {"averages": list(self._averages.values())}

    def _follow(self, variable: Variable) -> None:
        average = self._averages.get(variable.ref())
        if average is None:
            average = self._begin(variable)
        value = variable.read_value()
        average.assign_sub(
            (average.read_value() - value) * (1.0 - self._current_decay(value.dtype))
        )

    def _begin(self, variable: Variable) -> Variable:
        with creating_once(self), recording(None), name_scope(""):
            value = variable.read_value()
            average = Variable(value, trainable=False, name=self.average_name(variable))
        if not outlasts_trace(self):
            # Each run starts the average anew, from the value of the variable at that time.
            average.assign(variable.read_value())
        self._averages[variable.ref()] = average
        return average

    def _current_decay(self, dtype: Any) -> Any:
        decay = cast(to_tensor(self._decay), dtype)
        if self._num_updates is None:
            return decay
        steps = cast(to_tensor(self._num_updates), dtype)
        return minimum(decay, (1.0 + steps) / (10.0 + steps))


def _checked(variable: Any) -> Variable:
    if not isinstance(variable, Variable):
        raise DTypeError(f"ExponentialMovingAverage takes variables, not {variable!r}")
    if not variable.dtype.is_floating:
        raise DTypeError(
            f"ExponentialMovingAverage takes variables of floats, not of {variable.dtype.name}"
        )
    return variable
