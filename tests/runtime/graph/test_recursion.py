"""Recursive regions: recording, verification, text, DOT, pruning and runs."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.core.dtypes import float32, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError, GraphError
from runtime.executors import run
from runtime.executors.interpreter import MAX_DEPTH
from runtime.graph import Graph, graph_dot, record_cond, verify
from runtime.graph.callee import RecursiveRegion
from runtime.graph.recursion import callee_of, enclosing_region, record_call, record_recursion
from runtime.ops.constant import constant
from runtime.ops.effects.python_calls import py_function
from runtime.ops.elementwise.arithmetic import add, multiply, subtract
from runtime.ops.elementwise.comparison import less_equal
from runtime.passes.prune import prune
from runtime.state.variable import Variable
from tests.runtime.graph.programs import INT


def sum_down(step: int = 1, count: Variable | None = None) -> Graph:
    """Build `f(n) = 0 if n <= 0 else n + f(n - step)`; each call may count itself."""
    graph = Graph("main")
    n = graph.add_input(INT, "n")
    with graph.recording():
        region = Graph("f", graph)
        region.is_called = True
        k = region.add_input(INT, "k")
        captured = () if count is None else (count,)
        callee = callee_of(region, captured, [INT], "none" if count is None else "write")
        with region.recording():
            then, orelse = Graph("then", region), Graph("else", region)
            with then.recording():
                then.set_outputs([constant(0)])
            with orelse.recording():
                if count is not None:
                    count.assign_add(1)
                (rest,) = record_call(callee, [subtract(k, step)], captured)
                orelse.set_outputs([add(k, rest)])
            region.set_outputs(record_cond(less_equal(k, 0), then, orelse))
        graph.set_outputs(record_recursion(region, [n]))
    return graph


def called(graph: Graph) -> int:
    return sum(node.op.name == "call" for node in graph.walk())


@pytest.mark.parametrize("n", [0, 1, 7, 2000, MAX_DEPTH - 1])
def test_recursion_agrees_with_python(n: int) -> None:
    graph = verify(sum_down())
    assert run(graph, [np.array(n, np.int32)]) == [sum(range(n + 1))]


def test_too_deep_recursion_raises_at_the_users_line() -> None:
    graph = sum_down()
    with pytest.raises(RecursionError, match="^maximum recursion depth exceeded") as error:
        run(graph, [np.array(MAX_DEPTH + 1, np.int32)])
    assert "test_recursion.py:" in error.value.__notes__[0]  # type: ignore[attr-defined]
    assert run(graph, [np.array(3, np.int32)]) == [6]


def test_a_capture_is_the_same_on_every_level_and_effects_happen() -> None:
    count = Variable(0)
    graph = verify(prune(verify(sum_down(count=count))))
    assert run(graph, [np.array(5, np.int32)]) == [15]
    assert count.numpy() == 5
    assert [node.effect for node in graph] == ["write"]


def test_pruning_keeps_arguments_of_calls() -> None:
    graph = prune(sum_down(step=2))
    assert called(verify(graph)) == 1
    assert run(graph, [np.array(6, np.int32)]) == [12]


def test_an_unused_recursive_call_is_kept() -> None:
    graph = sum_down()
    graph.set_outputs([])
    assert [node.op.name for node in prune(graph)] == ["recursion"]


def test_the_text_names_the_region_and_the_call() -> None:
    text = sum_down().as_text()
    assert "%recursion = recursion(%n) {name='f'} : int32\n    f(%k: int32):\n" in text
    assert "%call = call(%subtract) {callee=f} : int32\n" in text


def test_the_drawing_has_a_frame_for_the_function() -> None:
    dot = graph_dot(sum_down())
    assert "<b>call f</b>" in dot
    assert "subgraph cluster_g_n0_r0 {" in dot


def test_a_region_is_only_called_from_inside() -> None:
    graph = Graph("main")
    with graph.recording(), pytest.raises(GraphError, match="'f' is called outside of it"):
        record_call(RecursiveRegion("f", (), ()), [], ())
    assert enclosing_region(graph, "main") is None


def test_an_argument_of_another_dtype_is_refused() -> None:
    graph = Graph("main")
    with graph.recording():
        region = Graph("f", graph)
        region.add_input(INT, "k")
        region.set_outputs([])
        with pytest.raises(DTypeError, match="input 0 of 'f' is int32 but float32 in a call"):
            record_recursion(region, [constant(1.0)])


@pytest.mark.parametrize(
    ("outputs", "effect", "message"),
    [
        ((TensorSpec((), float32),), "none", "knows other outputs of 'f' than it has"),
        ((INT,), "io", "takes 'f' to have the effect 'io'"),
    ],
)
def test_a_call_with_wrong_callee_specs_is_refused(
    outputs: tuple[TensorSpec, ...], effect: str, message: str
) -> None:
    graph = sum_down()
    (call,) = [node for node in graph.walk() if node.op.name == "call"]
    call.attrs = {"callee": RecursiveRegion("f", (INT,), outputs, effect)}
    with pytest.raises(GraphError, match=message):
        verify(graph)


def test_an_error_propagates_through_all_levels() -> None:
    def refuse(n: Tensor) -> Tensor:
        raise StopIteration("enough")

    graph = Graph("main")
    n = graph.add_input(INT, "n")
    with graph.recording():
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            then.set_outputs([py_function(refuse, [n], int32)])
        with orelse.recording():
            orelse.set_outputs([multiply(n, 2)])
        graph.set_outputs(record_cond(less_equal(n, 0), then, orelse))
    assert run(graph, [np.array(4, np.int32)]) == [8]
    with pytest.raises(StopIteration, match="enough"):
        run(graph, [np.array(0, np.int32)])
