"""Unread loop variables are removed, unless their computation may raise."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.executors import interpreter
from runtime.passes.dce import dce
from runtime.passes.loop_variables import drop_loop_variables
from tests.runtime.passes.graphs import INT, changed, graph_of, ops, plain


def variables(graph) -> int:
    (loop,) = graph.get_nodes_by_op("while_loop")
    return loop.attrs["variables"]


def test_unread_loop_variables_are_removed() -> None:
    def f(n):
        body = plain(lambda i, a, b, c: [i + 1, a + i, b * c, c + 1])
        return rt.while_loop(plain(lambda i, *_: i < n), body, [0, 0, 1, 2])[1]

    graph = graph_of(f, INT)
    assert changed(drop_loop_variables, graph, [0], [1], [5])
    dce(graph)
    assert 2 == variables(graph)
    assert ["while_loop", "less", "add", "add"] == ops(graph)


def test_invariant_loop_variables_become_captures() -> None:
    def f(n, k):
        body = plain(lambda i, k, s: [i + 1, k, s + k])
        return rt.while_loop(plain(lambda i, *_: i < n), body, [0, k, 0])[1:]

    graph = graph_of(f, INT, INT)
    assert changed(drop_loop_variables, graph, [0, 3], [4, 3])
    assert 2 == variables(graph)
    assert graph.outputs[0] is graph.parameters[1]


def test_unread_loop_variables_that_may_raise_stay() -> None:
    def f(n):
        body = plain(lambda i, q: [i + 1, 6 // (2 - i)])
        return rt.while_loop(plain(lambda i, q: i < n), body, [0, 0])[0]

    graph = graph_of(f, INT)
    drop_loop_variables(graph)
    dce(graph)
    assert [2] == interpreter.run(graph, [np.int32(2)])
    with pytest.raises(rt.errors.DivisionByZeroError):
        interpreter.run(graph, [np.int32(3)])


def test_unread_python_numbers_that_may_overflow_stay() -> None:
    def f(n):
        big = rt.identity(rt.constant(1))
        big.weak = True
        body = plain(lambda i, y: [i + 1, y * 1000])
        return rt.while_loop(plain(lambda i, y: i < n), body, [0, big])[0]

    graph = graph_of(f, INT)
    drop_loop_variables(graph)
    assert [3] == interpreter.run(graph, [np.int32(3)])
    with pytest.raises(rt.errors.IntegerOverflowError):
        interpreter.run(graph, [np.int32(5)])


def test_exit_flags_keep_their_positions() -> None:
    graph = graph_of(
        lambda n: rt.while_loop(
            plain(lambda i, a, done: rt.logical_and(i < n, rt.logical_not(done))),
            plain(lambda i, a, done: [i + 1, a + 1, i > 2]),
            [0, 5, rt.constant(False)],
        )[0],
        INT,
    )
    (loop,) = graph.get_nodes_by_op("while_loop")
    loop.attrs = {**loop.attrs, "exits": ((1, "continue"), (2, "break"))}
    assert changed(drop_loop_variables, graph, [0], [9])
    assert ((1, "break"),) == loop.attrs["exits"]
