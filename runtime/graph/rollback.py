"""Rolls a graph back to an earlier state and discards the nodes recorded since."""

from __future__ import annotations

from typing import NamedTuple

from runtime.graph.capture import Capture
from runtime.graph.effects import EffectOrder
from runtime.graph.graph import Graph
from runtime.graph.node import Node


class GraphState(NamedTuple):
    """The state of a graph while it records.

    Attributes:
        last: the last node, None if there is none.
        captures: the captures.
        numbers: the next number of each node name.
        order: the control dependencies.
        effect: the strongest effect.
        variables: the number of created variables.
    """

    last: Node | None
    captures: tuple[Capture, ...]
    numbers: dict[str, int]
    order: EffectOrder
    effect: str
    variables: int


def save_state(graph: Graph) -> GraphState:
    """Return the current state of a graph that is being recorded.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> before = save_state(graph)
    >>> with graph.recording():
    ...     one = rt.constant(1)
    >>> roll_back(graph, before)
    >>> len(graph)
    0
    """
    return GraphState(
        graph.nodes[-1] if graph.nodes else None,
        tuple(graph.captures),
        dict(graph._next_number),
        graph._order.copy(),
        graph.effect,
        len(graph.created_variables),
    )


def roll_back(graph: Graph, to: GraphState) -> None:
    """Discard the nodes recorded since a state, whose tensors must not be used any more."""
    # Nodes that were inserted before the last one since then (`extra_outputs`) stay.
    while graph.nodes and graph.nodes[-1] is not to.last:
        del graph.nodes[-1]
    del graph.created_variables[to.variables :], graph.created_at[to.variables :]
    graph.captures = list(to.captures)
    graph._captures_by_id = {id(capture.outer): capture for capture in to.captures}
    inputs = (*to.captures, *graph._handle_captures.values())
    graph._outer_of = {id(capture.inner): capture.outer for capture in inputs}
    graph._next_number = dict(to.numbers)
    graph._order = to.order.copy()
    graph.effect = to.effect
