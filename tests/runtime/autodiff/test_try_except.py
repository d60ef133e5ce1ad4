"""Gradients through a staged `try`: of the part that completed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError

V = rt.Variable(1.3, dtype=rt.float64)
POINTS = [(1.2, 4), (2.0, 2), (4.0, 1), (2.0, 0)]


def one_handler(x: Any, n: Any) -> Any:
    try:
        if x > 3.0:
            raise ValueError("large")
        y = x * x * V
    except ValueError:
        y = rt.sin(x)
    return y


def parts_of_all_kinds(x: Any, n: Any) -> Any:
    z = x
    try:
        if n == 1:
            raise KeyError("one")
        if n == 2:
            raise ValueError("two")
        y = x * x
    except ValueError:
        y = 3.0 * x * V
    except KeyError:
        y = rt.exp(-x)
    else:
        y = y * x
    finally:
        z = z * x
    return y * z


def in_each_iteration(x: Any, n: Any) -> Any:
    y = x
    for _ in rt.range(n):
        try:
            if y > 3.0:
                raise ValueError("large")
            y = y * x * V
        except ValueError:
            y = rt.sin(y) + x
    return y


def around_a_loop(x: Any, n: Any) -> Any:
    s = x * x
    try:
        z = x
        for _ in rt.range(n):
            z = z * x
            if z > 9.0:
                raise ValueError("large")
        s = z * V
    except ValueError:
        s = s * x
    return s


def that_leaves(x: Any, n: Any) -> Any:
    y = x
    for _ in rt.range(n):
        try:
            if y > 3.0:
                raise ValueError("large")
            y = y * x
        except ValueError:
            break
        y = y + V
    try:
        if y > 5.0:
            raise KeyError("larger")
        return y * V
    except KeyError:
        return rt.sin(y)


def squared_of_few(x: Any, n: Any) -> Any:
    if n > 0:
        raise ValueError("one") if n == 1 else KeyError("more")
    return x * x


def one_in_another(x: Any, n: Any) -> Any:
    try:
        try:
            y = squared_of_few(x, n)
        except ValueError:
            y = 3.0 * x * V
    except KeyError:
        y = rt.exp(x)
    return y


def of_functions(x: Any, n: Any) -> Any:
    @ag.function
    def checked(x: Any) -> Any:
        if x > 3.0:
            raise ValueError("large")
        return x * V

    y = x
    for _ in rt.range(n):
        try:
            y = checked(y) * x
        except ValueError:
            y = 0.2 * y
    return y


def of_a_manager(x: Any, n: Any) -> Any:
    class Quiet:
        def __enter__(self) -> None:
            return None

        def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
            return kind is not None and issubclass(kind, ValueError)

    y = x
    with Quiet():
        if x > 3.0:
            raise ValueError("large")
        y = x * x * V
    return y * x


def gradients(program: Callable[..., Any], x: Any, n: Any, residuals: str = "store") -> Any:
    with rt.GradientTape(residuals=residuals) as outer:
        outer.watch(x)
        with rt.GradientTape(residuals=residuals) as tape:
            tape.watch(x)
            y = program(x, n)
        first = tape.gradient(y, [x, V], unconnected_gradients="zero")
    return [y, *first, *outer.gradient(first, [x, V], unconnected_gradients="zero")]


@pytest.mark.parametrize("residuals", ["store", "checkpoint"])
@pytest.mark.parametrize(
    "program",
    [
        one_handler,
        parts_of_all_kinds,
        in_each_iteration,
        around_a_loop,
        that_leaves,
        one_in_another,
        of_functions,
        of_a_manager,
    ],
)
def test_gradients_agree_with_python(program: Any, residuals: str) -> None:
    staged = ag.function(lambda x, n: gradients(program, x, n, residuals))
    called = ag.function(program)
    for start, count in POINTS:
        x, n = rt.constant(start, rt.float64), rt.constant(count)
        expected = gradients(program, x, n)
        for actual in (staged(x, n), gradients(called, x, n)):
            for one, other in zip(expected, actual, strict=True):
                np.testing.assert_allclose(one, other, rtol=2e-5)


class WithValue(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


def what_the_exception_holds(x: Any) -> Any:
    try:
        if x > 3.0:
            raise WithValue(x * x)
        y = x * 2.0
    except WithValue as error:
        y = 5.0 * error.value
    return y


def what_was_changed_before(x: Any) -> Any:
    y = x
    try:
        y = y * x
        if x > 3.0:
            raise ValueError("large")
        y = y * 2.0
    except ValueError:
        y = 5.0 * y
    return y


@pytest.mark.parametrize("program", [what_the_exception_holds, what_was_changed_before])
def test_a_gradient_through_an_interrupted_try_body_is_refused(program: Any) -> None:
    @ag.function
    def gradient(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = program(x)
        return tape.gradient(y, x)

    with pytest.raises(UnimplementedError, match="a handler of a `try` reads"):
        gradient(rt.constant(2.0))
