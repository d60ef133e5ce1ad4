"""Dead code elimination after other passes, also inside of regions (the pass `dce`).

%multiply = multiply(%x, %one)           return %x
return %x                           ->

It is stricter than `prune`, which ran before: a node that may raise stays, since `prune` kept it
because its error is visible, or because its result was used.
"""

from __future__ import annotations

from runtime.graph.capture import Capture
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.node_traits import is_total
from runtime.passes.rewriting import PLAIN_OWNERS, give_captures, tidy


def dce(graph: Graph) -> bool:
    """Drop unused nodes and captures, in place; return whether there were any.

    Example:
        >>> import runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     unused, used = x + x, x * x
        >>> graph.set_outputs([used])
        >>> dce(graph), [node.name for node in graph]
        (True, ['multiply'])
    """
    elimination = _Elimination()
    used = elimination.over(graph)
    if graph.outer is None and not all(id(held.inner) in used for held in graph.captures):
        graph.captures = [held for held in graph.captures if id(held.inner) in used]
        graph._held = {id(held.outer): held for held in graph.captures}
        elimination.changed = True
    if elimination.changed:
        tidy(graph)
    return elimination.changed


class _Elimination:
    """Walks graphs backward, and records whether it dropped anything."""

    def __init__(self) -> None:
        self.changed = False

    def over(self, graph: Graph) -> set[int]:
        """Drop the unused nodes of one graph; return the identities of the values used in it."""
        used = {id(each) for each in graph.outputs}
        kept = []
        for node in reversed(graph.nodes):
            if not any(id(each) in used for each in node.outputs) and is_total(node):
                self.changed = True
                continue
            if node.regions:
                self._over_regions(node)
            used.update(map(id, node.inputs))
            kept.append(node)
        graph.nodes = kept[::-1]
        return used

    def _over_regions(self, node: Node) -> None:
        used: set[int] = set()
        for region in node.regions:
            used |= self.over(region)
        held = node.regions[0].captures
        if not held or node.op.name not in PLAIN_OWNERS:
            return
        kept = _used_places(node, used)
        if len(kept) < len(held):
            self.changed = True
            _keep_captures(node, kept)


def _used_places(node: Node, used: set[int]) -> list[int]:
    """Return the positions of the captures that a region uses."""
    return [
        at
        for at in range(len(node.regions[0].captures))
        if any(id(region.captures[at].inner) in used for region in node.regions)
    ]


def _keep_captures(node: Node, kept: list[int]) -> None:
    own = len(node.inputs) - len(node.regions[0].captures)
    operands = node.inputs[own:]
    node.inputs = (*node.inputs[:own], *[operands[at] for at in kept])
    for region in node.regions:
        held = region.captures
        give_captures(region, [Capture(operands[at], held[at].inner) for at in kept])
