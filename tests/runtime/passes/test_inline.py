"""Inlining keeps lines, effects and failures of called graphs."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.core.context import Origin
from runtime.executors import interpreter
from runtime.graph import Graph, verify
from runtime.graph.function_calls import as_called_graph, record_function_call
from runtime.passes import inline as inlining
from runtime.passes.inline import inline
from runtime.passes.prune import prune
from runtime.state.variable import Variable
from tests.runtime.passes.comparison import error_text, run_with
from tests.runtime.passes.graphs import BOOL, INT, changed, graph_of, ops, plain


def called_of(function, *specs):
    return as_called_graph(graph_of(function, *specs))


def test_calls_in_regions_are_inlined() -> None:
    twice = called_of(lambda x: x + x, INT)
    graph = graph_of(
        lambda p, x: rt.cond(
            p, plain(lambda: record_function_call(twice, [x])[0]), plain(lambda: x)
        ),
        BOOL,
        INT,
    )
    assert changed(inline, graph, [True, 3], [False, 3])
    assert ["cond", "add"] == ops(graph)


def test_effects_stay_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    variable = Variable(1.0, name="v")

    def stepped():
        variable.assign_add(1.0)
        rt.print("v", variable.read_value())
        return variable.read_value()

    called = called_of(stepped)

    def f():
        record_function_call(called, [])
        rt.print("between")
        return record_function_call(called, [])[0] + variable.read_value()

    graph = graph_of(f)
    assert inline(graph)
    verify(graph)
    assert [6.0] == interpreter.run(graph, [])
    assert "v 2\nbetween\nv 3\n" == capsys.readouterr().err


def test_an_error_names_the_line_it_named() -> None:
    called = called_of(lambda x, y: (x // y, x % (y - 1)), INT, INT)
    places = [Origin("inner.py", 3, "inner"), None]
    for node, place in zip(called.graph.get_nodes_by_op("floordiv"), places):
        node.origin = place
    for node in called.graph.get_nodes_by_op("floormod"):
        node.origin = None
    graph = graph_of(lambda x, y: record_function_call(called, [x, y]), INT, INT)
    graph.nodes[-1].origin = Origin("outer.py", 8, "outer")
    for divisor in (0, 1):
        texts = []
        for each in (graph, prune(graph)):
            if texts:
                assert inline(each)
            with run_with(None), pytest.raises(rt.errors.DivisionByZeroError) as raised:
                interpreter.run(each, [np.int32(5), np.int32(divisor)])
            texts.append(error_text(raised.value)[:4])
        assert texts[0] == texts[1]


def test_an_unused_call_that_raises_still_raises() -> None:
    called = called_of(lambda x, y: x // y, INT, INT)

    def f(x, y):
        record_function_call(called, [x, y])
        return x

    graph = graph_of(f, INT, INT)
    assert inline(graph)
    with pytest.raises(rt.errors.DivisionByZeroError):
        interpreter.run(graph, [np.int32(5), np.int32(0)])


def test_a_call_with_narrower_argument_specs_stays() -> None:
    called = called_of(lambda x: x + x, rt.TensorSpec((None,), "int32"))
    graph = Graph("f")
    x = graph.add_input(rt.TensorSpec((3,), "int32"), "x")
    with graph.recording():
        graph.set_outputs(record_function_call(called, [x]))
    assert not inline(graph)


def test_a_graph_does_not_grow_beyond_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inlining, "MAX_GROWTH", 3)
    called = called_of(lambda x: x * x + x, INT)

    def f(x):
        for _ in range(3):
            (x,) = record_function_call(called, [x])
        return x

    graph = graph_of(f, INT)
    assert changed(inline, graph, [2])
    assert 2 == ops(graph).count("function_call")


def test_nested_calls_are_inlined() -> None:
    inner = called_of(lambda x: x + 1, INT)
    outer = called_of(lambda x: record_function_call(inner, [x])[0] * 2, INT)
    graph = graph_of(lambda x: record_function_call(outer, [x]), INT)
    assert changed(inline, graph, [5])
    assert ["add", "multiply"] == ops(graph)
