"""Writes graphs as data: nodes in order, and the source of each operand.

Values of a graph are numbered: first its inputs, then the results of its nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.errors import GraphError
from runtime.graph.callee import CalledGraph
from runtime.graph.capture import Outer
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.serialization.attributes import Arrays, attribute_data, spec_data

Data = dict[str, Any]


class GraphWriter:
    """Writes graphs, and the graphs that they call, each once.

    Args:
        outside: returns the data of a captured value that is no tensor; it raises GraphError if no
            file can store it.

    Attributes:
        graphs: the data of all graphs.
        arrays: the arrays in them.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     y = x + x
        >>> graph.set_outputs([y])
        >>> writer = GraphWriter(lambda outer: None)
        >>> writer.put(graph)
        0
        >>> writer.graphs[0]["nodes"][0]["op"]
        'add'
    """

    def __init__(self, outside: Callable[[Outer], Any]) -> None:
        self.graphs: list[Data] = []
        self.arrays = Arrays()
        self._outside = outside
        self._known: dict[int, int] = {}
        self._kept: list[Graph] = []

    def put(self, graph: Graph) -> int:
        """Write a whole graph, and return its number.

        Raises:
            GraphError: no file can store the graph; the message names the node.
        """
        known = self._known.get(id(graph))
        if known is not None:
            return known
        data = self._graph(graph)
        data["captures"] = [self._captured(graph, held.outer) for held in graph.captures]
        self.graphs.append(data)
        self._kept.append(graph)
        self._known[id(graph)] = len(self.graphs) - 1
        return len(self.graphs) - 1

    def _captured(self, graph: Graph, outer: Outer) -> Any:
        if isinstance(outer, EagerTensor):
            if outer.dtype.is_variant:
                raise GraphError(f"'{graph.name}' uses an object, which no file can hold")
            return {"tensor": self.arrays.put(outer._array)}
        return self._outside(outer)

    def _graph(self, graph: Graph) -> Data:
        numbers: dict[int, int] = {}
        inputs = [_value_data(each, numbers) for each in graph.inputs]
        nodes = [self._node(graph, node, numbers) for node in graph.nodes]
        return {
            "name": graph.name,
            "inputs": inputs,
            "parameters": len(graph.parameters),
            "nodes": nodes,
            "outputs": [numbers[id(each)] for each in graph.outputs],
            "is_called": graph.is_called,
        }

    def _node(self, graph: Graph, node: Node, numbers: dict[int, int]) -> Data:
        inputs = [numbers[id(each)] for each in node.inputs]
        regions = []
        for region in node.regions:
            data = self._graph(region)
            data["captures"] = [numbers[id(held.outer)] for held in region.captures]
            regions.append(data)
        found: Data = {"op": node.op.name, "name": node.name, "inputs": inputs}
        try:
            attrs = {name: self._attribute(value) for name, value in node.attrs.items()}
        except GraphError as error:
            place = "" if node.origin is None else f" ({node.origin})"
            raise GraphError(
                f"'{graph.name}' cannot be saved: its node {node.name}{place} holds {error.message}"
            ) from None
        if node.label:
            found["label"] = node.label
        if attrs:
            found["attrs"] = attrs
        if regions:
            found["regions"] = regions
        found["outputs"] = [_value_data(each, numbers) for each in node.outputs]
        return found

    def _attribute(self, value: Any) -> Any:
        if isinstance(value, CalledGraph):
            return {"graph": self.put(value.graph)}
        return attribute_data(value, self.arrays)


def _value_data(tensor: SymbolicTensor, numbers: dict[int, int]) -> list[Any]:
    numbers[id(tensor)] = len(numbers)
    return [*spec_data(tensor.spec), tensor.node.name, tensor.weak]
