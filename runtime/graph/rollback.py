"""Rolls a graph back to an earlier state and discards the nodes recorded since."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.graph.capture import Capture
from runtime.graph.effects import EffectOrder
from runtime.graph.graph import Graph
from runtime.graph.node import Node


@dataclass(frozen=True)
class GraphMark:
    """The state of a graph at one time, for a rollback."""

    last: Node | None
    captures: tuple[Capture, ...]
    numbers: dict[str, int]
    order: EffectOrder
    effect: str
    variables: int


def mark(graph: Graph) -> GraphMark:
    """Return the current state of a graph that is being recorded.

    >>> import runtime as rt
    >>> graph = rt.Graph("f")
    >>> before = mark(graph)
    >>> with graph.recording():
    ...     one = rt.constant(1)
    >>> go_back(graph, before)
    >>> len(graph)
    0
    """
    return GraphMark(
        graph.nodes[-1] if graph.nodes else None,
        tuple(graph.captures),
        dict(graph._next_number),
        graph._order.copy(),
        graph.effect,
        len(graph.created_variables),
    )


def go_back(graph: Graph, to: GraphMark) -> None:
    """Discard the nodes recorded since a state; their tensors must not be used any more."""
    # Other nodes may have been inserted before the last one since then (`growing`); they stay.
    while graph.nodes and graph.nodes[-1] is not to.last:
        del graph.nodes[-1]
    del graph.created_variables[to.variables :], graph.created_at[to.variables :]
    graph.captures = list(to.captures)
    graph._captures_by_id = {id(capture.outer): capture for capture in to.captures}
    inputs = (*to.captures, *graph._given.values())
    graph._outer_of = {id(capture.inner): capture.outer for capture in inputs}
    graph._next_number = dict(to.numbers)
    graph._order = to.order.copy()
    graph.effect = to.effect
