"""Loops of few iterations are unrolled."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.executors import interpreter
from runtime.passes.unroll import MAX_ITERATIONS, unroll
from tests.runtime.passes.graphs import INT, changed, graph_of, ops, plain


def loop_of(iterations: int):
    body = plain(lambda i, y: [i + 1, y * 2 - i])
    test = plain(lambda i, y: i < iterations)
    return graph_of(lambda x: rt.while_loop(test, body, [0, x])[1], INT)


@pytest.mark.parametrize("iterations", [0, 1, 2, MAX_ITERATIONS])
def test_loops_of_few_iterations_are_unrolled(iterations: int) -> None:
    graph = loop_of(iterations)
    assert changed(unroll, graph, [3])
    assert iterations == ops(graph).count("multiply")
    assert "while_loop" not in ops(graph)


def test_loops_of_many_iterations_stay() -> None:
    assert not unroll(loop_of(MAX_ITERATIONS + 1))


def test_loops_of_unknown_iterations_stay() -> None:
    test, body = plain(lambda i: i < 3), plain(lambda i: [i + 1])
    assert not unroll(graph_of(lambda x: rt.while_loop(test, body, [x]), INT))


def test_an_unrolled_loop_raises_in_the_same_iteration(capsys: pytest.CaptureFixture[str]) -> None:
    @plain
    def body(i, y):
        rt.print("turn", i)
        return [i + 1, y + 6 // (2 - i)]

    graph = graph_of(lambda x: rt.while_loop(plain(lambda i, y: i < 4), body, [0, x])[1], INT)
    printed = []
    for _ in range(2):
        with pytest.raises(rt.errors.DivisionByZeroError):
            interpreter.run(graph, [np.int32(1)])
        printed.append(capsys.readouterr().err)
        unroll(graph)
    assert printed[0] == printed[1] == "turn 0\nturn 1\nturn 2\n"
    assert "while_loop" not in ops(graph)


def test_maximum_iterations_bounds_unrolling() -> None:
    test, body = plain(lambda i: i < 5), plain(lambda i: [i + 1])
    graph = graph_of(lambda: rt.while_loop(test, body, [0], maximum_iterations=2))
    assert changed(unroll, graph, [])
    assert 2 == ops(graph).count("add")
