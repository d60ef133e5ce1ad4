"""Traits of nodes for passes: removable, speculatable, shareable.

A node may be dropped, or computed speculatively, only if it never raises. This check is strict:
`prune` already dropped nodes whose errors no program shows, and the remaining nodes must keep their
errors.
"""

from __future__ import annotations

from runtime.core.tensor import SymbolicTensor
from runtime.graph.callee import called_graph
from runtime.graph.may_raise import raised_by
from runtime.graph.node import Node
from runtime.ops.op import MIXED

# Ops that raise if an integer result that stands for a Python int fits no dtype.
_EXACT = frozenset(
    ("add", "subtract", "multiply", "floordiv", "pow", "left_shift", "negative", "abs")
)
# Ops that raise for arrays without elements.
_NEED_ELEMENTS = frozenset(("argmax", "argmin", "max_pool", "max_pool_back", "avg_pool"))
# Ops whose shapes were checked while recording, if their only operand has a known shape.
_SEEN_TO_FIT = frozenset(("reshape", "broadcast_to", "strided_slice"))
# Ops that return a new object each time, or that have a memory.
_GIVE_NEW = frozenset(("given_gradient", "make_error", "from_exception"))
_BRANCHES = frozenset(("cond", "switch_case", "while_loop"))


def is_total(node: Node) -> bool:
    """Return whether a node has no effect and returns a result for all operands."""
    if node.effect != "none":
        return False
    if node.regions:
        return _runs_through(node)
    if called_graph(node.attrs) is not None or node.op.kernel is None:
        return False
    if node.op.name == "constant":
        return True
    if may_not_fit(node):
        return False
    specs = [each.spec for each in node.inputs]
    if node.op.name in _SEEN_TO_FIT and len(specs) == 1:
        return all(each.spec.shape.is_fully_defined() for each in (*node.inputs, *node.outputs))
    if raised_by(node.op, node.attrs, specs, node.inputs):
        return _broadcasts(node) and not raised_by(node.op, node.attrs, specs[:1], node.inputs)
    if all(each.spec.shape.is_fully_defined() for each in node.inputs):
        return node.op.name not in _NEED_ELEMENTS or not _is_empty(node.inputs[0])
    return (
        node.op.name == "cast" or not node.attrs and len(specs) == 1 and node.op.asked != "always"
    )


def is_python_int(node: Node) -> bool:
    """Return whether a node's result is an integer that stands for a Python int.

    >>> import runtime as rt
    >>> graph = rt.Graph()
    >>> is_python_int(graph.add_input(rt.TensorSpec((), "int32"), "n", weak=True).node)
    True
    """
    return bool(node.outputs) and node.outputs[0].weak is True and node.outputs[0].dtype.is_integer


def may_not_fit(node: Node) -> bool:
    """Return whether a node raises if its result, a Python int, does not fit the dtype."""
    return is_python_int(node) and node.op.name in _EXACT


def is_value(node: Node) -> bool:
    """Return whether a node computes plain arrays from plain arrays, the same each time."""
    op = node.op
    if op.effects != "none" or op.kernel is None or node.regions or op.seen_inside:
        return False
    if op.name in _GIVE_NEW:
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
    return node.op.name in _FRESH or node.op.asked in (MIXED,) and bool(node.inputs)


_VIEWS = frozenset(("transpose", "matrix_transpose", "identity", "stop_gradient", "expand_dims"))
_FRESH = frozenset(
    """
    constant cast matmul negative abs sign floor ceil round square sqrt rsqrt reciprocal exp expm1
    log log1p sin cos tan tanh sinh cosh asin acos atan sigmoid logical_not invert relu relu_grad
    erf select
    """.split()
)


def _broadcasts(node: Node) -> bool:
    """Return whether unknown shapes are known to broadcast: one of them is a scalar."""
    if node.op.asked != MIXED or len(node.inputs) != 2:
        return False
    first, second = node.inputs
    return first is second or 0 in (first.spec.shape.rank, second.spec.shape.rank)


def _is_empty(tensor: SymbolicTensor) -> bool:
    return 0 in (tensor.spec.shape.dims or (0,))


def _runs_through(node: Node) -> bool:
    if node.op.name not in _BRANCHES:
        return False
    if node.op.name == "while_loop":
        chosen_by = node.regions[0].outputs[0]
    else:
        chosen_by = node.inputs[0]
    if chosen_by.spec.shape.rank != 0:
        return False
    return all(is_total(inner) for region in node.regions for inner in region.nodes)
