"""Gradients through Functions that call Functions: in branches, in loops, of higher order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

V = rt.Variable(2.0)
K = rt.constant(1.5)


@ag.function
def inner(x: Any) -> Any:
    return x * V * K if x > 1.0 else rt.sin(x) + V


@ag.function
def iterations(x: Any, n: Any) -> Any:
    for _ in rt.range(n):
        x = inner(x) * rt.sin(inner(x))
    return x


@ag.function
def counted(x: Any, n: Any) -> Any:
    return x if n <= 0 else x * counted(x, n - 1)


def through_calls(x: Any, n: Any) -> Any:
    return iterations(x, n) * inner(x)


def calls_in_a_loop(x: Any, n: Any) -> Any:
    y = x
    for i in rt.range(n):
        if i < 1:
            continue
        y = iterations(y, i) * inner(y)
    return y


def calls_itself(x: Any, n: Any) -> Any:
    return counted(x, 4) * V


def variables_given(x: Any, n: Any) -> Any:
    @ag.function
    def squared(v: Any, x: Any) -> Any:
        return v * x * v

    @ag.function
    def over(x: Any, n: Any) -> Any:
        for _ in rt.range(n):
            x = squared(V, x)
        return x

    return over(x, n)


def rules_of_the_users(x: Any, n: Any) -> Any:
    @rt.custom_gradient
    def scaled(x: Any) -> Any:
        return 1.0 * x, lambda dy: dy * K * 5.0

    @ag.function
    def called(x: Any) -> Any:
        return scaled(x) * V

    @ag.function
    def over(x: Any, n: Any) -> Any:
        for _ in rt.range(n):
            x = called(x)
        return x

    return over(x, n)


def gradients(program: Callable[..., Any], x: Any, n: Any) -> Any:
    with rt.GradientTape() as outer:
        outer.watch(x)
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = program(x, n)
        first = tape.gradient(y, x)
    return [y, first, *outer.gradient(first, [x, V], unconnected_gradients="zero")]


def plain(f: Callable[..., Any], *args: Any) -> Any:
    ag.run_functions_eagerly(True)
    try:
        return f(*args)
    finally:
        ag.run_functions_eagerly(False)


@pytest.mark.parametrize("start", [0.4, 1.5])
@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize(
    "program",
    [through_calls, calls_in_a_loop, calls_itself, variables_given, rules_of_the_users],
)
def test_gradients_agree_with_plain_calls(program: Any, start: float, count: int) -> None:
    x, n = rt.constant(start), rt.constant(count)
    expected = plain(gradients, program, x, n)
    staged = ag.function(lambda x, n: gradients(program, x, n))
    for actual in (gradients(program, x, n), staged(x, n)):
        for one, other in zip(expected, actual, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-4)


def test_calls_outside_of_a_tape_have_gradients_in_a_graph() -> None:
    @ag.function
    def staged(x: Any, n: Any) -> Any:
        y = iterations(x, n) * inner(x)
        first = rt.gradients(y, [x, V])
        return [*first, *rt.gradients(first[0], x)]

    x, n = rt.constant(0.4), rt.constant(2)
    with rt.GradientTape() as outer:
        outer.watch(x)
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = plain(through_calls, x, n)
        first = tape.gradient(y, [x, V])
    expected = [*first, outer.gradient(first[0], x)]
    for one, other in zip(expected, staged(x, n), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4)


def test_unused_results_of_a_call_are_unconnected() -> None:
    @ag.function
    def pair(x: Any, y: Any) -> Any:
        return x * y, rt.sin(x), 3

    @ag.function
    def staged(x: Any, y: Any) -> Any:
        product, sine, _ = pair(x, y)
        assert rt.gradients(sine, y) == [None]
        return rt.gradients(product, [x, y])

    assert [3.0, 2.0] == [each.numpy() for each in staged(rt.constant(2.0), rt.constant(3.0))]
