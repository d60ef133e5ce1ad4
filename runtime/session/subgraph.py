"""The subgraph that computes given fetches from given feeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from runtime.core.tensor import SymbolicTensor
from runtime.errors import ArgumentValueError
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.prune import Needed, copy_nodes, needs_inside


def part_of(
    graph: Graph,
    wanted: Sequence[SymbolicTensor],
    nodes: Iterable[Node],
    fed: Sequence[SymbolicTensor],
) -> Graph:
    """Return a graph from some tensors of another graph to others.

    It has only the nodes that the results need, and the requested ones: other nodes with effects do
    not run.

    Args:
        graph: the whole graph.
        wanted: the results.
        nodes: further nodes to run.
        fed: the inputs; nodes that only compute these do not run.

    Raises:
        ArgumentValueError: a needed placeholder is not fed.
    """
    part = Graph(graph.name)
    values = {id(each): part.add_input(each.spec, each.node.name) for each in fed}
    needed = _needed(wanted, nodes, values)
    for tensor in graph.parameters:
        if id(tensor.node) in needed and id(tensor) not in values:
            raise ArgumentValueError(
                f"a value must be fed for the placeholder '{tensor.node.name}', of dtype "
                f"{tensor.dtype.name} and shape {tensor.shape}",
                tensor.node.origin,
            )
    for held in graph.captures:
        if id(held.inner.node) in needed and id(held.inner) not in values:
            values[id(held.inner)] = part.capture(held.outer, held.inner.node.name)
    nodes = tuple(node for node in graph.nodes if id(node) in needed)
    needs = Needed(nodes, frozenset(), {node: needs_inside(node) for node in nodes})
    asked = Graph(graph.name)
    asked.outputs = list(wanted)
    copy_nodes(part, asked, needs, values)
    return part


def _needed(
    wanted: Iterable[SymbolicTensor], nodes: Iterable[Node], fed: Mapping[int, SymbolicTensor]
) -> set[int]:
    needed: set[int] = set()
    waiting = [*nodes, *(tensor.node for tensor in wanted if id(tensor) not in fed)]
    while waiting:
        node = waiting.pop()
        if id(node) not in needed:
            needed.add(id(node))
            waiting += [tensor.node for tensor in node.inputs if id(tensor) not in fed]
            waiting += node.requires
    return needed
