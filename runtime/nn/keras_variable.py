"""`keras.Variable`: a variable with Keras's order of arguments and names."""

from __future__ import annotations

from enum import Enum
from typing import Any

from runtime.core.argument_checks import choice, plain_text
from runtime.core.shapes import as_shape
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.nn import backend
from runtime.nn.initializers import get as initializer_of
from runtime.nn.modules import names
from runtime.state.variable import Variable
from runtime.state.variable_options import VariableAggregation, VariableSynchronization


class _AnyVariable(type):
    """Makes every variable of this library an instance of `keras.Variable`."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Variable)


class KerasVariable(Variable, metaclass=_AnyVariable):
    """A Keras variable: `value` is an attribute, and the name has no number at its end.

    Args:
        initializer: the value; or an initializer or its name, which gets the shape and dtype.
        shape: the shape of the value, needed with an initializer.
        dtype: the dtype of the value; by default its own, and for an initializer the float type.
        trainable: whether gradient tapes watch it and optimizers may change it.
        autocast: no effect here, since layers have one dtype.
        aggregation, synchronization: Keras's names of the members of TensorFlow's enumerations.
        name: shown in texts and errors.
        layout: not supported.

    Raises:
        ArgumentValueError: there is no shape for an initializer, or an argument has a wrong type.
        DTypeError, ShapeError: the value does not match.

    Example:
        >>> KerasVariable([1, 2], None, "float32").numpy().tolist()
        [1.0, 2.0]
        >>> ones = KerasVariable("ones", (2,), trainable=False, name="ones")
        >>> ones.name, ones.value.numpy().tolist()
        ('ones', [1.0, 1.0])
    """

    def __init__(
        self,
        initializer: Any,
        shape: Any = None,
        dtype: Any = None,
        trainable: bool = True,
        autocast: bool = True,
        aggregation: str = "none",
        synchronization: str = "auto",
        name: str | None = None,
        layout: Any = None,
    ) -> None:
        if layout is not None:
            raise ArgumentValueError("layout is not supported: leave it out")
        called = plain_text(name, "name", "") or names.unique_name("variable")
        super().__init__(
            _value(initializer, shape, dtype),
            trainable=trainable,
            dtype=dtype,
            name=called,
            synchronization=_member(VariableSynchronization, synchronization, "synchronization"),
            aggregation=_member(VariableAggregation, aggregation, "aggregation"),
        )
        self._path = names.scoped(called)

    def assign_add(self, value: Any) -> Any:  # type: ignore[override]
        """Add a value, and return the variable."""
        return super().assign_add(value)

    def assign_sub(self, value: Any) -> Any:  # type: ignore[override]
        """Subtract a value, and return the variable."""
        return super().assign_sub(value)

    @property
    def value(self) -> Tensor:  # type: ignore[override]
        """The current value; in a graph, the value when the run reaches this read."""
        return self.read_value()


def _value(initializer: Any, shape: Any, dtype: Any) -> Any:
    if not callable(initializer) and not isinstance(initializer, str):
        return initializer
    if shape is None:
        raise ArgumentValueError("a variable of an initializer needs a shape: give shape=(2, 3)")
    dims = as_shape(shape).as_list()
    return initializer_of(initializer)(tuple(dims), dtype=dtype or backend.floatx())


def _member(kind: type[Enum], word: Any, name: str) -> Any:
    words = {member.name.lower(): member for member in kind}
    if isinstance(word, kind) or word is None:
        return word or words["none"]
    return words[choice(word, name, list(words))]
