"""The gradient of a `try` is a branch on the part that completed.

    %y = try_except(%x)      ->      %y, %part, %kept = try_except(%x)
                                     %dx = switch_case(%part, %kept, %dy)

A handler sees variables as they were when the error was raised. A gradient can only go on from
there
if the body had not changed them: the values of an interrupted body are not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.autodiff import dependence
from runtime.autodiff.backward import (
    NODE_RULES,
    Gradients,
    GradientSums,
    backpropagate,
    fitted,
    zeros_for,
)
from runtime.autodiff.residuals import FollowingGraph
from runtime.autodiff.tape_steps import is_differentiable, steps_in
from runtime.core.array_value import ArrayValue
from runtime.core.context import current_recorder
from runtime.core.dtypes import int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.errors import GraphError, UnimplementedError
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
    graph = current_recorder()
    if not isinstance(graph, Graph):
        raise GraphError("a gradient through a graph can only be asked for while it is recorded")
    places = _places(node, dys, wanted)
    if not places:
        return [None] * len(node.inputs)
    _check_handlers(node, dys)
    part, kept = _handed_out(node)
    backs = [_gone_back(graph, node, region, dys, places, kept) for region in node.regions]
    for region, back in zip(node.regions, backs, strict=True):
        add_list_output(region, back.residuals)
    found = iter(record_switch(graph.capture(part), backs))
    return [next(found) if at in places else None for at in range(len(node.inputs))]


def _places(node: Node, dys: Gradients, wanted: Sequence[bool]) -> list[int]:
    """Return the positions of the operands that need a gradient and have one."""
    reached = 0
    for bits, dy in zip(dependence.of_try(node), dys, strict=True):
        reached |= 0 if dy is None else bits
    return [at for at, matters in enumerate(wanted) if matters and reached >> at & 1]


def _check_handlers(node: Node, dys: Gradients) -> None:
    """Refuse a gradient that would flow into the part of the body before the error."""
    body, *handlers = node.regions
    noted: set[int] = set()
    for each in body.walk():
        if each.op is NOTE:
            what: Any = each.attrs["noted"]
            noted.update(what.places)
    # The first parameter of a handler is the exception.
    partly = sum(1 << place + 1 for place in noted) | 1
    for handler in handlers:
        for bits, dy in zip(dependence.of_region(handler), dys, strict=False):
            if dy is not None and bits & partly:
                raise UnimplementedError(
                    "a gradient would go through what a handler of a `try` takes from the "
                    "exception, or from a variable that the `try` had changed before: compute "
                    "that after the `try`, or let the handler begin with what there was before it",
                    node.origin,
                )


def _handed_out(node: Node) -> tuple[SymbolicTensor, SymbolicTensor]:
    """Let a `try` also return the index of the part that completed, and a list for residuals."""
    for at, region in enumerate(node.regions):
        number = {"value": ArrayValue(np.array(at, np.int32))}
        region.outputs = [*region.outputs, *append_node(region, CONSTANT, (), number)]
    return add_output(node, TensorSpec((), int32)), add_output(node, VARIANT)


def _gone_back(
    graph: Graph,
    node: Node,
    region: Graph,
    dys: Gradients,
    places: Sequence[int],
    kept: SymbolicTensor,
) -> FollowingGraph:
    """Return the backward graph of a part, with gradients of the operands at `places`."""
    back = FollowingGraph(f"{region.name}_gradient", graph, region, lambda: kept)
    inners = [_inner(node, region, at) for at in places]
    seeds = GradientSums()
    for output, dy in zip(region.outputs, dys, strict=False):
        if is_differentiable(output.dtype):
            seeds.add(output, dy)
    with back.recording():
        sums = backpropagate(steps_in(region), seeds, [each for each in inners if each is not None])
        found = [None if each is None else sums.of(each) for each in inners]
        operands = [node.inputs[at] for at in places]
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
