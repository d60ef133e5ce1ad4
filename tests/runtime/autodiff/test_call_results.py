"""Gradients of results and arguments of a call that is one tape step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.runtime.autodiff.test_graph_calls import U, V, straight, with_a_branch


def test_each_result_has_its_gradients() -> None:
    @ag.function
    def parts(x: Any, y: Any) -> Any:
        return {"of_x": x * V, "both": [x * y, x], "of_y": rt.sin(y), "count": 3}

    x, y = rt.constant(2.0), rt.constant(0.0)
    with rt.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        found = parts(x, y)
        asked = [found["of_x"], found["of_y"], *found["both"]]
        gradients = [tape.gradient(each, [x, y, V, U]) for each in asked]
    expected = [[2.0, None, 2.0], [None, 1.0, None], [0.0, 2.0, None], [1.0, None, None]]
    plain = [[None if e is None else float(e) for e in each] for each in gradients]
    assert [[*each, None] for each in expected] == plain
    zeros = tape.gradient(found["of_y"], [x, V], unconnected_gradients="zero")
    assert [0.0, 0.0] == list(map(float, zeros))


def test_infinite_gradients_of_unused_results_are_ignored() -> None:
    @ag.function
    def roots(x: Any) -> Any:
        return x * 2.0, rt.sqrt(x)

    x = rt.constant(0.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        double, _ = roots(x)
    assert float(tape.gradient(double, x)) == 2.0


def test_gradients_of_some_results_of_a_loop() -> None:
    @ag.function
    def powers(x: Any, y: Any) -> Any:
        a, b = x, y
        for _ in rt.range(3):
            a, b = a * x, b * y
        return a, b, x * V

    x, y = rt.constant(2.0), rt.constant(3.0)
    for at, expected in enumerate([(32.0, None, None), (None, 108.0, None), (2.0, None, 2.0)]):
        with rt.GradientTape() as tape:
            tape.watch([x, y])
            found = powers(x, y)
        gradients = tape.gradient(found[at], [x, y, V])
        assert expected == tuple(None if each is None else float(each) for each in gradients)


def test_a_repeated_argument_and_a_repeated_result() -> None:
    @ag.function
    def twice(x: Any, y: Any) -> Any:
        z = x * y
        return z, z, y

    x = rt.constant(3.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        one, other, same = twice(x, x)
        total = one + 2.0 * other + 5.0 * same
    assert (23.0, 9.0) == (float(tape.gradient(total, x)), float(one))


def test_tapes_with_different_watched_tensors() -> None:
    staged = ag.function(straight)
    x, y = rt.constant(0.5), rt.constant(0.75)
    with rt.GradientTape() as of_x, rt.GradientTape(watch_accessed_variables=False) as of_y:
        of_x.watch(x)
        of_y.watch(y)
        z = staged(x, y)
    assert of_x.gradient(z, y) is None and of_y.gradient(z, [x, V]) == [None, None]
    assert [V.ref()] == [each.ref() for each in of_x.watched_variables()]
    assert () == of_y.watched_variables()


def test_variables_of_both_branches_are_watched() -> None:
    staged = ag.function(with_a_branch)
    x, y = rt.constant(2.0), rt.constant(0.75)
    with rt.GradientTape() as tape:
        z = staged(x, y)
    # As in TensorFlow.
    assert [V.ref(), U.ref()] == [each.ref() for each in tape.watched_variables()]
    assert 0.0 == float(tape.gradient(z, U))


def test_a_gradient_computed_while_another_function_is_traced() -> None:
    staged = ag.function(straight)
    x, y = rt.constant(0.5), rt.constant(0.75)
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z = staged(x, y)
    gradient = ag.function(lambda scale: tape.gradient(z, x) * scale)
    assert pytest.approx(2.0 * float(tape.gradient(z, x))) == float(gradient(rt.constant(2.0)))


def test_stop_recording_records_no_steps() -> None:
    staged = ag.function(straight)
    x, y = rt.constant(0.5), rt.constant(0.75)
    with rt.GradientTape() as tape:
        tape.watch(x)
        with tape.stop_recording():
            z = staged(x, y)
    assert tape.gradient(z, [x, V]) == [None, None] and () == tape.watched_variables()


def test_methods_and_arguments_that_are_variables() -> None:
    scale = rt.Variable(4.0)

    @ag.function
    def scaled(v: Any, x: Any) -> Any:
        v.assign_add(1.0)
        return v * v * x

    x = rt.constant(3.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = scaled(scale, x)
    assert [30.0, 25.0] == list(map(float, tape.gradient(y, [scale, x])))


def test_gradients_of_dynamic_shapes() -> None:
    @ag.function(input_signature=[rt.TensorSpec((None,)), rt.TensorSpec((None, 1))])
    def outer_product(x: Any, y: Any) -> Any:
        return x * y + rt.reduce_mean(x, keepdims=True)

    for count in (2, 3):
        x, y = rt.ones([count]), rt.ones([2, 1]) * 3.0
        with rt.GradientTape() as tape:
            tape.watch([x, y])
            z = outer_product(x, y)
        dx, dy = tape.gradient(z, [x, y])
        np.testing.assert_allclose([8.0] * count, dx.numpy(), rtol=1e-6)
        np.testing.assert_allclose([[float(count)]] * 2, dy.numpy())
