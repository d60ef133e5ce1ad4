"""Recomputation for a gradient repeats only the nodes that it can."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt


def nested(x: Any, n: Any) -> Any:
    if n <= 0:
        return rt.sin(x)
    y = nested(x * 0.9, n - 1)
    return rt.exp(-rt.while_loop(lambda i, c: i < 2, lambda i, c: [i + 1, c * y], [0, x])[1])


def gradients(x: Any, n: Any, order: int, residuals: str) -> Any:
    if order == 0:
        return nested(x, n)
    with rt.GradientTape(residuals=residuals) as tape:
        tape.watch(x)
        y = gradients(x, n, order - 1, residuals)
    return tape.gradient(y, x)


staged = ag.function(gradients)


@pytest.mark.parametrize("residuals", ["store", "checkpoint"])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_recomputation_does_not_repeat_the_enclosing_call(order: int, residuals: str) -> None:
    x = rt.constant(0.4, rt.float64)
    expected = gradients(x, 3, order, residuals).numpy()
    assert pytest.approx(expected, rel=1e-9) == staged(x, rt.constant(3), order, residuals).numpy()
