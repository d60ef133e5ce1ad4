"""Slot variables of optimizers, one per trained variable."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.context import recording
from runtime.core.creation_hooks import creating_once
from runtime.errors import ArgumentValueError, DTypeError
from runtime.state.variable import Variable


def named(variable: Variable, owner: str) -> Variable:
    """Name a variable as Keras names variables of optimizers: the owner is in its path.

    >>> made = named(Variable(0.0, name="iteration"), "sgd")
    >>> made.name, made.path
    ('iteration', 'sgd/iteration')
    """
    variable._path = f"{owner}/{variable._name}"
    return variable


class Slots:
    """Slot variables by name, in the order of the trained variables.

    Args:
        owner: the name of the optimizer.

    Example:
        >>> slots, v = Slots("sgd"), Variable(3.0, name="v")
        >>> slots.make(v, ["mean"], lambda slot, variable: 0.0)
        >>> slots.of(v)["mean"].path
        'sgd/v_mean'
    """

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self.variables: list[Variable] = []
        self._kept: dict[Any, dict[str, Variable]] = {}

    def make(
        self, variable: Variable, names: Iterable[str], first: Callable[[str, Variable], Any]
    ) -> None:
        """Create the missing slots of a variable, outside of any graph."""
        reference = variable.ref()
        if reference in self._kept:
            return
        # The placeholder of a traced argument stands for a variable.
        known: Any = reference.deref()
        base = variable.path.replace("/", "_")
        with creating_once(self), recording(None):
            self._kept[reference] = {
                name: named(Variable(first(name, known), False, name=f"{base}_{name}"), self._owner)
                for name in names
            }
        self.variables.append(known)

    def has(self, variable: Variable) -> bool:
        """Return whether a variable has slots."""
        return variable.ref() in self._kept

    def of(self, variable: Variable) -> dict[str, Variable]:
        """Return the slots of a variable by their names.

        Raises:
            ArgumentValueError: the variable has no slots.
        """
        if not isinstance(variable, Variable):
            raise DTypeError(
                f"an optimizer keeps something for variables, not for {shown(variable)}"
            )
        kept = self._kept.get(variable.ref())
        if kept is None:
            raise ArgumentValueError(
                f"the optimizer keeps nothing for {variable.path}: build it for all variables"
            )
        return kept

    def all(self) -> list[Variable]:
        """Return all slots."""
        return [each for kept in self._kept.values() for each in kept.values()]

    def in_order(self) -> list[dict[str, Variable]]:
        """Return the slots of each variable."""
        return list(self._kept.values())
