"""A gradient by a value of an earlier iteration is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError


def carried(x: Any) -> Any:
    y, total = x * 1.0, 0.0 * x
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        for _ in rt.range(3):
            y = y * x
            total += tape.gradient(y, x)
    return total


def factor_carried(x: Any) -> Any:
    factor, total = x * 1.0, 0.0 * x
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        for _ in rt.range(3):
            y = x * x * factor
            factor = factor + 1.0
            total += tape.gradient(y, x)
    return total


def from_a_list(x: Any) -> Any:
    y, rows = x * 1.0, []
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        for _ in rt.range(3):
            rows.append(y)
            y = y * x + tape.gradient(rows[-1], x, None, "zero")
    return y


@pytest.mark.parametrize("program", [carried, factor_carried, from_a_list])
def test_a_gradient_through_earlier_iterations_is_refused(
    program: Callable[..., Any],
) -> None:
    with pytest.raises(
        UnimplementedError, match="open the tape inside, ask for it outside"
    ) as told:
        ag.function(program)(rt.constant(1.3))
    assert "test_earlier_iterations.py" in str(told.value)


def stopped(x: Any) -> Any:
    factor, total = x * 1.0, 0.0 * x
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        for _ in rt.range(3):
            y = x * x * rt.stop_gradient(factor)
            factor = factor + 1.0
            total += tape.gradient(y, x)
    return total


def computed_before(x: Any) -> Any:
    total = 0.0 * x
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * 1.0
        for _ in rt.range(3):
            y = y * x
        for i in rt.range(2):
            total += tape.gradient(y, x) * rt.cast(i + 1, rt.float32)
    return total


def watched_in_the_iteration(x: Any) -> Any:
    s = x * 1.0
    for _ in rt.range(2):
        with rt.GradientTape() as tape:
            tape.watch(s)
            y = s * s
            for _ in rt.range(2):
                y = y * s
        s = s + 0.1 * tape.gradient(y, s)
    return s


def watched_around(x: Any) -> Any:
    s = x * 1.0
    with rt.GradientTape(persistent=True) as tape:
        for _ in rt.range(2):
            tape.watch(s)
            y = s * s
            s = s + 0.1 * tape.gradient(y, s)
    return s


@pytest.mark.parametrize(
    "program", [stopped, computed_before, watched_in_the_iteration, watched_around]
)
def test_gradients_within_an_iteration_agree_with_python(program: Callable[..., Any]) -> None:
    x = rt.constant(1.3)
    assert pytest.approx(float(program(x)), rel=1e-5) == float(ag.function(program)(x))
