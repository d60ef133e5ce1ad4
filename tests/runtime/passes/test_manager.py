"""`optimize` runs the chosen passes on a copy."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError
from runtime.executors import interpreter
from runtime.passes import DEFAULT, Pass, optimize, select_passes
from runtime.passes.prune import prune
from tests.runtime.passes.graphs import BOOL, INT, graph_of, ops, plain


def test_passes_are_chosen_by_name() -> None:
    assert DEFAULT == select_passes() == select_passes(None)
    assert ("constant_folding", "cse") == tuple(
        each.name for each in select_passes(("cse", "constant_folding"))
    )
    assert ("licm",) == tuple(each.name for each in select_passes("licm"))
    assert len(DEFAULT) - 2 == len(select_passes(["-licm", "-constant_folding"]))
    assert () == select_passes([])


@pytest.mark.parametrize("passes", ["speed", ["constant_folding", "-cse"], [3], 3])
def test_unknown_pass_names_are_refused(passes: object) -> None:
    with pytest.raises(ArgumentValueError, match="^passes"):
        select_passes(passes)


def test_optimize_does_not_change_its_input() -> None:
    graph = graph_of(lambda p, x: rt.cond(p, lambda: x * 1 + x, lambda: x + x), BOOL, INT)
    before = graph.as_text(origins=True)
    optimize(graph)
    assert before == graph.as_text(origins=True)


def test_passes_repeat_until_nothing_changes() -> None:
    def f(n):
        @plain
        def body(i, y):
            return [i + 1, rt.cond(i < 1, plain(lambda: y + n), plain(lambda: y * n))]

        return rt.while_loop(plain(lambda i, y: i < 2), body, [rt.constant(0), n])[1]

    better = optimize(graph_of(f, INT), checked=True)
    assert ["add", "multiply"] == ops(better)
    assert [18] == interpreter.run(better, [np.int32(3)])


def test_watch_is_called_after_each_pass() -> None:
    told: list[tuple[str, int]] = []
    graph = graph_of(lambda x: (x * 1 + x) * (x + x), INT)
    optimize(graph, watch=lambda name, each: told.append((name, len(each))))
    assert [("prune", 5), ("simplify", 4), ("cse", 3), ("dce", 2)] == told


def test_a_graph_that_is_not_well_formed_is_refused() -> None:
    def spoil(graph: rt.Graph) -> bool:
        graph.nodes.reverse()
        return True

    spoiled = Pass("spoil", spoil, "")
    with pytest.raises(rt.errors.GraphError):
        optimize(graph_of(lambda x: x * 2 + 1, INT), (spoiled,), checked=True)


def _calls(make: Callable[[rt.Graph], object], count: int) -> int:
    """Return how many calls of functions a graph of so many nodes takes."""

    def f(x):
        y = x
        for _ in range(count // 4):
            y = rt.tanh(y * 2.0) + x
        return y

    graph, calls = graph_of(f, rt.TensorSpec((10,), "float32")), 0

    def count_calls(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    make(graph)
    before = sys.getprofile()
    sys.setprofile(count_calls)
    try:
        make(graph)
    finally:
        sys.setprofile(before)
    return calls


def test_passes_are_linear_in_the_graph() -> None:
    few, many = _calls(optimize, 400), _calls(optimize, 800)
    assert many < 2.1 * few
    # All of them together are not much more than to prune, which looks at each node once.
    assert many < 4 * _calls(prune, 800)
