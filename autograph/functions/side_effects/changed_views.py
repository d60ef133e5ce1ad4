"""Warns of changes that NumPy would make in an array argument, and that a graph does not make.

row = grid[0]
row[0] = 7.0       NumPy changes the grid, too; the graph makes a new row
return grid
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from autograph.errors import TraceEffectWarning
from runtime.core.source_names import warn_at
from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node

# The ops of NumPy's views; `gather` is one if its index is a number.
_VIEWS = frozenset("strided_slice gather transpose reshape expand_dims squeeze".split())


def warn_of_changed_views(graph: Graph, arrays: Iterable[SymbolicTensor]) -> None:
    """Warn of items that are assigned to parts of array arguments which are read afterwards.

    Args:
        graph: the graph of a trace, with all its nodes.
        arrays: its inputs that stand for NumPy arrays.
    """
    sources = {id(each): each for each in arrays}
    for position, node in enumerate(graph.nodes) if sources else ():
        for change, array in _changes(node, sources):
            if _is_read(array, graph, graph.nodes[position:]):
                name = array.node.name
                message = (
                    f"an item is assigned to a view or another name of the NumPy array '{name}', "
                    f"and the graph would not change '{name}': assign to '{name}' itself, as in "
                    f"{name}[i, j] = v"
                )
                warn_at(change.origin, message, TraceEffectWarning)


def _changes(
    node: Node, sources: dict[int, SymbolicTensor]
) -> Iterator[tuple[Node, SymbolicTensor]]:
    """Yield the nodes that assign items of views, with the arrays; add views to `sources`."""
    array = sources.get(id(node.inputs[0])) if node.inputs else None
    if array is not None and node.op.name == "set_item":
        yield node, array
    elif array is not None and _is_view(node):
        sources[id(node.outputs[0])] = array
    for region in node.regions:
        # Captures are last, in both.
        pairs = zip(reversed(region.inputs), reversed(node.inputs))
        inside = {id(own): sources[id(each)] for own, each in pairs if id(each) in sources}
        for inner in region.nodes if inside else ():
            yield from _changes(inner, inside)


def _is_view(node: Node) -> bool:
    return node.op.name in _VIEWS and (node.op.name != "gather" or node.inputs[1].shape.rank == 0)


def _is_read(array: SymbolicTensor, graph: Graph, nodes: Sequence[Node]) -> bool:
    """Return whether an array is a result, or read after the first of some nodes.

    A later `array[i] = view` puts the changed view back.
    """
    changed = {id(each) for each in nodes[0].outputs}
    for node in nodes[1:]:
        if any(each is array for each in node.inputs):
            is_back = node.op.name == "set_item" and id(node.inputs[1]) in changed
            return not is_back
        if any(id(each) in changed for each in node.inputs):
            changed.update(map(id, node.outputs))
    return any(each is array for each in graph.outputs)
