"""`record_cond`, `record_while`, `record_switch`: one node each, checked when recorded."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runtime.core.dtypes import bool_, float32, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError, GraphError, ShapeError
from runtime.executors import run
from runtime.graph import Graph, record_cond, record_switch, record_while, verify
from runtime.ops.constant import constant
from runtime.ops.elementwise.arithmetic import add, multiply
from runtime.ops.elementwise.comparison import less

INT = TensorSpec((), int32)


def region(outer: Graph, name: str, body: Callable[[], object]) -> Graph:
    graph = Graph(name, outer)
    with graph.recording():
        result = body()
    graph.set_outputs(result if isinstance(result, list) else [result])
    return graph


def counting_loop(outer: Graph, limit: Tensor, **options: object) -> tuple[Tensor, ...]:
    """while i < limit: i, s = i + 1, s * 2"""
    test, body = Graph("test", outer), Graph("body", outer)
    for graph in (test, body):
        graph.add_input(INT, "i")
        graph.add_input(INT, "s")
    with test.recording():
        test.set_outputs([less(test.parameters[0], limit)])
    with body.recording():
        i, s = body.parameters
        body.set_outputs([add(i, 1), multiply(s, 2)])
    return record_while(test, body, [constant(0), constant(1)], **options)  # type: ignore[arg-type]


def test_cond_is_one_node_and_chooses_when_run() -> None:
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    x = graph.add_input(INT, "x")
    with graph.recording():
        then = region(graph, "then", lambda: add(x, 1))
        orelse = region(graph, "else", lambda: multiply(x, 10))
        outputs = record_cond(p, then, orelse)
    graph.set_outputs(outputs)
    verify(graph)
    assert [node.op.name for node in graph] == ["cond"]
    for pred in (True, False):
        for value in (3, -4):
            found = run(graph, [np.array(pred), np.array(value, np.int32)])
            assert found == [value + 1 if pred else value * 10]


def test_branches_join_shapes_and_weakness() -> None:
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    a = graph.add_input(TensorSpec((2, 3)), "a", weak=True)
    b = graph.add_input(TensorSpec((5, 3)), "b", weak=True)
    strong = graph.add_input(TensorSpec((5, 3)), "c")
    with graph.recording():
        both = record_cond(
            p, region(graph, "then", lambda: [a, a]), region(graph, "else", lambda: [b, strong])
        )
    assert [t.shape.as_list() for t in both] == [[None, 3], [None, 3]]
    assert [t.weak for t in both] == [True, False]


def test_branches_of_different_dtypes_are_refused() -> None:
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    with graph.recording():
        then = region(graph, "then", lambda: constant(1))
        orelse = region(graph, "else", lambda: constant(1.0))
        with pytest.raises(DTypeError, match="result 0: int32, float32"):
            record_cond(p, then, orelse)


def test_branches_of_different_length_are_refused() -> None:
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    with graph.recording():
        then = region(graph, "then", lambda: [1, 2])
        orelse = region(graph, "else", lambda: [1])
        with pytest.raises(GraphError, match="'else' has 1 outputs, expected 2"):
            record_cond(p, then, orelse)


@pytest.mark.parametrize(
    ("spec", "error"), [(INT, DTypeError), (TensorSpec((2,), bool_), ShapeError)]
)
def test_the_condition_must_be_one_bool(spec: TensorSpec, error: type[Exception]) -> None:
    graph = Graph("f")
    p = graph.add_input(spec, "p")
    with graph.recording():
        then, orelse = region(graph, "then", lambda: 1), region(graph, "else", lambda: 1)
        with pytest.raises(error, match="the condition must be"):
            record_cond(p, then, orelse)


@pytest.mark.parametrize("limit", [0, 1, 7])
def test_while_runs_as_often_as_python_does(limit: int) -> None:
    graph = Graph("f")
    n = graph.add_input(INT, "n")
    with graph.recording():
        graph.set_outputs(counting_loop(graph, n))
    verify(graph)
    i, s = 0, 1
    while i < limit:
        i, s = i + 1, s * 2
    assert run(graph, [np.array(limit, np.int32)]) == [i, s]


@pytest.mark.parametrize("as_tensor", [False, True])
@pytest.mark.parametrize("maximum", [0, 3, 20])
def test_maximum_iterations_ends_a_loop(maximum: int, as_tensor: bool) -> None:
    graph = Graph("f")
    n = graph.add_input(INT, "n")
    with graph.recording():
        limit = constant(maximum) if as_tensor else maximum
        graph.set_outputs(counting_loop(graph, n, maximum_iterations=limit))
    verify(graph)
    turns = min(maximum, 10)
    assert run(graph, [np.array(10, np.int32)]) == [turns, 2**turns]


def test_exits_are_kept_on_the_node() -> None:
    graph = Graph("f")
    n = graph.add_input(INT, "n")
    with graph.recording():
        counting_loop(graph, n, exits={1: "break", 0: "return"})
    assert graph.node("while_loop").attrs["exits"] == ((0, "return"), (1, "break"))


def one_variable_loop(init: TensorSpec, spec: TensorSpec, after: object) -> None:
    graph = Graph("f")
    start = graph.add_input(init, "start")
    with graph.recording():
        test, body = Graph("test", graph), Graph("body", graph)
        test.add_input(spec, "total")
        body.add_input(spec, "total")
        test.set_outputs([True])
        body.set_outputs([after])
        record_while(test, body, [start])


def test_a_loop_variable_may_start_narrower_than_it_is() -> None:
    one_variable_loop(TensorSpec((2,)), TensorSpec((None,)), [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("init", "spec", "after", "error", "message"),
    [
        (INT, TensorSpec((), float32), 1.0, DTypeError, "'total' is float32 but int32 before"),
        (INT, INT, 1.5, DTypeError, "'total' is int32 but float32 after an iteration"),
        (TensorSpec((2,)), TensorSpec((2,)), [1.0], ShapeError, r"has shape \(2,\) but \(1,\)"),
    ],
)
def test_a_loop_variable_may_not_change_its_spec(
    init: TensorSpec, spec: TensorSpec, after: object, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        one_variable_loop(init, spec, after)


def test_switch_takes_the_last_branch_for_an_index_without_one() -> None:
    graph = Graph("f")
    index = graph.add_input(INT, "index")
    x = graph.add_input(INT, "x")
    with graph.recording():
        branches = [region(graph, f"branch_{n}", lambda n=n: add(x, n)) for n in (10, 20, 30)]
        graph.set_outputs(record_switch(index, branches))
    verify(graph)
    found = [run(graph, [np.array(i, np.int32), np.array(1, np.int32)])[0] for i in range(-1, 4)]
    assert found == [31, 11, 21, 31, 31]


def test_regions_must_belong_to_the_graph_that_records() -> None:
    graph, other = Graph("f"), Graph("g")
    then, orelse = Graph("then", other), Graph("else", graph)
    with graph.recording(), pytest.raises(GraphError, match="'then' is not a region of 'f'"):
        record_cond(constant(True), then, orelse)
    with pytest.raises(GraphError, match="while a graph is recording"):
        record_cond(constant(True), then, orelse)
