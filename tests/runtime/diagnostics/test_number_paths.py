"""Numbers that leave a tape and come back: warnings where a gradient is asked for."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.diagnostics import untracked_numbers
from runtime.errors import ArgumentValueError

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="lines have no columns")


@pytest.fixture(autouse=True)
def no_line_has_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untracked_numbers, "_WARNED", set())


def texts_of(program: Callable[[Any], object]) -> list[str]:
    """Return the beginnings of the warnings that a program gives, and check their line."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        program(rt.Variable(3.0))
    assert all(each.filename == __file__ for each in seen)
    return [str(each.message).partition(" left the tape")[0] for each in seen]


def assigned(w: Any) -> None:
    with rt.GradientTape() as tape:
        penalty = w * w
        factor = float(penalty)
        loss = w + 0.1 * factor
    tape.gradient(loss, w)


def in_one_expression(w: Any) -> None:
    with rt.GradientTape() as tape:
        penalty = w * w
        loss = w + 0.1 * float(penalty)
    tape.gradient(loss, w)


def in_a_constant(w: Any) -> None:
    with rt.GradientTape() as tape:
        loss = rt.constant(float(w * w)) * 2
        loss = loss + w
    tape.gradient(target=loss, sources=w)


def by_math(w: Any) -> None:
    with rt.GradientTape() as tape:
        loss = w * math.exp(w)
    tape.gradient(loss, w)


def in_a_sum(w: Any) -> None:
    with rt.GradientTape() as tape:
        loss = w + sum([float(each) for each in [w * w, w]])
    tape.gradient(loss, w)


def in_a_list(w: Any) -> None:
    parts = []
    with rt.GradientTape() as tape:
        for _ in range(2):
            parts.append((w * w).numpy())
        total, _ = sum(parts), 3
        total += w
    tape.gradient(total, w)


def penalty_of(w: Any) -> Any:
    found = (w * w).numpy()
    return found.item() * 0.5


def of_a_helper(w: Any) -> None:
    with rt.GradientTape() as tape:
        loss = w + penalty_of(w)
    tape.gradient(loss, w)


def of_a_function_of_the_loss(w: Any) -> None:
    rt.grad(lambda x: x + penalty_of(x))(rt.constant(3.0))


@pytest.mark.parametrize(
    "program, conversion",
    [
        (assigned, "float(penalty)"),
        (in_one_expression, "float(penalty)"),
        (in_a_constant, "float(w * w)"),
        (by_math, "math.exp(w)"),
        (in_a_sum, "float(each)"),
        (in_a_list, "(w * w).numpy()"),
        (of_a_helper, "(w * w).numpy()"),
        (of_a_function_of_the_loss, "(w * w).numpy()"),
    ],
)
def test_a_number_that_comes_back_to_the_tape_warns_once(program: Any, conversion: str) -> None:
    assert [conversion] == texts_of(program)
    assert [] == texts_of(program)


def test_each_line_with_such_a_number_warns() -> None:
    def program(w: Any) -> None:
        with rt.GradientTape() as tape:
            loss = w + float(w * w)
            loss = loss * math.exp(w)
        tape.gradient(loss, w)

    assert ["float(w * w)", "math.exp(w)"] == texts_of(program)


def logged(w: Any) -> None:
    losses, total, logs = [], 0.0, {}
    for _ in range(3):
        with rt.GradientTape() as tape:
            penalty = w * w
            loss = penalty + w
            losses.append(float(loss))
            total += loss.numpy()
            logs["penalty"] = float(penalty)
            best = max(losses)
            print(f"{float(loss):.2f} {best} {loss}")
            if float(penalty) > 3.0 or math.isnan(loss):
                loss = loss * 2.0
            scale = 2.0 if float(penalty) > 3.0 else 1.0
            loss = loss * scale
        tape.gradient(loss, w)


def meant(w: Any) -> None:
    with rt.GradientTape() as tape:
        loss = w * rt.stop_gradient(float(w * w))
    tape.gradient(loss, w)


def afterwards(w: Any) -> None:
    with rt.GradientTape() as tape:
        loss = w * w
    loss_value = float(loss)
    tape.gradient(loss, w)
    assert loss_value == 9.0


def unwatched(w: Any) -> None:
    with rt.GradientTape() as tape:
        loss = w * float(rt.constant(2.0))
    tape.gradient(loss, w)


@pytest.mark.parametrize("program", [logged, meant, afterwards, unwatched])
def test_numbers_that_do_not_come_back_are_no_warning(program: Any) -> None:
    assert [] == texts_of(program)


def test_the_error_of_a_target_that_is_a_number_names_what_made_it() -> None:
    w = rt.Variable(3.0)
    with rt.GradientTape() as tape:
        loss = (w * w).numpy().item()
    with pytest.raises(ArgumentValueError, match=r"not 9.0: \(w \* w\).numpy\(\) left the tape"):
        tape.gradient(loss, w)
    with rt.GradientTape() as tape:
        total = sum([float(w * w)])
    with pytest.raises(ArgumentValueError, match=r"not 9.0: float\(w \* w\) left the tape"):
        tape.gradient(total, w)
    with rt.GradientTape() as tape:
        array = np.asarray(w * w) * 2
    with pytest.raises(ArgumentValueError, match=r"np.asarray\(w \* w\) left the tape"):
        tape.gradient(array, w)
