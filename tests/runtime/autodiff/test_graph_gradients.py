"""Gradients in graphs without a tape: numbers recorded with TensorFlow 2.21."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, ShapeError, TapeError
from runtime.executors import run


def of_graph(function: Callable[[Any], Any], at: Any) -> list[Any]:
    """Return the values of the tensors that a function of one input records."""
    array = np.asarray(at, np.float32)
    graph = rt.Graph("gradients")
    x = graph.add_input(rt.TensorSpec(array.shape, "float32"), "x")
    with graph.recording():
        graph.set_outputs(function(x))
    return [np.asarray(each).tolist() for each in run(graph, [array])]


def test_gradients_by_inputs_and_intermediate_values() -> None:
    def f(a: Any) -> Any:
        b = rt.constant(5.0)
        y = a * a * b
        return [
            *rt.gradients(y, [a, b]),
            *rt.gradients([y, a], a, grad_ys=[rt.constant(2.0), None]),
            *rt.gradients(y * y, [y]),
        ]

    assert [30.0, 9.0, 61.0, 90.0] == of_graph(f, 3.0)


def test_unconnected_gradients_are_none_or_zero() -> None:
    def f(a: Any) -> Any:
        b = rt.constant(5.0)
        assert [None] == rt.gradients(b, a)
        assert [None] == rt.gradients(a * 2, rt.cast(a, rt.int32))
        return rt.gradients(b, a, unconnected_gradients="zero")

    assert [0.0] == of_graph(f, 3.0)


def test_stop_gradients_are_constants() -> None:
    def f(a: Any) -> Any:
        b = a * 2
        c = b * a
        return [
            *rt.gradients(c, [a], stop_gradients=[b]),
            *rt.gradients(c, [a, b], stop_gradients=[a, b]),
        ]

    assert [6.0, 6.0, 3.0] == of_graph(f, 3.0)


def test_second_derivatives() -> None:
    assert [432.0] == of_graph(lambda a: rt.hessians(a * a * a * a * 4, a), 3.0)
    [found] = of_graph(lambda a: rt.hessians(rt.reduce_prod(a), [a]), [2.0, 3.0, 5.0])
    assert [[0, 5, 3], [5, 0, 2], [3, 2, 0]] == found


def test_gradients_flow_through_loops_and_branches() -> None:
    def f(a: Any) -> Any:
        y = rt.while_loop(lambda i, y: i < 3, lambda i, y: [i + 1, y * a], [0, a])[1]
        z = rt.cond(y > 0, lambda: y * 2, lambda: y)
        return rt.gradients(z, a)

    assert [216.0] == of_graph(f, 3.0)


def test_gradients_in_a_branch_see_outer_tensors() -> None:
    def f(a: Any) -> Any:
        y = a * a
        return [rt.cond(a > 0, lambda: rt.gradients(y * 3, a)[0], lambda: a)]

    assert [18.0] == of_graph(f, 3.0)


def test_sessions_run_gradients() -> None:
    with rt.Graph().as_default() as graph:
        x = rt.session.placeholder(rt.float32, (None,), "x")
        gradient = rt.gradients(rt.reduce_sum(x * x), x)[0]
    with rt.session.Session(graph=graph) as session:
        assert [2.0, 6.0] == session.run(gradient, {x: [1.0, 3.0]}).tolist()


def test_variables_have_gradients() -> None:
    v = rt.Variable(2.0)
    assert [3.0] == of_graph(lambda a: rt.gradients(v * a, v), 3.0)


def test_gradients_outside_of_a_graph_are_refused() -> None:
    x = rt.constant(3.0)
    with pytest.raises(TapeError, match="GradientTape"):
        rt.gradients(x * x, x)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda a: rt.gradients(a, [a], [1.0, 2.0]), ArgumentValueError, "2 grad_ys are given"),
        (lambda a: rt.gradients(a, a, [[1.0, 2.0]]), ArgumentValueError, "2 grad_ys are given"),
        (
            lambda a: rt.gradients(a, a, rt.constant([1.0, 2.0])),
            ShapeError,
            r"the shape of ys, .*, not \(2,\)",
        ),
        (lambda a: rt.gradients(rt.complex(a, a), a), DTypeError, "is complex: give grad_ys"),
        (lambda a: rt.gradients(3.0, a), ArgumentValueError, "ys must be tensors"),
        (lambda a: rt.gradients(a, "a"), ArgumentValueError, "xs must be tensors"),
        (lambda a: rt.gradients(a, a, unconnected_gradients=0), DTypeError, "'none' or 'zero'"),
        (lambda a: rt.hessians(rt.constant(1.0), a), ArgumentValueError, "do not depend"),
    ],
)
def test_values_without_a_gradient_are_refused(
    call: Callable[[Any], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        of_graph(call, 3.0)
