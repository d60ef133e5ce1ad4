"""Graphs made again of data; what the data says of them is checked as for any graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.errors import DataLossError, OpError
from runtime.graph.calling import as_called
from runtime.graph.capture import Capture, Outer
from runtime.graph.graph import Graph
from runtime.graph.verify import verify
from runtime.ops.op import REGISTRY
from runtime.spec import TensorSpec
from runtime.stored.attributes import attribute_of, raised_of, spec_of
from runtime.tensor import Array, EagerTensor, SymbolicTensor

Data = Mapping[str, Any]


def graphs_of(
    data: Sequence[Data], arrays: Mapping[str, Array], outside: Callable[[Any], Outer]
) -> list[Graph]:
    """Return the graphs that a GraphWriter took down.

    Args:
        data: of the graphs, in order.
        arrays: those in them.
        outside: gives what a graph uses from outside of it, by its data.

    Raises:
        DataLossError: these are no graphs.
    """
    reader = _Reader(arrays, outside)
    try:
        for each in data:
            reader.add(each)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OpError) as error:
        reason = error.message if isinstance(error, OpError) else error
        raise DataLossError(f"a graph in the file is damaged: {reason}") from None
    return reader.graphs


class _Reader:
    def __init__(self, arrays: Mapping[str, Array], outside: Callable[[Any], Outer]) -> None:
        self.graphs: list[Graph] = []
        self._arrays = arrays
        self._outside = outside

    def add(self, data: Data) -> None:
        graph = Graph(data["name"])
        values = self._parameters(graph, data)
        names = [name for *_, name, _ in data["inputs"]]
        for held, name in zip(data["captures"], names[len(values) :], strict=True):
            values.append(graph.capture(self._outer(held), name))
        self._fill(graph, data, values)
        self.graphs.append(verify(graph))

    def _outer(self, held: Any) -> Outer:
        if "tensor" in held:
            return EagerTensor(self._arrays[held["tensor"]])
        return self._outside(held)

    def _parameters(self, graph: Graph, data: Data) -> list[SymbolicTensor]:
        given = data["inputs"][: data["parameters"]]
        return [graph.add_input(_spec(each), each[-2], each[-1]) for each in given]

    def _region(self, data: Data, outer: Graph, around: Sequence[SymbolicTensor]) -> Graph:
        region = Graph(data["name"], outer)
        region.is_called = data["is_called"]
        values = self._parameters(region, data)
        captures = []
        inputs = data["inputs"][len(values) :]
        for place, (*_, name, weak) in zip(data["captures"], inputs, strict=True):
            held = around[place]
            inner = region._placeholder(held.spec, name, weak)
            captures.append(Capture(held, inner))
            region.captures.append(captures[-1])
            values.append(inner)
        self._fill(region, data, values)
        region.settle(captures)
        return region

    def _fill(self, graph: Graph, data: Data, values: list[SymbolicTensor]) -> None:
        for node in data["nodes"]:
            op = REGISTRY[node["op"]]
            inputs = tuple([values[place] for place in node["inputs"]])
            held = node.get("attrs", {}).items()
            attrs = {name: self._attribute(each, inputs) for name, each in held}
            regions = tuple([self._region(each, graph, values) for each in node.get("regions", ())])
            specs = [_spec(each) for each in node["outputs"]]
            made = graph.append(op, inputs, attrs, regions, specs, node["name"], None)
            for tensor, (*_, weak) in zip(made.outputs, node["outputs"], strict=True):
                tensor.weak = weak
                values.append(tensor)
        graph.outputs = [values[place] for place in data["outputs"]]

    def _attribute(self, data: Any, operands: Sequence[SymbolicTensor]) -> Any:
        if isinstance(data, dict) and "graph" in data:
            return as_called(self.graphs[data["graph"]])
        if isinstance(data, dict) and "raised" in data:
            return raised_of(data["raised"], operands, self._arrays)
        return attribute_of(data, self._arrays)


def _spec(data: Sequence[Any]) -> TensorSpec:
    return spec_of(data[:3])
