"""The gradient of a `try` is a branch on the part that completed.

    %y = try_except(%x)      ->      %y, %part, %residuals = try_except(%x)
                                     %dx = switch_case(%part, %residuals, %dy)

A handler sees variables as they were when the error was raised. A gradient can only flow through
them if the body had not changed them: the residuals of an interrupted body are lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.autodiff import dependence
from runtime.autodiff.backward import (
    NODE_RULES,
    Gradients,
    backpropagate,
    fitted,
    recording_graph,
    seeds_of,
    zeros_for,
)
from runtime.autodiff.residuals import BackwardGraph
from runtime.autodiff.tape_steps import steps_in
from runtime.core.array_value import ArrayValue
from runtime.core.dtypes import int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.errors import UnimplementedError
from runtime.graph.control_flow import record_switch
from runtime.graph.extra_outputs import add_list_output, add_output, append_node
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.convert import CONSTANT
from runtime.ops.effects.try_ops import NOTE


def try_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `try_except`.

    Raises:
        UnimplementedError: a handler uses values of the interrupted body.
    """
    graph = recording_graph()
    positions = dependence.sought_operands(dependence.of_try(node), dys, wanted)
    if not positions:
        return [None] * len(node.inputs)
    _check_handlers(node, dys)
    part, residuals = _add_part_outputs(node)
    backs = [
        _backward_branch(graph, node, region, dys, positions, residuals) for region in node.regions
    ]
    for region, back in zip(node.regions, backs, strict=True):
        add_list_output(region, back.residuals, node.origin)
    found = iter(record_switch(graph.capture(part), backs))
    return [next(found) if at in positions else None for at in range(len(node.inputs))]


def _check_handlers(node: Node, dys: Gradients) -> None:
    """Refuse a gradient that would flow into the interrupted body."""
    body, *handlers = node.regions
    noted: set[int] = set()
    for each in body.walk():
        if each.op is NOTE:
            what: Any = each.attrs["noted"]
            noted.update(what.places)
    # The first parameter of a handler is the exception.
    interrupted = sum(1 << position + 1 for position in noted) | 1
    for handler in handlers:
        for bits, dy in zip(dependence.of_region(handler), dys, strict=False):
            if dy is not None and bits & interrupted:
                raise UnimplementedError(
                    "a gradient would depend on a value that a handler of a `try` reads from the "
                    "exception, or from a variable that the `try` had changed before: compute "
                    "that value after the `try`, or use only values from before the `try` in the "
                    "handler",
                    node.origin,
                )


def _add_part_outputs(node: Node) -> tuple[SymbolicTensor, SymbolicTensor]:
    """Let a `try` also return the index of the part that completed, and a list for residuals."""
    for at, region in enumerate(node.regions):
        number = {"value": ArrayValue(np.array(at, np.int32))}
        region.outputs = [*region.outputs, *append_node(region, CONSTANT, (), number, node.origin)]
    return add_output(node, TensorSpec((), int32)), add_output(node, VARIANT)


def _backward_branch(
    graph: Graph,
    node: Node,
    region: Graph,
    dys: Gradients,
    positions: Sequence[int],
    residuals: SymbolicTensor,
) -> BackwardGraph:
    """Return the backward graph of a part, with gradients of the operands at `positions`."""
    back = BackwardGraph(f"{region.name}_gradient", graph, region, lambda: residuals)
    inners = [_inner(node, region, at) for at in positions]
    seeds = seeds_of(region.outputs, dys)
    with back.recording():
        sums = backpropagate(steps_in(region), seeds, [each for each in inners if each is not None])
        found = [None if each is None else sums.of(each) for each in inners]
        operands = [node.inputs[at] for at in positions]
        pairs = zip(operands, found, strict=True)
        outputs = [zeros_for(of) if dx is None else fitted(dx, of) for of, dx in pairs]
    back.set_outputs(outputs)
    return back


def _inner(node: Node, region: Graph, at: int) -> SymbolicTensor | None:
    """Return the region's tensor for an operand; the body does not get the noted values."""
    noted: Any = node.attrs["noted"]
    if region is not node.regions[0]:
        return region.inputs[1 + at]
    return region.inputs[1 + at - noted] if at >= noted else None


NODE_RULES["try_except"] = try_gradient
