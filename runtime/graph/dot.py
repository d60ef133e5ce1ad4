"""The graph as DOT, Graphviz's language: boxes for nodes, frames for control flow.

A `cond` is a frame with a diamond on top (its condition), a frame per branch, and its results at
the bottom; a `while_loop` has its loop variables on top, then test and body, and an arrow back. A
graph that is called is a frame beside the others, however many boxes call it.
"""

from __future__ import annotations

from html import escape

from runtime.core.tensor import SymbolicTensor
from runtime.graph.callee import called_graphs, names_of
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.graph.text import (
    attrs_text,
    location_text,
    outer_text,
    region_names,
    type_text,
    value_name,
)

FONT = 'fontname="Helvetica,Arial,sans-serif"'
STYLES = {
    "parameter": 'shape=box, style="rounded,filled", fillcolor="#d9efd9", color="#5b9a5b"',
    "capture": 'shape=box, style="rounded,filled,dashed", fillcolor="#fdf1d6", color="#c08a1e"',
    "constant": 'shape=box, style="filled", fillcolor="#f1f1f1", color="#b4b4b4"',
    "node": 'shape=box, style="rounded,filled", fillcolor="#ffffff", color="#5f7ea8"',
    "effect": 'shape=box, style="rounded,filled", fillcolor="#fbe3e0", color="#b9483b"',
    "decision": 'shape=diamond, style="filled", fillcolor="#dfe8f7", color="#5f7ea8"',
    "gather": 'shape=box, style="filled", fillcolor="#dfe8f7", color="#5f7ea8"',
    "result": 'shape=box, style="rounded,filled", fillcolor="#d6e9f8", color="#3d78a8"',
}
CAPTURE_EDGE = 'style=dashed, color="#c08a1e"'
BACK_EDGE = 'constraint=false, style=bold, color="#3d78a8"'
EFFECT_EDGE = 'style=dotted, color="#b9483b", arrowhead=open'


def graph_dot(graph: Graph) -> str:
    """Return `graph` as DOT text; the same text for the same graph.

    >>> import autograph.runtime as rt
    >>> graph_dot(rt.Graph("f")).splitlines()[0]
    'digraph "f" {'
    """
    drawing = _DotDrawing()
    drawing.line(f'digraph "{_quoted(graph.name)}" {{')
    drawing.depth = 1
    drawing.line(f"graph [compound=true, rankdir=TB, ranksep=0.35, nodesep=0.3, {FONT}];")
    drawing.line(f'node [fontsize=11, margin="0.2,0.08", height=0.3, {FONT}];')
    drawing.line(f'edge [fontsize=9, color="#5c6773", arrowsize=0.7, {FONT}];')
    drawing.inputs(graph, "g")
    drawing.nodes(graph, "g")
    drawing.returned(graph)
    drawing.called(graph)
    drawing.lines += drawing.edges
    drawing.depth = 0
    drawing.line("}")
    return "\n".join(drawing.lines) + "\n"


