"""The graph of a call before the passes, and after each one that has changed it."""

from __future__ import annotations

from collections.abc import Iterator

from autograph.cli.style import Style
from runtime.executors.asked import asked_of
from runtime.graph.callee import called_graphs
from runtime.graph.graph import Graph
from runtime.passes.manager import DEFAULT, chosen, optimise


def passes_text(graph: Graph, style: Style) -> Iterator[str]:
    """Yield lines that show what becomes of a graph, pass by pass, with the number of its nodes.

    Args:
        graph: as it was traced; it stays so.
        style: how headings look.
    """
    shown = [("traced", _size(graph), graph.as_text(origins=True))]

    def note(name: str, better: Graph) -> None:
        text = better.as_text(origins=True)
        if text != shown[-1][2]:
            shown.append((name, _size(better), text))

    passes = chosen(asked_of(graph).passes)
    optimise(graph, passes, watch=note, checked=True)
    before = ""
    for name, size, text in shown:
        yield style.heading(f"{name}: {before}{_nodes(size)}")
        yield text
        before = f"{size} -> "
    names = {name for name, _, _ in shown}
    idle = [each.name for each in passes if each.name not in names]
    yield f"changed nothing: {', '.join(idle) or 'none'}"
    left_out = [each.name for each in DEFAULT if each not in passes]
    if left_out:
        yield f"switched off by passes=: {', '.join(left_out)}"


def _size(graph: Graph) -> int:
    graphs = [graph, *[each.graph for each in called_graphs(graph)]]
    return sum(1 for each in graphs for _ in each.walk())


def _nodes(count: int) -> str:
    return f"{count} node" if count == 1 else f"{count} nodes"
