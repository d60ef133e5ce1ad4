"""Gradients of branches and loops are branches and loops.

    %y = while_loop(%x)       ->     %y, %kept = while_loop(%x, %empty)
                                     %rest, %dx = while_loop(%kept, %dy)

A loop appends the residuals of each iteration to a list; the backward loop pops them, from the last
iteration to the first. A branch returns a list of one item.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
from runtime.core.context import current_recorder
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
from runtime.errors import GraphError
from runtime.graph.control_flow import record_cond, record_switch, record_while
from runtime.graph.extra_outputs import (
    add_list_output,
    add_list_variable,
    add_output,
    append_in_body,
)
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.containers.lists import list_length
from runtime.ops.elementwise.comparison import greater


def branches_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `cond` or `switch_case`."""
    graph = _recording()
    reached = _reached(dependence.of_branches(node), dys)
    places = [at for at in range(1, len(node.inputs)) if wanted[at] and reached >> at & 1]
    if not places:
        return [None] * len(node.inputs)
    kept: list[SymbolicTensor] = []
    operands, regions = node.inputs, node.regions

    def stack() -> SymbolicTensor:
        if not kept:
            kept.append(add_output(node, VARIANT))
        return kept[0]

    backs = []
    for region in regions:
        back = FollowingGraph(f"{region.name}_gradient", graph, region, stack)
        with back.recording():
            inners = [region.captures[at - 1].inner for at in places]
            sums = backpropagate(steps_in(region), _seeds(region.outputs, dys), inners)
            outputs = [_or_zeros(sums, inner) for inner in inners]
        back.set_outputs(outputs)
        backs.append(back)
    if kept:
        for region, back in zip(regions, backs, strict=True):
            add_list_output(region, back.residuals)
    chooser = operands[0]
    if node.op.name == "cond":
        then, orelse = backs
        found = record_cond(chooser, then, orelse)
    else:
        found = record_switch(chooser, backs)
    return _spread(len(operands), places, found)


def loop_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `while_loop`."""
    graph, (_, body) = _recording(), node.regions
    operands, count = node.inputs, _count(node)
    active, captures = _active(node, dys, wanted)
    if not active and not captures:
        return [None] * len(operands)
    results = node.outputs
    inner_stack, kept = add_list_variable(node)
    back = FollowingGraph(f"{body.name}_gradient", graph, body, lambda: parameter)
    parameter = back.add_input(VARIANT, "residuals")
    adjoints = [_parameter(back, body.parameters[at]) for at in active]
    inners = [body.captures[at - count].inner for at in captures]
    totals = [_parameter(back, inner) for inner in inners]
    with back.recording():
        back.popped()
        seeds = GradientSums()
        for at, adjoint in zip(active, adjoints, strict=True):
            seeds.add(body.outputs[at], adjoint)
        for inner, total in zip(inners, totals, strict=True):
            seeds.add(inner, total)
        variables = [body.parameters[at] for at in active]
        sums = backpropagate(steps_in(body), seeds, [*variables, *inners])
        outputs = [_or_zeros(sums, each) for each in (*variables, *inners)]
    back.set_outputs([back.rest, *outputs])
    test = Graph("test", graph)
    remaining = test.add_input(VARIANT, "residuals")
    for each in (*adjoints, *totals):
        test.add_input(each.spec, "gradient")
    with test.recording():
        goes_on = greater(list_length(remaining), 0)
    test.set_outputs([goes_on])
    append_in_body(body, inner_stack, back.residuals)
    given = [zeros_for(results[at]) if dys[at] is None else dys[at] for at in active]
    first = [fitted(dy, body.parameters[at]) for at, dy in zip(active, given, strict=True)]
    nothing = [zeros_for(operands[at]) for at in captures]
    _, *found = record_while(test, back, [graph.capture(kept), *first, *nothing])
    return _spread(len(operands), [*active, *captures], found)


def _active(node: Node, dys: Gradients, wanted: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Return the loop variables and the captures that gradients flow through."""
    count = _count(node)
    reached = dependence.of_loop(node)
    iteration = dependence.of_region(node.regions[1])
    sought = sum(1 << at for at, is_wanted in enumerate(wanted) if is_wanted)
    useful = _reached(reached, dys)
    body = node.regions[1]
    active = [
        at
        for at in range(count)
        if useful >> at & 1
        and reached[at] & sought
        and is_differentiable(body.parameters[at].dtype)
    ]
    used = 0
    for at in active:
        used |= iteration[at]
    return active, [at for at in range(count, len(node.inputs)) if (used & sought) >> at & 1]


def _count(loop: Node) -> int:
    count: Any = loop.attrs["variables"]
    return int(count)


def _reached(rows: Sequence[int], dys: Gradients) -> int:
    """Return the operands on which results with a gradient depend, as bits."""
    total = 0
    for bits, dy in zip(rows, dys, strict=True):
        if dy is not None:
            total |= bits
    return total


def _seeds(outputs: Sequence[SymbolicTensor], dys: Gradients) -> GradientSums:
    seeds = GradientSums()
    for output, dy in zip(outputs, dys, strict=False):
        if is_differentiable(output.dtype):
            seeds.add(output, dy)
    return seeds


def _or_zeros(sums: GradientSums, value: Any) -> Any:
    found = sums.of(value)
    return zeros_for(value) if found is None else fitted(found, value)


def _parameter(graph: Graph, like: SymbolicTensor) -> SymbolicTensor:
    spec = VARIANT if like.dtype.is_variant else like.spec
    return graph.add_input(type(VARIANT)(spec.shape, spec.dtype), "gradient")


def _spread(count: int, places: Sequence[int], found: Sequence[Any]) -> Gradients:
    table = dict(zip(places, found, strict=True))
    return [table.get(at) for at in range(count)]


def _recording() -> Graph:
    recorder = current_recorder()
    if not isinstance(recorder, Graph):
        raise GraphError("a gradient through a graph can only be asked for while it is recorded")
    return recorder


NODE_RULES["cond"] = branches_gradient
NODE_RULES["switch_case"] = branches_gradient
NODE_RULES["while_loop"] = loop_gradient