class _DotDrawing:
    """DOT lines under construction, and the DOT node of each value."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        # Written after all frames: a node named by an edge inside of a frame would be drawn there.
        self.edges: list[str] = []
        self.depth = 0
        self.source: dict[int, str] = {}
        self.entry: dict[Node, str] = {}
        self.exit: dict[Node, str] = {}

    # -- lines ---------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def box(self, key: str, style: str, *texts: str, hint: str = "") -> None:
        """Draw a node: first text bold, the others smaller below it."""
        small = [f'<font point-size="9" color="#555555">{_html(text)}</font>' for text in texts[1:]]
        label = "<br/>".join([f"<b>{_html(texts[0])}</b>", *small])
        tooltip = f', tooltip="{_quoted(hint)}"' if hint else ""
        self.line(f"{key} [label=<{label}>, {STYLES[style]}{tooltip}];")

    def edge(self, start: str, end: str, extra: str = "", text: str = "") -> None:
        label = f'label=" {_quoted(text)} "' if text else ""
        attrs = ", ".join(part for part in (extra, label) if part)
        self.edges.append(f"  {start} -> {end}" + (f" [{attrs}];" if attrs else ";"))

    def value_edge(self, tensor: SymbolicTensor, end: str, extra: str = "", text: str = "") -> None:
        several = len(tensor.node.outputs) > 1
        words = [f":{tensor.index}" if several else "", text]
        self.edge(self.source[id(tensor)], end, extra, " ".join(word for word in words if word))

    def open_frame(self, key: str, title: str, color: str) -> None:
        self.line(f"subgraph cluster_{key} {{")
        self.depth += 1
        self.line(
            f'label=<{_html(title)}>; labeljust=l; fontsize=11; style="rounded,filled"; '
            f'color="#9db2cf"; fillcolor="{color}";'
        )

    def close_frame(self) -> None:
        self.depth -= 1
        self.line("}")

    # -- graphs --------------------------------------------------------------------------------

    def inputs(self, graph: Graph, prefix: str) -> None:
        used = _used(graph)
        for number, tensor in enumerate(graph.parameters):
            if graph.outer is None or id(tensor) in used:
                self._input(f"{prefix}_p{number}", "parameter", tensor)
        for number, (outer, inner) in enumerate(graph.captures):
            if id(inner) not in used:
                continue
            stands_for = f"captured: {outer_text(outer).removeprefix('%')}"
            self._input(f"{prefix}_c{number}", "capture", inner, stands_for)
            if isinstance(outer, SymbolicTensor):
                self.value_edge(outer, self.source[id(inner)], CAPTURE_EDGE)

    def _input(self, key: str, style: str, tensor: SymbolicTensor, *more: str) -> None:
        self.source[id(tensor)] = key
        self.box(key, style, value_name(tensor), type_text(tensor), *more)

    def nodes(self, graph: Graph, prefix: str) -> None:
        for node in graph.nodes:
            key = f"{prefix}_n{node.id}"
            if node.regions:
                self._control_flow(node, key)
            else:
                self._node(node, key)
            for earlier in node.control:
                self.edge(self.exit[earlier], self.entry[node], EFFECT_EDGE)

    def returned(self, graph: Graph, key: str = "result") -> None:
        self.box(key, "result", "return")
        for number, tensor in enumerate(graph.outputs):
            self.value_edge(tensor, key, text=str(number) if len(graph.outputs) > 1 else "")

    def called(self, graph: Graph) -> None:
        """Draw the called graphs, each in a frame of its own."""
        called = called_graphs(graph)
        names = names_of(called, graph.name)
        for number, each in enumerate(called):
            key = f"f{number}"
            self.open_frame(key, names[id(each.graph)], "#ffffff")
            self.inputs(each.graph, key)
            self.nodes(each.graph, key)
            self.returned(each.graph, f"{key}_result")
            self.close_frame()

    def _node(self, node: Node, key: str) -> None:
        self.entry[node] = self.exit[node] = key
        self.source.update((id(tensor), key) for tensor in node.outputs)
        attrs = attrs_text(node.attrs)
        types = ", ".join(map(type_text, node.outputs))
        if node.op.name == "constant":
            self.box(key, "constant", attrs.removeprefix("value=").partition(": ")[0], types)
            return
        style = "node" if node.effect == "none" else "effect"
        self.box(key, style, *filter(None, (node.name, types, _place(node))), hint=attrs)
        for tensor in node.inputs:
            self.value_edge(tensor, key)

    # -- control flow --------------------------------------------------------------------------

    def _control_flow(self, node: Node, key: str) -> None:
        self.entry[node], self.exit[node] = key, f"{key}_out"
        self.open_frame(key, " · ".join(filter(None, (node.name, _place(node)))), "#f3f7fd")
        if node.op.name == "while_loop":
            self._loop(node, key)
        elif node.op.name == "recursion":
            self._function(node, key)
        else:
            self._branches(node, key)
        types = [type_text(tensor) for tensor in node.outputs]
        self.box(self.exit[node], "result", node.name, *types)
        self.close_frame()
        self.source.update((id(tensor), self.exit[node]) for tensor in node.outputs)

    def _branches(self, node: Node, key: str) -> None:
        self.box(key, "decision", "if" if node.op.name == "cond" else "switch")
        self.value_edge(node.inputs[0], key)
        for number, (word, region) in enumerate(zip(region_names(node), node.regions)):
            inside = self._region(region, f"{key}_r{number}", word)
            self.edge(key, inside, f"lhead=cluster_{key}_r{number}", word)
            for tensor in region.outputs:
                self.value_edge(tensor, self.exit[node])
            if not region.outputs:
                self.edge(inside, self.exit[node], f"ltail=cluster_{key}_r{number}, style=invis")

    def _loop(self, node: Node, key: str) -> None:
        test, body = node.regions
        names = [value_name(tensor) for tensor in body.parameters]
        self.box(key, "gather", "loop variables", *_loop_words(node, names))
        for tensor, name in zip(node.inputs, names):
            self.value_edge(tensor, key, text=name)
        self._region(test, f"{key}_r0", "test")
        self.box(f"{key}_if", "decision", "go on?")
        self.value_edge(test.outputs[0], f"{key}_if")
        inside = self._region(body, f"{key}_r1", "body", f"{key}_next")
        for region in (test, body):
            for tensor, name in zip(region.parameters, names):
                if id(tensor) in self.source:
                    self.edge(key, self.source[id(tensor)], text=name)
        self.edge(f"{key}_if", inside, f"lhead=cluster_{key}_r1", "yes")
        self.edge(f"{key}_if", self.exit[node], text="no")
        for tensor, name in zip(body.outputs, names):
            self.value_edge(tensor, f"{key}_next", text=name)
        self.edge(f"{key}_next", key, BACK_EDGE)

    def _function(self, node: Node, key: str) -> None:
        """Draw a recursive function; the calls inside of it are ordinary nodes."""
        (region,) = node.regions
        names = [value_name(tensor) for tensor in region.parameters]
        self.box(key, "gather", f"call {region.name}", *filter(None, [", ".join(names)]))
        for tensor, name in zip(node.inputs, names):
            self.value_edge(tensor, key, text=name)
        inside = self._region(region, f"{key}_r0", region.name)
        drawn = [pair for pair in zip(region.parameters, names) if id(pair[0]) in self.source]
        for tensor, name in drawn:
            self.edge(key, self.source[id(tensor)], text=name)
        if not drawn:
            self.edge(key, inside, f"lhead=cluster_{key}_r0")
        for tensor in region.outputs:
            self.value_edge(tensor, self.exit[node])

    def _region(self, region: Graph, key: str, title: str, last: str = "") -> str:
        """Draw a region in a frame of its own; return a DOT node that lies inside.

        A loop's body is closed by the node `last`, which gathers the next values.
        """
        self.open_frame(key, title, "#ffffff")
        first = len(self.lines)
        self.inputs(region, key)
        self.nodes(region, key)
        inside = next(filter(None, map(_drawn, self.lines[first:])), "")
        if last:
            self.box(last, "gather", "next values")
            inside = inside or last
        elif not inside:
            inside = f"{key}_empty"
            self.line(f'{inside} [label="nothing", shape=plaintext, fontsize=9];')
        self.close_frame()
        return inside


def _used(graph: Graph) -> set[int]:
    used = {id(tensor) for tensor in graph.outputs}
    used.update(id(tensor) for node in graph.nodes for tensor in node.inputs)
    return used


def _place(node: Node) -> str:
    return location_text(node.origin) if node.origin else ""


def _loop_words(node: Node, names: list[str]) -> list[str]:
    words = [", ".join(names)]
    exits = node.attrs["exits"]
    assert isinstance(exits, tuple)
    words += [f"{names[position]} means {kind}" for position, kind in exits]
    limit = node.attrs["maximum_iterations"]
    return words if limit is None else [*words, f"at most {limit} iterations"]


def _drawn(line: str) -> str:
    """Return the DOT node that a line draws, or "" for edges and frames."""
    key, _, rest = line.strip().partition(" ")
    return key if rest.startswith("[label=") else ""


def _html(text: str) -> str:
    return escape("".join(char if char.isprintable() else " " for char in text))


def _quoted(text: str) -> str:
    printable = "".join(char if char.isprintable() else " " for char in text)
    return printable.replace("\\", "\\\\").replace('"', '\\"')
