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
from runtime.passes.rewriting import Rewriting, may_stand_for, move, outputs_with, substitute


def fold_branches(graph: Graph) -> bool:
    """Inline branches and loops that take a known path; return whether there was one.

    Example:
        >>> import runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     graph.set_outputs([rt.cond(rt.constant(True), lambda: x + x, lambda: x)])
        >>> fold_branches(graph), [node.op.name for node in graph]
        (True, ['constant', 'add'])
    """
    return _Folding().run(graph)


class _Folding(Rewriting):
    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        if not node.regions:
            return None
        if node.op.name in ("cond", "switch_case"):
            return self._branch(graph, node)
        return self._loop(graph, node) if node.op.name == "while_loop" else None

    def _branch(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        chosen_by = constant_of(node.inputs[0])
        if chosen_by is None or chosen_by.ndim:
            return None
        if node.op.name == "cond":
            region = node.regions[0 if chosen_by else 1]
        else:
            index = int(chosen_by)
            region = node.regions[index if 0 <= index < len(node.regions) else -1]
        return self._written_out(graph, node, region, node.inputs[1:], region.outputs)

    def _loop(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        count: Any = node.attrs["variables"]
        initial = node.inputs[:count]
        if not all(map(may_stand_for, initial, node.outputs)):
            return None
        if node.attrs["maximum_iterations"] is not None:
            return initial if node.attrs["maximum_iterations"] == 0 else None
        test = node.regions[0]
        verdict = constant_of(test.outputs[0])
        if verdict is None or verdict.ndim or verdict:
            return None
        # The test may have effects before it returns False, so its nodes stay.
        return self._written_out(graph, node, test, node.inputs, initial)

    def _written_out(
        self,
        graph: Graph,
        node: Node,
        region: Graph,
        operands: Sequence[SymbolicTensor],
        results: Sequence[SymbolicTensor],
    ) -> Sequence[SymbolicTensor] | None:
        """Replace a node by the nodes of a region; return the values of `results` after that."""
        values = dict(zip(map(id, region.inputs), operands, strict=True))
        found = outputs_with(results, values)
        if not all(map(may_stand_for, found, node.outputs)):
            return None
        if not all(a.spec == b.spec for a, b in zip(region.inputs, operands)):
            return None
        substitute(region, values)
        move(region.nodes, graph, node.origin)
        for each in region.nodes:
            self.emit(each)
        return found
