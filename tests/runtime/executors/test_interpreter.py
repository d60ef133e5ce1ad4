"""The interpreter against plain Python and NumPy."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest

from runtime.core.context import recording
from runtime.core.dtypes import bool_, float32, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import GraphError, InvalidArgumentError
from runtime.executors import run
from runtime.graph import Graph, cond, record_cond, while_loop
from runtime.ops.arrays.concatenation import stack
from runtime.ops.arrays.creation import fill
from runtime.ops.constant import constant
from runtime.ops.effects.assertions import assert_positive
from runtime.ops.effects.checks import assert_, check
from runtime.ops.effects.python_calls import py_function
from runtime.ops.elementwise.arithmetic import add, floordiv, multiply
from runtime.ops.elementwise.comparison import less
from runtime.state.variable import Variable
from tests.runtime.graph.programs import INT, cond_in_while_in_cond


def int_array(value: int) -> np.ndarray:
    return np.array(value, np.int32)


def graph_of(function: Callable[..., object], *specs: TensorSpec) -> Graph:
    graph = Graph("f")
    inputs = [graph.add_input(spec, f"x{number}") for number, spec in enumerate(specs)]
    with graph.recording():
        result = function(*inputs)
    graph.set_outputs([] if result is None else [result])
    return graph


def notes(error: BaseException) -> list[str]:
    return getattr(error, "__notes__", [])


@pytest.mark.parametrize("p", [True, False])
@pytest.mark.parametrize("n", [0, 2, 6])
def test_nested_control_flow_agrees_with_python(p: bool, n: int, capsys: object) -> None:
    graph = cond_in_while_in_cond()
    total = graph.captures[0].outer
    x, changed = 1.5, 0.0
    s = x
    if p:
        s = x * 2.0
        for i in range(n):
            if i < 3:
                s = s + x
            else:
                changed += s
    assert run(graph, [np.array(p), int_array(n), np.array(x, np.float32)]) == [s]
    assert total.numpy() == np.float32(changed)


def test_a_graph_may_be_run_with_or_without_its_captures() -> None:
    outside = constant([1, 2])
    graph = graph_of(lambda x: add(x, outside), INT)
    np.testing.assert_array_equal(run(graph, [int_array(10)])[0], [11, 12])
    given = run(graph, [int_array(10), np.array([5, 5], np.int32)])
    np.testing.assert_array_equal(given[0], [15, 15])
    with pytest.raises(GraphError, match="'f' takes 1 inputs, got 0"):
        run(graph, [])


def test_a_region_cannot_be_run_without_its_captures() -> None:
    graph = Graph("f")
    x = graph.add_input(INT, "x")
    region = Graph("then", graph)
    with region.recording():
        region.set_outputs([add(x, x)])
    with pytest.raises(GraphError, match="captured from 'f'"):
        run(region, [])


def test_a_graph_extended_after_a_run_is_compiled_again() -> None:
    graph = graph_of(lambda x: add(x, 1), INT)
    assert run(graph, [int_array(1)]) == [2]
    with graph.recording():
        graph.set_outputs([multiply(graph.outputs[0], 10)])
    assert run(graph, [int_array(1)]) == [20]


def test_unused_nodes_do_not_run() -> None:
    graph = graph_of(lambda x: (fill(stack([x]), 0), x)[1], INT)
    assert run(graph, [int_array(-3)]) == [-3]


def test_unused_divisions_and_lookups_still_raise() -> None:
    divided = graph_of(lambda x: (floordiv(7, x), x)[1], INT)
    assert run(divided, [int_array(3)]) == [3]
    with pytest.raises(ZeroDivisionError):
        run(divided, [int_array(0)])
    indexed = graph_of(lambda x: (constant([1, 2])[x], x)[1], INT)
    assert run(indexed, [int_array(1)]) == [1]
    with pytest.raises(IndexError):
        run(indexed, [int_array(2)])


def test_many_nodes_and_deep_chains_need_no_recursion() -> None:
    graph = Graph("f")
    x = graph.add_input(INT, "x")
    with graph.recording():
        y: Tensor = x
        for _ in range(3000):
            y = add(y, 1)
    graph.set_outputs([y])
    assert run(graph, [int_array(0)]) == [3000]


def test_variables_are_read_and_written_in_program_order() -> None:
    v = Variable(1.0, name="v")

    def function(x: Tensor) -> Tensor:
        a = v.read_value()
        v.assign_add(x)
        b = v.read_value()
        v.assign(multiply(b, 10.0))
        return add(multiply(a, 1000.0), v)

    graph = graph_of(function, TensorSpec(()))
    assert run(graph, [np.array(1.0, np.float32)]) == [1020.0]
    assert v.numpy() == 20.0
    assert run(graph, [np.array(0.0, np.float32)]) == [20200.0]


def test_an_error_of_an_op_carries_the_users_line() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec((None,), float32), "x")
    with graph.recording():
        line = sys._getframe().f_lineno + 1
        y = add(x, constant([1.0, 2.0, 3.0]))
    graph.set_outputs([y])
    with pytest.raises(InvalidArgumentError) as caught:
        run(graph, [np.zeros(2, np.float32)])
    assert f"at {__file__}:{line}, in test_an_error" in str(caught.value)


def test_a_failing_assert_notes_the_users_line() -> None:
    graph = graph_of(lambda x: assert_(less(x, 3), "x is large"), INT)
    assert run(graph, [int_array(1)]) == []
    with pytest.raises(AssertionError) as caught:
        run(graph, [int_array(3)])
    assert str(caught.value) == "x is large"
    (note,) = notes(caught.value)
    assert note.startswith(f"  at {__file__}:")


def test_the_innermost_node_names_the_line() -> None:
    graph = Graph("f")
    n = graph.add_input(INT, "n")
    with graph.recording():

        def body(i: Tensor) -> Tensor:
            check(less(i, 2), UnboundLocalError, "y has no value")
            return add(i, 1)

        line = body.__code__.co_firstlineno + 1
        while_loop(lambda i: less(i, n), body, [0])
    run(graph, [int_array(2)])
    with pytest.raises(UnboundLocalError, match="y has no value") as caught:
        run(graph, [int_array(3)])
    assert [note.split(":")[-1] for note in notes(caught.value)] == [f"{line}, in body"]


def test_an_operators_own_error_passes_through_control_flow() -> None:
    def function(x: Tensor) -> object:
        return cond(less(x, 0), lambda: (assert_positive(x), x)[1], lambda: x)

    graph = graph_of(function, INT)
    assert run(graph, [int_array(1)]) == [1]
    with pytest.raises(InvalidArgumentError, match="Condition x > 0") as caught:
        run(graph, [int_array(-1)])
    assert caught.value.origin is not None and caught.value.origin.filename == __file__


@pytest.mark.parametrize("inside_a_branch", [False, True])
def test_the_error_of_a_python_function_passes_unchanged(inside_a_branch: bool) -> None:
    mine = ValueError("mine")

    def fail(x: Tensor) -> Tensor:
        raise mine

    def call(x: Tensor) -> object:
        return py_function(fail, [x], int32)

    def function(x: Tensor) -> object:
        return cond(less(x, 0), lambda: call(x), lambda: x) if inside_a_branch else call(x)

    with pytest.raises(ValueError) as caught:
        run(graph_of(function, INT), [int_array(-1)])
    assert caught.value is mine and mine.args == ("mine",) and notes(mine) == []


def test_a_graph_runs_inside_of_another_trace() -> None:
    inner = graph_of(lambda x: py_function(lambda x: add(x, 1), [x], int32), INT)
    outer = Graph("outer")
    with outer.recording(), recording(None):
        assert run(inner, [int_array(1)]) == [2]
    assert len(outer) == 0


def test_a_branch_without_outputs_runs_for_its_effect() -> None:
    v = Variable(0, name="v")
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    with graph.recording():
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            v.assign_add(1)
        record_cond(p, then, orelse)
    for pred in (True, False, True):
        run(graph, [np.array(pred)])
    assert v.numpy() == 2
