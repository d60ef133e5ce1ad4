"""Variables of optimizers: slots, and those that user-defined optimizers create."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.context import recording
from runtime.core.creation_hooks import creating_for_owner, creating_once, outside_graph
from runtime.core.dtypes import DTypeLike, as_dtype
from runtime.core.shapes import ShapeLike
from runtime.core.tensor import TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.nn import initializers
from runtime.nn.registry import Identifier
from runtime.state.variable import Variable


def named(variable: Variable, owner: str) -> Variable:
    """Name a variable as Keras names variables of optimizers: the owner is in its path.

    >>> made = named(Variable(0.0, name="iteration"), "sgd")
    >>> made.name, made.path
    ('iteration', 'sgd/iteration')
    """
    variable._path = f"{owner}/{variable._name}"
    return variable


class SlotVariables:
    """Slot variables by name, in the order of the trained variables.

    Args:
        owner: the name of the optimizer.

    Example:
        >>> slots, v = SlotVariables("sgd"), Variable(3.0, name="v")
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
            DTypeError: the argument is not a variable.
        """
        if not isinstance(variable, Variable):
            raise DTypeError(f"an optimizer takes variables, not {shown(variable)}")
        kept = self._kept.get(variable.ref())
        if kept is None:
            raise ArgumentValueError(
                f"the optimizer was not built for {variable.path}: build it for all variables"
            )
        return kept

    def all(self) -> list[Variable]:
        """Return all slots."""
        return [each for kept in self._kept.values() for each in kept.values()]

    def in_order(self) -> list[dict[str, Variable]]:
        """Return the slots of each variable."""
        return list(self._kept.values())


# -- variables of user-defined optimizers, created in `build` and changed in `update_step` ---------


class OptimizerVariables:
    """A mixin with the methods by which user-defined optimizers create and change variables."""

    _slots: SlotVariables
    _added: list[Variable]
    name: str

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "build" in vars(cls):
            cls.build = _outside_of_graphs(vars(cls)["build"])  # type: ignore[attr-defined]

    def add_variable(
        self,
        shape: ShapeLike,
        initializer: Identifier = "zeros",
        dtype: DTypeLike | None = None,
        aggregation: str = "none",
        layout: object = None,
        name: str | None = None,
    ) -> Variable:
        """Return a new variable of the optimizer, made outside of any graph.

        Args:
            shape: the sizes.
            initializer: computes the initial value.
            dtype: float32 by default.
            aggregation, layout: no effect here, since there is one device.
        """
        wanted = as_dtype(dtype or "float32")
        with creating_for_owner(self), recording(None):
            sizes: Any = shape
            value = initializers.get(initializer)(tuple(sizes), dtype=wanted.name)
            made = named(Variable(value, False, dtype=wanted, name=name), self.name)
        self._added.append(made)
        return made

    def add_variable_from_reference(
        self,
        reference_variable: Variable,
        name: str | None = None,
        initializer: Identifier = "zeros",
    ) -> Variable:
        """Return a new variable of the shape and dtype of another."""
        base = reference_variable.name.removesuffix(":0").replace("/", "_")
        like = reference_variable
        called = f"{base}_{name or 'slot'}"
        return self.add_variable(like.shape, initializer, like.dtype, name=called)

    def assign(self, variable: Variable, value: TensorLike) -> None:
        """Assign a value to a variable."""
        variable.assign(value)

    def assign_add(self, variable: Variable, value: TensorLike) -> None:
        """Add a value to a variable."""
        variable.assign_add(value)

    def assign_sub(self, variable: Variable, value: TensorLike) -> None:
        """Subtract a value from a variable."""
        variable.assign_sub(value)

    def _get_variable_index(self, variable: Variable) -> int:
        """Return the index of a variable among those that the optimizer was built with."""
        reference = variable.ref()
        for place, known in enumerate(self._slots.variables):
            if known.ref() == reference:
                return place
        raise ArgumentValueError(
            f"the optimizer was not built with {variable.name}: build it with all variables"
        )


def _outside_of_graphs(build: Callable[..., None]) -> Callable[..., None]:
    """Return a `build` that runs once, outside of the graph that is being recorded."""

    @wraps(build)
    def built(self: Any, *args: Any, **kwargs: Any) -> None:
        with outside_graph(build, self):
            build(self, *args, **kwargs)

    return built
