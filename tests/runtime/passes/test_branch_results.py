"""Unused results of branches are removed."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.executors import interpreter
from runtime.passes.branch_results import drop_branch_results
from runtime.passes.dce import dce
from tests.runtime.passes.graphs import BOOL, INT, changed, graph_of, ops


def test_unused_results_are_removed_with_their_nodes() -> None:
    graph = graph_of(
        lambda p, x: rt.cond(p, lambda: (x + 1, x * 3), lambda: (x, x - 3))[0], BOOL, INT
    )
    assert changed(drop_branch_results, graph, [True, 2], [False, 2])
    dce(graph)
    assert ["cond", "add"] == ops(graph)


def test_results_that_may_raise_stay() -> None:
    graph = graph_of(lambda p, x: rt.cond(p, lambda: (x + 1, 3 // x), lambda: (x, x))[0], BOOL, INT)
    drop_branch_results(graph)
    dce(graph)
    assert [0] == interpreter.run(graph, [np.array(False), np.int32(0)])
    with pytest.raises(rt.errors.DivisionByZeroError):
        interpreter.run(graph, [np.array(True), np.int32(0)])


def test_duplicate_results_are_merged() -> None:
    def f(p, x):
        def then():
            y = x + 1
            return y, y

        def orelse():
            y = x - 1
            return y, y

        return rt.cond(p, then, orelse)

    graph = graph_of(f, BOOL, INT)
    assert changed(drop_branch_results, graph, [True, 2], [False, 2])
    assert graph.outputs[0] is graph.outputs[1]


def test_results_equal_in_all_branches_are_replaced() -> None:
    graph = graph_of(lambda p, x: rt.cond(p, lambda: (x + 1, x), lambda: (x, x)), BOOL, INT)
    assert changed(drop_branch_results, graph, [True, 2], [False, 2])
    assert graph.outputs[1] is graph.parameters[1]
