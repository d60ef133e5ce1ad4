"""Adds outputs to recorded nodes, for their gradients to use.

    %while = while_loop(%x)          ->      %list = list_of()
                                             %while, %while_1 = while_loop(%x, %list)

A gradient needs values from inside of a branch or of an iteration. It is recorded after the node,
so the node gets additional outputs with these values; other users of the node are not affected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.graph.graph import Graph
from runtime.graph.node import Node, infer_specs
from runtime.ops.containers.list_kernels import APPEND, LIST_OF
from runtime.ops.op import Op


def with_output(node: Node, spec: TensorSpec) -> SymbolicTensor:
    """Add an output to a node and return it; the caller must add what computes it."""
    graph = node.outputs[0].graph if node.outputs else node.inputs[0].graph
    output = SymbolicTensor(graph, node, len(node.outputs), spec)
    node.outputs = (*node.outputs, output)
    return output


def add_to(
    region: Graph, op: Op, inputs: Sequence[SymbolicTensor], attrs: Mapping[str, Any]
) -> tuple[SymbolicTensor, ...]:
    """Add a node at the end of a region, even a finished one, and return its results."""
    settled, region._settled = region._settled, False
    try:
        specs = infer_specs(op, inputs, attrs)
        return region.append(op, tuple(inputs), attrs, (), specs, op.name, None).outputs
    finally:
        region._settled = settled


def measured(value: SymbolicTensor, op: Op) -> SymbolicTensor:
    """Compute something of a region's value directly after the value's node.

    A list may be changed in place later, since nobody reads its old value again.
    """
    region = value.graph
    (made,) = add_to(region, op, (value,), {})
    nodes = region.nodes
    at = nodes.index(value.node) + 1 if value.node in nodes else 0
    nodes.insert(at, nodes.pop())
    return made


def with_list_variable(loop: Node) -> tuple[SymbolicTensor, SymbolicTensor]:
    """Add a loop variable, a list that is empty before the loop.

    Returns:
        The list in the body, and the list after the loop. The body lacks its last output until
        `push` is called.
    """
    graph = loop.outputs[0].graph if loop.outputs else loop.inputs[0].graph
    count: Any = loop.attrs["variables"]
    empty = _before(graph, loop)
    loop.inputs = (*loop.inputs[:count], empty, *loop.inputs[count:])
    loop.attrs = {**loop.attrs, "variables": count + 1}
    test, body = loop.regions
    test.add_input(VARIANT, "residuals")
    inner = body.add_input(VARIANT, "residuals")
    return inner, with_output(loop, VARIANT)


def push(body: Graph, stack: SymbolicTensor, values: Sequence[SymbolicTensor]) -> None:
    """Append values to the list in each iteration, and make it the body's last output."""
    body.outputs = [*body.outputs, *add_to(body, APPEND, [stack, *values], {})]


def with_list_output(region: Graph, values: Sequence[SymbolicTensor]) -> None:
    """Return a list with values from a branch, as the last of its outputs."""
    width = max(len(values), 1)
    region.outputs = [*region.outputs, *add_to(region, LIST_OF, values, {"width": width})]


def _before(graph: Graph, node: Node) -> SymbolicTensor:
    """Insert an empty list before a node."""
    (empty,) = add_to(graph, LIST_OF, (), {"width": 1})
    graph.nodes.insert(graph.nodes.index(node), graph.nodes.pop())
    return empty
