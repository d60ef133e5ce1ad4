"""Options of variables: initial values, flags, and unsupported options of TensorFlow."""

from __future__ import annotations

from enum import Enum
from typing import Any

from runtime.core.context import current_recorder, recording
from runtime.core.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.errors import ArgumentValueError, FailedPreconditionError
from runtime.ops.convert import to_tensor


class VariableSynchronization(Enum):
    """The time at which the values of replicas are merged.

    A variable has one value, which replicas change together. ON_READ: they cannot read it.

    >>> import autograph.runtime as rt
    >>> rt.Variable(1.0, synchronization=VariableSynchronization.ON_READ).synchronization.name
    'ON_READ'
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(Enum):
    """The way in which values that several replicas assign are merged; NONE: they are equal.

    >>> import autograph.runtime as rt
    >>> rt.Variable(1.0, aggregation=VariableAggregation.MEAN).aggregation.name
    'MEAN'
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


# Attributes of TensorFlow's variables without a meaning here, and the code to write instead.
INSTEAD = {
    "count_up_to": "rt.data.Dataset.range(n)",
    "from_proto": "rt.train.Checkpoint(v=v).restore(path)",
    "graph": "v.numpy(); a variable belongs to no graph",
    "initial_value": "v.numpy() right after it was made",
    "initialized_value": "v.read_value()",
    "initializer": "v.assign(x); a variable has a value from the start",
    "load": "v.assign(x)",
    "op": "v.name; a variable is no node of a graph",
    "to_proto": "rt.train.Checkpoint(v=v).save(prefix)",
}


def check_variable_options(
    initial_value: Any, variable_def: Any, constraint: Any, synchronization: Any, aggregation: Any
) -> None:
    """Raise ArgumentValueError for an argument of a variable that is of the wrong kind."""
    if variable_def is not None:
        raise ArgumentValueError(
            "variable_def is not supported: give the initial value, or restore a "
            "rt.train.Checkpoint"
        )
    if initial_value is None:
        raise ArgumentValueError(
            "a variable needs an initial value: write rt.Variable(rt.zeros(shape))"
        )
    if constraint is not None and not callable(constraint):
        raise ArgumentValueError(f"constraint must be a function, not {constraint!r}")
    if not isinstance(synchronization, VariableSynchronization):
        raise ArgumentValueError(
            "synchronization must be a member of rt.VariableSynchronization, not "
            f"{synchronization!r}"
        )
    if not isinstance(aggregation, VariableAggregation):
        raise ArgumentValueError(
            f"aggregation must be a member of rt.VariableAggregation, not {aggregation!r}"
        )


def initial_value_of(value: Any, dtype: Any) -> Tensor:
    """Return an initial value as a tensor, an eager one if it is known while tracing.

    A value that depends on the arguments of a call, or on a variable that the graph changed, stays
    symbolic if the graph runs only for that call.
    """
    recorder = current_recorder()
    may_stay = getattr(recorder, "initialized_variables", None) is not None
    with recording(recorder if may_stay else None):
        if callable(value) and not hasattr(type(value), "__rt_tensor__"):
            value = value()
        if may_stay:
            value = to_tensor(value, dtype)
        if isinstance(value, SymbolicTensor):
            try:
                value = EagerTensor(value.graph.known_value(value))
            except FailedPreconditionError:
                if not may_stay:
                    raise
        if not isinstance(value, SymbolicTensor):
            return to_tensor(value, dtype)
    return to_tensor(value, dtype)
