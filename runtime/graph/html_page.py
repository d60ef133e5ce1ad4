"""Renders a graph as one offline HTML page: the viewer, the source and the text of the graph."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import NamedTuple

from runtime.graph.graph import Graph
from runtime.graph.text import graph_text
from runtime.graph.viewer.fragment import POLICY, filled, viewer_fragment


class SourceText(NamedTuple):
    """The user's function, for a page to show.

    Attributes:
        text: its lines.
        filename: the name of its file, without folders.
        first_line: the number of its first line in the file.
    """

    text: str
    filename: str
    first_line: int


def graph_page(
    graph: Graph,
    title: str,
    source: SourceText | str | None = None,
    converted: str | None = None,
) -> str:
    """Return a complete HTML document showing `graph`; it needs a browser and nothing else.

    Args:
        title: the heading.
        source: the user's function, shown beside the picture. The lines of a `SourceText` and the
            nodes that they recorded lead to each other.
        converted: the generated code, shown in a second pane.

    Example:
        >>> import autograph.runtime as rt
        >>> page = graph_page(rt.Graph("f"), "f")
        >>> page.startswith("<!DOCTYPE html>"), "src=" in page
        (True, False)
    """
    text = graph_text(graph, origins=True)
    panes = [("Source", source), ("Converted", converted), ("Graph as text", text)]
    tabs = [(name, body) for name, body in panes if body is not None]
    fragment = viewer_fragment(graph, title)
    parts = {
        "title": escape(title),
        "policy": POLICY,
        "summary": escape(_summary(graph)),
        "buttons": "".join(_button(at, name) for at, (name, _) in enumerate(tabs)),
        "panes": "".join(_pane(at, body) for at, (_, body) in enumerate(tabs)),
        "viewer_style": fragment.style,
        "viewer": fragment.markup,
        "script": fragment.script,
    }
    return filled(files("runtime.graph").joinpath("page.html").read_text("utf-8"), parts)


def _summary(graph: Graph) -> str:
    nodes = sum(1 for _ in graph.walk())
    regions = sum(len(node.regions) for node in graph.walk())
    inside = f", {nodes - len(graph)} of them in {_counted(regions, 'region')}" if regions else ""
    return f"{_counted(nodes, 'node')}{inside}; captures: {len(graph.captures)}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _button(number: int, name: str) -> str:
    pressed = "true" if number == 0 else "false"
    return f'<button type="button" aria-pressed="{pressed}" data-shows="{number}">{name}</button>'


def _pane(number: int, body: SourceText | str) -> str:
    hidden = "" if number == 0 else " hidden"
    if isinstance(body, SourceText):
        place = f' data-file="{escape(body.filename)}"'
        return f'<pre data-pane="{number}"{hidden}{place}>{_lines(body)}</pre>'
    return f'<pre data-pane="{number}"{hidden} class="plain">{escape(body.rstrip())}</pre>'


def _lines(source: SourceText) -> str:
    rows = enumerate(source.text.rstrip().split("\n"), source.first_line)
    return "".join(
        f'<span data-line="{number}"><i>{number}</i>{escape(text)}\n</span>'
        for number, text in rows
    )
