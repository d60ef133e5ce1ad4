"""Adds outputs to recorded nodes, for their gradients to use.

    %while = while_loop(%x)          ->      %list = list_of()
                                             %while, %while_1 = while_loop(%x, %list)

A gradient needs values of a region. It is recorded after the node that owns the region, so the node
gets additional outputs with these values; other users of the node are not affected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.core.context import Origin
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.graph.graph import Graph
from runtime.graph.node import Node, infer_specs
from runtime.ops.containers.list_kernels import APPEND, LIST_OF
from runtime.ops.op import Op


def add_output(node: Node, spec: TensorSpec) -> SymbolicTensor:
    """Add an output to a node and return it; the caller must add an output to each region."""
    graph = node.outputs[0].graph if node.outputs else node.inputs[0].graph
    output = SymbolicTensor(graph, node, len(node.outputs), spec)
    node.outputs = (*node.outputs, output)
    return output


def append_node(
    region: Graph,
    op: Op,
    inputs: Sequence[SymbolicTensor],
    attrs: Mapping[str, Any],
    origin: Origin | None,
) -> tuple[SymbolicTensor, ...]:
    """Add a node at the end of a region, even a finished one, and return its results."""
    was_finished, region._is_finished = region._is_finished, False
    try:
        specs = infer_specs(op, inputs, attrs)
        return region.append(op, tuple(inputs), attrs, (), specs, op.name, origin).outputs
    finally:
        region._is_finished = was_finished


def insert_after_value(value: SymbolicTensor, op: Op) -> SymbolicTensor:
    """Insert a node of `op` with the operand `value` directly after the value's node.

    At the end of the region it would keep an old list alive, which could not change in place.
    """
    region = value.graph
    (made,) = append_node(region, op, (value,), {}, value.node.origin)
    nodes = region.nodes
    at = nodes.index(value.node) + 1 if value.node in nodes else 0
    nodes.insert(at, nodes.pop())
    return made


def add_list_variable(loop: Node) -> tuple[SymbolicTensor, SymbolicTensor]:
    """Add a loop variable, a list that is empty before the loop.

    Returns:
        The list in the body, and the list after the loop. The body lacks its last output until
        `append_in_body` is called.
    """
    graph = loop.outputs[0].graph if loop.outputs else loop.inputs[0].graph
    count: Any = loop.attrs["variables"]
    empty = _before(graph, loop)
    loop.inputs = (*loop.inputs[:count], empty, *loop.inputs[count:])
    loop.attrs = {**loop.attrs, "variables": count + 1}
    test, body = loop.regions
    test.add_input(VARIANT, "residuals")
    inner = body.add_input(VARIANT, "residuals")
    return inner, add_output(loop, VARIANT)


def append_in_body(loop: Node, stack: SymbolicTensor, values: Sequence[SymbolicTensor]) -> None:
    """Append values to the list `stack` in a loop's body, and make it the body's last output."""
    body = loop.regions[1]
    longer = append_node(body, APPEND, [stack, *values], {}, loop.origin)
    body.outputs = [*body.outputs, *longer]


def add_list_output(region: Graph, values: Sequence[SymbolicTensor], origin: Origin | None) -> None:
    """Add an output to a region: a list of values, with the line of the region's statement."""
    width = max(len(values), 1)
    made = append_node(region, LIST_OF, values, {"width": width}, origin)
    region.outputs = [*region.outputs, *made]


def _before(graph: Graph, node: Node) -> SymbolicTensor:
    """Insert an empty list before a node."""
    (empty,) = append_node(graph, LIST_OF, (), {"width": 1}, node.origin)
    graph.nodes.insert(graph.nodes.index(node), graph.nodes.pop())
    return empty
