"""Errors for gradients along paths that a tape does not record.

if c:                             %z, %y = cond(%c, %x)
    z = 2 * x                     y is computed from z inside; outside, both are results of the
    y = z * z                     cond, and y seems not to depend on z
tape.gradient(y, z)

with GradientTape() as tape:
    while i < n:                  the body has y as a loop variable, which an earlier iteration
        y = y * x                 computed from x
        dx = tape.gradient(y, x)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from runtime.autodiff.tape_steps import TapeStep, gives_constants, identity_of, is_differentiable
from runtime.core.context import caller_origin, current_recorder
from runtime.core.tensor import SymbolicTensor
from runtime.errors import UnimplementedError
from runtime.graph.graph import Graph
from runtime.ops.gradient_rules import STOP_GRADIENT
from runtime.ops.op import Op


def check_inner_paths(
    steps: Sequence[TapeStep], targets: Sequence[object], sources: Sequence[object]
) -> None:
    """Refuse a gradient along a path inside of one branch, one iteration, or one list.

    Raises:
        UnimplementedError: a source is a result of an `if` or a loop, and a target depends on
            another result that was computed from it inside; or a source is an item of a list, and a
            target depends on another item, which may be the same or depend on it.
    """
    for source in sources:
        beside = _dependent_results(source) or _list_with(source)
        if not beside:
            continue
        reached = set(map(id, beside))
        others = [step for step in steps if step.node is not getattr(source, "node", None)]
        add_dependents(
            reached, [(step.op, step.sources, step.outputs, step.results) for step in others]
        )
        if any(id(each) in reached for each in targets):
            raise UnimplementedError(
                f"a gradient is asked for with respect to {source}, which was made in the same "
                "branch or loop as the target, or is in one list with it: compute the gradient in "
                "there, or make that value before",
                caller_origin(),
            )


def _dependent_results(value: object) -> list[SymbolicTensor]:
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


def _list_with(value: object) -> Sequence[object]:
    """Return a list of one list: the one that an item was read from; else an empty list."""
    if not isinstance(value, SymbolicTensor) or value.node.op.name != "list_get":
        return []
    return [identity_of(value.node.inputs[0])]


def _reached_in(region: Graph, index: int) -> list[int]:
    start = region.outputs[index]
    reached = {id(start), *(id(each) for each in _dependent_results(start))}
    add_dependents(reached, [(n.op, n.inputs, n.outputs, n.outputs) for n in region.nodes])
    return [at for at, each in enumerate(region.outputs) if id(each) in reached]


def add_dependents(
    reached: set[int],
    steps: Iterable[tuple[Op, Sequence[object], Sequence[Any], Sequence[object]]],
) -> None:
    """Add to `reached` the results to which gradients flow from its values."""
    for op, sources, outputs, results in steps:
        if gives_constants(op) or op is STOP_GRADIENT:
            continue
        if any(id(each) in reached for each in sources):
            pairs = zip(outputs, results, strict=True)
            reached.update(id(each) for output, each in pairs if is_differentiable(output.dtype))


# -- a tape that was opened outside of a loop, which is asked inside of it -------------------------


def check_earlier_iterations(
    opened_in: Any, steps: Sequence[TapeStep], targets: Sequence[object], sources: Sequence[Any]
) -> None:
    """Refuse a gradient that would need earlier iterations of a loop, or callers of a function.

    Args:
        opened_in: the graph in which the tape was opened.
        steps: the steps of the tape.
        targets: the identities of the targets.
        sources: the identities of the watched sources.

    Raises:
        UnimplementedError: a target depends on a value from an earlier iteration or call.
    """
    graphs = list(_between(current_recorder(), opened_in))
    carried = [
        each
        for graph in graphs
        for each in graph.parameters
        if is_differentiable(each.dtype) and not all(_is_inside(of, graph) for of in sources)
    ]
    if not carried:
        return
    reached = set(map(id, carried))
    add_dependents(reached, [(step.op, step.sources, step.outputs, step.results) for step in steps])
    if any(id(each) in reached for each in targets):
        raise UnimplementedError(
            "a gradient is asked for in a loop, or a function that calls itself, and would go on "
            "into earlier iterations or calls: open the tape inside, ask for it outside, or put "
            "rt.stop_gradient(...) around the values that are carried from iteration to iteration",
            caller_origin(),
        )


def _between(graph: Any, opened_in: Any) -> Iterator[Any]:
    """Yield the regions entered since the tape was opened, innermost first."""
    while graph is not None and graph is not opened_in and graph.outer is not None:
        yield graph
        graph = graph.outer


def _is_inside(value: Any, graph: Any) -> bool:
    """Return whether a value is computed in a region, or in one inside of it, in each iteration."""
    around = value.graph if isinstance(value, SymbolicTensor) else None
    while around is not None and around is not graph:
        around = around.outer
    return around is graph
