"""Constant folding: computes nodes that depend on constants only, at compile time.

%constant = constant() {value=2}         %constant = constant() {value=4}
%add = add(%constant, %constant)    ->   %multiply = multiply(%x, %constant)
%multiply = multiply(%x, %add)           return %multiply
return %multiply

Results that may be large are not computed, and nodes that raise are left to raise at run time.
Captured scalar constants are copied into regions, so that rules see them there.
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
from runtime.ops.python.exact_integers import exact
from runtime.passes.constants import constant_node, constant_of
from runtime.passes.node_traits import is_python_int, is_value
from runtime.passes.rewriting import Rewriting, give_operands, used_in

# The most elements of a folded result, and of all operands of one op together.
LARGEST_RESULT = 1024
LARGEST_OPERANDS = 16384
# Ops that cost more than folding saves, or run up to a given number of steps.
_LEFT = ("stateless_", "matrix_", "svd", "eig", "lu", "qr", "cholesky", "pow", "number_method")


def fold(graph: Graph) -> bool:
    """Replace nodes that depend on constants only by constants; return whether there were any.

    Example:
        >>> import runtime as rt
        >>> graph = rt.Graph("f")
        >>> with graph.recording():
        ...     graph.set_outputs([rt.constant(2) * 3 + 1])
        >>> fold(graph), graph.outputs[0].node.attrs["value"]
        (True, 7: int32)
    """
    return _Folding().run(graph)


class _Folding(Rewriting):
    def enters(self, graph: Graph, owner: Node | None) -> None:
        if owner is None or not graph.captures:
            return
        used = used_in(graph)
        for held in graph.captures:
            array = constant_of(held.inner)
            if array is None or array.size != 1 or id(held.inner) not in used:
                continue
            if TensorSpec.of_array(array) == held.inner.spec:
                node = self.emit(constant_node(graph, array, held.inner))
                self.replace(held.inner, node.outputs[0])

    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        if node.op.name in _LIKE_SECOND:
            self._take_only_shape(graph, node)
        elif node.op.name == "strided_slice" and _take_places(node):
            self.changed = True
        made = folded(graph, node)
        return None if made is None else [self.emit(each).outputs[0] for each in made]

    def _take_only_shape(self, graph: Graph, node: Node) -> None:
        """Replace an operand that only gives a small, known shape by zeros."""
        like = node.inputs[1]
        if constant_of(like) is not None or not _has_static_shape(like):
            return
        dims: Any = like.shape.dims
        if prod(dims) > LARGEST_RESULT or like.dtype.kind not in "biufc":
            return
        zeros = np.zeros(dims, like.dtype.np_dtype)
        shown = self.emit(constant_node(graph, zeros, like))
        give_operands(node, [node.inputs[0], shown.outputs[0]])


def _take_places(node: Node) -> bool:
    """Make constant scalar indices part of a node's index attribute, if they are in range."""
    x, *scalars = node.inputs
    places = [constant_of(each) for each in scalars]
    if not scalars or not x.spec.shape.is_fully_defined():
        return False
    if any(each is None or each.ndim or each.dtype.kind not in "iu" for each in places):
        return False
    index = node.attrs["index"]
    assert isinstance(index, Index)
    known = index.at([int(each) for each in places if each is not None])
    try:
        found = node.op.infer(x.spec, index=known)
    except OpError:
        return False  # The node raises at run time.
    if found != node.outputs[0].spec:
        return False
    node.inputs, node.attrs = (x,), {"index": known}
    return True


def folded(graph: Graph, node: Node) -> list[Node] | None:
    """Return constants for the results of a node; None if these are not known or not worth it.

    >>> import runtime as rt
    >>> graph = rt.Graph("f")
    >>> with graph.recording():
    ...     node = (rt.constant(2) * 3).node
    >>> [each.attrs["value"] for each in folded(graph, node)]
    [6: int32]
    """
    if not node.inputs or not is_small(node) or node.op.name.startswith(_LEFT):
        return None
    arrays = _operands(node)
    if arrays is None or not is_value(node):
        return None
    found = computed(node, arrays)
    if found is None:
        return None
    return [constant_node(graph, array, old) for array, old in zip(found, node.outputs)]


def _operands(node: Node) -> list[Array] | None:
    arrays: list[Array] = []
    if node.op.name in _OF_SHAPES and _has_static_shape(node.inputs[0]):
        spec = node.inputs[0].spec
        shape: Any = spec.shape.dims
        # Only the shape matters: a view of one element has it without allocating memory.
        return [np.broadcast_to(np.zeros((), spec.dtype.np_dtype), shape)]
    for each in node.inputs:
        array = constant_of(each)
        if array is None:
            return None
        arrays.append(array)
    return arrays if sum([each.size for each in arrays]) <= LARGEST_OPERANDS else None


_OF_SHAPES = frozenset(("shape", "size", "rank", "ones_like", "zeros_like"))
# Ops that use only the shape of their second operand.
_LIKE_SECOND = frozenset(("sum_to_like", "broadcast_like"))


def _has_static_shape(tensor: SymbolicTensor) -> bool:
    # The declared shape of a user function's result holds only once it was checked at run time.
    return tensor.spec.shape.is_fully_defined() and tensor.node.op.effects != "io"


def is_small(node: Node) -> bool:
    """Return whether the results of a node are numbers, and known to be few.

    >>> import runtime as rt
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
        if size > LARGEST_RESULT:
            return False
    return True


def computed(node: Node, arrays: Sequence[Array]) -> list[Array] | None:
    """Return copies of a node's results; None if it raises, or they differ from its specs."""
    op = exact(node.op) if is_python_int(node) else node.op
    try:
        found = run_kernel(op, arrays, node.attrs)
    except Exception:
        return None
    for array, output in zip(found, node.outputs, strict=True):
        if not (array.flags.c_contiguous and TensorSpec.of_array(array) == output.spec):
            return None
    return [array.copy() for array in found]
