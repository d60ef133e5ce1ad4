"""Drops results of branches that are unused, duplicated, or the same in all branches.

%cond, %cond_1 = cond(%p, %x)            %cond = cond(%p, %x)
  then: return %a, %x               ->     then: return %a
  else: return %b, %x                      else: return %b
return %cond, %cond_1                    return %cond, %x
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.rewriting import RewritingWithUses, can_replace, keep_results

_BRANCHING = frozenset(("cond", "switch_case", "try_except"))


def drop_branch_results(graph: Graph) -> bool:
    """Drop such results of branches, in place; return whether there were any.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     found = rt.cond(x > 0, lambda: (x + 1, x), lambda: (x - 1, x))
        ...     graph.set_outputs(found)
        >>> drop_branch_results(graph), graph.outputs[1] is x, len(graph.nodes[-1].outputs)
        (True, True, 1)
    """
    return _DropBranchResults().run(graph)


class _DropBranchResults(RewritingWithUses):
    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        if node.op.name not in _BRANCHING:
            return None
        kept: list[int] = []
        for at, output in enumerate(node.outputs):
            if id(output) not in self.used:
                continue
            other = _common_outer_value(node, at)
            if other is None:
                other = _duplicate_of(node, at, kept)
            if other is not None and can_replace(other, output):
                self.replace(output, other)
                self.used.add(id(other))
            else:
                kept.append(at)
        if len(kept) < len(node.outputs):
            for region in node.regions:
                region.outputs = [region.outputs[at] for at in kept]
            keep_results(node, kept)
            self.changed = True
        return None


def _common_outer_value(node: Node, at: int) -> SymbolicTensor | None:
    """Return the outer value that each region returns at a position; None if there is none."""
    outer = [region.outer_of(region.outputs[at]) for region in node.regions]
    first = outer[0]
    if not isinstance(first, SymbolicTensor) or not all(each is first for each in outer):
        return None
    return first


def _duplicate_of(node: Node, at: int, kept: Sequence[int]) -> SymbolicTensor | None:
    """Return an earlier result that is the same value in each region; None if there is none."""
    for other in kept:
        if all(region.outputs[other] is region.outputs[at] for region in node.regions):
            return node.outputs[other]
    return None
