"""Ranges whose limit may lie before their start, for which TensorFlow's node fails."""

from __future__ import annotations

from typing import Any

import autograph as ag
import runtime as rt
import runtime.export

INT = rt.TensorSpec((), rt.int32)


def limits_moved(function: Any, *specs: rt.TensorSpec) -> list[str]:
    """Return the nodes that move the limit of a range."""
    graph = ag.function(function).get_concrete_function(*specs).graph
    names = ("Maximum", "Minimum", "SelectV2", "Range")
    return [node.op for node in graph.as_graph_def().node if node.op in names]


def test_a_limit_before_the_start_is_moved_to_it() -> None:
    assert ["Maximum", "Range"] == limits_moved(lambda n: rt.range(n), INT)
    assert ["Maximum", "Range"] == limits_moved(lambda n: rt.range(n, 3, 2), INT)
    assert ["Minimum", "Range"] == limits_moved(lambda n: rt.range(3, n, -2), INT)
    assert ["Minimum", "Range"] == limits_moved(lambda n: len(range(n, 0, -1)), INT)
    found = limits_moved(lambda n, step: rt.range(0, n, step), INT, INT)
    assert ["Maximum", "Minimum", "SelectV2", "Range"] == found


def test_a_limit_that_is_known_to_come_after_the_start_stays() -> None:
    rows = rt.TensorSpec((None,), rt.float32)
    assert ["Range"] == limits_moved(lambda xs: rt.range(rt.size(xs)), rows)
    assert ["Range"] == limits_moved(lambda: rt.range(5, 0, -2))
    assert ["Range"] == limits_moved(lambda: rt.range(0, 3))
    assert ["Maximum", "Range"] == limits_moved(lambda xs: rt.range(1, rt.size(xs)), rows)
