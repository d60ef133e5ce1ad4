"""Constants in graphs: look-up, creation, comparison; and keys of attributes."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime.core.array_value import ArrayValue
from runtime.core.dtypes import DType
from runtime.core.tensor import Array, SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.convert import CONSTANT
from runtime.passes.rewriting import new_node

# Larger arrays are compared by identity: comparing their elements costs more than it saves.
_COMPARED = 1024


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


def key_of(attrs: Mapping[str, object]) -> Any:
    """Return a key that is equal for attributes that are equal bit by bit.

    >>> key_of({"axis": 1}) == key_of({"axis": True}), key_of({}) == key_of({})
    (False, True)
    """
    if not attrs:
        return ()
    return tuple([(name, _frozen(value)) for name, value in sorted(attrs.items())])


def _frozen(value: Any) -> Any:
    kind = type(value)
    if kind is int or kind is str or kind is bool or kind is bytes or value is None:
        return kind, value
    if kind is float:
        return kind, struct.pack("d", value)
    if kind is tuple:
        return kind, tuple(map(_frozen, value))
    if kind is DType:
        return kind, id(value)
    if kind is ArrayValue and value.array.size <= _COMPARED:
        return kind, value.key()
    # The caller keeps the node alive, and with it the object whose id this is.
    return kind, id(value)


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
