"""Writes to variables by several replicas, which become one write.

replica 0    v.assign_add(1.0)    |
replica 1    v.assign_add(2.0)    |  aggregation SUM: v.assign_add(3.0), once
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.replica import Replica
from runtime.core.tensor import EagerTensor, Tensor
from runtime.errors import InvalidArgumentError, UnimplementedError
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.effects.assertions import assert_equal
from runtime.ops.effects.variables import ASSIGN_ADD_VARIABLE, ASSIGN_SUB_VARIABLE, ASSIGN_VARIABLE
from runtime.ops.elementwise.arithmetic import add_n
from runtime.ops.op import Op
from runtime.state.variable_options import VariableAggregation, VariableSynchronization

_METHODS = {
    ASSIGN_VARIABLE.name: "assign",
    ASSIGN_ADD_VARIABLE.name: "assign_add",
    ASSIGN_SUB_VARIABLE.name: "assign_sub",
}


def changed_in_replicas(variable: Any, replica: Replica, op: Op, inputs: Sequence[Tensor]) -> Any:
    """Change a variable once for all replicas, which call this together; return the variable.

    Raises:
        UnimplementedError: single rows or elements are changed, or the aggregation is NONE and the
            variable is synchronized on reading.
        InvalidArgumentError: the aggregation is NONE, and replicas assign different values.
    """
    method, name = _METHODS.get(op.name), variable._name
    if method is None:
        raise UnimplementedError(
            f"variable '{name}': replicas change rows or elements together only as a whole: write "
            "v.assign_add(x) with a tensor of the variable's shape"
        )
    aggregation = variable.aggregation
    is_none = aggregation is VariableAggregation.NONE
    if is_none and variable.synchronization is VariableSynchronization.ON_READ:
        raise UnimplementedError(
            f"variable '{name}' is synchronized on reading and has no aggregation: give it one, "
            "such as rt.VariableAggregation.SUM"
        )
    merge = _MERGED[aggregation]

    def changed(values: Sequence[Tensor]) -> list[Any]:
        variable._changed(op, (merge(name, values),))
        return [variable] * replica.count

    return replica.meet(f"{method} of variable '{name}'", changed, *inputs)


def _total(name: str, values: Sequence[Tensor]) -> Tensor:
    return add_n(list(values))


def _mean(name: str, values: Sequence[Tensor]) -> Tensor:
    total = add_n(list(values))
    if not total.dtype.is_floating:
        return total // cast(to_tensor(len(values)), total.dtype)
    return total / cast(to_tensor(len(values)), total.dtype)


def _first(name: str, values: Sequence[Tensor]) -> Tensor:
    return values[0]


def _same(name: str, values: Sequence[Tensor]) -> Tensor:
    """Return the value that all replicas assign."""
    first = values[0]
    message = (
        f"variable '{name}': replicas assign different values, and it has no aggregation: create "
        "it with aggregation=rt.VariableAggregation.SUM, MEAN or ONLY_FIRST_REPLICA, or assign the "
        "result of all_reduce"
    )
    for other in values[1:]:
        if other is first:
            continue
        if not (isinstance(first, EagerTensor) and isinstance(other, EagerTensor)):
            assert_equal(first, other, message)
        elif not np.array_equal(first._array, other._array):
            raise InvalidArgumentError(message)
    return first


_MERGED: dict[VariableAggregation, Callable[[str, Sequence[Tensor]], Tensor]] = {
    VariableAggregation.NONE: _same,
    VariableAggregation.SUM: _total,
    VariableAggregation.MEAN: _mean,
    VariableAggregation.ONLY_FIRST_REPLICA: _first,
}
