"""Variables that a node reads: itself, in its regions, or in the graph that it calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.autodiff.backward import StepGradient
from runtime.core.tensor import SymbolicTensor
from runtime.graph.callee import called_graph
from runtime.graph.capture import outermost
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.variables import READ_VARIABLE
from runtime.ops.op import Op
from runtime.state.variable import Variable


def variables_read(
    op: Op, inputs: Sequence[Any], node: Node | None, is_sought: Callable[[Variable], bool]
) -> Iterator[Variable]:
    """Yield the variables that an op reads, not those that it only assigns.

    Args:
        op: the op.
        inputs: its operands.
        node: the node, None for an eager op.
        is_sought: whether a variable matters; a node's regions are searched only for these.

    A tape that was not open while a region was recorded finds its reads only this way.
    """
    reads_itself = op is READ_VARIABLE or isinstance(op.grad, StepGradient)
    if not reads_itself and (node is None or not (node.regions or called_graph(node.attrs))):
        return
    for at, operand in enumerate(inputs):
        variable = outermost(operand)
        if isinstance(variable, Variable) and is_sought(variable):
            if node is None or _is_read(node, at):
                yield variable


def _is_read(node: Node, at: int) -> bool:
    """Return whether a node reads the variable that is its operand `at`."""
    if node.op is READ_VARIABLE:
        return True
    if (called := called_graph(node.attrs)) is not None:
        return is_read_in(called.graph, called.graph.inputs[at])
    operand = node.inputs[at]
    captured = [
        (region, capture.inner)
        for region in node.regions
        for capture in region.captures
        if capture.outer is operand
    ]
    return any(is_read_in(region, inner) for region, inner in captured)


def is_read_in(graph: Graph, handle: SymbolicTensor) -> bool:
    """Return whether a node of a graph reads the variable of one of its inputs."""
    return any(
        _is_read(node, at)
        for node in graph.nodes
        for at, each in enumerate(node.inputs)
        if each is handle
    )
