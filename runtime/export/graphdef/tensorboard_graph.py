"""A graph for TensorBoard: every op is shown, and branches can be opened.

    %cond = cond(%less, %x)              cond/then = cond_then_123(x)
      then(%x: int32 = %x): ...    ->    cond/else = cond_else_456(x)
      else(%x: int32 = %x): ...          cond      = If(less, cond/then, cond/else)

TensorBoard can open a node whose op is the name of a function, but not an attribute that names one.
So a region is a separate node beside its owner. This form is for display; `graph_def` returns the
form that runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.core.dtypes import DType
from runtime.core.shapes import TensorShape
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor, Tensor
from runtime.export.graphdef.attribute_values import attr_value
from runtime.export.graphdef.data_types import RESOURCE, ResourceType, number_of
from runtime.export.graphdef.function_body import UniqueNames, argument_name, node_name
from runtime.export.graphdef.functions import AddedFunctions
from runtime.export.graphdef.messages import (
    MIN_CONSUMER,
    PRODUCER,
    ArgDef,
    FunctionDef,
    FunctionDefLibrary,
    GraphDef,
    NodeDef,
    OpDef,
    VersionDef,
)
from runtime.export.graphdef.node_names import Scopes
from runtime.graph.callee import called_graph
from runtime.graph.capture import Capture
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.graph.text import attrs_text, location_text, region_names

# Of these only the first operand is an input of the node; the others are inputs of the regions.
_CHOOSERS = {"cond": "If", "switch_case": "Case"}
_OPS = {**_CHOOSERS, "while_loop": "While"}
# Constants with more elements are shown without their value.
_FEW = 64


def display_graph(graph: Graph) -> GraphDef:
    """Return a graph in the form for display.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("double")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> with graph.recording():
    ...     y = x + x
    >>> graph.set_outputs([y])
    >>> [node.name for node in display_graph(graph).node]
    ['x', 'AddV2', 'Identity']
    """
    functions = _Functions()
    drawing = _TensorBoardNodes(graph, functions)
    for tensor in graph.parameters:
        shape = {} if _kind(tensor) is RESOURCE else {"shape": tensor.shape}
        drawing.input(tensor, "Placeholder", shape)
    drawing.draw()
    drawing.results()
    return GraphDef(
        node=drawing.nodes,
        library=FunctionDefLibrary(function=functions.functions),
        versions=VersionDef(producer=PRODUCER, min_consumer=MIN_CONSUMER),
    )


class _Functions(AddedFunctions):
    """The functions of the library, with the names of those for called graphs and regions."""

    def __init__(self) -> None:
        super().__init__()
        self._called: dict[int, str] = {}

    def of_called(self, graph: Graph) -> str:
        """Return the name of the function for a called graph."""
        known = self._called.get(id(graph))
        if known is None:
            known = self._called[id(graph)] = self.of_region(graph, graph.name)
        return known

    def of_region(self, graph: Graph, name: str) -> str:
        """Return the name of the function for a region."""
        drawing = _TensorBoardNodes(graph, self, is_function=True)
        parameters = [drawing.parameter(tensor) for tensor in graph.parameters]
        if graph.outer is not None:
            parameters += [drawing.parameter(held.inner) for held in graph.captures]
        drawing.draw()
        results = drawing.results()
        signature = OpDef(
            name=argument_name(name),
            input_arg=parameters,
            output_arg=[ArgDef(name=ref.node, type=number_of(ref.kind)) for ref in results],
        )
        found = {ref.node: drawing.text(ref) for ref in results}
        return self.add(FunctionDef(signature=signature, node_def=drawing.nodes, ret=found)).name


@dataclass(frozen=True)
class _Ref:
    """A result of a node, or a parameter of a function (whose index is None)."""

    node: str
    kind: DType | ResourceType
    index: int | None = 0


class _TensorBoardNodes:
    """The nodes of a graph or of one function."""

    def __init__(self, graph: Graph, functions: _Functions, is_function: bool = False) -> None:
        self.nodes: list[NodeDef] = []
        self._graph = graph
        self._functions = functions
        self._is_function = is_function
        self._names = UniqueNames()
        self._scopes = Scopes(self._names)
        self._values: dict[int, _Ref] = {}

    def parameter(self, tensor: SymbolicTensor) -> ArgDef:
        """Add a parameter of the function."""
        name = self._names.fresh(argument_name(tensor.node.name))
        self._values[id(tensor)] = _Ref(name, _kind(tensor), None)
        return ArgDef(name=name, type=number_of(_kind(tensor)))

    def input(self, tensor: SymbolicTensor, op: str, attrs: Mapping[str, Any]) -> None:
        """Add a node for a value from outside."""
        name = self._names.fresh(node_name(tensor.node.name))
        self._values[id(tensor)] = _Ref(name, _kind(tensor))
        self._add(name, op, (), {"dtype": _kind(tensor), **attrs}, [tensor.shape])

    def draw(self) -> None:
        """Add the values used from outside, and all nodes."""
        for held in self._graph.captures:
            if id(held.inner) not in self._values:
                self._capture(held)
        for node in self._graph.nodes:
            self._draw(node)

    def results(self) -> list[_Ref]:
        """Add a node for each result."""
        found = []
        for tensor in self._graph.outputs:
            ref = _Ref(self._names.fresh("Identity"), _kind(tensor))
            inputs = [self._values[id(tensor)]]
            self._add(ref.node, "Identity", inputs, {"T": _kind(tensor)}, [tensor.shape])
            found.append(ref)
        return found

    def text(self, ref: _Ref) -> str:
        """Return the text that names a result as an input."""
        if ref.index is None:
            return ref.node
        if self._is_function:
            return f"{ref.node}:output:{ref.index}"
        return f"{ref.node}:{ref.index}" if ref.index else ref.node

    def _capture(self, held: Capture) -> None:
        if isinstance(held.outer, EagerTensor):
            self.input(held.inner, "Const", _value(held.outer._array))
        elif isinstance(held.outer, SymbolicTensor):
            self.input(held.inner, "Placeholder", {"shape": held.inner.shape})
        elif not isinstance(held.outer, Tensor):
            name = held.outer.handle_name
            self.input(held.inner, "VarHandleOp", {"shape": held.inner.shape, "shared_name": name})

    def _draw(self, node: Node) -> None:
        scope = self._scopes.of(node)
        operands = [self._values[id(tensor)] for tensor in node.inputs]
        waits = [self._scopes.of(before) for before in node.control]
        shapes = [tensor.shape for tensor in node.outputs]
        opened = [
            self._open(region, f"{scope}/{node_name(word)}", operands)
            for word, region in zip(region_names(node), node.regions)
        ]
        own = operands[:1] if node.op.name in _CHOOSERS else operands
        inside = [ref for refs in opened for ref in refs]
        waits += [ref.node for ref in inside if ref.index is None]
        inputs = [*own, *(ref for ref in inside if ref.index is not None)]
        self._add(scope, self._op(node), inputs, _attrs(node), shapes, waits)
        for index, tensor in enumerate(node.outputs):
            self._values[id(tensor)] = _Ref(scope, _kind(tensor), index)

    def _op(self, node: Node) -> str:
        called = called_graph(node.attrs)
        if called is not None:
            return self._functions.of_called(called.graph)
        name = node.op.name
        words = "".join(word.capitalize() for word in name.strip(".").split("_"))
        return _OPS.get(name) or node.op.tensorflow_name or words

    def _open(self, region: Graph, name: str, operands: Sequence[_Ref]) -> Sequence[_Ref]:
        """Add a node for a region beside its owner; return its results, or a control input."""
        name = self._names.fresh(name)
        function = self._functions.of_region(region, name)
        count = len(region.inputs)
        given = operands[-count:] if count else ()
        shapes = [tensor.shape for tensor in region.outputs]
        self._add(name, function, given, {}, shapes)
        kinds = [_kind(tensor) for tensor in region.outputs]
        return [_Ref(name, kind, at) for at, kind in enumerate(kinds)] or [
            _Ref(name, RESOURCE, None)
        ]

    def _add(
        self,
        name: str,
        op: str,
        inputs: Iterable[_Ref],
        attrs: Mapping[str, Any],
        shapes: Sequence[TensorShape],
        waits: Iterable[str] = (),
    ) -> None:
        found = {key: attr_value(value) for key, value in attrs.items()}
        if shapes:
            found["_output_shapes"] = attr_value(list(shapes))
        texts = [*map(self.text, inputs), *(f"^{each}" for each in waits)]
        self.nodes.append(NodeDef(name=name, op=op, input=texts, attr=found))


def _kind(tensor: SymbolicTensor) -> DType | ResourceType:
    return RESOURCE if getattr(tensor.spec, "kind", "") == "variable" else tensor.dtype


def _attrs(node: Node) -> dict[str, Any]:
    if node.op.name == "constant":
        return {"dtype": _kind(node.outputs[0]), **_value(node.attrs["value"].array)}  # type: ignore[attr-defined]
    texts = {key: attrs_text({key: value}).partition("=")[2] for key, value in node.attrs.items()}
    found: dict[str, Any] = {key: text for key, text in texts.items() if text}
    if node.outputs:
        found["T"] = _kind(node.outputs[0])
    if node.origin is not None:
        found["_origin"] = location_text(node.origin)
    return found


def _value(array: Array) -> dict[str, Any]:
    is_shown = array.size <= _FEW and array.dtype.kind != "V"
    return {"value": array} if is_shown else {}
