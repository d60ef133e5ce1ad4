"""Failure conditions: nodes that test whether another node raises an error.

%floordiv = floordiv(%x, %y)    raises DivisionByZeroError if    %any = reduce_any(%y == 0)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from runtime.core.tensor import Tensor
from runtime.errors import DivisionByZeroError, OutOfBoundsError
from runtime.graph.may_raise import raised_by_node
from runtime.graph.node import Node
from runtime.ops.arrays.index import HashableSlice, Index, Input
from runtime.ops.arrays.reduction import reduce_any
from runtime.ops.arrays.shape import shape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.comparison import equal, greater_equal, less
from runtime.ops.elementwise.logic import logical_not, logical_or
from runtime.ops.elementwise.unary import negative
from runtime.ops.op import REGISTRY, apply


class Failure(NamedTuple):
    """A way in which a node fails.

    Attributes:
        kind: the class of the error.
        test: a scalar, whether it fails; None if it always does.
    """

    kind: type[BaseException]
    test: Tensor | None = None


def failures_of(node: Node, inputs: Sequence[Any]) -> list[Failure] | None:
    """Record the tests for which a node fails; return None if they are not known.

    Args:
        node: the node.
        inputs: its operands, values of the graph that is recording.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> with graph.recording():
    ...     node = (x // x).node
    ...     print([each.kind.__name__ for each in failures_of(node, node.inputs)])
    ['DivisionByZeroError']
    """
    found = _TESTS.get(node.op.name)
    return None if found is None else found(node, inputs)


def never_fails(node: Node) -> bool:
    """Return whether a node raises no error for any values.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> with graph.recording():
    ...     never_fails(rt.zeros([2]).node)
    True
    """
    if node.op.name == "fill" and len(node.inputs) == 1:
        return True  # The sizes were checked while recording.
    if node.op.name == "range":
        step = node.inputs[2].node
        if step.op.name == "constant" and np.all(step.attrs["value"].array != 0):
            return True
    return not raised_by_node(node)


def _raise(node: Node, inputs: Sequence[Any]) -> list[Failure]:
    raised: Any = node.attrs["exception"]
    return [Failure(raised.pattern.kind)]


def _check(node: Node, inputs: Sequence[Any]) -> list[Failure] | None:
    if inputs[0].shape.rank != 0:
        return None
    kind: Any = node.attrs.get("error", AssertionError)
    return [Failure(kind, logical_not(inputs[0]))]


def _division(node: Node, inputs: Sequence[Any]) -> list[Failure]:
    return [Failure(DivisionByZeroError, _any(equal(inputs[1], _like(0, inputs[1]))))]


def _operand(node: Node, inputs: Sequence[Any]) -> list[Failure] | None:
    if node.attrs["symbol"] not in ("/", "//", "%"):
        return None
    return [Failure(DivisionByZeroError, _any(equal(inputs[0], _like(0, inputs[0]))))]


def _gather(node: Node, inputs: Sequence[Any]) -> list[Failure] | None:
    x, indices = inputs
    if node.attrs.get("batch_dims", 0) or x.shape.rank is None:
        return None
    axis: Any = node.attrs.get("axis", 0)
    outside = _outside(indices, shape(x)[axis % x.shape.rank], bool(node.attrs.get("wrap", False)))
    return [Failure(OutOfBoundsError, _any(outside))]


def _list_item(node: Node, inputs: Sequence[Any]) -> list[Failure]:
    target, *index = inputs
    place = index[0] if index else to_tensor(-1)
    length = apply(REGISTRY["list_length"], (target,))
    return [Failure(IndexError, _outside(place, length, True))]


def _slice(node: Node, inputs: Sequence[Any]) -> list[Failure] | None:
    return _index_failures(node, inputs[0], inputs[1:])


def _set_item(node: Node, inputs: Sequence[Any]) -> list[Failure] | None:
    if inputs[1].shape.rank != 0:
        return None  # Its shape may not fit.
    return _index_failures(node, inputs[0], inputs[2:])


def _index_failures(node: Node, x: Any, bounds: Sequence[Any]) -> list[Failure] | None:
    """Return the failures of an index of numbers, slices and scalars."""
    index: Any = node.attrs["index"]
    if x.shape.rank is None or not isinstance(index, Index):
        return None
    if any(
        isinstance(each, HashableSlice) and isinstance(each.step, Input) for each in index.items
    ):
        return None
    is_outside, sizes = to_tensor(False), shape(x)
    for item, axis in index.scalars(x.shape.rank):
        place = bounds[item.position] if isinstance(item, Input) else to_tensor(item)
        if place.shape.rank != 0 or not place.dtype.is_integer:
            return None
        is_outside = logical_or(is_outside, _outside(place, sizes[axis], True))
    return [Failure(OutOfBoundsError, is_outside)]


def _outside(place: Any, size: Any, counts_from_end: bool) -> Any:
    """Return whether a place is none of `size` ones."""
    place = cast(place, "int64")
    size = cast(size, "int64")
    least = negative(size) if counts_from_end else _like(0, size)
    return logical_or(less(place, least), greater_equal(place, size))


def _any(test: Any) -> Any:
    return test if test.shape.rank == 0 else reduce_any(test)


def _like(value: int, tensor: Any) -> Any:
    return to_tensor(value, dtype=tensor.dtype)


_DIVISIONS = "floordiv floormod truncatediv truncatemod python_divide"
_LIST_ITEMS = "list_get list_set list_pop list_delete"

_TESTS: Mapping[str, Callable[[Node, Sequence[Any]], list[Failure] | None]] = MappingProxyType(
    {
        "raise": _raise,
        "check": _check,
        "assert": _check,
        **dict.fromkeys(_DIVISIONS.split(), _division),
        "python_operand": _operand,
        "gather": _gather,
        **dict.fromkeys(_LIST_ITEMS.split(), _list_item),
        "strided_slice": _slice,
        "set_item": _set_item,
    }
)
