"""A custom gradient is recorded with its function and runs when a gradient is computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError


@rt.custom_gradient
def scaled(x: Any, c: Any) -> Any:
    s = rt.exp(x)
    return x * c, lambda dy: (dy * s, dy * x)


def in_a_loop(x: Any, c: Any) -> Any:
    for _ in rt.range(3):
        x = scaled(x, c) if x < 3.0 else x * 2.0
    return x


def gradients(f: Any, x: Any, c: Any) -> list[Any]:
    """Return first and second slopes."""
    with rt.GradientTape() as outer:
        outer.watch([x, c])
        with rt.GradientTape() as tape:
            tape.watch([x, c])
            y = f(x, c)
        first = tape.gradient(y, [x, c])
    second = outer.gradient(first, [x, c], None, "zero")
    return [float(each) for each in (*first, *second)]


@pytest.mark.parametrize("f", [scaled, in_a_loop], ids=["once", "in a loop"])
def test_a_tape_calls_the_custom_gradient_with_runtime_values(f: Any) -> None:
    x, c = rt.constant(1.3), rt.constant(1.7)
    expected = gradients(f, x, c)
    np.testing.assert_allclose(gradients(ag.function(f), x, c), expected, rtol=1e-5)
    inside = ag.function(lambda x, c: tape_inside(f, x, c))
    np.testing.assert_allclose([float(each) for each in inside(x, c)], expected[:2], rtol=1e-5)


def tape_inside(f: Any, x: Any, c: Any) -> Any:
    with rt.GradientTape() as tape:
        tape.watch([x, c])
        y = f(x, c)
    return tape.gradient(y, [x, c])


def test_a_custom_gradient_reads_variables_at_the_forward_pass() -> None:
    v = rt.Variable(3.0)

    @rt.custom_gradient
    def f(x: Any) -> Any:
        return x * 2.0, lambda dy: dy * v

    x = rt.constant(2.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = ag.function(lambda x: f(x) * 2.0)(x)
    assert 6.0 == tape.gradient(y, x).numpy()


def test_recompute_grad_differentiates_loops() -> None:
    v, x = rt.Variable(2.0), rt.constant(3.0)

    def f(x: Any) -> Any:
        return rt.while_loop(lambda i, y: i < 2, lambda i, y: [i + 1, y * v * x], [0, x])[1]

    with rt.GradientTape() as tape:
        tape.watch(x)
        y = ag.function(lambda x: rt.recompute_grad(f)(x) * 2.0)(x)
    assert [216.0, 216.0] == [each.numpy() for each in tape.gradient(y, [x, v])]


def test_an_error_in_a_custom_gradient_is_raised_on_use() -> None:
    @rt.custom_gradient
    def f(x: Any) -> Any:
        def grad(dy: Any) -> Any:
            raise RuntimeError("no gradient here")

        return x * 2.0, grad

    x = rt.constant(2.0)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = ag.function(lambda x: f(x))(x)
    assert 4.0 == y.numpy()
    with pytest.raises(RuntimeError, match="no gradient here"):
        tape.gradient(y, x)


@pytest.mark.parametrize(
    ("gradient", "words"),
    [
        (
            lambda dy: rt.constant([1.0, 2.0, 3.0]),
            r"must return the shape \(2,\) of its argument, not \(3,\)",
        ),
        (lambda dy: rt.cast(dy, rt.float64), "float64 for an argument of float32"),
    ],
)
def test_a_custom_gradient_of_wrong_shape_or_dtype_is_refused(gradient: Any, words: str) -> None:
    f = rt.custom_gradient(lambda x: (x * 2.0, gradient))
    for call in (f, ag.function(lambda x: f(x))):
        x = rt.constant([1.5, 2.0])
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = call(x)
        with pytest.raises(ArgumentValueError, match=words):
            tape.gradient(y, x)
