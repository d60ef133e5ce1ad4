"""Gradients of branches and loops are branches and loops.

    %y = while_loop(%x)       ->     %y, %residuals = while_loop(%x, %empty)
                                     %rest, %dx = while_loop(%residuals, %dy)

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
    gradient_input,
    recording_graph,
    seeds_of,
    zeros_for,
)
from runtime.autodiff.residuals import BackwardGraph
from runtime.autodiff.tape_steps import is_differentiable, steps_in
from runtime.core.tensor import SymbolicTensor
from runtime.core.variant import VARIANT
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
    graph = recording_graph()
    reached = dependence.reached_by(dependence.of_branches(node), dys)
    positions = [at for at in range(1, len(node.inputs)) if wanted[at] and reached >> at & 1]
    if not positions:
        return [None] * len(node.inputs)
    residuals: list[SymbolicTensor] = []
    operands, regions = node.inputs, node.regions

    def stack() -> SymbolicTensor:
        if not residuals:
            residuals.append(add_output(node, VARIANT))
        return residuals[0]

    backs = []
    for region in regions:
        back = BackwardGraph(f"{region.name}_gradient", graph, region, stack)
        with back.recording():
            inners = [region.captures[at - 1].inner for at in positions]
            sums = backpropagate(steps_in(region), seeds_of(region.outputs, dys), inners)
            outputs = [sums.or_zeros(inner) for inner in inners]
        back.set_outputs(outputs)
        backs.append(back)
    if residuals:
        for region, back in zip(regions, backs, strict=True):
            add_list_output(region, back.residuals, node.origin)
    chooser = operands[0]
    if node.op.name == "cond":
        then, orelse = backs
        found = record_cond(chooser, then, orelse)
    else:
        found = record_switch(chooser, backs)
    return _at_positions(len(operands), positions, found)


def loop_gradient(node: Node, dys: Gradients, wanted: Sequence[bool]) -> Gradients:
    """Return the gradients of the operands of a `while_loop`."""
    graph, (_, body) = recording_graph(), node.regions
    operands, count = node.inputs, _count(node)
    active, captures = _active(node, dys, wanted)
    if not active and not captures:
        return [None] * len(operands)
    results = node.outputs
    inner_stack, residuals = add_list_variable(node)
    back = BackwardGraph(f"{body.name}_gradient", graph, body, lambda: parameter)
    parameter = back.add_input(VARIANT, "residuals")
    adjoints = [gradient_input(back, body.parameters[at]) for at in active]
    inners = [body.captures[at - count].inner for at in captures]
    totals = [gradient_input(back, inner) for inner in inners]
    with back.recording():
        back.pop_node()
        seeds = GradientSums()
        for at, adjoint in zip(active, adjoints, strict=True):
            seeds.add(body.outputs[at], adjoint)
        for inner, total in zip(inners, totals, strict=True):
            seeds.add(inner, total)
        variables = [body.parameters[at] for at in active]
        sums = backpropagate(steps_in(body), seeds, [*variables, *inners])
        outputs = [sums.or_zeros(each) for each in (*variables, *inners)]
    back.set_outputs([back.rest, *outputs])
    test = Graph("test", graph)
    remaining = test.add_input(VARIANT, "residuals")
    for each in (*adjoints, *totals):
        test.add_input(each.spec, "gradient")
    with test.recording():
        has_residuals = greater(list_length(remaining), 0)
    test.set_outputs([has_residuals])
    append_in_body(node, inner_stack, back.residuals)
    given = [zeros_for(results[at]) if dys[at] is None else dys[at] for at in active]
    first = [fitted(dy, body.parameters[at]) for at, dy in zip(active, given, strict=True)]
    zero_gradients = [zeros_for(operands[at]) for at in captures]
    _, *found = record_while(test, back, [graph.capture(residuals), *first, *zero_gradients])
    return _at_positions(len(operands), [*active, *captures], found)


def _active(node: Node, dys: Gradients, wanted: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Return the loop variables and the captures that gradients flow through."""
    count = _count(node)
    reached = dependence.of_loop(node)
    iteration = dependence.of_region(node.regions[1])
    sought = sum(1 << at for at, is_wanted in enumerate(wanted) if is_wanted)
    useful = dependence.reached_by(reached, dys)
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


def _at_positions(count: int, positions: Sequence[int], found: Sequence[Any]) -> Gradients:
    table = dict(zip(positions, found, strict=True))
    return [table.get(at) for at in range(count)]


NODE_RULES["cond"] = branches_gradient
NODE_RULES["switch_case"] = branches_gradient
NODE_RULES["while_loop"] = loop_gradient
