"""Dead code elimination after other passes, also inside of regions (the pass `dce`).

%multiply = multiply(%x, %one)           return %x
return %x                           ->

It is stricter than `prune`, which ran before: a node that may raise stays, since `prune` kept it
for its error, or because its result was used.
"""

from __future__ import annotations

from runtime.graph.capture import Capture
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.node_traits import is_total
from runtime.passes.rewriting import CAPTURING_OPS, set_captures, update_effects


def dce(graph: Graph) -> bool:
    """Drop unused nodes and captures, in place; return whether there were any.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     unused, used = x + x, x * x
        >>> graph.set_outputs([used])
        >>> dce(graph), [node.name for node in graph]
        (True, ['multiply'])
    """
    elimination = _Elimination()
    used = elimination.eliminate(graph)
    if graph.outer is None and not all(id(capture.inner) in used for capture in graph.captures):
        graph.captures = [capture for capture in graph.captures if id(capture.inner) in used]
        graph._captures_by_id = {id(capture.outer): capture for capture in graph.captures}
        elimination.changed = True
    if elimination.changed:
        update_effects(graph)
    return elimination.changed


class _Elimination:
    """One backward walk over a graph and its regions.

    Attributes:
        changed: whether anything was dropped.
    """

    def __init__(self) -> None:
        self.changed = False

    def eliminate(self, graph: Graph) -> set[int]:
        """Drop the unused nodes of one graph; return the identities of the values used in it."""
        used = {id(each) for each in graph.outputs}
        kept = []
        for node in reversed(graph.nodes):
            if not any(id(each) in used for each in node.outputs) and is_total(node):
                self.changed = True
                continue
            if node.regions:
                self._eliminate_in_regions(node)
            used.update(map(id, node.inputs))
            kept.append(node)
        graph.nodes = kept[::-1]
        return used

    def _eliminate_in_regions(self, node: Node) -> None:
        used: set[int] = set()
        for region in node.regions:
            used |= self.eliminate(region)
        captures = node.regions[0].captures
        if not captures or node.op.name not in CAPTURING_OPS:
            return
        kept = _used_captures(node, used)
        if len(kept) < len(captures):
            self.changed = True
            _keep_captures(node, kept)


def _used_captures(node: Node, used: set[int]) -> list[int]:
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
        captures = region.captures
        set_captures(region, [Capture(operands[at], captures[at].inner) for at in kept])
