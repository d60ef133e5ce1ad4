"""Differentiability analysis: the operands to which the gradients of a node's results flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.autodiff.tape_steps import gives_constants, is_differentiable
from runtime.graph.callee import called_graph
from runtime.graph.graph import Graph
from runtime.graph.node import Node

# A set of inputs or operands: bit n stands for number n.
Bits = int


def of_region(region: Graph) -> list[Bits]:
    """Return, for each output of a region, the inputs that it depends on."""
    found: dict[int, Bits] = {}
    for at, tensor in enumerate(region.inputs):
        found[id(tensor)] = 1 << at if is_differentiable(tensor.dtype) else 0
    for node in region.nodes:
        operands = [found.get(id(each), 0) for each in node.inputs]
        for output, bits in zip(node.outputs, _of_node(node), strict=True):
            if is_differentiable(output.dtype):
                found[id(output)] = _union(operands, bits)
    return [found.get(id(output), 0) for output in region.outputs]


def of_loop(loop: Node) -> list[Bits]:
    """Return, for each result of a loop, the operands it depends on after all iterations."""
    body = loop.regions[1]
    count = len(body.parameters)
    iteration = of_region(body)
    reached = [1 << at for at in range(count)]
    changed = True
    while changed:
        before = list(reached)
        for at in range(count):
            reached[at] |= _union(reached, iteration[at]) | (iteration[at] >> count) << count
        changed = before != reached
    return reached


def of_branches(node: Node) -> list[Bits]:
    """Return, for each result of a branching node, the operands it depends on in some branch."""
    rows = [of_region(region) for region in node.regions]
    merged = [0] * len(node.outputs)
    for row in rows:
        for at, bits in enumerate(row):
            merged[at] |= bits << 1
    return merged


def of_try(node: Node) -> list[Bits]:
    """Return, for each result of a `try`, the operands that it depends on in any part."""
    body, *handlers = node.regions
    noted: Any = node.attrs["noted"]
    rows = [[bits >> 1 << noted for bits in of_region(body)]]
    rows += [[bits >> 1 for bits in of_region(handler)] for handler in handlers]
    merged = [0] * len(node.outputs)
    for row in rows:
        for at, bits in enumerate(row):
            merged[at] |= bits
    # Values that a handler takes from an interrupted body may depend on all operands of the body.
    if any(bits & 1 for handler in handlers for bits in of_region(handler)):
        return [(1 << len(node.inputs)) - 1] * len(node.outputs)
    return merged


def reached_by(rows: Sequence[Bits], dys: Sequence[Any]) -> Bits:
    """Return the operands on which results with a gradient depend.

    Args:
        rows: for each result the operands on which it depends.
        dys: for each result its gradient, or None.
    """
    reached = 0
    for bits, dy in zip(rows, dys, strict=True):
        reached |= 0 if dy is None else bits
    return reached


def sought_operands(rows: Sequence[Bits], dys: Sequence[Any], wanted: Sequence[bool]) -> list[int]:
    """Return the positions of the operands that need a gradient (`wanted`) and have one."""
    reached = reached_by(rows, dys)
    return [at for at, is_wanted in enumerate(wanted) if is_wanted and reached >> at & 1]


def _of_node(node: Node) -> Sequence[Bits]:
    """Return, for each output of a node, the operands that it depends on."""
    if node.op.name == "while_loop":
        return of_loop(node)
    if node.op.name in ("cond", "switch_case"):
        return of_branches(node)
    if node.op.name == "try_except":
        return of_try(node)
    if (called := called_graph(node.attrs)) is not None:
        return of_region(called.graph)
    # An op without a gradient also depends on its operands, so that a gradient through it is
    # refused instead of skipped.
    everything = 0 if gives_constants(node.op) else (1 << len(node.inputs)) - 1
    return [everything] * len(node.outputs)


def _union(sets: Sequence[Bits], chosen: Bits) -> Bits:
    total = 0
    for at, bits in enumerate(sets):
        if chosen >> at & 1:
            total |= bits
    return total
