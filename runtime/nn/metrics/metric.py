"""The base class of metrics, which accumulate values in variables over batches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.core.argument_checks import listed, plain_text, shown
from runtime.core.context import recording
from runtime.core.converter_hooks import run
from runtime.core.creation_hooks import creating_for_owner
from runtime.core.dtypes import DTypeLike, as_dtype, float32
from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, UnimplementedError
from runtime.nn import initializers
from runtime.nn.modules import names
from runtime.nn.modules.module import Module, ModuleAttributes
from runtime.nn.registry import Identifier
from runtime.ops.arrays.creation import zeros
from runtime.state.variable import Variable
from runtime.state.variable_options import VariableAggregation, VariableSynchronization


class MetricAttributes(ModuleAttributes):
    """The private state of a metric.

    Attributes:
        variables: its state, in order of creation.
        dtype: the dtype of its values.
    """

    def __init__(self) -> None:
        super().__init__()
        self.variables: list[Variable] = []
        self.dtype: Any = float32


class Metric(Module):
    """The base class of metrics: `update_state` accumulates, `result` reads, `reset_state` clears.

    Args:
        dtype: the dtype of its values; float32 by default.
        name: by default derived from the class's name, with a number from the second one on.

    Example:
        >>> class Largest(Metric):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.value = self.add_weight(name="value")
        ...     def update_state(self, values):
        ...         self.value.assign(max(float(self.value), *values))
        ...     def result(self):
        ...         return self.value
        >>> float(Largest()([1.0, 3.0]))
        3.0
    """

    config_names: tuple[str, ...] = ()
    _own_kind = MetricAttributes
    _form_of_names = (r".+", "give a text")
    _own: MetricAttributes

    def __init__(self, dtype: DTypeLike | None = None, name: str | None = None) -> None:
        super().__init__(name)
        if name is None:
            # Logs have results by names, and a model may have two metrics of one class.
            self._own.name = names.unique_name(names.snake_case(type(self).__name__))
        if dtype is not None:
            self._own.dtype = as_dtype(dtype)

    @property
    def dtype(self) -> str:
        """The name of the dtype of its values."""
        return str(self._own.dtype.name)

    def add_variable(
        self,
        shape: ShapeLike = (),
        initializer: Identifier | None = None,
        dtype: DTypeLike | None = None,
        aggregation: str = "sum",
        name: str | None = None,
    ) -> Variable:
        """Return a new variable, as `add_weight` does; `aggregation` has no effect here."""
        return self.add_weight(shape, initializer, dtype, name)

    def add_weight(
        self,
        shape: ShapeLike = (),
        initializer: Identifier | None = None,
        dtype: DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """Return a new variable of the metric, which training does not change.

        Args:
            shape: the sizes.
            initializer: computes the initial value; 0 by default.
        """
        make = initializers.get("zeros" if initializer is None else initializer)
        wanted = self._own.dtype if dtype is None else as_dtype(dtype)
        sizes = listed(shape, "shape")
        path = names.scoped(plain_text(name, "name", "") or "variable")
        with creating_for_owner(self), recording(None):
            made = Variable(
                make(tuple(sizes), dtype=wanted.name),
                trainable=False,
                dtype=wanted,
                name=path,
                synchronization=VariableSynchronization.ON_READ,
                aggregation=VariableAggregation.SUM,
            )
        made._path = f"{self.name}/{path}"
        made.is_no_weight = True  # type: ignore[attr-defined]
        self._own.variables.append(made)
        return made

    @property
    def variables(self) -> list[Variable]:
        """The variables of its state, and of metrics inside."""
        inside = [v for v in super().variables if all(v is not own for own in self._own.variables)]
        return [*self._own.variables, *inside]

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Count a batch; subclasses override this."""
        raise UnimplementedError(f"{type(self).__name__} has no `update_state`: define it")

    def result(self) -> Tensor:
        """Return the value of the metric so far; a subclass overrides this."""
        raise UnimplementedError(f"{type(self).__name__} has no `result`: define it")

    def reset_state(self) -> None:
        """Set all variables to 0."""
        for each in self.variables:
            each.assign(zeros(each.shape, each.dtype))

    def merge_state(self, metrics: Iterable[Metric]) -> None:
        """Add the state of other metrics of its kind: variables are summed.

        Raises:
            ArgumentValueError: one is of another kind, or has variables of other shapes.
        """
        others = listed(metrics, "metrics")
        shapes = [tuple(v.shape) for v in self.variables]
        for other in others:
            if type(other) is not type(self) or shapes != [tuple(v.shape) for v in other.variables]:
                raise ArgumentValueError(
                    f"metric {self.name!r} cannot merge the state of {shown(other)}: use metrics "
                    "of one class, and update both first"
                )
        for other in others:
            for variable, more in zip(self.variables, list(other.variables)):
                variable.assign_add(more)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Count a batch, and return the result so far."""
        run(self.update_state, *args, **kwargs)
        return run(self.result)

    def get_config(self) -> dict[str, Any]:
        """Return the config from which `from_config` makes the same metric."""
        own = {name: getattr(self, name) for name in self.config_names}
        return {"name": self.name, "dtype": self.dtype, **own}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Return a metric made from the config of `get_config`."""
        return cls(**config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"
