"""Infers the dtypes of list items by following each list through a graph.

A list is one variant here, whatever its items. TensorFlow's lists hold tensors of one dtype, which
every node on a list repeats; so the dtype of the items follows from the sources and uses of a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from runtime.core.dtypes import DType, float32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.export.graphdef.function_body import unsupported
from runtime.graph.callee import CalledGraph, called_graph
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.prune import prune

# Ops whose first result is a list with the items of their first operand.
_KEEPING = frozenset(
    (
        *("list_append", "list_extend", "list_set", "list_insert", "list_slice", "list_set_slice"),
        *("list_delete", "list_delete_slice", "list_reverse", "list_repeat", "list_take"),
        *("list_pop", "tensor_array_write", "tensor_array_scatter", "tensor_array_fill"),
        *("tensor_array_items", "identity"),
    )
)
# Ops whose operand at this index is also a list of such items.
_JOINING = {
    "list_extend": 1,
    "list_set_slice": 1,
    "tensor_array_scatter": 2,
    "tensor_array_fill": 1,
}
# Ops whose operands from this index on are one item.
_PUTTING = {"list_append": 1, "list_set": 2, "list_insert": 2, "tensor_array_write": 2}


def raising(error: Exception) -> None:
    """Raise an error."""
    raise error


class ValueType:
    """The known type of one value: its dtype and, if it is a list, the types of its items."""

    __slots__ = ("dtype", "items", "same_as")

    def __init__(self, dtype: DType, items: list[ValueType] | None = None) -> None:
        self.dtype = dtype
        self.items = items
        self.same_as: ValueType | None = None

    def found(self) -> ValueType:
        """Return the representative of the types that were joined with this one."""
        cell = self
        while cell.same_as is not None:
            cell = cell.same_as
        return cell


class ItemTypes:
    """The dtypes of the items of a graph's lists.

    Args:
        graph: the graph, including its regions.
        refuse: raises its argument, an error about a list with items of several types.
    """

    def __init__(self, graph: Graph, refuse: Callable[[Exception], None] = raising) -> None:
        self._refuse = refuse
        self._cells: dict[int, ValueType] = {}
        self._called: dict[int, Graph] = {}
        self._look(graph)

    def called(self, callee: CalledGraph) -> Graph:
        """Return the graph of a function that nodes call, pruned; always the same one."""
        known = self._called.get(id(callee.graph))
        if known is None:
            known = self._called[id(callee.graph)] = prune(callee.graph)
            self._look(known)
        return known

    def of(self, tensor: SymbolicTensor) -> tuple[DType, ...]:
        """Return the dtypes of the parts of an item.

        An item without parts, and an item of a list that is never used, count as one float.
        """
        items = self._cell(tensor).found().items
        return tuple(item.found().dtype for item in items) if items else (float32,)

    def form(self, tensor: SymbolicTensor) -> Any:
        """Return a dtype's name, or for a list a tuple of the forms of its parts.

        >>> from runtime.graph.graph import Graph
        >>> graph = Graph("f")
        >>> x = graph.add_input(TensorSpec((), "int32"), "x")
        >>> ItemTypes(graph).form(x)
        'int32'
        """
        return _form(self._cell(tensor))

    def _cell(self, tensor: SymbolicTensor) -> ValueType:
        return self._cells.setdefault(id(tensor), ValueType(tensor.dtype))

    # -- following lists through the graph ---------------------------------------------------------

    def _look(self, graph: Graph) -> None:
        for node in graph.nodes:
            for region in node.regions:
                self._look(region)
            for one, other in _flows(node):
                self._join(node, self._cell(one), self._cell(other))
            callee = called_graph(node.attrs)
            if callee is not None:
                inner = self.called(callee)
                pairs = [*zip(operands_of(node, inner), inner.inputs)]
                for one, other in (*pairs, *zip(node.outputs, inner.outputs)):
                    self._join(node, self._cell(one), self._cell(other))
            self._look_at(node)

    def _look_at(self, node: Node) -> None:
        name, inputs, outputs = node.op.name, node.inputs, node.outputs
        if name in _KEEPING:
            self._join(node, self._cell(outputs[0]), self._cell(inputs[0]))
        if name in _JOINING:
            self._join(node, self._cell(inputs[0]), self._cell(inputs[_JOINING[name]]))
        if name in _PUTTING:
            self._holds(node, inputs[0], map(self._cell, inputs[_PUTTING[name] :]))
        elif name == "list_of":
            width: Any = node.attrs["width"]
            for start in range(0, len(inputs), width):
                self._holds(node, outputs[0], map(self._cell, inputs[start : start + width]))
        elif name in ("list_get", "list_pop"):
            got = outputs if name == "list_get" else outputs[1:]
            self._holds(node, inputs[0], map(self._cell, got))
        elif name in ("list_from_rows", "list_from_parts"):
            rows = inputs if name == "list_from_rows" else inputs[:1]
            self._holds(node, outputs[0], [ValueType(row.dtype) for row in rows])
        elif name in ("tensor_array", "tensor_array_read"):
            element: Any = node.attrs["element"]
            self._holds(node, outputs[0] if name == "tensor_array" else inputs[0], _one(element))

    def _holds(self, node: Node, tensor: SymbolicTensor, items: Iterable[ValueType]) -> None:
        self._join(node, self._cell(tensor), ValueType(tensor.dtype, list(items)))

    def _join(self, node: Node, one: ValueType, other: ValueType) -> None:
        """Unify the types of two values."""
        one, other = one.found(), other.found()
        if one is other:
            return
        if one.dtype is not other.dtype:
            reason = f"a list holds {one.dtype.name} and {other.dtype.name} in one place"
            return self._refuse(unsupported(node, reason))
        other.same_as = one
        if one.items is None or other.items is None:
            one.items = one.items if other.items is None else other.items
            return
        if len(one.items) != len(other.items):
            return self._refuse(unsupported(node, "a list holds items of different forms"))
        for left, right in zip(one.items, other.items):
            self._join(node, left, right)


def _one(spec: TensorSpec) -> list[ValueType]:
    return [ValueType(spec.dtype)]


def operands_of(node: Node, called: Graph) -> list[SymbolicTensor]:
    """Return the operands of a call that the pruned graph still uses."""
    callee = called_graph(node.attrs)
    assert callee is not None
    count, kept = len(called.parameters), {id(held.outer) for held in called.captures}
    captured = zip(node.inputs[count:], callee.graph.captures)
    return [*node.inputs[:count], *(value for value, held in captured if id(held.outer) in kept)]


def _flows(node: Node) -> Iterable[tuple[SymbolicTensor, SymbolicTensor]]:
    """Yield the pairs of values of which one is passed on as the other."""
    for region in node.regions:
        own = len(node.inputs) - len(region.captures)
        captured: Sequence[SymbolicTensor] = [held.inner for held in region.captures]
        yield from zip(node.inputs[own:], captured)
        if node.op.name == "while_loop":
            yield from zip(node.inputs, region.parameters)
            yield from zip(node.outputs, region.parameters)
        if node.op.name != "while_loop" or region is node.regions[1]:
            yield from zip(node.outputs, region.outputs)


def _form(cell: ValueType) -> Any:
    known = cell.found()
    if not known.dtype.is_variant:
        return known.dtype.name
    return tuple(map(_form, known.items or [ValueType(float32)]))
