"""The contents of a graph as data for the viewer: nodes, edges and regions, with their titles.

    {"graphs": [{"title": "f", "kind": "graph", "owner": None, "inputs": [0], "items": [1, ...],
                 "results": [[1, 0, ""]]}],
     "vertices": [{"kind": "input", "title": "x", "types": [["float32", "[2]", ""]], ...},
                  {"kind": "node", "op": "add", "from": [[0, 0, ""]], ...}]}

A vertex is a node or an input of a graph, and is named by its position. An edge is
`[vertex, output, label]`, listed where it ends. The items of a graph are its nodes, some in groups:
`{"kind": "scope", "title": "layer", "items": [...]}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from runtime.core.source_names import source_name
from runtime.core.tensor import SymbolicTensor
from runtime.graph.callee import CalledGraph, called_graph, called_graphs, names_of
from runtime.graph.capture import Capture
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.graph.text import attrs_text, in_one_line, outer_text, region_names, type_text
from runtime.graph.viewer.node_groups import Item, NodeGroup, grouped
from runtime.graph.viewer.value_names import ValueNames, constant_title, statement_of

Data: TypeAlias = dict[str, Any]
Edge: TypeAlias = list[Any]

# The title of a statement's node without a line of the user's.
_STATEMENTS = {
    "cond": "if",
    "while_loop": "while",
    "switch_case": "switch",
    "try_except": "try",
    "recursion": "recursive function",
}
_KEYWORDS = ("if", "elif", "while", "for", "try", "with", "match", "case", "async")
# Attributes that the picture shows in another way.
_SHOWN_ELSEWHERE = ("callee", "exits", "variables")


def graph_contents(graph: Graph) -> Data:
    """Return the nodes, edges and regions of `graph`, and of the graphs that it calls, as data.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("double")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> with graph.recording():
    ...     graph.set_outputs([x + x])
    >>> contents = graph_contents(graph)
    >>> [each["title"] for each in contents["vertices"]], contents["graphs"][0]["results"]
    (['x', 'add'], [[1, 0, '']])
    """
    return _Contents(graph).data()


class _Contents:
    """Graphs and vertices under construction, and the position of each."""

    def __init__(self, graph: Graph) -> None:
        self.names = ValueNames(graph)
        self.graphs: list[Data] = []
        self.vertices: list[Data] = []
        self.position: dict[Node, int] = {}
        self.position_of_graph: dict[int, int] = {}
        called = called_graphs(graph)
        self.called_names = names_of(called, graph.name)
        for each in (graph, *(called.graph for called in called)):
            title = self.called_names.get(id(each), each.name)
            self.position_of_graph[id(each)] = self.graph(each, "graph", title, None)
        self.link_calls()

    def data(self) -> Data:
        return {"graphs": self.graphs, "vertices": self.vertices}

    # -- graphs --------------------------------------------------------------------------------

    def graph(self, graph: Graph, kind: str, title: str, owner: int | None) -> int:
        """Add a graph with all that is inside of it; return its position."""
        at = len(self.graphs)
        data: Data = {"title": in_one_line(title), "kind": kind, "owner": owner}
        self.graphs.append(data)
        data["inputs"] = [*self.parameters(graph, at), *self.captures(graph, at)]
        for node in graph.nodes:
            self.node(node, at)
        data["items"] = [self.item(each) for each in grouped(graph.nodes)]
        data["results"] = [self.edge(tensor, self.names.of(tensor)) for tensor in graph.outputs]
        return at

    def item(self, item: Item) -> int | Data:
        if not isinstance(item, NodeGroup):
            return self.position[item]
        items = [self.item(each) for each in item.items]
        return {"kind": item.kind, "title": in_one_line(item.title), "items": items}

    def parameters(self, graph: Graph, at: int) -> Iterator[int]:
        for tensor in graph.parameters:
            yield self.vertex(tensor.node, at, "input", self.names.of(tensor))

    def captures(self, graph: Graph, at: int) -> Iterator[int]:
        for capture in graph.captures:
            position = self.vertex(capture.inner.node, at, "capture", self.names.of(capture.inner))
            self.vertices[position].update(self.outer_value(capture))
            yield position

    def outer_value(self, capture: Capture) -> Data:
        """Return where a captured value comes from: a vertex around, or a description."""
        outer = capture.outer
        if isinstance(outer, SymbolicTensor) and outer.node in self.position:
            return {"outer": self.edge(outer)}
        return {"outside": in_one_line(outer_text(outer).removeprefix("%"))}

    # -- vertices ------------------------------------------------------------------------------

    def vertex(self, node: Node, graph: int, kind: str, title: str) -> int:
        at = self.position[node] = len(self.vertices)
        types = [_type_of(tensor) for tensor in node.outputs]
        data = {"kind": kind, "op": node.op.name, "title": in_one_line(title), "graph": graph}
        self.vertices.append({**data, "types": types, "from": []})
        return at

    def node(self, node: Node, graph: int) -> None:
        kind = "constant" if node.op.name == "constant" else "node"
        at = self.vertex(node, graph, kind, self.title_of(node))
        data = self.vertices[at]
        data.update(_source_of(node))
        data.update({"attrs": self.attrs_of(node)} if node.attrs else {})
        data["from"] = [self.edge(tensor) for tensor in node.inputs]
        data.update(self.order_of(node))
        assigned = self.names.assigned(node)
        data.update({"assigned": assigned} if assigned else {})
        data.update({"name": in_one_line(node.label)} if node.label else {})
        if node.regions:
            self.regions(node, at)
            data["outputs"] = [in_one_line(self.names.of(tensor)) for tensor in node.outputs]

    def order_of(self, node: Node) -> Data:
        """Return the effect of a node, and the nodes that run before it because of effects."""
        before = dict.fromkeys((*node.control, *node.requires))
        after = [self.position[earlier] for earlier in before if earlier in self.position]
        effect = {} if node.effect == "none" else {"effect": node.effect}
        return {**effect, "after": after} if after else dict(effect)

    def edge(self, tensor: SymbolicTensor, label: str = "") -> Edge:
        return [self.position[tensor.node], tensor.index, in_one_line(label)]

    def attrs_of(self, node: Node) -> list[list[str]]:
        shown = {key: value for key, value in node.attrs.items() if key not in _SHOWN_ELSEWHERE}
        texts = [(key, attrs_text({key: value})) for key, value in sorted(shown.items())]
        return [[key, in_one_line(text.removeprefix(f"{key}="))] for key, text in texts if text]

    def title_of(self, node: Node) -> str:
        if node.op.name == "constant":
            return constant_title(node)
        if "callee" in node.attrs:
            return f"call {self.callee_name(node.attrs['callee'])}"
        if node.op.name not in _STATEMENTS:
            return node.op.name
        line = statement_of(node.origin)
        return line if line.split(" ")[0] in _KEYWORDS else self.statement_title(node)

    def statement_title(self, node: Node) -> str:
        title = _STATEMENTS[node.op.name]
        return f"{title} {node.regions[0].name}" if node.op.name == "recursion" else title

    def callee_name(self, callee: object) -> str:
        if isinstance(callee, CalledGraph):
            return self.called_names.get(id(callee.graph), callee.name)
        return str(callee)

    # -- regions -------------------------------------------------------------------------------

    def regions(self, node: Node, at: int) -> None:
        """Add the regions of a node; its operands and their results get the variables' names."""
        words = region_names(node)
        data = self.vertices[at]
        data["regions"] = [
            self.graph(region, word, word, at) for word, region in zip(words, node.regions)
        ]
        for edge, label in zip(data["from"], self.operand_labels(node)):
            edge[2] = in_one_line(label)
        for region, inside in zip(node.regions, data["regions"]):
            labels = self.result_labels(node, region)
            for edge, label in zip(self.graphs[inside]["results"], labels):
                edge[2] = in_one_line(label)

    def operand_labels(self, node: Node) -> list[str]:
        region = node.regions[-1]
        first = {"cond": ["condition"], "switch_case": ["index"]}.get(node.op.name, [])
        if node.op.name == "try_except":
            inputs = [*region.parameters[1:], *(capture.inner for capture in region.captures)]
        else:
            inputs = region.inputs
        return [*first, *map(self.names.of, inputs)]

    def result_labels(self, node: Node, region: Graph) -> Sequence[str]:
        if node.op.name == "while_loop" and region is node.regions[0]:
            return ["goes on"]
        return [self.names.of(tensor) for tensor in node.outputs]

    def link_calls(self) -> None:
        """Name the graph that each call runs; a call in a recursive function has no graph."""
        for node, at in self.position.items():
            called = called_graph(node.attrs)
            if called is not None:
                self.vertices[at]["calls"] = self.position_of_graph[id(called.graph)]
                inputs = called.graph.inputs
                for edge, tensor in zip(self.vertices[at]["from"], inputs):
                    edge[2] = in_one_line(self.names.of(tensor))


def _type_of(tensor: SymbolicTensor) -> list[str]:
    """Return dtype, shape, and a note: a variable, or a weak dtype."""
    *notes, _ = type_text(tensor).split(tensor.spec.dtype.name)[0].split(" ")
    shape = tensor.spec.shape
    if shape.rank is None:
        dims = "any rank"
    else:
        dims = f"[{', '.join('?' if dim is None else str(dim) for dim in shape.as_list())}]"
    return [tensor.spec.dtype.name, dims, " ".join(notes)]


def _source_of(node: Node) -> Mapping[str, object]:
    """Return file, line, text and function of the user's line, without the folders."""
    origin = node.origin
    if origin is None or not origin.line:
        return {}
    source = {"file": source_name(origin.filename, folders=False), "line": origin.line}
    text = statement_of(origin)
    return {**source, "text": in_one_line(text)} if text else source
