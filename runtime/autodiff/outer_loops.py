"""Gradients inside a loop of an outer tape: earlier iterations are out of its reach.

with GradientTape() as tape:
    while i < n:                      the body knows y of this iteration, and that an
        y = y * x                     earlier one computed it, but not how
        slope = tape.gradient(y, x)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.autodiff.internal_results import spread
from runtime.autodiff.tape_steps import TapeStep, is_differentiable
from runtime.core.context import caller_origin, current_recorder
from runtime.core.tensor import SymbolicTensor
from runtime.errors import UnimplementedError


def check_iterations(
    opened_in: Any, steps: Sequence[TapeStep], targets: Sequence[object], sources: Sequence[Any]
) -> None:
    """Refuse a gradient that would need earlier iterations of a loop, or callers of a function.

    Args:
        opened_in: the current graph when the tape was opened.
        steps: the steps of the tape.
        targets, sources: the values, by their identities.

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
    spread(reached, [(step.op, step.sources, step.outputs, step.results) for step in steps])
    if any(id(each) in reached for each in targets):
        raise UnimplementedError(
            "a gradient is asked for in a loop, or a function that calls itself, and would go on "
            "in what happened there before: open the tape inside, ask for it outside, or put "
            "rt.stop_gradient(...) around what is carried from turn to turn",
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
