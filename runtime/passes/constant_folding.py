"""Constant folding: computes nodes that depend on constants only, at compile time.

%constant = constant() {value=2: int32}        %constant = constant() {value=4: int32}
%add = add(%constant, %constant)          ->   %multiply = multiply(%x, %constant)
%multiply = multiply(%x, %add)                 return %multiply
return %multiply

Results that may be large are not computed, and nodes that raise stay, to raise at run time.
Captured scalar constants are copied into regions, where `simplify` can match them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, SymbolicTensor
from runtime.errors import OpError
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.arrays.index import Index
from runtime.ops.op import run_kernel
from runtime.passes.constants import constant_node, constant_of
from runtime.passes.node_traits import is_value, kernel_op
from runtime.passes.rewriting import Rewriting, set_operands, used_in

# The most elements of a folded result, and of all operands of one op together.
MAX_RESULT_SIZE = 1024
MAX_OPERANDS_SIZE = 16384
# Prefixes of ops that are not folded, since they may take long to compute.
_NOT_FOLDED = (
    "stateless_",
    "matrix_",
    "svd",
    "eig",
    "lu",
    "qr",
    "cholesky",
    "pow",
    "number_method",
)


def fold_constants(graph: Graph) -> bool:
    """Replace nodes that depend on constants only by constants; return whether there were any.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> with graph.recording():
        ...     graph.set_outputs([rt.constant(2) * 3 + 1])
        >>> fold_constants(graph), graph.outputs[0].node.attrs["value"]
        (True, 7: int32)
    """
    return _Folding().run(graph)


class _Folding(Rewriting):
    def enter_graph(self, graph: Graph, owner: Node | None) -> None:
        if owner is None or not graph.captures:
            return
        used = used_in(graph)
        for capture in graph.captures:
            array = constant_of(capture.inner)
            if array is None or array.size != 1 or id(capture.inner) not in used:
                continue
            if TensorSpec.of_array(array) == capture.inner.spec:
                node = self.emit(constant_node(graph, array, capture.inner))
                self.replace(capture.inner, node.outputs[0])

    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        if node.op.name in _SHAPE_OF_SECOND:
            self._replace_by_zeros(graph, node)
        elif node.op.name == "strided_slice" and _fold_index(node):
            self.changed = True
        made = fold_node(graph, node)
        return None if made is None else [self.emit(each).outputs[0] for each in made]

    def _replace_by_zeros(self, graph: Graph, node: Node) -> None:
        """Replace the second operand, of which only the static shape matters, by a constant."""
        like = node.inputs[1]
        if constant_of(like) is not None or not _has_static_shape(like):
            return
        dims: Any = like.shape.dims
        if prod(dims) > MAX_RESULT_SIZE or like.dtype.kind not in "biufc":
            return
        zeros = np.zeros(dims, like.dtype.np_dtype)
        zeros_node = self.emit(constant_node(graph, zeros, like))
        set_operands(node, [node.inputs[0], zeros_node.outputs[0]])


def _fold_index(node: Node) -> bool:
    """Make constant scalar indices part of a node's index attribute, if they are in range."""
    x, *scalars = node.inputs
    indices = [constant_of(each) for each in scalars]
    if not scalars or not x.spec.shape.is_fully_defined():
        return False
    if any(each is None or each.ndim or each.dtype.kind not in "iu" for each in indices):
        return False
    index = node.attrs["index"]
    assert isinstance(index, Index)
    known = index.at([int(each) for each in indices if each is not None])
    try:
        found = node.op.infer(x.spec, index=known)
    except OpError:
        return False  # The node raises at run time.
    if found != node.outputs[0].spec:
        return False
    node.inputs, node.attrs = (x,), {"index": known}
    return True


def fold_node(graph: Graph, node: Node) -> list[Node] | None:
    """Return constants for the results of a node; None if it is not folded.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> with graph.recording():
    ...     node = (rt.constant(2) * 3).node
    >>> [each.attrs["value"] for each in fold_node(graph, node)]
    [6: int32]
    """
    if not node.inputs or not is_small(node) or node.op.name.startswith(_NOT_FOLDED):
        return None
    arrays = _operands(node)
    if arrays is None or not is_value(node):
        return None
    found = compute(node, arrays)
    if found is None:
        return None
    return [constant_node(graph, array, old) for array, old in zip(found, node.outputs)]


def _operands(node: Node) -> list[Array] | None:
    arrays: list[Array] = []
    if node.op.name in _SHAPE_OPS and _has_static_shape(node.inputs[0]):
        spec = node.inputs[0].spec
        shape: Any = spec.shape.dims
        # Only the shape matters: a view of one element has it without allocating memory.
        return [np.broadcast_to(np.zeros((), spec.dtype.np_dtype), shape)]
    for each in node.inputs:
        array = constant_of(each)
        if array is None:
            return None
        arrays.append(array)
    return arrays if sum([each.size for each in arrays]) <= MAX_OPERANDS_SIZE else None


_SHAPE_OPS = frozenset(("shape", "size", "rank", "ones_like", "zeros_like"))
# Ops that use only the shape of their second operand.
_SHAPE_OF_SECOND = frozenset(("sum_to_like", "broadcast_like"))


def _has_static_shape(tensor: SymbolicTensor) -> bool:
    # The declared shape of a user function's result holds only once it was checked at run time.
    return tensor.spec.shape.is_fully_defined() and tensor.node.op.effects != "io"


def is_small(node: Node) -> bool:
    """Return whether the results of a node are numeric, with few elements.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> with graph.recording():
    ...     many = rt.zeros([2000])
    >>> is_small(many.node)
    False
    """
    for each in node.outputs:
        dims = each.spec.shape.dims
        if dims is None or each.spec.dtype.kind not in "biufc":
            return False
        size = 1
        for dim in dims:
            if dim is None:
                return False
            size *= dim
        if size > MAX_RESULT_SIZE:
            return False
    return True


def compute(node: Node, arrays: Sequence[Array]) -> list[Array] | None:
    """Return copies of a node's results; None if it raises or the results differ from its specs."""
    try:
        found = run_kernel(kernel_op(node), arrays, node.attrs)
    except Exception:
        return None
    for array, output in zip(found, node.outputs, strict=True):
        if not (array.flags.c_contiguous and TensorSpec.of_array(array) == output.spec):
            return None
    return [array.copy() for array in found]
