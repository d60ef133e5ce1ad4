"""Infers the dtypes of list items by following each list through a graph.

A list is one variant here, whatever its items. TensorFlow's lists hold tensors of one dtype, which
every node on a list repeats; so the dtype of the items follows from the sources and uses of a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from runtime.core.dtypes import DType, float32
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.export.refusals import refused_node
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
        *("tensor_array_items", "tensor_array_resize", "tensor_array_sum", "identity"),
        *("join_item_gradients", "limit_item_gradients", "place_item_gradients"),
        *("drop_item_gradients", "gather_item_gradients", "scatter_item_gradients"),
    )
)
# Ops whose operand at this index is also a list of such items.
_JOINING = {
    "list_extend": 1,
    "list_set_slice": 1,
    "tensor_array_scatter": 2,
    "tensor_array_fill": 1,
    "tensor_array_sum": 1,
    "join_item_gradients": 1,
    "pick_item_gradients": 1,
    "drop_item_gradients": 1,
}
# Ops of a list and a tensor of which the list's items hold the rows, or the parts, in one place.
_IN_ONE_PLACE = frozenset(
    (
        *("rows_as_item_gradients", "item_gradients_as_rows"),
        *("parts_as_item_gradients", "item_gradients_as_parts"),
    )
)
# Ops whose operands from this index on are one item.
_PUTTING = {"list_append": 1, "list_set": 2, "list_insert": 2, "tensor_array_write": 2}


def raising(error: Exception) -> None:
    """Raise an error."""
    raise error


class ValueType:
    """The known type of one value.

    Attributes:
        dtype: its dtype.
        items: if it is a list, the types of the parts of its items.
        shape: if it is a part of an item, the shape that all of these parts have, as far as it is
            known where they are put into lists; None if nothing is put there.
    """

    __slots__ = ("dtype", "items", "same_as", "shape")

    def __init__(
        self,
        dtype: DType,
        items: list[ValueType] | None = None,
        shape: TensorShape | None = None,
    ) -> None:
        self.dtype = dtype
        self.items = items
        self.shape = shape
        self.same_as: ValueType | None = None

    def found(self) -> ValueType:
        """Return the representative of the types that were joined with this one."""
        cell = self
        while cell.same_as is not None:
            cell = cell.same_as
        return cell

    def put(self, shape: TensorShape | None) -> None:
        """Note that a value of this shape is put into a list."""
        if shape is not None:
            cell = self.found()
            cell.shape = shape if cell.shape is None else cell.shape.join(shape)


def _unsupported(node: Node, reason: str) -> Exception:
    return refused_node(node, reason, "a GraphDef")


class ItemTypes:
    """The dtypes of the items of a graph's lists.

    Args:
        graph: the graph, including its regions.
        refuse: raises its argument, an error about a list with items of several types.
        unsupported: makes that error from a node and a reason.
    """

    def __init__(
        self,
        graph: Graph,
        refuse: Callable[[Exception], None] = raising,
        unsupported: Callable[[Node, str], Exception] = _unsupported,
    ) -> None:
        self._refuse = refuse
        self._unsupported = unsupported
        self._cells: dict[int, ValueType] = {}
        self._called: dict[int, Graph] = {}
        self._in_one_place: list[Node] = []
        self._look(graph)
        for node in self._in_one_place:
            self._look_in_one_place(node)

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

    def parts(self, tensor: SymbolicTensor) -> list[ValueType]:
        """Return the types of the parts of an item; see `of`."""
        items = self._cell(tensor).found().items
        return [each.found() for each in items] if items else [_no_part()]

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
            self._holds(node, inputs[0], self._put(inputs[_PUTTING[name] :]))
        elif name == "list_of":
            width: Any = node.attrs["width"]
            for start in range(0, len(inputs), width):
                self._holds(node, outputs[0], self._put(inputs[start : start + width]))
        elif name in ("list_get", "list_pop"):
            got = outputs if name == "list_get" else outputs[1:]
            self._holds(node, inputs[0], map(self._cell, got))
        elif name in ("list_from_rows", "list_from_parts"):
            rows = inputs if name == "list_from_rows" else inputs[:1]
            self._holds(node, outputs[0], [_row(row, name) for row in rows])
        elif name == "move_item_gradients":
            are_lists: Any = node.attrs["lists"]
            moved = [each for each, is_list in zip(inputs[1:], are_lists) if is_list]
            for each in (*moved, *outputs[: len(moved)]):
                self._join(node, self._cell(inputs[0]), self._cell(each))
        elif name in _IN_ONE_PLACE:
            self._in_one_place.append(node)
        elif name in ("tensor_array", "tensor_array_read"):
            element: Any = node.attrs["element"]
            self._holds(node, outputs[0] if name == "tensor_array" else inputs[0], _one(element))

    def _look_in_one_place(self, node: Node) -> None:
        """Note the dtype of one part of an item; the other parts are known, or never used."""
        is_made = node.op.name.endswith("as_item_gradients")
        gradients = node.outputs[0] if is_made else node.inputs[0]
        tensor = node.inputs[0] if is_made else node.outputs[0]
        leaf: Any = node.attrs["leaf"]
        cell = self._cell(gradients).found()
        items = cell.items = cell.items or []
        items.extend(_no_part() for _ in range(leaf - len(items)))
        if leaf == len(items):
            items.append(ValueType(tensor.dtype))
        else:
            self._join(node, items[leaf], ValueType(tensor.dtype))

    def _put(self, tensors: Iterable[SymbolicTensor]) -> list[ValueType]:
        """Return the types of the parts of an item that a node puts into a list."""
        cells = [(self._cell(each), each) for each in tensors]
        for cell, tensor in cells:
            cell.put(tensor.shape)
        return [cell for cell, _ in cells]

    def _holds(self, node: Node, tensor: SymbolicTensor, items: Iterable[ValueType]) -> None:
        self._join(node, self._cell(tensor), ValueType(tensor.dtype, list(items)))

    def _join(self, node: Node, one: ValueType, other: ValueType) -> None:
        """Unify the types of two values."""
        one, other = one.found(), other.found()
        if one is other:
            return
        if one.dtype is not other.dtype:
            reason = f"a list holds {one.dtype.name} and {other.dtype.name} in one place"
            return self._refuse(self._unsupported(node, reason))
        other.same_as = one
        one.put(other.shape)
        if one.items is None or other.items is None:
            one.items = one.items if other.items is None else other.items
            return
        if len(one.items) != len(other.items):
            return self._refuse(self._unsupported(node, "a list holds items of different forms"))
        for left, right in zip(one.items, other.items):
            self._join(node, left, right)


def _one(spec: TensorSpec) -> list[ValueType]:
    known = spec.shape if spec.shape.is_fully_defined() else None
    return [ValueType(spec.dtype, shape=known)]


def _row(rows: SymbolicTensor, op: str) -> ValueType:
    """Return the type of the rows of a tensor, or of its parts along the first axis."""
    shape = rows.shape
    if shape.rank is None:
        return ValueType(rows.dtype, shape=shape)
    parts = TensorShape.of((None,)) + shape[1:]
    return ValueType(rows.dtype, shape=shape[1:] if op == "list_from_rows" else parts)


def _no_part() -> ValueType:
    """Return the part that stands for an item without parts."""
    return ValueType(float32, shape=TensorShape.of(()))


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
