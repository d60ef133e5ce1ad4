"""Whether the graph being recorded holds anything yet."""

from __future__ import annotations

from runtime.graph.graph import Graph


def holds_anything(recorder: object) -> bool:
    """Return whether the outermost graph around what is recorded has inputs or nodes.

    That of a trace counts as if it had, since all that is recorded in it runs later.
    """
    graph = recorder if isinstance(recorder, Graph) else None
    while graph is not None and graph.outer is not None:
        graph = graph.outer
    if graph is None:
        return False
    return bool(graph.is_whole or graph.parameters or graph.captures or graph.nodes)
