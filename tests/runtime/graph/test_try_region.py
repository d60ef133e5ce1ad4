"""The region of a staged `try`: its start, its nodes and its runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.core.variant import VARIANT
from runtime.executors import run
from runtime.graph.try_region import TryGraph, record_try
from runtime.graph.verify import verify
from runtime.ops.effects.checks import check
from runtime.ops.effects.try_ops import NOTE, NotedVariables, leave_try
from runtime.passes.prune import prune


class Begins:
    """A guard that begins the region at the first node that may raise."""

    def __init__(self) -> None:
        self.region: TryGraph
        self.met: list[Any] = []

    def before_node(self, graph: rt.Graph, op: Any, inputs: Any, attrs: Any, kinds: Any) -> None:
        self.met.append((graph.name, op.name, kinds))
        self.region.begin()

    def catches(self, kinds: Any) -> bool:
        return False


def region_in(graph: rt.Graph) -> tuple[TryGraph, Begins]:
    guard = Begins()
    guard.region = TryGraph("try", graph, guard)
    return guard.region, guard


def tried(fails: Any) -> rt.Graph:
    """`try: y = x + 1; fails(x) except KeyError: y = noted * 10`."""
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    region, _ = region_in(graph)
    with graph.recording():
        initial = rt.constant(5)
        with region.recording():
            y = x + 1
            fails(region, x)
        region.set_outputs([y])
        handler = rt.Graph("except", outer=graph)
        handler.add_input(VARIANT, "e")
        noted = handler.add_input(rt.TensorSpec((), rt.int32), "y")
        with handler.recording():
            handler.set_outputs([noted * 10])
        (result,) = record_try(region, [handler], [(KeyError,)], [initial])
    graph.set_outputs([result])
    return verify(prune(graph))


def from_check(flag: Any, error: type[BaseException] = KeyError) -> None:
    check(flag, error, "too large")


def value(graph: rt.Graph, x: int) -> int:
    return int(run(graph, [np.int32(x)])[0])


def test_the_region_starts_at_the_first_node_that_may_raise() -> None:
    graph = rt.Graph("f")
    x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    region, guard = region_in(graph)
    with region.recording():
        y = x + 1
        from_check(y < 3)
        z = x + 2
    assert (graph, region) == (y.graph, z.graph)
    assert [("try", "check", (KeyError,))] == guard.met
    assert ["check", "constant", "add"] == [node.op.name for node in region]


def test_guards_see_nodes_of_inner_regions() -> None:
    graph = rt.Graph("f")
    region, guard = region_in(graph)
    branch = rt.Graph("then", outer=region)
    with branch.recording():
        from_check(rt.constant(True), ValueError)
    assert [("then", "check", (ValueError,))] == guard.met


def test_a_handler_runs_only_for_its_exceptions() -> None:
    graph = tried(lambda region, x: from_check(x < 3))
    assert (3, 50) == (value(graph, 2), value(graph, 7))
    other = tried(lambda region, x: from_check(x < 3, ValueError))
    with pytest.raises(ValueError, match="too large"):
        value(other, 7)


def test_a_handler_gets_the_last_noted_variables() -> None:
    def fails(region: TryGraph, x: Any) -> None:
        region.begin()
        noted = NotedVariables(("y",), [0])
        region.record(NOTE, [region.record_handle, x + 100], {"noted": noted})
        from_check(x < 3)

    assert (3, 1070) == (value(tried(fails), 2), value(tried(fails), 7))


def test_exceptions_after_the_try_are_not_caught() -> None:
    def fails(region: TryGraph, x: Any) -> None:
        region.begin()
        leave_try(region.record_handle)
        from_check(x < 3)

    with pytest.raises(KeyError):
        value(tried(fails), 7)


def test_nodes_that_may_raise_are_kept_in_the_try() -> None:
    def fails(region: TryGraph, x: Any) -> None:
        rt.gather(rt.constant([1, 2]), x)

    graph = tried(fails)
    (node,) = graph.get_nodes_by_op("try_except")
    assert "gather" in [inner.op.name for inner in node.regions[0]]


def test_the_text_names_the_caught_exceptions() -> None:
    assert (
        "    except KeyError(%e: variant, %y: int32"
        in tried(lambda region, x: from_check(x < 3)).as_text()
    )
