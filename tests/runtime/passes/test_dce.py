"""DCE removes unused nodes, and none that may raise."""

from __future__ import annotations

import runtime as rt
from runtime.passes.dce import dce
from tests.runtime.passes.graphs import BOOL, INT, graph_of, ops


def test_dead_nodes_are_removed_with_their_captures() -> None:
    captured = rt.constant([1, 2, 3])
    graph = graph_of(lambda x: (x * 2, captured + x), INT)
    graph.outputs = graph.outputs[:1]
    assert dce(graph)
    assert ["multiply"] == ops(graph) and not graph.captures
    assert not dce(graph)


def test_nodes_that_may_raise_stay() -> None:
    graph = graph_of(lambda x, xs: (x, xs + xs, rt.gather(xs, x)), INT, rt.TensorSpec((3,)))
    graph.outputs = graph.outputs[:1]
    assert dce(graph)
    assert ["gather"] == ops(graph)


def test_dead_nodes_in_regions_are_removed() -> None:
    graph = graph_of(lambda p, x, y: rt.cond(p, lambda: (x, y * 2), lambda: (x, y)), BOOL, INT, INT)
    for region in graph.node("cond").regions:
        region.outputs = region.outputs[:1]
    graph.node("cond").outputs = graph.node("cond").outputs[:1]
    graph.outputs = graph.outputs[:1]
    assert dce(graph)
    assert ["cond"] == ops(graph)
    assert 2 == len(graph.node("cond").inputs)
