"""A gradient by a value inside of a branch or iteration is refused outside of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import UnimplementedError


def in_a_branch(x: Any) -> Any:
    z = y = x
    with rt.GradientTape() as tape:
        tape.watch(x)
        if x > 0.0:
            z = 2.0 * x
            y = z * z
        w = y * 3.0
    return tape.gradient(w, z, None, "zero")


def in_a_branch_of_a_branch(x: Any) -> Any:
    z = y = x
    with rt.GradientTape() as tape:
        tape.watch(x)
        if x > 0.0:
            if x > 1.0:
                z = 2.0 * x
                y = z * z
    return tape.gradient(y, z, None, "zero")


def changed_in_the_other_branch(x: Any) -> Any:
    with rt.GradientTape() as tape:
        tape.watch(x)
        if x > 0.0:
            y = x * x
        else:
            x = x * 2.0
            y = x * 3.0
    return tape.gradient(y, x, None, "zero")


def in_a_loop(x: Any) -> Any:
    z, y = x, 0.0 * x
    with rt.GradientTape() as tape:
        tape.watch(x)
        for i in rt.range(3):
            z = x * rt.cast(i, rt.float32)
            y = y + z * z
    return tape.gradient(y, z, None, "zero")


def in_a_list(x: Any) -> Any:
    with rt.GradientTape() as tape:
        tape.watch(x)
        rows, row = [], x
        for _ in rt.range(3):
            row = rt.sin(row) * x
            rows.append(row)
        y = rows[-1] * rows[0]
    return tape.gradient(y, rows[0], None, "zero")


REFUSED = [in_a_branch, in_a_branch_of_a_branch, changed_in_the_other_branch, in_a_loop, in_a_list]


@pytest.mark.parametrize("program", REFUSED)
def test_a_gradient_by_a_value_inside_of_a_region_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(
        UnimplementedError, match="compute the gradient in there, or make that value before"
    ) as told:
        ag.function(program)(rt.constant(1.3))
    assert "test_inner_paths.py" in str(told.value)


def results_of_one_loop(x: Any) -> Any:
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z, y = x * 1.0, x * 1.0
        for _ in rt.range(3):
            y = y * x + rt.stop_gradient(z)
            z = z + 1.0
        w = y * z
    return tape.gradient(w, z) + tape.gradient(w, y) + tape.gradient(w, x)


def one_item_of_a_list(x: Any) -> Any:
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(x)
        rows = []
        for i in rt.range(3):
            rows.append(x * rt.cast(i, rt.float32))
        row = rows[-1]
        y = row * row
    return tape.gradient(y, row) + tape.gradient(y, x)


def recorded_in_the_branch(x: Any) -> Any:
    with rt.GradientTape() as tape:
        tape.watch(x)
        z = 2.0 * x
        y = x
        if x > 0.0:
            y = z * z
    return tape.gradient(y, z)


@pytest.mark.parametrize(
    "program", [results_of_one_loop, one_item_of_a_list, recorded_in_the_branch]
)
def test_other_gradients_agree_with_python(program: Callable[..., Any]) -> None:
    x = rt.constant(1.3)
    assert pytest.approx(float(program(x)), rel=1e-5) == float(ag.function(program)(x))
