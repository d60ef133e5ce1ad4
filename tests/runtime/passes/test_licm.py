"""LICM hoists loop-invariant nodes that are total and cheap."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.executors import interpreter
from runtime.passes.licm import licm, licm_of_arrays
from tests.runtime.passes.graphs import INT, VECTOR, changed, graph_of, ops, plain


def loop_of(compute, *specs):
    def f(n, *others):
        body = plain(lambda i, s: [i + 1, s + compute(i, *others)])
        return rt.while_loop(plain(lambda i, s: i < n * 2), body, [0, rt.zeros_like(others[0])])[1]

    return graph_of(f, INT, *specs)


def before_loop(graph) -> list[str]:
    names = [node.op.name for node in graph if node.op.name != "constant"]
    return names[: names.index("while_loop")]


def test_loop_invariant_nodes_are_hoisted() -> None:
    graph = loop_of(lambda i, x: rt.tanh(x) * 2.0, VECTOR)
    assert changed(licm, graph, [0, np.ones(3)], [2, np.ones(3)])
    assert {"tanh", "multiply"} <= set(before_loop(graph))
    assert 1 == ops(graph).count("tanh")


def test_scalars_that_are_no_integers_stay_for_an_engine() -> None:
    def compute(i, x, scale, n):
        return rt.tanh(x) * rt.sin(scale) * rt.cast(n * 2, rt.float32)

    graph = loop_of(compute, VECTOR, rt.TensorSpec((), rt.float32), INT)
    assert changed(licm_of_arrays, graph, [2, np.ones(3), np.float32(2), np.int32(3)])
    assert {"tanh", "multiply"} <= set(before_loop(graph))
    assert {"sin", "cast"}.isdisjoint(before_loop(graph))


def test_nodes_that_may_raise_stay() -> None:
    graph = loop_of(lambda i, x, y: x // y, INT, INT)
    licm(graph)
    assert "floordiv" not in before_loop(graph)
    assert [0] == interpreter.run(graph, [np.int32(0), np.int32(1), np.int32(0)])
    with pytest.raises(rt.errors.DivisionByZeroError):
        interpreter.run(graph, [np.int32(1), np.int32(1), np.int32(0)])


def test_expensive_nodes_stay() -> None:
    large = rt.TensorSpec((400, 400), "float32")
    graph = loop_of(lambda i, x: rt.tanh(x), large)
    licm(graph)
    assert "tanh" not in before_loop(graph)


def test_invariant_nodes_are_hoisted_out_of_two_loops() -> None:
    def f(n, x):
        inner = plain(lambda j, s: [j + 1, s + x * x])
        outer = plain(
            lambda i, s: [i + 1, rt.while_loop(plain(lambda j, s: j < n), inner, [0, s])[1]]
        )
        return rt.while_loop(plain(lambda i, s: i < n), outer, [0, 0])[1]

    graph = graph_of(f, INT, INT)
    assert changed(licm, graph, [0, 3], [2, 3])
    assert "multiply" in before_loop(graph)


def test_random_numbers_and_effects_stay() -> None:
    def compute(i, x):
        rt.print("turn")
        return x + rt.random.uniform([3])

    graph = loop_of(compute, VECTOR)
    licm(graph)
    assert not {"print", "random_uniform"} & set(before_loop(graph))
