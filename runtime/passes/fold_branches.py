"""Folds branches with a constant condition and loops without iterations (the pass `fold_branches`).

%cond = cond(%true, %x)                  %add = add(%x, %x)
  then: %add = add(%x, %x)          ->   return %add
  else: ...
return %cond
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.constants import constant_of
from runtime.passes.rewriting import (
    Rewriting,
    can_replace,
    move_nodes,
    replaced_outputs,
    substitute,
)


def fold_branches(graph: Graph) -> bool:
    """Inline branches whose condition is constant, and drop loops without iterations.

    Return whether there was one.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     graph.set_outputs([rt.cond(rt.constant(True), lambda: x + x, lambda: x)])
        >>> fold_branches(graph), [node.op.name for node in graph]
        (True, ['constant', 'add'])
    """
    return _BranchFolding().run(graph)


class _BranchFolding(Rewriting):
    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        if not node.regions:
            return None
        if node.op.name in ("cond", "switch_case"):
            return self._branch(graph, node)
        return self._loop(graph, node) if node.op.name == "while_loop" else None

    def _branch(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        condition = constant_of(node.inputs[0])
        if condition is None or condition.ndim:
            return None
        if node.op.name == "cond":
            region = node.regions[0 if condition else 1]
        else:
            index = int(condition)
            region = node.regions[index if 0 <= index < len(node.regions) else -1]
        return self._inline_region(graph, node, region, node.inputs[1:], region.outputs)

    def _loop(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        count: Any = node.attrs["variables"]
        initial = node.inputs[:count]
        if not all(map(can_replace, initial, node.outputs)):
            return None
        if node.attrs["maximum_iterations"] is not None:
            return initial if node.attrs["maximum_iterations"] == 0 else None
        test = node.regions[0]
        condition = constant_of(test.outputs[0])
        if condition is None or condition.ndim or condition:
            return None
        # The test may have effects before it returns False, so its nodes stay.
        return self._inline_region(graph, node, test, node.inputs, initial)

    def _inline_region(
        self,
        graph: Graph,
        node: Node,
        region: Graph,
        operands: Sequence[SymbolicTensor],
        results: Sequence[SymbolicTensor],
    ) -> Sequence[SymbolicTensor] | None:
        """Move the nodes of a region before its node; return the outer values of `results`."""
        values = dict(zip(map(id, region.inputs), operands, strict=True))
        found = replaced_outputs(results, values)
        if not all(map(can_replace, found, node.outputs)):
            return None
        if not all(a.spec == b.spec for a, b in zip(region.inputs, operands)):
            return None
        substitute(region, values)
        move_nodes(region.nodes, graph, node.origin)
        for each in region.nodes:
            self.emit(each)
        return found
