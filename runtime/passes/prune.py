"""Prune: drop the nodes that neither an output nor an effect needs, in regions too.

    %add = add(%x, %x)                       %mul = multiply(%x, %x)
    %mul = multiply(%x, %x)          ->      print()
    print()                                  return %mul
    return %mul
"""

from __future__ import annotations

from collections.abc import Iterable

from runtime.graph.capture import Capture
from runtime.graph.effects import STRENGTH
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.tensor import SymbolicTensor

Values = dict[int, SymbolicTensor]


def needed_nodes(graph: Graph) -> list[Node]:
    """Return, in order, the nodes that must run: for an output, or because they change something.

    A read of a variable and an op that could fail are not needed for themselves.
    """
    wanted = {id(tensor.node) for tensor in graph.outputs}
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if id(node) in wanted or is_required(node):
            kept.append(node)
            wanted.update(id(tensor.node) for tensor in node.inputs)
    kept.reverse()
    return kept


def is_required(node: Node) -> bool:
    """Return whether `node` runs even when nobody uses its results."""
    return STRENGTH[node.effect] > STRENGTH["read"]


def prune(graph: Graph) -> Graph:
    """Return a copy of `graph` with only the nodes it needs.

    Parameters stay, so the copy takes the same inputs; captures nobody uses any more go, and names,
    origins and the order of effects stay as they were.
    """
    copy = Graph(graph.name, graph.outer)
    _fill(copy, graph, {})
    return copy


def _fill(copy: Graph, graph: Graph, outer: Values) -> None:
    """Rebuild `graph` in the empty `copy`; `outer` maps values of the graph around it."""
    values: Values = {}
    kept = needed_nodes(graph)
    for tensor in graph.parameters:
        values[id(tensor)] = copy.add_input(tensor.spec, tensor.node.name, tensor.weak)
    for held in _used_captures(graph, kept):
        values[id(held.inner)] = copy.capture(outer.get(id(held.outer), held.outer))
    for node in kept:
        _copy_node(copy, node, values)
    copy.outputs = [values[id(tensor)] for tensor in graph.outputs]
