"""Drops loop variables that are unused or unchanged by every iteration.

%while, %while_1, %while_2 =             %while =
  while_loop(%i, %unread, %kept)    ->     while_loop(%i, %kept)
    body(%i, %unread, %kept):                body(%i, %kept = %kept):
      return %i + 1, %i, %kept                 return %i + 1
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.node_traits import is_total
from runtime.passes.rewriting import (
    RewritingWithUses,
    can_replace,
    capture_in,
    keep_results,
    substitute,
)


def drop_loop_variables(graph: Graph) -> bool:
    """Drop unused and unchanged loop variables, in place; return whether there was one.

    The nodes that compute them are dropped only if they raise nothing.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> n = graph.add_input(rt.TensorSpec((), rt.int32), "n")
        >>> with graph.recording():
        ...     body = lambda i, unread: [i + n, unread * 2]
        ...     found = rt.while_loop(lambda i, _: i < 10, body, [rt.constant(0), n])
        ...     graph.set_outputs([found[0]])
        >>> drop_loop_variables(graph), graph.nodes[-1].attrs["variables"]
        (True, 1)
    """
    return _DropLoopVariables().run(graph)


class _DropLoopVariables(RewritingWithUses):
    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        if node.op.name != "while_loop":
            return None
        self._capture_unchanged(node)
        live = _live(node, self.used)
        count: Any = node.attrs["variables"]
        if len(live) < count:
            _keep_variables(node, live)
            self.changed = True
        return None

    def _capture_unchanged(self, node: Node) -> None:
        """Turn loop variables that no iteration changes into captures."""
        test, body = node.regions
        for at, (parameter, following) in enumerate(zip(body.parameters, body.outputs)):
            first, last = node.inputs[at], node.outputs[at]
            is_read = any(_is_read(each, each.parameters[at], at) for each in node.regions)
            if following is not parameter or not can_replace(first, parameter):
                continue
            if is_read:
                for region in node.regions:
                    inner = capture_in(node, first, region)
                    substitute(region, {id(region.parameters[at]): inner})
                # The unread variable returns itself, until it is dropped as unused.
                body.outputs[at] = body.parameters[at]
                self.changed = True
            if id(last) in self.used and can_replace(first, last):
                self.replace(last, first)
                self.used.discard(id(last))


def _is_read(region: Graph, parameter: SymbolicTensor, at: int) -> bool:
    others = [each for place, each in enumerate(region.outputs) if place != at]
    return any(each is parameter for node in region.nodes for each in node.inputs) or any(
        each is parameter for each in others
    )


def _live(node: Node, used: set[int]) -> list[int]:
    """Return the positions of the variables that affect a result, the test, or an effect."""
    test, body = node.regions
    live = {at for at, output in enumerate(node.outputs) if id(output) in used}
    needed = _needed(test, {id(test.outputs[0])})
    live |= {at for at, each in enumerate(test.parameters) if id(each) in needed}
    while True:
        needed = _needed(body, {id(body.outputs[at]) for at in live})
        found = live | {at for at, each in enumerate(body.parameters) if id(each) in needed}
        if found == live:
            return sorted(live)
        live = found


def _needed(region: Graph, needed: set[int]) -> set[int]:
    """Add to `needed` the tensors that its values, effects and errors depend on; return it."""
    for node in reversed(region.nodes):
        if any(id(each) in needed for each in node.outputs) or not is_total(node):
            needed.update(map(id, node.inputs))
    return needed


def _keep_variables(node: Node, kept: Sequence[int]) -> None:
    """Drop all loop variables of a node but those at the given positions."""
    count: Any = node.attrs["variables"]
    exits: Any = node.attrs.get("exits", ())
    test, body = node.regions
    node.inputs = (*[node.inputs[at] for at in kept], *node.inputs[count:])
    body.outputs = [body.outputs[at] for at in kept]
    for region in node.regions:
        before = region.parameters
        region.parameters = [before[at] for at in kept]
        _drop_readers(region, {id(each) for at, each in enumerate(before) if at not in kept})
    places = {old: new for new, old in enumerate(kept)}
    kept_exits = tuple([(places[at], name) for at, name in exits if at in places])
    node.attrs = {**node.attrs, "variables": len(kept), "exits": kept_exits}
    keep_results(node, kept)


def _drop_readers(region: Graph, dropped: set[int]) -> None:
    """Drop the nodes that read dropped values; their results are unused."""
    kept = []
    for node in region.nodes:
        if any(id(each) in dropped for each in node.inputs):
            dropped.update(map(id, node.outputs))
        else:
            kept.append(node)
    region.nodes = kept
