"""Variables that a node reads: by itself, in its regions, or in the graph that it calls."""

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
    """Yield the variables that an op reads; those it only assigns are none of them.

    Args:
        op: what is done, with its `inputs`.
        node: the node, None for what was computed at once.
        is_sought: which variables matter: only for these the node is looked into.

    A node whose regions were recorded while nobody watched, as those of a function that was traced
    before, tells of the reads inside of it only here.
    """
    if op is READ_VARIABLE or isinstance(op.grad, StepGradient):
        places = list(range(len(inputs)))
    elif node is None or not (node.regions or called_graph(node.attrs)):
        return
    else:
        places = list(range(len(inputs)))
    for at in places:
        variable = outermost(inputs[at])
        if isinstance(variable, Variable) and is_sought(variable):
            if node is None or _is_read(node, at):
                yield variable


def _is_read(node: Node, at: int) -> bool:
    """Tell whether a node reads the variable that is its operand `at`."""
    if node.op is READ_VARIABLE:
        return True
    if (called := called_graph(node.attrs)) is not None:
        return is_read_in(called.graph, called.graph.inputs[at])
    operand = node.inputs[at]
    captured = [
        (region, held.inner)
        for region in node.regions
        for held in region.captures
        if held.outer is operand
    ]
    return any(is_read_in(region, inner) for region, inner in captured)


def is_read_in(graph: Graph, handle: SymbolicTensor) -> bool:
    """Tell whether a node of a graph reads the variable that an input of it stands for."""
    return any(
        _is_read(node, at)
        for node in graph.nodes
        for at, each in enumerate(node.inputs)
        if each is handle
    )
