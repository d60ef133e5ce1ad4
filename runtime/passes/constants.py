"""Constants in graphs: look-up, creation, comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.array_value import ArrayValue
from runtime.core.tensor import Array, SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.convert import CONSTANT
from runtime.passes.rewriting import new_node


def constant_of(tensor: SymbolicTensor) -> Array | None:
    """Return the value of a constant, also of a captured one; None for other tensors."""
    node = tensor.node
    while node.op.name == "placeholder":
        outer = tensor.graph.outer_of(tensor)
        if not isinstance(outer, SymbolicTensor):
            return None
        tensor, node = outer, outer.node
    if node.op.name != "constant":
        return None
    value: Any = node.attrs["value"]
    array: Array = value.array
    return array


def constant_node(graph: Graph, array: Array, like: SymbolicTensor) -> Node:
    """Return a new constant of `graph` in place of `like`, with its spec and origin."""
    attrs = {"value": ArrayValue(array)}
    origin = like.node.origin
    return new_node(graph, CONSTANT, (), attrs, [like.spec], "constant", origin, [like.weak])


def is_all(array: Array, value: float) -> bool:
    """Return whether each element of an array equals `value`, also in the sign of a zero.

    >>> is_all(np.zeros(2), 0.0), is_all(np.zeros(2), -0.0)
    (True, False)
    """
    if array.dtype.kind == "b":
        return isinstance(value, bool) and bool((array == value).all())
    if isinstance(value, bool) or array.dtype.kind not in "iuf":
        return False
    if not (array == value).all():
        return False
    if array.dtype.kind == "f":
        return bool((np.signbit(array) == np.signbit(value)).all())
    return not (value == 0 and np.signbit(value))
