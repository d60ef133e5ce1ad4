"""Whether the graph being recorded holds anything yet."""

from __future__ import annotations

from runtime.graph.graph import Graph


def holds_anything(recorder: object) -> bool:
    """Return whether the outermost graph around what is recorded has inputs or nodes."""
    graph = recorder if isinstance(recorder, Graph) else None
    while graph is not None and graph.outer is not None:
        graph = graph.outer
    return graph is not None and bool(graph.parameters or graph.captures or graph.nodes)
