"""`keras.Variable`: Keras's order of arguments for the variables of this library."""

from __future__ import annotations

from enum import Enum
from typing import Any

from runtime.errors import ArgumentValueError
from runtime.nn import backend
from runtime.nn.initializers import get as initializer_of
from runtime.settings import choice
from runtime.shapes import as_shape
from runtime.variable import Variable
from runtime.variable_options import VariableAggregation, VariableSynchronization


class _InKerasOrder(type):
    """Makes variables from Keras's arguments; each variable of this library is an instance."""

    def __call__(
        cls,
        initializer: Any,
        shape: Any = None,
        dtype: Any = None,
        trainable: bool = True,
        autocast: bool = True,
        aggregation: str = "none",
        synchronization: str = "auto",
        name: str | None = None,
        layout: Any = None,
    ) -> Variable:
        if layout is not None:
            raise ArgumentValueError("layout says how devices share a variable; there is one here")
        return Variable(
            _value(initializer, shape, dtype),
            trainable=trainable,
            dtype=dtype,
            name=name,
            synchronization=_member(VariableSynchronization, synchronization, "synchronization"),
            aggregation=_member(VariableAggregation, aggregation, "aggregation"),
        )

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Variable)


class KerasVariable(Variable, metaclass=_InKerasOrder):
    """Make a variable as `keras.Variable` does; what is made is an `rt.Variable`.

    Args:
        initializer: the value; or an initializer or its name, which is given the shape and dtype.
        shape: of the value, needed with an initializer.
        dtype: of the value; by default what the value has, and of an initializer the float type.
        trainable: whether gradient tapes watch it and optimizers may change it.
        autocast: says nothing here, where layers have one dtype.
        aggregation, synchronization: Keras's words for the members of TensorFlow's enumerations.
        name: shown in texts and errors.
        layout: refused.

    Raises:
        ArgumentValueError: there is no shape for an initializer, or an argument is not of its kind.
        DTypeError, ShapeError: the value does not fit.

    Example:
        >>> KerasVariable([1, 2], None, "float32").numpy().tolist()
        [1.0, 2.0]
        >>> KerasVariable("ones", (2,), trainable=False).numpy().tolist()
        [1.0, 1.0]
    """


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
