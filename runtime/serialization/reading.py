"""Builds graphs from stored data, with full validation.

Each op is in the registry, its attributes are the declared ones, its results are those inferred
from its operands, and the whole graph is verified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor
from runtime.errors import DataLossError, OpError
from runtime.graph.callee import CalledGraph
from runtime.graph.capture import Capture, Outer
from runtime.graph.function_calls import as_called_graph
from runtime.graph.graph import Graph
from runtime.graph.node import infer_specs
from runtime.graph.verify import verify
from runtime.ops.attributes import check_attributes, check_count, takes_regions
from runtime.ops.convert import NUMPYS
from runtime.ops.op import REGISTRY, Op
from runtime.serialization.attributes import attribute_of, raised_of, spec_of
from runtime.serialization.typed_fields import at, text, typed

Data = Mapping[str, Any]

# Ops of earlier versions that have been removed: their result is replaced by their first operand.
_WITHOUT_EFFECT = frozenset(("tensor_array_clear",))
# An attribute may count up to this many results without a comparison with the stored ones.
_MANY = 256


def graphs_of(
    data: Sequence[Data], arrays: Mapping[str, Array], outside: Callable[[Any], Outer]
) -> list[Graph]:
    """Return the graphs that a GraphWriter wrote.

    Args:
        data: the data of the graphs, in order.
        arrays: the arrays in them.
        outside: returns an external value of a graph for its data.

    Raises:
        DataLossError: the data is not valid.
    """
    reader = _GraphReader(arrays, outside)
    try:
        for each in typed(list, data, "graphs"):
            reader.add(each)
    except Exception as error:
        reason = error.message if isinstance(error, OpError) else error
        raise DataLossError(f"a graph in the file is damaged: {reason}") from None
    return reader.graphs


class _GraphReader:
    def __init__(self, arrays: Mapping[str, Array], outside: Callable[[Any], Outer]) -> None:
        self.graphs: list[Graph] = []
        self._called: dict[int, CalledGraph] = {}
        self._arrays = arrays
        self._outside = outside

    def add(self, data: Data) -> None:
        graph = Graph(text(data["name"], "the name of a graph"))
        values = self._parameters(graph, data)
        names = [name for *_, name, _ in data["inputs"]]
        for held, name in zip(data["captures"], names[len(values) :], strict=True):
            values.append(graph.capture(self._outer(held), text(name, "a name")))
        self._fill(graph, data, values)
        self.graphs.append(verify(graph))

    def _outer(self, held: Any) -> Outer:
        if "tensor" in typed(dict, held, "a capture of a graph"):
            return EagerTensor(self._arrays[held["tensor"]])
        return self._outside(held)

    def _parameters(self, graph: Graph, data: Data) -> list[SymbolicTensor]:
        count = typed(int, data["parameters"], "the number of parameters")
        given = typed(list, data["inputs"], "inputs")
        if not 0 <= count <= len(given):
            raise ValueError(f"there are {len(given)} inputs, {count} of which are parameters")
        return [graph.add_input(*_value(each)) for each in given[:count]]

    def _region(self, data: Data, outer: Graph, around: Sequence[SymbolicTensor]) -> Graph:
        region = Graph(text(data["name"], "the name of a region"), outer)
        region.is_called = typed(bool, data["is_called"], "is_called of a region")
        values = self._parameters(region, data)
        captures = []
        inputs = data["inputs"][len(values) :]
        for place, each in zip(data["captures"], inputs, strict=True):
            held = at(around, place, "a capture of a region")
            _, name, weak = _value(each)
            inner = region._placeholder(held.spec, name, weak)
            captures.append(Capture(held, inner))
            region.captures.append(captures[-1])
            values.append(inner)
        self._fill(region, data, values)
        region.finish(captures)
        return region

    def _fill(self, graph: Graph, data: Data, values: list[SymbolicTensor]) -> None:
        for node in typed(list, data["nodes"], "nodes"):
            self._node(graph, node, values)
        graph.outputs = [at(values, place, "a result") for place in data["outputs"]]

    def _node(self, graph: Graph, data: Data, values: list[SymbolicTensor]) -> None:
        inputs = tuple([at(values, place, "an operand") for place in data["inputs"]])
        if data["op"] in _WITHOUT_EFFECT:
            values.append(at(inputs, 0, "an operand"))
            return
        op = _op(data["op"])
        held = data.get("attrs", {}).items()
        attrs = {name: self._attribute(each, inputs) for name, each in held}
        check_attributes(op, attrs)
        check_count(op, len(inputs), attrs)
        regions = tuple([self._region(each, graph, values) for each in data.get("regions", ())])
        if regions and not takes_regions(op):
            raise ValueError(f"{op.name} owns no regions")
        outputs = [_value(each) for each in data["outputs"]]
        _check_count(op, attrs, len(outputs))
        specs = infer_specs(op, inputs, attrs, regions)
        if list(specs) != [spec for spec, *_ in outputs]:
            declared = ", ".join(str(spec) for spec, *_ in outputs)
            raise ValueError(f"{op.name} yields {', '.join(map(str, specs))}, and not {declared}")
        name = text(data["name"], "the name of a node")
        made = graph.append(op, inputs, attrs, regions, specs, name, None)
        made.label = text(data.get("label", ""), "the label of a node")
        for tensor, (*_, weak) in zip(made.outputs, outputs, strict=True):
            tensor.weak = weak
            values.append(tensor)

    def _attribute(self, data: Any, operands: Sequence[SymbolicTensor]) -> Any:
        if isinstance(data, dict) and "graph" in data:
            return self._called_at(data["graph"])
        if isinstance(data, dict) and "raised" in data:
            return raised_of(data["raised"], operands, self._arrays)
        return attribute_of(data, self._arrays)

    def _called_at(self, place: Any) -> CalledGraph:
        graph = at(self.graphs, place, "a graph that is called")
        if place not in self._called:
            self._called[place] = as_called_graph(graph)
        return self._called[place]


def _op(name: Any) -> Op:
    if typed(str, name, "the name of an op") not in REGISTRY:
        raise ValueError(f"there is no op {name!r:.60}")
    return REGISTRY[name]


def _check_count(op: Op, attrs: Mapping[str, object], count: int) -> None:
    """Reject a wrong number of results before inference, which might be huge."""
    if op.n_outputs is None and op.kernel is not None:
        most = max([each for each in attrs.values() if type(each) is int], default=0)
        if most > max(count, _MANY):
            raise ValueError(f"{op.name} has {count} results, and counts {most}")


def _value(data: Sequence[Any]) -> tuple[TensorSpec, str, bool]:
    """Return spec, name and weakness of an input or result."""
    *spec, name, weak = typed(list, data, "a value")
    if weak != NUMPYS:
        typed(bool, weak, "the weakness of a value")
    return spec_of(spec), text(name, "the name of a value"), weak
