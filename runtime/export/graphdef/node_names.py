"""Unique TensorFlow names of nodes in a file."""

from __future__ import annotations

from runtime.export.graphdef.function_body import UniqueNames, node_name
from runtime.graph.graph import Graph
from runtime.graph.node import Node


class Scopes:
    """The names of the nodes of a graph, which may be reserved before the nodes are added.

    Args:
        names: the names taken already.
    """

    def __init__(self, names: UniqueNames) -> None:
        self._names = names
        self._given: dict[int, str] = {}

    def of(self, node: Node) -> str:
        """Return the name of a node."""
        known = self._given.get(id(node))
        if known is None:
            wanted = node.label or node.op.tensorflow_name or node.op.name
            known = self._given[id(node)] = self._names.fresh(node_name(wanted))
        return known


def uses_of(graph: Graph) -> dict[int, list[Node]]:
    """Return the nodes that use each value; a graph output counts as a use, too."""
    uses: dict[int, list[Node]] = {}
    for node in graph.nodes:
        for tensor in node.inputs:
            uses.setdefault(id(tensor), []).append(node)
    for tensor in graph.outputs:
        uses.setdefault(id(tensor), []).append(tensor.node)
    return uses
