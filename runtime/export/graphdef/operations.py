"""The operations of a graph, as in TensorFlow's API.

    %multiply = multiply(%x, %x)    ->    <Operation 'mul' type=Mul>, with inputs and outputs

They are the nodes of `as_graph_def()`, with the same names, types and order. In a graph that a
session runs they are the graph's own nodes, which the session can fetch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runtime.core.argument_checks import plain_text
from runtime.core.shapes import TensorShape
from runtime.core.tensor import SymbolicTensor
from runtime.errors import ArgumentValueError, MissingNameError
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.messages import AttrValue, NodeDef
from runtime.export.graphdef.to_graphdef import LoweredGraph, lowered
from runtime.graph.graph import Graph


@dataclass(frozen=True)
class OperationOutput:
    """A result of an operation that is no tensor of the graph.

    Attributes:
        op: the operation.
        value_index: the index among the results.
        dtype: the dtype; for a variable's handle, the resource type.
        shape: the shape; unknown if the operation is a part of one node of the graph.
    """

    op: Operation
    value_index: int
    dtype: Any
    shape: TensorShape

    @property
    def name(self) -> str:
        """The name of the operation followed by the index: `mul:0`."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def graph(self) -> Graph:
        """The graph it is in."""
        return self.op.graph

    def consumers(self) -> list[Operation]:
        """Return the operations that use it."""
        return [each for each in self.op.others.values() if self.name in each.input_names]

    def __repr__(self) -> str:
        return f"<OperationOutput {self.name!r} shape={self.shape} dtype={self.dtype.name}>"


class Operation:
    """A node of a graph under its name and type in `as_graph_def()`.

    Attributes:
        graph: its graph.
        node_def: the node in the GraphDef.
        others: all operations of the graph, by name.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> double = ag.function(lambda x: x * 2)
        >>> graph = double.get_concrete_function(rt.constant(1)).graph
        >>> op = graph.get_operation_by_name("Mul")
        >>> op.type, [each.name for each in op.inputs], op.outputs[0].name
        ('Mul', ['x:0', 'Const:0'], 'Mul:0')
    """

    device = ""

    def __init__(
        self, graph: Graph, node_def: NodeDef, whole: LoweredGraph, others: Mapping[str, Operation]
    ) -> None:
        self.graph = graph
        self.node_def = node_def
        self.others = others
        self._whole = whole

    @property
    def name(self) -> str:
        """Its name, unique in its graph."""
        return str(self.node_def.name)

    @property
    def type(self) -> str:
        """The name of TensorFlow's op."""
        return str(self.node_def.op)

    @property
    def input_names(self) -> list[str]:
        """The names of its input tensors."""
        texts = [text for text in self.node_def.input if not text.startswith("^")]
        return [text if ":" in text else f"{text}:0" for text in texts]

    @property
    def inputs(self) -> tuple[SymbolicTensor | OperationOutput, ...]:
        """Its input tensors."""
        places = (name.rpartition(":") for name in self.input_names)
        return tuple([self.others[node].outputs[int(index)] for node, _, index in places])

    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that run before it without giving it inputs."""
        texts = [text[1:] for text in self.node_def.input if text.startswith("^")]
        return [self.others[name] for name in texts]

    @property
    def outputs(self) -> list[SymbolicTensor | OperationOutput]:
        """Its results: tensors of the graph if these have the same names."""
        refs = self._whole.results[self.name]
        return [self._output(at, ref) for at, ref in enumerate(refs)]

    def _output(self, index: int, ref: ValueRef) -> SymbolicTensor | OperationOutput:
        tensor = self._whole.tensors.get((self.name, index))
        if tensor is not None and _full_name(tensor) == f"{self.name}:{index}":
            return tensor
        shape = TensorShape(None) if tensor is None else tensor.shape
        return OperationOutput(self, index, ref.kind, shape)

    def values(self) -> tuple[SymbolicTensor | OperationOutput, ...]:
        """Return its results."""
        return tuple(self.outputs)

    def get_attr(self, name: str) -> Any:
        """Return an attribute of the node.

        Raises:
            ArgumentValueError: the node has no such attribute.
        """
        found = self.node_def.attr.get(plain_text(name, "the name of an attribute"))
        if found is None:
            known = ", ".join(sorted(self.node_def.attr))
            raise ArgumentValueError(f"{self.name!r} has no attribute {name!r}, only {known}")
        return _value(found)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Operation):
            return NotImplemented
        return self.graph is other.graph and self.node_def == other.node_def

    def __hash__(self) -> int:
        return hash((id(self.graph), self.name))

    def __repr__(self) -> str:
        return f"<Operation {self.name!r} type={self.type}>"


def _full_name(tensor: SymbolicTensor) -> str:
    return f"{tensor.node.name}:{tensor.index}"


def _value(attr: AttrValue) -> Any:
    ((_, value),) = list(attr.given_fields())
    return value


def get_operations(graph: Graph) -> list[Any]:
    """Return the operations of a graph, each after its inputs.

    Raises:
        GraphError: the graph is a branch or the body of a loop.
    """
    if graph.runs_by_fetches:
        return [*(tensor.node for tensor in graph.inputs), *graph.nodes]
    whole = lowered(graph, is_shown=True)
    found: dict[str, Operation] = {}
    for node_def in whole.graph_def.node:
        found[node_def.name] = Operation(graph, node_def, whole, found)
    return list(found.values())


def get_operation_by_name(graph: Graph, name: str) -> Any:
    """Return the operation called `name`, or a group of nodes that a session runs.

    Raises:
        MissingNameError: there is no such operation.
    """
    found: Any = next((op for op in get_operations(graph) if op.name == name), None)
    if graph.fetch_state is not None:
        found = found or graph.fetch_state.groups.get(name)
    if found is None:
        raise MissingNameError(f"there is no node {name!r} in graph '{graph.name}'")
    return found


def get_tensor_by_name(graph: Graph, name: str) -> Any:
    """Return a result of an operation by its name, such as `x:0`.

    Raises:
        DTypeError, ArgumentValueError: the argument is not such a name.
        MissingNameError: there is no such operation, or it has no such result.
    """
    node_name, colon, index = plain_text(name, "the name of a tensor").rpartition(":")
    if not colon or not index.isdecimal():
        raise ArgumentValueError(f"{name!r} names no tensor: write 'node:0'")
    outputs = get_operation_by_name(graph, node_name).outputs
    if int(index) >= len(outputs):
        raise MissingNameError(f"{node_name!r} has {len(outputs)} results, not {name!r}")
    return outputs[int(index)]
