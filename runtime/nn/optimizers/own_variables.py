"""Variables of user-defined optimizers, created in `build` and changed in `update_step`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from runtime.core.context import recording
from runtime.core.creation_hooks import creating_for_owner, outside_graph
from runtime.core.dtypes import as_dtype
from runtime.errors import ArgumentValueError
from runtime.nn import initializers
from runtime.nn.optimizers.slots import Slots, named
from runtime.state.variable import Variable


class OwnVariables:
    """A mixin with the methods by which user-defined optimizers create and change variables."""

    _slots: Slots
    _added: list[Variable]
    name: str

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "build" in vars(cls):
            cls.build = _outside_of_graphs(vars(cls)["build"])  # type: ignore[attr-defined]

    def add_variable(
        self,
        shape: Any,
        initializer: Any = "zeros",
        dtype: Any = None,
        aggregation: str = "none",
        layout: Any = None,
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
            value = initializers.get(initializer)(tuple(shape), dtype=wanted.name)
            made = named(Variable(value, False, dtype=wanted, name=name), self.name)
        self._added.append(made)
        return made

    def add_variable_from_reference(
        self, reference_variable: Variable, name: str | None = None, initializer: Any = "zeros"
    ) -> Variable:
        """Return a new variable of the shape and dtype of another."""
        base = reference_variable.name.removesuffix(":0").replace("/", "_")
        like = reference_variable
        called = f"{base}_{name or 'slot'}"
        return self.add_variable(like.shape, initializer, like.dtype, name=called)

    def assign(self, variable: Variable, value: Any) -> None:
        """Assign a value to a variable."""
        variable.assign(value)

    def assign_add(self, variable: Variable, value: Any) -> None:
        """Add a value to a variable."""
        variable.assign_add(value)

    def assign_sub(self, variable: Variable, value: Any) -> None:
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
