"""The HTML form of a graph: the viewer in a frame, and the text of its nodes."""

from __future__ import annotations

from html import escape
from typing import Any

from runtime.display.html import LONGEST, Markup, code, counted, details, shortened, view
from runtime.graph.graph import Graph
from runtime.graph.text import graph_text
from runtime.graph.viewer.fragment import POLICY, viewer_fragment

# A graph of more nodes has no picture, whose data would fill the notebook.
MOST_NODES = 2_000
_FRAMED = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}"><title>{title}</title>
<style>{style} html,body{{margin:0;height:100%}} .graph-viewer{{height:100%}}</style></head>
<body>{markup}<script>{script}</script></body></html>"""


def graph_html(graph: Graph) -> str:
    """Return the form of a graph: numbers, the picture, and the text below it.

    >>> import autograph.runtime as rt
    >>> "<iframe" in graph_html(rt.Graph("f"))
    True
    """
    count = sum(1 for _ in graph.walk())
    note = f"{counted(len(graph.inputs), 'input')}, {counted(count, 'node')}, " + counted(
        len(graph.outputs), "output"
    )
    text = code(graph_text(graph, origins=True))
    if count > MOST_NODES:
        much = f"more than {MOST_NODES:,} nodes, so there is no picture"
        return view(f"Graph {graph.name}", text, note=f"{note}; {much}")
    return view(f"Graph {graph.name}", framed_viewer(graph), details("as text", text), note=note)


def framed_viewer(graph: Graph) -> Markup:
    """Return the viewer of a graph in a frame, which reaches neither the page nor a network.

    >>> import autograph.runtime as rt
    >>> 'sandbox="allow-scripts"' in framed_viewer(rt.Graph("f"))
    True
    """
    fragment = viewer_fragment(graph, shortened(graph.name))
    page = _FRAMED.format(
        policy=POLICY,
        title=escape(shortened(graph.name)),
        style=fragment.style,
        markup=fragment.markup,
        script=fragment.script,
    )
    return Markup(
        f'<iframe title="graph" sandbox="allow-scripts" srcdoc="{escape(page)}"></iframe>'
    )


def tensor_rows(tensors: Any) -> list[tuple[str, str]]:
    """Return the name and type of each symbolic tensor, such as the inputs of a graph.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> _ = graph.add_input(rt.TensorSpec([2], rt.float32), "x")
    >>> tensor_rows(graph.inputs)
    [('x', 'float32[2]')]
    """
    return [(shortened(each.node.name, LONGEST), _type(each.spec)) for each in tensors]


def _type(spec: Any) -> str:
    rank = spec.shape.rank
    dims = "..." if rank is None else ", ".join("?" if d is None else str(d) for d in spec.shape)
    return f"{spec.dtype.name}[{dims}]"
