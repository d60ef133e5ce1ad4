"""Draws a graph as one offline HTML page with its DOT source and its text."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from importlib.resources import files

from runtime.graph.dot import graph_dot
from runtime.graph.graph import Graph
from runtime.graph.text import graph_text

# The layout takes a minute or two for a few hundred frames: larger graphs are drawn on request.
_MOST_NODES = 400
_MOST_FRAMES = 150


def graph_page(
    graph: Graph, title: str, source: str | None = None, converted: str | None = None
) -> str:
    """Return a complete HTML document showing `graph`; it needs a browser and nothing else.

    Args:
        title: the heading.
        source: the user's function as text, shown beside the picture.
        converted: the generated code, shown in a second pane.

    Example:
        >>> import runtime as rt
        >>> page = graph_page(rt.Graph("f"), "f")
        >>> page.startswith("<!DOCTYPE html>"), "src=" in page.partition("<script>")[0]
        (True, False)
    """
    dot, text = graph_dot(graph), graph_text(graph, origins=True)
    panes = [("Source", source), ("Converted", converted), ("Graph as text", text), ("DOT", dot)]
    tabs = [(name, body) for name, body in panes if body is not None]
    parts = {
        "title": escape(title),
        "summary": escape(_summary(graph)),
        "buttons": "".join(_button(at, name) for at, (name, _) in enumerate(tabs)),
        "panes": "".join(_pane(at, body) for at, (_, body) in enumerate(tabs)),
        "dot": _script_string(dot),
        "size": _counted(_nodes(graph), "node"),
        "automatic": "true" if _is_quick_to_draw(graph, dot) else "false",
        "viz": _bundle(),
    }
    return _filled(files("runtime.graph").joinpath("page.html").read_text("utf-8"), parts)


@cache
def _bundle() -> str:
    return files("runtime.graph").joinpath("vendor", "viz-global.js").read_text("utf-8")


def _filled(template: str, parts: dict[str, str]) -> str:
    """Replace each `{{name}}` in one pass, so that inserted parts are not searched for names."""
    pieces = template.split("{{")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        filled += [parts[name], rest]
    return "".join(filled)


def _summary(graph: Graph) -> str:
    nodes = _nodes(graph)
    regions = sum(len(node.regions) for node in graph.walk())
    inside = f", {nodes - len(graph)} of them in {_counted(regions, 'region')}" if regions else ""
    return f"{_counted(nodes, 'node')}{inside}; captures: {len(graph.captures)}"


def _nodes(graph: Graph) -> int:
    return sum(1 for _ in graph.walk())


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _is_quick_to_draw(graph: Graph, dot: str) -> bool:
    return _nodes(graph) <= _MOST_NODES and dot.count("subgraph cluster_") <= _MOST_FRAMES


def _button(number: int, name: str) -> str:
    pressed = "true" if number == 0 else "false"
    return f'<button type="button" aria-pressed="{pressed}" data-pane="{number}">{name}</button>'


def _pane(number: int, body: str) -> str:
    hidden = "" if number == 0 else " hidden"
    return f'<pre id="pane{number}"{hidden}>{escape(body.rstrip())}</pre>'


def _script_string(text: str) -> str:
    """Return a JavaScript literal that cannot end the script element around it."""
    return json.dumps(text).replace("<", "\\u003c").replace(">", "\\u003e")
