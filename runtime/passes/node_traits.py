"""Traits of nodes for passes: whether a node never raises, is a pure value, or is small.

After `prune`, a node may be dropped, or computed speculatively, only if it is total: it never
raises. A node that is a value may be computed once for all its copies.
"""

from __future__ import annotations

from runtime.core.tensor import SymbolicTensor
from runtime.graph.callee import called_graph
from runtime.graph.may_raise import raised_by, raised_by_node
from runtime.graph.node import Node
from runtime.ops.op import MIXED, Op
from runtime.ops.python.exact_integers import EXACT, exact

# Ops that raise for arrays without elements.
_NEED_ELEMENTS = frozenset(("argmax", "argmin", "max_pool", "max_pool_back", "avg_pool"))
# Ops whose inference checks all that the kernel checks, if their only operand has a static shape.
_CHECKED_BY_INFERENCE = frozenset(("reshape", "broadcast_to", "strided_slice"))
# Ops that return a new object each time, or that keep state.
_NEW_OBJECTS = frozenset(("given_gradient", "make_error", "from_exception"))
_STRUCTURED = frozenset(("cond", "switch_case", "while_loop"))


def is_total(node: Node) -> bool:
    """Return whether a node has no effect and returns a result for all operands."""
    if node.effect != "none":
        return False
    if node.regions:
        return _always_completes(node)
    if called_graph(node.attrs) is not None or node.op.kernel is None:
        return False
    if node.op.name == "constant":
        return True
    if may_not_fit(node):
        return False
    specs = [each.spec for each in node.inputs]
    if node.op.name in _CHECKED_BY_INFERENCE and len(specs) == 1:
        return all(each.spec.shape.is_fully_defined() for each in (*node.inputs, *node.outputs))
    if raised_by_node(node):
        return _broadcasts(node) and not raised_by(node.op, node.attrs, specs[:1], node.inputs)
    if all(each.spec.shape.is_fully_defined() for each in node.inputs):
        return node.op.name not in _NEED_ELEMENTS or not _is_empty(node.inputs[0])
    return (
        node.op.name == "cast"
        or not node.attrs
        and len(specs) == 1
        and node.op.operand_checks != "always"
    )


def is_python_int(node: Node) -> bool:
    """Return whether a node's result is an integer that stands for a Python int.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph()
    >>> is_python_int(graph.add_input(rt.TensorSpec((), "int32"), "n", weak=True).node)
    True
    """
    return bool(node.outputs) and node.outputs[0].weak is True and node.outputs[0].dtype.is_integer


def kernel_op(node: Node) -> Op:
    """Return the op to run for a node; for a Python int it raises if the result does not fit."""
    return exact(node.op) if is_python_int(node) else node.op


def may_not_fit(node: Node) -> bool:
    """Return whether a node raises if its result, a Python int, does not fit the dtype."""
    return node.op.name == "exact_cast" or (node.op.name in EXACT and is_python_int(node))


def is_value(node: Node) -> bool:
    """Return whether a node computes arrays from arrays, and nothing else affects the results."""
    op = node.op
    if op.effects != "none" or op.kernel is None or node.regions or op.kernel_runs_ops:
        return False
    if op.name in _NEW_OBJECTS:
        return False
    return not any(each.spec.dtype.kind == "V" for each in (*node.inputs, *node.outputs))


def is_compact(tensor: SymbolicTensor) -> bool:
    """Return whether a value is contiguous in memory, as a copy of it would be.

    Only such a value may replace one for which NumPy would make a new array: sums and matrix
    products round differently in another memory order.
    """
    if tensor.spec.shape.rank == 0:
        return True
    node = tensor.node
    if node.op.name in _VIEWS:
        return is_compact(node.inputs[0])
    return node.op.name in _FRESH or node.op.operand_checks in (MIXED,) and bool(node.inputs)


_VIEWS = frozenset(("transpose", "matrix_transpose", "identity", "stop_gradient", "expand_dims"))
_FRESH = frozenset(
    """
    constant cast matmul negative abs sign floor ceil round square sqrt rsqrt reciprocal exp expm1
    log log1p sin cos tan tanh sinh cosh asin acos atan sigmoid logical_not invert relu relu_grad
    erf select
    """.split()
)


def _broadcasts(node: Node) -> bool:
    """Return whether two operands broadcast for sure: they are one value, or one is a scalar."""
    if node.op.operand_checks != MIXED or len(node.inputs) != 2:
        return False
    first, second = node.inputs
    return first is second or 0 in (first.spec.shape.rank, second.spec.shape.rank)


def _is_empty(tensor: SymbolicTensor) -> bool:
    return 0 in (tensor.spec.shape.dims or (0,))


def _always_completes(node: Node) -> bool:
    if node.op.name not in _STRUCTURED:
        return False
    if node.op.name == "while_loop":
        condition = node.regions[0].outputs[0]
    else:
        condition = node.inputs[0]
    if condition.spec.shape.rank != 0:
        return False
    return all(is_total(inner) for region in node.regions for inner in region.nodes)
