"""The base class of optimizers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from runtime.autodiff.tape import GradientTape
from runtime.core.argument_checks import listed, shown
from runtime.core.context import caller_origin, recording
from runtime.core.converter_hooks import run
from runtime.core.creation_hooks import creating_for_owner, creating_once, note_new_owner
from runtime.core.dtypes import DTypeLike, int64
from runtime.core.lazy_imports import lazy_import
from runtime.core.replica import Replica, current_replica
from runtime.core.source_names import warn_at
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, UnimplementedError
from runtime.graph.structured_control_flow import cond
from runtime.nn.custom_objects import custom_object_scope
from runtime.nn.modules import names
from runtime.nn.optimizers.gradients import clipped, dense_gradient, given_pairs, variables_in
from runtime.nn.optimizers.learning_rate import LearningRate
from runtime.nn.optimizers.options import VariableProperty, check_number, check_numbers
from runtime.nn.optimizers.variables import OptimizerVariables, SlotVariables, named
from runtime.nn.registry import Configured
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add_n, floordiv, floormod
from runtime.ops.elementwise.comparison import equal, not_equal
from runtime.state.variable import Variable

keyword_suggestion = lazy_import("runtime.core.keyword_suggestions:keyword_suggestion")

AVERAGE, GATHERED = "average", "gradient_accumulator"


class Optimizer(OptimizerVariables, Configured):
    """The base class of optimizers: a subclass defines `update_step` and `slot_names`.

    Args:
        learning_rate: a number, a schedule, or a function of no argument or of the number of steps
            so far.
        weight_decay: the fraction of the learning rate by which variables shrink in each step.
        clipnorm: the largest norm of a gradient.
        clipvalue: the largest element of a gradient.
        global_clipnorm: the largest norm of all gradients together.
        use_ema: whether to keep running means of variables, see `finalize_variable_values`.
        ema_momentum: the weight of the old mean in a step.
        ema_overwrite_frequency: the number of steps between two assignments of the means.
        loss_scale_factor: the factor of the loss (`scale_loss`), by which gradients are divided.
        gradient_accumulation_steps: the number of gradients whose mean makes one change of the
            variables.
        name: by default derived from the class's name, with a number from the second one on.

    The variables are fixed by `build`, or by the first step: later steps are only for these.

    Raises:
        ArgumentValueError: an option is unknown, or has an invalid value.

    Example:
        >>> class Signs(Optimizer):
        ...     def update_step(self, gradient, variable, learning_rate):
        ...         variable.assign_sub(learning_rate * gradient)
        >>> v = Variable(1.0)
        >>> optimizer = Signs(0.5)
        >>> _ = optimizer.apply_gradients([(1.0, v)])
        >>> float(v), int(optimizer.iterations)
        (0.5, 1)
    """

    config_names: tuple[str, ...] = (
        "name",
        "weight_decay",
        "clipnorm",
        "global_clipnorm",
        "clipvalue",
        "use_ema",
        "ema_momentum",
        "ema_overwrite_frequency",
        "loss_scale_factor",
        "gradient_accumulation_steps",
    )
    slot_names: tuple[str, ...] = ()

    def __init__(
        self,
        learning_rate: TensorLike | Callable[..., object] = 0.01,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **unknown: Any,
    ) -> None:
        if unknown:
            name = next(iter(unknown))
            instead = keyword_suggestion(name, inspect.signature(type(self)).parameters)
            raise ArgumentValueError(f"{type(self).__name__} has no argument {name!r}{instead}")
        if sum(each is not None for each in (clipnorm, clipvalue, global_clipnorm)) > 1:
            raise ArgumentValueError("give one of clipnorm, clipvalue and global_clipnorm only")
        check_number("ema_momentum", ema_momentum, most=1.0)
        limits = {"clipnorm": clipnorm, "clipvalue": clipvalue, "global_clipnorm": global_clipnorm}
        given = {**limits, "weight_decay": weight_decay, "loss_scale_factor": loss_scale_factor}
        check_numbers(**{key: value for key, value in given.items() if value is not None})
        _check_count("ema_overwrite_frequency", ema_overwrite_frequency, 1)
        _check_count("gradient_accumulation_steps", gradient_accumulation_steps, 2)
        self.name = name or names.unique_name(names.snake_case(type(self).__name__))
        self.weight_decay, self.clipnorm = weight_decay, clipnorm
        self.clipvalue, self.global_clipnorm = clipvalue, global_clipnorm
        self.use_ema, self.ema_momentum = use_ema, ema_momentum
        self.ema_overwrite_frequency = ema_overwrite_frequency
        self.loss_scale_factor = loss_scale_factor
        self.gradient_accumulation_steps = gradient_accumulation_steps
        note_new_owner(self)
        self._slots = SlotVariables(self.name)
        self._added: list[Variable] = []
        self._once: dict[Any, Any] | None = None
        self._undecayed: list[Any] = []
        with creating_for_owner(self):
            self._rate = LearningRate(learning_rate, self.name)
        with creating_for_owner(self), recording(None):
            steps = Variable(0, False, dtype=int64, name="iteration")
            self._iterations: Any = named(steps, self.name)

    # -- the learning rate -------------------------------------------------------------------------

    def _get_learning_rate(self) -> Any:
        """A variable that may be assigned, or the schedule's value for the next step."""
        return self._rate.now(self._iterations)

    def _set_learning_rate(self, value: Any) -> None:
        self._rate.set(value)

    learning_rate: Any = VariableProperty(_get_learning_rate, _set_learning_rate)

    @property
    def iterations(self) -> Variable | Tensor:
        """The number of finished steps: a variable; a tensor if gradients are accumulated."""
        steps = self.gradient_accumulation_steps
        return floordiv(self._iterations, steps) if steps else self._iterations

    # -- its variables -----------------------------------------------------------------------------

    @property
    def built(self) -> bool:
        """True if it has slots for variables."""
        return bool(self._slots.variables)

    @classmethod
    def from_config(
        cls, config: Mapping[str, Any], custom_objects: Mapping[str, Any] | None = None
    ) -> Any:
        """Return an optimizer made from the config of `get_config`; user classes by their names."""
        with custom_object_scope(custom_objects):
            return cls(**config)

    def build(self, variables: Any = None, *, var_list: Any = None) -> None:
        """Create the missing slots of variables, outside of any graph.

        Some optimizers of Keras call the argument `var_list`.
        """
        variables = variables if var_list is None else var_list
        own = (AVERAGE,) * self.use_ema + (GATHERED,) * bool(self.gradient_accumulation_steps)
        with creating_once(self):
            for variable in variables_in(variables):
                self._slots.make(variable, (*own, *self.slot_names), self.first_value)

    def _built_with(self, variables: Sequence[Variable]) -> None:
        unknown = [each for each in variables if not self._slots.has(each)]
        if unknown and self.built:
            raise ArgumentValueError(
                f"{self.name} was not built with {', '.join(each.name for each in unknown)}: "
                "build it with all variables before its first step, or make one for these"
            )
        if unknown:
            with creating_once(self):
                self.build(variables)

    def first_value(self, slot: str, variable: Variable) -> TensorLike:
        """Return the initial value of a variable's slot: zeros; a subclass may return others."""
        return zeros_like(variable)

    def slot(self, variable: Variable, name: str) -> Any:
        """Return the slot of a variable with a name."""
        return self._slots.of(variable)[name]

    @property
    def variables(self) -> list[Variable]:
        """The number of steps, the learning rate, variables of a subclass, and all slots."""
        rate = [] if self._rate.variable is None else [self._rate.variable]
        return [self._iterations, *rate, *self._own_variables(), *self._slots.all()]

    def _own_variables(self) -> list[Variable]:
        return self._added

    def checkpoint_parts(self) -> dict[str, Any]:
        """Return the parts for checkpoints; slots are numbered in the order of the variables."""
        own = {name: part for name, part in vars(self).items() if not name.startswith("_")}
        kept = {"iterations": self._iterations, "learning_rate": self._rate.variable}
        return {**own, **kept, "added": self._added, "slots": self._slots.in_order()}

    def exclude_from_weight_decay(
        self, var_list: Iterable[Variable] | None = None, var_names: Iterable[str] | None = None
    ) -> None:
        """Exclude variables from weight decay; call this before `build` and the first step.

        Args:
            var_list: the variables.
            var_names: texts: variables with one of them in the name are excluded.

        Raises:
            ArgumentValueError: the optimizer is built already, as by its first step.
        """
        if self.built:
            raise ArgumentValueError(
                "call exclude_from_weight_decay before the optimizer is built, as its first step "
                "does"
            )
        self._undecayed += [variable.ref() for variable in var_list or ()]
        self._undecayed += list(var_names or ())

    def _decays(self, variable: Variable) -> bool:
        return not any(
            each in variable.name if isinstance(each, str) else each == variable.ref()
            for each in self._undecayed
        )

    # -- steps -------------------------------------------------------------------------------------

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable; subclasses override this."""
        raise UnimplementedError(f"{type(self).__name__} has no `update_step`: define it")

    def shared(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return a value that is computed once in a step, for all variables."""
        if self._once is None:
            return make()
        if key not in self._once:
            self._once[key] = make()
        return self._once[key]

    def step_number(self, dtype: DTypeLike) -> Any:
        """Return the number of the current step, from 1, as a float."""
        return self.shared(("number", dtype), lambda: cast(self.iterations + 1, dtype))

    def begin_step(self, variables: Sequence[Variable]) -> None:
        """Prepare a step before all its `update_step`s; subclasses may override this."""

    def apply_gradients(self, grads_and_vars: Iterable[TensorLike]) -> Variable:
        """Change variables by their gradients, and return the number of steps.

        Args:
            grads_and_vars: pairs of a gradient, or None, and a variable.

        Raises:
            ArgumentValueError: there are no gradients, or a variable that it was not built with.
            ShapeError: a gradient does not have the shape of its variable.
            DTypeError: an item is not a pair.
        """
        pairs = listed(grads_and_vars, "grads_and_vars")
        for pair in pairs:
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise DTypeError(
                    f"grads_and_vars must hold pairs (gradient, variable), not {shown(pair)}: "
                    "write "
                    "optimizer.apply_gradients(zip(gradients, variables))"
                )
        self.apply([each[0] for each in pairs], [each[1] for each in pairs])
        return self._iterations

    def apply(
        self,
        grads: Sequence[TensorLike | None],
        trainable_variables: Sequence[Variable] | None = None,
    ) -> None:
        """Change variables by their gradients; by default those it was built with, in order.

        In replicas of a step, the gradients are the sums of those of all replicas.
        """
        replica = current_replica()
        if replica is not None:
            return self._apply_together(replica, grads, trainable_variables)
        known = self._slots.variables if trainable_variables is None else trainable_variables
        pairs, without = given_pairs(listed(grads, "grads"), variables_in(known))
        if without:
            warn_at(caller_origin(), f"there is no gradient for {', '.join(without)}", UserWarning)
        self._built_with(known)
        changed = [variable for _, variable in pairs]
        gradients = [dense_gradient(gradient, variable) for gradient, variable in pairs]
        if self.loss_scale_factor is not None:
            gradients = [gradient / self.loss_scale_factor for gradient in gradients]
        if self.gradient_accumulation_steps:
            self._gather(gradients, changed)
        else:
            self._step(gradients, changed)
        if self.use_ema:
            self._average()
        for variable in changed:
            constraint = getattr(variable, "constraint", None)
            if constraint is not None:
                variable.assign(run(constraint, variable.read_value()))
        self._iterations.assign_add(1)

    def _apply_together(
        self, replica: Replica, grads: Sequence[Any], variables: Sequence[Variable] | None
    ) -> None:
        """Change variables once for all replicas, by the sums of their gradients."""

        def applied(parts: Sequence[Any]) -> list[None]:
            sums = [None if each[0] is None else add_n(list(each)) for each in zip(*parts)]
            self.apply(sums, variables)
            return [None] * replica.count

        known = variables_in(self._slots.variables if variables is None else variables)
        pairs, _ = given_pairs(listed(grads, "grads"), known)
        given = [
            None if gradient is None else dense_gradient(gradient, variable)
            for gradient, variable in zip(grads, known)
        ]
        replica.meet(f"{type(self).__name__} with {len(pairs)} gradients", applied, given)

    def _step(self, gradients: Sequence[Any], variables: Sequence[Variable]) -> None:
        gradients = clipped(gradients, self.clipnorm, self.global_clipnorm, self.clipvalue)
        rate = to_tensor(self.learning_rate)
        if self.weight_decay is not None:
            for variable in filter(self._decays, variables):
                shrink = cast(rate, variable.dtype) * self.weight_decay
                variable.assign_sub(variable * shrink)
        self._once = {}
        try:
            self.begin_step(variables)
            for gradient, variable in zip(gradients, variables):
                run(self.update_step, gradient, variable, cast(rate, variable.dtype))
        finally:
            self._once = None

    def _gather(self, gradients: Sequence[Any], variables: Sequence[Variable]) -> None:
        steps = self.gradient_accumulation_steps or 1
        gathered = [self.slot(variable, GATHERED) for variable in variables]

        def step() -> None:
            together = [(g + kept) / float(steps) for g, kept in zip(gradients, gathered)]
            self._step(together, variables)
            for variable in self._slots.variables:
                kept = self.slot(variable, GATHERED)
                kept.assign(zeros_like(kept))

        def keep() -> None:
            for gradient, kept in zip(gradients, gathered):
                kept.assign_add(gradient)

        cond(equal(floormod(self._iterations + 1, steps), 0), step, keep)

    # -- running means of variables ----------------------------------------------------------------

    def _average(self) -> None:
        begun = cast(not_equal(self.iterations, 0), "float32") * self.ema_momentum
        for variable in self._slots.variables:
            mean, share = self.slot(variable, AVERAGE), cast(begun, variable.dtype)
            mean.assign(mean * share + variable * (1 - share))
        often = self.ema_overwrite_frequency
        if often:
            now = equal(floormod(self.iterations + 1, often), 0)
            cond(now, lambda: self.finalize_variable_values(()), lambda: None)

    def finalize_variable_values(self, var_list: Any = None) -> None:
        """Assign variables their running means, if those exist; call this after training.

        Args:
            var_list: the variables; None or an empty list for all of the optimizer's.
        """
        if self.use_ema:
            for variable in list(var_list or ()) or self._slots.variables:
                variable.assign(self.slot(variable, AVERAGE).read_value())

    # -- a loss ------------------------------------------------------------------------------------

    def minimize(
        self, loss: TensorLike, var_list: Sequence[Variable], tape: GradientTape | None = None
    ) -> Variable:
        """Reduce a loss by one step, and return the number of steps.

        Args:
            loss: a function without arguments that computes it, or a loss recorded by `tape`.
            var_list: the variables to change, or a function without arguments that returns them.

        Raises:
            ArgumentValueError: the loss is not a function, and there is no tape.
            DTypeError: `tape` is not a GradientTape.
        """
        if not isinstance(tape, (GradientTape, type(None))):
            raise DTypeError(f"tape must be a GradientTape, not {shown(tape)}")
        if tape is None and not callable(loss):
            raise ArgumentValueError(
                "a loss that is computed already needs the tape it was computed in: "
                "minimize(loss, variables, tape=tape)"
            )
        if callable(loss):
            with GradientTape() if tape is None else tape as tape:
                loss = run(loss)
        variables = variables_in(var_list() if callable(var_list) else var_list)
        assert tape is not None
        return self.apply_gradients(zip(tape.gradient(loss, variables), variables))

    def scale_loss(self, loss: Any) -> Any:
        """Return the loss times `loss_scale_factor`, if there is one."""
        return loss if self.loss_scale_factor is None else loss * self.loss_scale_factor

    def get_config(self) -> dict[str, Any]:
        """Return the config from which `from_config` makes such an optimizer, without state."""
        return {"learning_rate": self._rate.config(), **super().get_config()}


def _check_count(name: str, value: Any, least: int) -> None:
    if value is not None and (not isinstance(value, int) or value < least):
        raise ArgumentValueError(
            f"{name} must be a whole number of at least {least}, not {value!r}"
        )
