"""Turns the addition of a tensor with one nonzero part into an update of that part (scatter-add).

body(%sum, %dy, %i):                              body(%sum, %dy, %i):
  %back = sliced_back(%dy, %x, %i)                  %part = strided_slice(%sum, %i)
  %more = add(%sum, %back)                  ->      %add = add(%part, %dy)
  return %more                                      %more = set_item(%sum, %add, %i)
                                                    return %more

Such loops are the backward pass of `x[i]`: they would process all of `x` in each iteration, while
the update can be made in place. Adding 0 changes only -0.0, which never occurs in a sum that starts
with 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.arrays.index import Index, Input
from runtime.ops.op import REGISTRY
from runtime.passes.constants import constant_of
from runtime.passes.rewriting import Rewriting, new_node


def scatter_accumulate(graph: Graph) -> bool:
    """Turn such additions to loop variables into updates; return whether there were any.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> def gradient(x):
        ...     with rt.GradientTape() as tape:
        ...         tape.watch(x)
        ...         total = rt.constant(0.0)
        ...         for i in rt.range(3):
        ...             total += x[i] ** 2
        ...     return tape.gradient(total, x)
        >>> traced = ag.function(gradient).get_concrete_function(rt.TensorSpec((3,), rt.float32))
        >>> from runtime.passes import select_passes, optimize
        >>> for passes in ("-scatter_accumulate", None):
        ...     graph = optimize(traced.graph, select_passes(passes))
        ...     names = {each.op.name for each in graph.walk()}
        ...     print(sorted(names & {"set_item", "sliced_back"}))
        ['sliced_back']
        ['set_item']
    """
    return _Accumulating().run(graph)


class _Accumulating(Rewriting):
    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        if node.op.name == "while_loop":
            body = node.regions[1]
            for at in range(len(body.parameters)):
                if _has_no_negative_zero(node.inputs[at]) and _rewrite_addition(body, at):
                    self.changed = True
        return None


def _has_no_negative_zero(tensor: SymbolicTensor) -> bool:
    """Return whether the initial value of a loop variable is known to contain no -0.0."""
    if tensor.dtype.kind != "f" or not tensor.spec.shape.rank:
        return False
    if tensor.node.op.name == "zeros_like":
        return True
    array = constant_of(tensor)
    return array is not None and not (np.signbit(array) & (array == 0)).any()


def _rewrite_addition(body: Graph, at: int) -> bool:
    """Replace the addition to a loop variable by an update, if it is an addition to one part."""
    total, more = body.parameters[at], body.outputs[at]
    if more.node.op.name != "add" or not total.spec.shape.is_fully_defined():
        return False
    back = next((each for each in more.node.inputs if each is not total), total)
    found = _nonzero_index(back.node)
    uses = _uses(body)
    once = all(uses[id(each)] == 1 for each in (total, more, back))
    if found is None or not once or back.spec != total.spec or more.spec != total.spec:
        return False
    index, scalars = found
    dy = back.node.inputs[0]
    part = TensorSpec(index.result_shape(total.spec.shape), total.dtype)
    if dy.spec != part or more.node not in body.nodes or back.node not in body.nodes:
        return False
    operands = [total, *scalars]
    attrs: dict[str, Any] = {"index": index}
    origin = more.node.origin
    read = new_node(
        body, REGISTRY["strided_slice"], operands, attrs, [part], "strided_slice", origin
    )
    pair = [read.outputs[0] if each is total else dy for each in more.node.inputs]
    added = new_node(body, more.node.op, pair, more.node.attrs, [part], "add", origin)
    written = [total, added.outputs[0], *scalars]
    write = new_node(
        body, REGISTRY["set_item"], written, attrs, [total.spec.unnamed()], "set_item", origin
    )
    where = body.nodes.index(more.node)
    body.nodes[where : where + 1] = [read, added, write]
    body.nodes.remove(back.node)
    body.outputs[at] = write.outputs[0]
    return True


def _nonzero_index(node: Node) -> tuple[Index, Sequence[SymbolicTensor]] | None:
    """Return the only index at which a node's result may be nonzero; None if it is not known."""
    if node.op.name == "sliced_back":
        _, _, *scalars = node.inputs
        index = node.attrs["index"]
        assert isinstance(index, Index)
        return (index, scalars) if all(each.spec.shape.rank == 0 for each in scalars) else None
    if node.op.name != "gathered_back" or node.inputs[1].spec.shape.rank != 0:
        return None
    if node.attrs["axis"] != 0 or node.attrs.get("batch_dims"):
        return None
    return Index((Input(0),)), [node.inputs[1]]


def _uses(graph: Graph) -> Counter[int]:
    """Return the number of uses of each value, by identity."""
    uses = Counter(id(each) for node in graph.nodes for each in node.inputs)
    uses.update(map(id, graph.outputs))
    return uses
