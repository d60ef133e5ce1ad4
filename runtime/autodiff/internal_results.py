"""Results of one branch or iteration that depend on each other inside of it.

if c:                             %z, %y = cond(%c, %x)
    z = 2 * x                     y is computed from z inside; outside, both are results of
    y = z * z                     the cond, and y seems not to depend on z
tape.gradient(y, z)

This module also tells whether two graphs are alternative branches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runtime.autodiff.tape_steps import TapeStep, gives_constants, identity_of, is_differentiable
from runtime.core.context import caller_origin
from runtime.core.tensor import SymbolicTensor
from runtime.errors import UnimplementedError
from runtime.graph.graph import Graph
from runtime.ops.gradient_rules import STOP_GRADIENT
from runtime.ops.op import Op


def check_siblings(
    steps: Sequence[TapeStep], targets: Sequence[object], sources: Sequence[object]
) -> None:
    """Refuse a gradient along a path inside of a branch or an iteration.

    Raises:
        UnimplementedError: a source is a result of an `if` or a loop, and a target depends on
            another result that was computed from it inside; or a source is an item of a list, and a
            target depends on another item, which may be the same or depend on it.
    """
    for source in sources:
        beside = _made_of(source) or _list_of(source)
        if not beside:
            continue
        reached = set(map(id, beside))
        others = [step for step in steps if step.node is not getattr(source, "node", None)]
        spread(reached, [(step.op, step.sources, step.outputs, step.results) for step in others])
        if any(id(each) in reached for each in targets):
            raise UnimplementedError(
                f"a gradient is asked for with respect to {source}, which was made in the same "
                "branch or loop as what it is the gradient of, or is in a list beside that: ask "
                "for it in there, or make it before",
                caller_origin(),
            )


def _made_of(value: object) -> list[SymbolicTensor]:
    """Return the results of the same node that depend on a result inside of the node's regions."""
    if not isinstance(value, SymbolicTensor) or not value.node.regions:
        return []
    found: dict[int, SymbolicTensor] = {}
    for region in value.node.regions:
        # Skip the test of a loop, and regions that only raise, which have no such results.
        if len(region.outputs) >= len(value.node.outputs) and region.outputs:
            for at in _reached_in(region, value.index):
                if at < len(value.node.outputs) and at != value.index:
                    found[at] = value.node.outputs[at]
    return list(found.values())


def _list_of(value: object) -> Sequence[object]:
    """Return the list that an item was taken from, in a list."""
    if not isinstance(value, SymbolicTensor) or value.node.op.name != "list_get":
        return []
    return [identity_of(value.node.inputs[0])]


def _reached_in(region: Graph, index: int) -> list[int]:
    start = region.outputs[index]
    reached = {id(start), *(id(each) for each in _made_of(start))}
    spread(reached, [(n.op, n.inputs, n.outputs, n.outputs) for n in region.nodes])
    return [at for at, each in enumerate(region.outputs) if id(each) in reached]


def spread(
    reached: set[int],
    steps: Iterable[tuple[Op, Sequence[object], Sequence[Any], Sequence[object]]],
) -> None:
    """Add the values that depend on reached values through gradients."""
    for op, sources, outputs, results in steps:
        if gives_constants(op) or op is STOP_GRADIENT:
            continue
        if any(id(each) in reached for each in sources):
            pairs = zip(outputs, results, strict=True)
            reached.update(id(each) for output, each in pairs if is_differentiable(output.dtype))


def around(graph: Any) -> list[Any]:
    """Return a graph and the graphs around it, the outermost last."""
    found = [graph]
    while found[-1].outer is not None:
        found.append(found[-1].outer)
    return found


def is_on_one_way(one: Any, other: Any) -> bool:
    """Return whether one run may execute both graphs: they are not alternative branches.

    Args:
        one, other: graphs that record; None for eager execution.
    """
    if one is None or other is None:
        return True
    outside_one, outside_other = around(one), around(other)
    if outside_one[-1] is not outside_other[-1]:
        return True
    return any(one is each for each in outside_other) or any(other is each for each in outside_one)
