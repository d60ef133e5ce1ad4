"""Finds the nodes that only checks and prints need, which a model leaves out with them.

text = format_values(x)          not lowered: only the raise needs it
cond(is_negative, text)
  then: raise(text)              left out
"""

from __future__ import annotations

from collections.abc import Iterator

from runtime.core.tensor import SymbolicTensor
from runtime.export.omitted_checks import CHECKS
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.prune import is_required


def only_for_checks(graph: Graph) -> set[Node]:
    """Return the nodes, also in regions, whose results only checks and prints need.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> x = graph.add_input(rt.TensorSpec((), rt.float32), "x")
    >>> with graph.recording():
    ...     rt.print(x + 1.0)
    ...     graph.set_outputs([x * 2.0])
    >>> [node.name for node in only_for_checks(graph)]
    ['add']
    """
    found: set[Node] = set()
    _needed(graph, found)
    return {node for node in found if node.op.name != "constant"}


def _needed(graph: Graph, found: set[Node]) -> set[int]:
    """Return the identities of the values that a model needs, and add the nodes it does not."""
    values = set(map(id, graph.outputs))
    used = {id(each) for node in graph.nodes for each in node.inputs}
    for node in reversed(graph.nodes):
        results = set(map(id, node.outputs))
        if node.op.name in CHECKS:
            # A check that returns a value returns its first operand.
            values.update(map(id, node.inputs[:1] if node.outputs else ()))
        elif is_required(node) or results & values or not results & used:
            values.update(map(id, _operands(node, found)))
        else:
            found.add(node)
    return values


def _operands(node: Node, found: set[Node]) -> Iterator[SymbolicTensor]:
    """Yield the operands of a node without captures that its regions need only for checks."""
    needed = [_needed(region, found) for region in node.regions]
    own = len(node.inputs) - (len(node.regions[0].captures) if node.regions else 0)
    for at, each in enumerate(node.inputs):
        inner = [region.captures[at - own].inner for region in node.regions] if at >= own else []
        if not inner or any(id(x) in values for x, values in zip(inner, needed)):
            yield each
