"""Calls of other graphs: recording, verification, text, DOT, pruning and runs."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.core.dtypes import float32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import DivisionByZeroError, DTypeError, GraphError, ShapeError
from runtime.executors import run
from runtime.graph import Graph, graph_dot, graph_page, record_cond, verify
from runtime.graph.constant_values import known_value
from runtime.graph.function_calls import as_called_graph, record_constant, record_function_call
from runtime.ops.constant import constant
from runtime.ops.effects.checks import check
from runtime.ops.elementwise.arithmetic import add, floordiv, multiply
from runtime.ops.elementwise.comparison import greater
from runtime.passes.prune import prune
from runtime.state.variable import Variable
from tests.runtime.graph.programs import INT


def double() -> Graph:
    graph = Graph("double")
    x = graph.add_input(INT, "x")
    with graph.recording():
        graph.set_outputs([add(x, x)])
    return graph


def counting(count: Variable) -> Graph:
    """Add the input to a variable, and return twice the value that it holds then."""
    graph = Graph("counting")
    x = graph.add_input(INT, "x")
    with graph.recording():
        count.assign_add(x)
        graph.set_outputs([multiply(count.read_value(), 2)])
    return graph


def quotient() -> Graph:
    graph = Graph("quotient")
    x = graph.add_input(INT, "x")
    with graph.recording():
        graph.set_outputs([floordiv(12, x)])
    return graph


def calling(*callees: Graph) -> Graph:
    """Call one graph after the other, each with the result of the one before."""
    graph = Graph("main")
    x: Tensor = graph.add_input(INT, "x")
    called = {id(callee): as_called_graph(callee) for callee in callees}
    with graph.recording():
        for callee in callees:
            (x,) = record_function_call(called[id(callee)], [x])
        graph.set_outputs([x])
    return verify(graph)


def ran(graph: Graph, *inputs: int) -> list[int]:
    return [int(each) for each in run(graph, [np.array(each, np.int32) for each in inputs])]


def test_calls_share_one_graph() -> None:
    callee = double()
    graph = calling(callee, callee, callee)
    assert [40] == ran(graph, 5)
    assert 3 == len(graph)
    assert 1 == len({id(node.attrs["callee"]) for node in graph})


def test_a_callee_is_printed_once_after_its_caller() -> None:
    callee = double()
    assert (
        "graph main(%x: int32) {\n"
        "  %double = function_call(%x) {callee=double} : int32\n"
        "  %double_1 = function_call(%double) {callee=double} : int32\n"
        "  return %double_1\n"
        "}\n"
        "\n"
        "graph double(%x: int32) {\n"
        "  %add = add(%x, %x) : int32\n"
        "  return %add\n"
        "}\n"
    ) == calling(callee, callee).as_text()


def test_graphs_of_one_name_are_numbered_in_text() -> None:
    text = calling(double(), double()).as_text()
    assert "function_call(%x) {callee=double}" in text
    assert "function_call(%double) {callee=double_1}" in text
    assert 1 == text.count("graph double(") == text.count("graph double_1(")


def test_a_graph_called_by_a_called_one_is_printed_as_well() -> None:
    inner = double()
    outer = calling(inner, inner)
    text = calling(outer).as_text()
    assert 2 == text.count("graph main") and 1 == text.count("graph double(")


def test_captures_of_a_callee_are_captures_of_the_caller() -> None:
    count = Variable(1)
    callee = counting(count)
    graph = calling(callee, callee)
    assert [count] == [held.outer for held in graph.captures]
    assert [24] == ran(graph, 3)
    assert 12 == int(count)


def test_calls_with_effects_keep_their_order() -> None:
    count = Variable(0)
    callee = as_called_graph(counting(count))
    graph = Graph("main")
    x = graph.add_input(INT, "x")
    with graph.recording():
        (first,) = record_function_call(callee, [x])
        count.assign(multiply(count.read_value(), 10))
        (second,) = record_function_call(callee, [x])
        graph.set_outputs([first, second, count.read_value()])
    finished = verify(prune(graph))
    assert "write" == finished.effect
    assert [4, 44, 22] == ran(finished, 2)


def test_an_unused_call_without_effects_is_pruned() -> None:
    count = Variable(0)
    callees = [as_called_graph(each) for each in (double(), counting(count), quotient())]
    graph = Graph("main")
    x = graph.add_input(INT, "x")
    with graph.recording():
        for callee in callees:
            record_function_call(callee, [x])
        graph.set_outputs([x])
    assert ["counting", "quotient"] == [node.name for node in prune(graph)]


def test_a_call_in_a_branch() -> None:
    callee = as_called_graph(double())
    graph = Graph("main")
    x = graph.add_input(INT, "x")
    with graph.recording():
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            then.set_outputs(record_function_call(callee, [x]))
        with orelse.recording():
            orelse.set_outputs([x])
        graph.set_outputs(record_cond(greater(x, 0), then, orelse))
    finished = verify(prune(graph))
    assert [6] == ran(finished, 3) and [-3] == ran(finished, -3)
    assert "function_call(%x) {callee=double}" in finished.as_text()


def test_exceptions_of_a_callee_are_known() -> None:
    assert (DivisionByZeroError,) == as_called_graph(quotient()).raises
    assert () == as_called_graph(double()).raises
    assert (DivisionByZeroError,) == as_called_graph(calling(double(), quotient())).raises
    graph = Graph("checked")
    x = graph.add_input(INT, "x")
    with graph.recording():
        check(greater(x, 0), KeyError, "x")
        graph.set_outputs([x])
    assert (KeyError,) == as_called_graph(graph).raises


def test_an_error_of_a_callee_propagates() -> None:
    with pytest.raises(DivisionByZeroError, match="in quotient"):
        run(calling(quotient()), [np.array(0, np.int32)])


def test_a_region_is_no_graph_to_call() -> None:
    graph = Graph("main")
    with pytest.raises(GraphError, match="part of another graph"):
        as_called_graph(Graph("then", graph))


def test_arguments_are_checked() -> None:
    callee = as_called_graph(double())
    graph = Graph("main")
    x = graph.add_input(TensorSpec((), float32), "x")
    row = graph.add_input(TensorSpec((2,), INT.dtype), "row")
    with graph.recording():
        with pytest.raises(DTypeError, match="input 0 of 'double'"):
            record_function_call(callee, [x])
        with pytest.raises(ShapeError, match="input 0 of 'double'"):
            record_function_call(callee, [row])
        with pytest.raises(GraphError, match="takes 1 inputs, got 2"):
            record_function_call(callee, [x, x])
    with pytest.raises(GraphError, match="while a graph is recording"):
        record_function_call(callee, [x])


def test_a_value_that_depends_on_no_input_is_known_through_calls() -> None:
    graph = Graph("main")
    with graph.recording():
        (four,) = record_function_call(as_called_graph(double()), [constant(2)])
    assert 4 == known_value(four)


def test_constants_of_a_callee_are_captured_by_the_caller() -> None:
    callee, graph = Graph("five"), Graph("main")
    with callee.recording():
        callee.set_outputs([constant(5)])
    with graph.recording():
        five = record_constant(callee.outputs[0])
    assert ("constant", graph) == (five.node.op.name, five.graph)
    with graph.recording(), pytest.raises(GraphError, match="not a constant"):
        record_constant(double().outputs[0])


def test_a_callee_is_drawn_once() -> None:
    callee = double()
    graph = calling(callee, callee)
    dot = graph_dot(graph)
    assert 1 == dot.count("subgraph cluster_")
    assert "label=<double>" in dot
    assert "graph double(" in graph_page(graph, "main")
