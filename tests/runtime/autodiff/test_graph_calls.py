"""A call of a traced function under tapes is one step, equal to its ops."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

V = rt.Variable(2.0)
U = rt.Variable(3.0)
FIXED = rt.Variable(1.5, trainable=False)
COUNT = rt.Variable(0, trainable=False)
K = rt.constant(1.25)


def straight(x: Any, y: Any) -> Any:
    return rt.sin(x) * y * V + K * x


def with_a_branch(x: Any, y: Any) -> Any:
    return x * V * rt.tanh(y) if rt.reduce_sum(x) > 1.0 else rt.exp(x) * y * U


def with_a_loop(x: Any, y: Any) -> Any:
    total = x
    while rt.reduce_sum(total) < 20.0:
        total = total * V + rt.sin(y)
    return total * U


def with_a_list(x: Any, y: Any) -> Any:
    rows = []
    for i in rt.range(3):
        rows.append(x * rt.cast(i, rt.float32) * y)
    total = rt.zeros_like(x)
    for row in rows:
        total += row * row * V
    return total


def with_calls(x: Any, y: Any) -> Any:
    return inner(inner(x, y), x) + inner(y, y)


def with_effects(x: Any, y: Any) -> Any:
    COUNT.assign_add(1)
    before = x * V
    FIXED.assign(FIXED + 1.0)
    return before * y * (FIXED - FIXED.read_value() + 2.0)


def with_stops(x: Any, y: Any) -> Any:
    return rt.stop_gradient(x * V) * y + rt.cast(rt.cast(y, rt.int32), rt.float32) * x


def with_a_rule(x: Any, y: Any) -> Any:
    return doubled(x) * y + rt.recompute_grad(lambda x: x * V * x)(x)


def with_dropped_shapes(x: Any, y: Any) -> Any:
    return rt.reduce_sum(x) * rt.expand_dims(y, 0) + V


def that_hands_on(x: Any, y: Any) -> Any:
    return x


def that_fails_to_fit(x: Any, y: Any) -> Any:
    return rt.py_function(lambda a: a * V, [x], rt.float32) * y


def with_a_handler(x: Any, y: Any) -> Any:
    try:
        rt.debugging.assert_less(x, 0.0)
        return x * y
    except rt.errors.InvalidArgumentError:
        return x * x * y * V


@ag.function
def inner(x: Any, y: Any) -> Any:
    return rt.sin(x) * y + V


@rt.custom_gradient
def doubled(x: Any) -> Any:
    return x * 2.0, lambda dy: dy * 7.0


PROGRAMS = [
    straight,
    with_a_branch,
    with_a_loop,
    with_a_list,
    with_calls,
    with_effects,
    with_stops,
    with_a_rule,
    with_dropped_shapes,
    that_hands_on,
    that_fails_to_fit,
    with_a_handler,
]
POINTS = [(0.5, 0.75), ([0.5, 1.25], [0.25, -0.5])]
BY_OPS = [that_fails_to_fit, with_a_handler]


def gradients(f: Callable[..., Any], point: Any, persistent: bool = False) -> list[Any]:
    FIXED.assign(1.5)
    x, y = map(rt.constant, point)
    with rt.GradientTape(persistent) as tape:
        tape.watch([x, y])
        z = f(x, y)
        target = rt.reduce_sum(rt.square(z))
    found = tape.gradient(target, [x, y, V, U, FIXED, z])
    return [np.zeros(()) if each is None else each.numpy() for each in found]


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("point", POINTS, ids=["numbers", "rows"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients_agree_with_plain_python(program: Any, point: Any, persistent: bool) -> None:
    if program is with_a_handler and point is POINTS[1]:
        point = ([0.5, 1.25], [0.25, 0.5])
    expected = gradients(program, point)
    staged = ag.function(program)
    for _ in range(2):
        for one, other in zip(expected, gradients(staged, point, persistent), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5)


@pytest.mark.parametrize("program", [p for p in PROGRAMS if p is not that_fails_to_fit])
def test_gradients_of_gradients_agree_with_plain_python(program: Any) -> None:
    def second(f: Callable[..., Any]) -> list[Any]:
        FIXED.assign(1.5)
        x, y = rt.constant([0.5, 1.25]), rt.constant([0.25, 0.5])
        with rt.GradientTape(persistent=True) as outer:
            outer.watch([x, y])
            with rt.GradientTape() as tape:
                tape.watch([x, y])
                z = rt.reduce_sum(f(x, y) ** 3)
            first = tape.gradient(z, [x, y, V], unconnected_gradients="zero")
        found = outer.jacobian(first[0], [x, y, V], "zero")
        found += outer.gradient(first, [x, y, V], unconnected_gradients="zero")
        return [each.numpy() for each in found]

    for one, other in zip(second(program), second(ag.function(program)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4)


@pytest.mark.parametrize("program", PROGRAMS)
def test_directional_derivatives_agree_with_plain_python(program: Any) -> None:
    def along(f: Callable[..., Any]) -> Any:
        FIXED.assign(1.5)
        x, y = rt.constant([0.5, 1.25]), rt.constant([0.25, 0.5])
        with rt.ForwardAccumulator([x, V], [rt.constant([1.0, -2.0]), rt.constant(0.5)]) as forth:
            z = f(x, y)
        return forth.jvp(z).numpy()

    np.testing.assert_allclose(along(program), along(ag.function(program)), rtol=1e-5)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_traced_call_is_one_tape_step(program: Any) -> None:
    x, y = rt.constant(0.5), rt.constant(0.75)
    staged = ag.function(program)
    with rt.GradientTape() as tape:
        tape.watch(x)
        staged(x, y)
    calls = [step for step in tape._steps if step.op.name == "called_graph"]
    assert len(calls) == (program not in BY_OPS)


@pytest.mark.parametrize("program", [p for p in PROGRAMS if p is not that_fails_to_fit])
def test_second_gradients_use_the_variables_of_the_forward_pass(program: Any) -> None:
    def second(f: Callable[..., Any]) -> list[Any]:
        FIXED.assign(1.5)
        x, y = rt.constant([0.5, 1.25]), rt.constant([0.25, 0.5])
        try:
            with rt.GradientTape(persistent=True) as outer:
                outer.watch([x, y])
                with rt.GradientTape(persistent=True) as tape:
                    tape.watch([x, y])
                    z = rt.reduce_sum(f(x, y) ** 3)
                V.assign(7.0)
                first = tape.gradient(z, [x, y, V], unconnected_gradients="zero")
                U.assign(0.25)
                first += tape.gradient(z, [V, U], unconnected_gradients="zero")
            assert (V in outer.watched_variables()) == (V in tape.watched_variables())
            return outer.gradient(first, [x, y, V, U], unconnected_gradients="zero")
        finally:
            V.assign(2.0)
            U.assign(3.0)

    for one, other in zip(second(program), second(ag.function(program)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4)


def test_third_gradients_where_variables_have_changed_in_between() -> None:
    def third(v: Any, x: Any, by: float) -> list[float]:
        with rt.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with rt.GradientTape() as middle:
                middle.watch(x)
                with rt.GradientTape() as tape:
                    tape.watch(x)
                    y = powers(x, v)
                v.assign_add(by)
                first = tape.gradient(y, x)
            v.assign_add(by)
            second = middle.gradient(first, [x, v])
            v.assign_add(by)
        return [float(outer.gradient(each, of)) for each in second for of in (x, v)]

    @ag.function
    def powers(x: Any, v: Any) -> Any:
        for _ in rt.range(3):
            x = x * x * v
        return x

    # Of x ** 8 * v ** 7.
    for by in (0.0, 1.0):
        v, x = rt.Variable(2.0), rt.constant(0.5)
        expected = [8 * 7 * 6 * 0.5**5 * 2**7, 8 * 7 * 7 * 0.5**6 * 2**6]
        expected += [expected[1], 8 * 7 * 6 * 0.5**7 * 2**5]
        np.testing.assert_allclose(third(v, x, by), expected, rtol=1e-5)


def test_a_closed_persistent_tape_does_not_rerun_the_forward_graph() -> None:
    @ag.function
    def powers(x: Any) -> Any:
        for _ in rt.range(3):
            x = x * V
        return x

    x = rt.constant(0.5)
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = powers(x)
        third = tape.gradient(y, V)
    V.assign(5.0)
    try:
        assert [8.0, 6.0] == [float(tape.gradient(y, each)) for each in (x, V)]
        assert 12.0 == float(tape.gradient(third, x))
    finally:
        V.assign(2.0)


def test_backward_graphs_are_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = []
    record = rt.Graph.record
    monkeypatch.setattr(
        rt.Graph, "record", lambda graph, *args: recorded.append(0) or record(graph, *args)
    )
    staged = ag.function(with_a_loop)
    counts = []
    for _ in range(3):
        gradients(staged, POINTS[0])
        counts.append(len(recorded))
    assert counts[0] > 0 and counts == counts[:1] * 3


def test_effects_happen_once() -> None:
    COUNT.assign(0)
    gradients(ag.function(with_effects), POINTS[0])
    assert (1, 2.5) == (int(COUNT), float(FIXED))


def test_random_numbers_are_those_of_the_call() -> None:
    @ag.function
    def noisy(x: Any) -> Any:
        return x * rt.random.uniform([3])

    x = rt.constant([1.0, 2.0, 3.0])
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = noisy(x)
    np.testing.assert_allclose((y / x).numpy(), tape.gradient(y, x).numpy(), rtol=1e-6)


def test_variables_that_are_assigned_later_were_read_before() -> None:
    x, v = rt.constant(3.0), rt.Variable(2.0)

    @ag.function
    def squared(x: Any) -> Any:
        return x * v * v

    with rt.GradientTape() as tape:
        y = squared(x)
    v.assign(100.0)
    assert float(tape.gradient(y, v)) == 12.0


def test_an_op_without_a_gradient_is_refused_on_use() -> None:
    @ag.function
    def distinct(x: Any) -> Any:
        return rt.unique(x)[0], x * 2.0

    x = rt.constant([1.0, 2.0])
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        values, doubled = distinct(x)
    assert [2.0, 2.0] == tape.gradient(doubled, x).numpy().tolist()
    with pytest.raises(rt.errors.UnimplementedError, match="unique, which has none"):
        tape.gradient(values, x)


def test_gradient_caches_are_freed_with_their_graph() -> None:
    staged = ag.function(straight)
    gradients(staged, POINTS[0])
    graph = weakref.ref(staged.get_concrete_function(rt.constant(0.5), rt.constant(0.5)).graph)
    assert graph() is not None
    del staged
    gc.collect()
    assert graph() is None
