"""Optimizers: what changes variables by their gradients, step by step."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from runtime.context import recording
from runtime.dtypes import float32, int64
from runtime.errors import ArgumentValueError
from runtime.nn.catalogue import Configured
from runtime.nn.modules import names
from runtime.nn.optimizers.clipping import clipped
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.creation import zeros
from runtime.variable import Variable


class Optimizer(Configured):
    """The base of optimizers: a subclass has `update_step`, and `slot_names` of what it keeps.

    Args:
        learning_rate: a number, or a function of the number of steps so far.
        weight_decay: the share of the learning rate by which variables shrink in each step.
        clipnorm: the largest norm of a gradient.
        clipvalue: the largest element of a gradient.
        global_clipnorm: the largest norm of all gradients together.
        name: by default made of the class's name.

    Example:
        >>> class Signs(Optimizer):
        ...     def update_step(self, gradient, variable, learning_rate):
        ...         variable.assign_sub(learning_rate * gradient)
        >>> v = Variable(1.0)
        >>> Signs(0.5).apply_gradients([(1.0, v)])
        >>> float(v)
        0.5
    """

    config_names: tuple[str, ...] = (
        "name",
        "weight_decay",
        "clipnorm",
        "global_clipnorm",
        "clipvalue",
    )
    slot_names: tuple[str, ...] = ()

    def __init__(
        self,
        learning_rate: Any = 0.01,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        name: str | None = None,
    ) -> None:
        if sum(each is not None for each in (clipnorm, clipvalue, global_clipnorm)) > 1:
            raise ArgumentValueError("give one of clipnorm, clipvalue and global_clipnorm only")
        self.name = name or names.snake_case(type(self).__name__)
        self.weight_decay, self.clipnorm = weight_decay, clipnorm
        self.clipvalue, self.global_clipnorm = clipvalue, global_clipnorm
        self._slots: dict[Any, dict[str, Variable]] = {}
        with recording(None):
            self.iterations = Variable(0, False, dtype=int64, name="iteration")
            if callable(learning_rate) and not isinstance(learning_rate, Variable):
                self._schedule, self._rate = learning_rate, None
            else:
                self._schedule = None
                self._rate = Variable(learning_rate, False, dtype=float32, name="learning_rate")

    # -- the learning rate ---------------------------------------------------------------------

    @property
    def learning_rate(self) -> Any:
        """A variable that may be assigned, or what the schedule says of the next step."""
        return self._rate if self._schedule is None else self._schedule(self.iterations)

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        if self._rate is None:
            raise ArgumentValueError(
                f"the learning rate of optimizer {self.name!r} is a schedule, which cannot be set"
            )
        self._rate.assign(value)

    # -- its variables -------------------------------------------------------------------------

    def build(self, var_list: Iterable[Variable]) -> None:
        """Make what is kept for each variable, outside of any graph, unless there is something."""
        for variable in var_list:
            if variable.ref() not in self._slots:
                with recording(None):
                    self._slots[variable.ref()] = self._new_slots(variable)

    def _new_slots(self, variable: Variable) -> dict[str, Variable]:
        base = variable.name.removesuffix(":0").replace("/", "_")
        return {
            slot: Variable(
                zeros(variable.shape, variable.dtype),
                False,
                dtype=variable.dtype,
                name=f"{base}_{slot}",
            )
            for slot in self.slot_names
        }

    def slot(self, variable: Variable, name: str) -> Variable:
        """Return what is kept for a variable under a name."""
        return self._slots[variable.ref()][name]

    @property
    def variables(self) -> list[Variable]:
        """The number of steps, the learning rate and what is kept for each variable."""
        kept = [each for slots in self._slots.values() for each in slots.values()]
        return [self.iterations, *([] if self._rate is None else [self._rate]), *kept]

    # -- steps ---------------------------------------------------------------------------------

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable; what a subclass is about."""
        raise TypeError(f"{type(self).__name__} has no `update_step`: define it")

    def begin_step(self, learning_rate: Any) -> Any:
        """Return what `update_step` gets for the learning rate, computed once in a step."""
        return learning_rate

    def apply_gradients(self, grads_and_vars: Iterable[Any]) -> None:
        """Change variables by their gradients, and count a step.

        Args:
            grads_and_vars: pairs of a gradient, or None, and a variable.

        Raises:
            ArgumentValueError: there are no gradients at all.
        """
        pairs = [(gradient, variable) for gradient, variable in grads_and_vars]
        for _, variable in pairs:
            if not isinstance(variable, Variable):
                raise ArgumentValueError(f"an optimizer changes variables, not {variable!r}")
        self.apply([each[0] for each in pairs], [each[1] for each in pairs])

    def apply(self, grads: Sequence[Any], trainable_variables: Sequence[Variable]) -> None:
        """Change variables by their gradients, as `apply_gradients` does for pairs."""
        if len(grads) != len(trainable_variables):
            raise ArgumentValueError(
                f"{len(grads)} gradients are given for {len(trainable_variables)} variables"
            )
        pairs = [(g, v) for g, v in zip(grads, trainable_variables) if g is not None]
        if not pairs:
            raise ArgumentValueError(
                "no variable has a gradient: is the loss computed of them inside of the tape?"
            )
        without = [v.name for g, v in zip(grads, trainable_variables) if g is None]
        if without:
            warnings.warn(f"there is no gradient for {', '.join(without)}", stacklevel=3)
        changed = [variable for _, variable in pairs]
        self.build(changed)
        self._step([to_tensor(g, v.dtype) for g, v in pairs], changed)
        for variable in changed:
            constraint = getattr(variable, "constraint", None)
            if constraint is not None:
                variable.assign(constraint(variable.read_value()))

    def _step(self, gradients: Sequence[Any], variables: Sequence[Variable]) -> None:
        gradients = clipped(gradients, self.clipnorm, self.global_clipnorm, self.clipvalue)
        rate = to_tensor(self.learning_rate)
        if self.weight_decay is not None:
            for variable in variables:
                shrink = cast(rate * self.weight_decay, variable.dtype)
                variable.assign_sub(variable * shrink)
        step = self.begin_step(rate)
        for gradient, variable in zip(gradients, variables):
            self.update_step(gradient, variable, cast(step, variable.dtype))
        self.iterations.assign_add(1)

    def get_config(self) -> dict[str, Any]:
        """Return what `from_config` makes the same optimizer of, without its state."""
        with recording(None):
            rate = self._schedule if self._rate is None else float(self._rate)
        return {"learning_rate": rate, **super().get_config()}
