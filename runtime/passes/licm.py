"""Loop-invariant code motion.

%while = while_loop(%x, %w)              %transpose = transpose(%w)
  body(%x, %w = %w):                ->   %while = while_loop(%x, %transpose)
    %transpose = transpose(%w)             body(%x, %transpose = %transpose):
    return matmul(%x, %transpose)            return matmul(%x, %transpose)

The loop may have no iterations, so only cheap nodes that never raise are moved before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.node_traits import is_total, is_value
from runtime.passes.rewriting import Rewriting, capture_in, node_like, substitute, used_in

# The most steps (elements, or products in a matrix product) that may be computed in vain.
MAX_STEPS = 65536


def licm(graph: Graph) -> bool:
    """Move loop-invariant nodes before the loop; return whether there were any.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     graph.set_outputs(rt.while_loop(lambda i: i < 9, lambda i: [i + x * x], [0]))
        >>> licm(graph), [node.op.name for node in graph]
        (True, ['constant', 'multiply', 'while_loop'])
    """
    return _Licm().run(graph)


def licm_of_arrays(graph: Graph) -> bool:
    """Run `licm`, but leave scalars that are not integers in the loop.

    For programs of a compiler: another kernel before the loop takes longer, also to compile, than
    a scalar in each iteration. By integers it knows bounds, such as the number of iterations.
    """
    return _Licm(leaves=_is_small).run(graph)


class _Licm(Rewriting):
    def __init__(self, leaves: Callable[[Node], bool] = lambda node: False) -> None:
        super().__init__()
        self._leaves = leaves

    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        if node.op.name == "while_loop":
            for region in node.regions:
                self._move_out_of(region, node, graph)
        return None

    def _move_out_of(self, region: Graph, loop: Node, graph: Graph) -> None:
        # For each loop-invariant value of the region, the same value outside of the loop.
        operands = loop.inputs[len(loop.inputs) - len(region.captures) :]
        pairs = [(capture.inner, outer) for capture, outer in zip(region.captures, operands)]
        outside = {id(a): b for a, b in pairs if a.spec == b.spec}
        constants: dict[int, Node] = {}
        moved: list[Node] = []
        for node in region.nodes:
            if node.op.name == "constant":
                constants[id(node.outputs[0])] = node
                continue
            if not all(id(each) in outside or id(each) in constants for each in node.inputs):
                continue
            if all(id(each) in constants for each in node.inputs) or not self._may_move(node):
                continue
            inputs = [self._outer_operand(each, outside, constants, graph) for each in node.inputs]
            made = self.emit(node_like(graph, node, inputs))
            outside.update(zip(map(id, node.outputs), made.outputs))
            moved.append(node)
        if moved:
            self._replace_by_captures(region, loop, moved, outside)

    def _may_move(self, node: Node) -> bool:
        is_cheap = not node.regions and is_value(node) and is_total(node)
        return is_cheap and _steps(node) <= MAX_STEPS and not self._leaves(node)

    def _outer_operand(
        self,
        tensor: SymbolicTensor,
        outside: dict[int, SymbolicTensor],
        constants: dict[int, Node],
        graph: Graph,
    ) -> SymbolicTensor:
        """Return the outer value for a region's value; a constant is copied to the outer graph."""
        if id(tensor) not in outside:
            outside[id(tensor)] = self.emit(node_like(graph, constants[id(tensor)], ())).outputs[0]
        return outside[id(tensor)]

    def _replace_by_captures(
        self,
        region: Graph,
        loop: Node,
        moved: Sequence[Node],
        outside: dict[int, SymbolicTensor],
    ) -> None:
        moved_ids = {id(node) for node in moved}
        region.nodes = [node for node in region.nodes if id(node) not in moved_ids]
        used = used_in(region)
        results = [each for node in moved for each in node.outputs if id(each) in used]
        values = {id(each): capture_in(loop, outside[id(each)], region) for each in results}
        substitute(region, values)
        self._replaced.extend(moved)


def _is_small(node: Node) -> bool:
    specs = [each.spec for each in node.outputs]
    return all(spec.shape.dims == () and spec.dtype.kind not in "iu" for spec in specs)


def _steps(node: Node) -> int:
    """Return the approximate number of steps of a node; more than MAX_STEPS if it is unknown."""
    specs = [each.spec for each in (*node.inputs, *node.outputs)]
    if not all(spec.shape.is_fully_defined() for spec in specs):
        return MAX_STEPS + 1
    sizes = [prod([dim or 0 for dim in spec.shape.dims or ()]) for spec in specs]
    if node.op.name in _CHEAP:
        return sizes[-1]
    if node.op.name == "matmul":
        inner = (node.inputs[0].shape.dims or (1,))[-1] or 1
        return sizes[-1] * inner
    return MAX_STEPS + 1


# Elementwise ops and views: their cost is the size of the result.
_CHEAP = frozenset(
    """
    abs add bitwise_and bitwise_or bitwise_xor cast ceil cos divide equal exp expand_dims expm1 fill
    floor greater greater_equal invert is_finite is_inf is_nan less less_equal log log1p logical_and
    logical_not logical_or logical_xor matrix_transpose maximum minimum multiply negative not_equal
    ones_like rank reciprocal relu relu_grad reshape round rsqrt select shape sigmoid sign sin size
    softplus sqrt square squared_difference strided_slice subtract tan tanh transpose truncatediv
    truncatemod floordiv floormod zeros_like sinh cosh atan
    """.split()
)
