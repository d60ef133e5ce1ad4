"""Graphs as data and back: the same text and the same results."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DataLossError, GraphError, OpError
from runtime.executors.interpreter import run
from runtime.graph.graph import Graph
from runtime.serialization.reading import graphs_of
from runtime.serialization.writing import GraphWriter
from tests.corpus import STAGED_PROGRAMS, Program
from tests.suite_length import sample
from tests.traces import staged

# What files hold no names for, and what is Python's alone.
REFUSED = ("no file can hold", "a file cannot name")


def again(graph: Graph) -> Graph:
    held: list[Any] = []

    def outside(outer: Any) -> int:
        held.append(outer)
        return len(held) - 1

    writer = GraphWriter(lambda outer: {"at": outside(outer)})
    place = writer.put(graph)
    data = json.loads(json.dumps(writer.graphs))
    return graphs_of(data, writer.arrays.table, lambda found: held[found["at"]])[place]


def traced(program: Program) -> Graph | None:
    """Return the graph of a program on its first input; None where tracing raises an error."""
    try:
        return staged(program).graph
    except Exception:
        return None


@pytest.mark.parametrize("program", sample(STAGED_PROGRAMS, 6), ids=lambda program: program.name)
def test_programs_have_the_same_text_again(program: Program) -> None:
    graph = traced(program)
    if graph is None:
        return  # as Python would raise
    try:
        found = again(graph)
    except GraphError as error:
        assert any(reason in str(error) for reason in REFUSED)
        return
    assert graph.as_text() == found.as_text()
    assert weak_in(graph) == weak_in(found)


def weak_in(graph: Graph) -> list[bool]:
    """Which of its values stand for Python's numbers."""
    nodes = [value.weak for node in graph.walk() for value in node.outputs]
    return [*(value.weak for value in graph.inputs), *nodes]


def test_most_programs_can_be_saved() -> None:
    kept = refused = 0
    for program in sample(STAGED_PROGRAMS, 30):
        graph = traced(program)
        if graph is None:
            continue
        try:
            again(graph)
            kept += 1
        except GraphError:
            refused += 1
    assert kept > 20 and kept > 6 * refused


def collatz(n: rt.Tensor) -> tuple[rt.Tensor, rt.Tensor]:
    steps, peak = rt.constant(0), n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        if n > peak:
            peak = n
        steps += 1
    return steps, peak


def test_a_graph_with_loops_and_branches_runs_again() -> None:
    graph = ag.function(collatz).get_concrete_function(rt.TensorSpec((), rt.int32)).graph
    found = again(graph)
    for start in (1, 6, 27):
        given = [np.array(start, np.int32)]
        assert run(graph, given) == run(found, given)


def labelled(x):
    with rt.name_scope("layer"):
        return rt.add(x, 1.0, name="total")


def test_nodes_have_their_labels_again() -> None:
    graph = ag.function(labelled).get_concrete_function(rt.TensorSpec((), rt.float32)).graph
    found = [operation.name for operation in again(graph).get_operations()]
    assert ["x", "layer/total/y", "layer/total", "Identity"] == found


def test_a_graph_with_calls_and_recursion_runs_again() -> None:
    def factorial(n: Any) -> Any:
        return n * factorial(n - 1) if n > 1 else n

    called = ag.function(lambda x: x + 1)
    outer = ag.function(lambda x: called(factorial(x)) * called(x))
    graph = outer.get_concrete_function(rt.TensorSpec((), rt.int32)).graph
    assert [121 * 6] == run(again(graph), [np.array(5, np.int32)])


def test_an_error_is_raised_with_its_values() -> None:
    @ag.function
    def root(x: Any) -> Any:
        if x < 0:
            raise ValueError("negative", x)
        return rt.sqrt(x)

    found = again(root.get_concrete_function(rt.TensorSpec((), rt.float32)).graph)
    with pytest.raises(ValueError, match="negative") as raised:
        run(found, [np.array(-4.0, np.float32)])
    assert -4.0 == raised.value.args[1].numpy()


def test_unsaveable_nodes_are_named_with_their_line() -> None:
    def with_python(x: Any) -> Any:
        return rt.py_function(lambda v: v, [x], rt.float32)

    graph = ag.function(with_python).get_concrete_function(rt.TensorSpec((), rt.float32)).graph
    with pytest.raises(GraphError, match=r"node py_function \(.*\.py:\d+.*no file can hold"):
        again(graph)


def data_of(function: Any, *specs: Any) -> tuple[Any, Any]:
    writer = GraphWriter(lambda outer: None)
    writer.put(ag.function(function).get_concrete_function(*specs).graph)
    return writer.graphs, writer.arrays.table


@pytest.mark.parametrize(
    "damage",
    [
        lambda graph: graph["nodes"][0].update(op="no_such_op"),
        lambda graph: graph["nodes"][0].update(inputs=[99]),
        lambda graph: graph["nodes"][0]["outputs"][0].__setitem__(1, "int8"),
        lambda graph: graph["nodes"][0].update(attrs={"axis": {"class": "eval"}}),
        lambda graph: graph["nodes"].pop(0),
        lambda graph: graph.update(outputs=[-77]),
        lambda graph: graph.pop("inputs"),
    ],
)
def test_damaged_data_is_refused(damage: Any) -> None:
    data, arrays = data_of(lambda x: rt.exp(x) + x, rt.TensorSpec((2,), rt.float32))
    graphs_of(data, arrays, lambda held: held)
    damage(data[0])
    with pytest.raises(DataLossError, match="damaged") as raised:
        graphs_of(data, arrays, lambda held: held)
    assert isinstance(raised.value, OpError)
