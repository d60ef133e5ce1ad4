"""Fuses two nodes with the same operands that share work (the pass `fuse_nodes`).

%loss = sparse_softmax_cross_entropy(%y, %x)      %both = sparse_softmax_both(%y, %x)
%slope = sparse_softmax_grad(%y, %x)        ->   return %both:0, %both:1
return %loss, %slope

The fused node takes the position of the first of the two. Both raise for the same operands, and
both always run: they are in the same graph.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.op import REGISTRY
from runtime.passes.rewriting import Rewriting, new_node

# For each fused op, the ops that its results replace.
_FUSED_OPS = {"sparse_softmax_both": ("sparse_softmax_cross_entropy", "sparse_softmax_grad")}
_PARTS = {
    name: (fused_op, at) for fused_op, names in _FUSED_OPS.items() for at, name in enumerate(names)
}


def fuse_nodes(graph: Graph) -> bool:
    """Replace pairs of nodes by fused nodes, in place; return whether there were any.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((4, 3), rt.float32), "x")
        >>> with graph.recording(), rt.GradientTape() as tape:
        ...     tape.watch(x)
        ...     loss = rt.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 2, 0], x)
        >>> with graph.recording():
        ...     graph.set_outputs([loss, tape.gradient(loss, x)])
        >>> fuse_nodes(graph), len(graph.get_nodes_by_op("sparse_softmax_both"))
        (True, 1)
    """
    return _Fusion().run(graph)


class _Fusion(Rewriting):
    def __init__(self) -> None:
        super().__init__()
        # For each graph around, the fusible ops in it with the identities of their operands.
        self._fusible: list[set[tuple[str, tuple[int, ...]]]] = []
        self._fused: list[dict[tuple[str, tuple[int, ...]], Node]] = []

    def enter_graph(self, graph: Graph, owner: Node | None) -> None:
        self._fusible.append({_key(node) for node in graph.nodes if node.op.name in _PARTS})
        self._fused.append({})

    def leave_graph(self, graph: Graph, owner: Node | None) -> None:
        self._fusible.pop()
        self._fused.pop()

    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        if node.op.name not in _PARTS:
            return None
        fused_op, at = _PARTS[node.op.name]
        _, operands = _key(node)
        fused = self._fused[-1].get((fused_op, operands))
        if fused is None:
            if any((name, operands) not in self._fusible[-1] for name in _FUSED_OPS[fused_op]):
                return None
            fused = self._fused[-1][fused_op, operands] = self._fuse(graph, fused_op, node)
        return [fused.outputs[at]]

    def _fuse(self, graph: Graph, fused_op: str, node: Node) -> Node:
        op, specs = REGISTRY[fused_op], [each.spec for each in node.inputs]
        found = op.infer(*specs)
        return self.emit(new_node(graph, op, node.inputs, {}, found, fused_op, node.origin))


def _key(node: Node) -> tuple[str, tuple[int, ...]]:
    return node.op.name, tuple([id(each) for each in node.inputs])
