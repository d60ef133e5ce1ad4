"""Unrolled Python loops warn once at the user's line."""

from __future__ import annotations

import linecache
import math
import warnings
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import UnrolledLoopWarning


def added_up(x: Any, turns: int) -> Any:
    total = 0
    for step in range(turns):
        total = total + x * step
    return total


def in_a_branch(x: Any, turns: int) -> Any:
    if x > 0:
        for step in range(turns):
            x = x + step
    return x


def staged(x: Any, turns: Any) -> Any:
    for step in range(turns):
        x = x + step
    return x


def guard_key(function: Any, *args: Any) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert int(function(*args)) == int(ag.function(function)(rt.constant(args[0]), *args[1:]))
    return seen


@pytest.mark.parametrize(("function", "line"), [(added_up, 3), (in_a_branch, 3)])
def test_an_often_recorded_line_warns(function: Any, line: int) -> None:
    (seen,) = guard_key(function, 3, 130)
    assert seen.category is UnrolledLoopWarning
    assert (seen.filename, seen.lineno) == (__file__, function.__code__.co_firstlineno + line)
    assert "rt.range(...)" in str(seen.message)


@pytest.mark.parametrize("function", [added_up, in_a_branch])
def test_a_line_recorded_less_often_does_not_warn(function: Any) -> None:
    assert [] == guard_key(function, 3, 60)


def test_gradients_of_long_functions_do_not_warn() -> None:
    def gradient(x: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = straight(x)
        return tape.gradient(y, x)

    lines = [f"    x = rt.tanh(x * {1 + number / 1000})" for number in range(120)]
    text = "\n".join(["def straight(x):", *lines, "    return x", ""])
    linecache.cache["straight.py"] = (
        len(text),
        None,
        text.splitlines(keepends=True),
        "straight.py",
    )
    space: dict[str, Any] = {"rt": rt}
    exec(compile(text, "straight.py", "exec"), space)
    straight = space["straight"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = float(ag.function(gradient)(rt.constant(0.5)))
    x, expected = 0.5, 1.0
    for number in range(120):
        x = math.tanh(x * (1 + number / 1000))
        expected *= (1 + number / 1000) * (1 - x * x)
    assert expected == pytest.approx(found, rel=1e-4)


def test_a_staged_loop_does_not_warn() -> None:
    assert [] == [
        each
        for each in guard_key(lambda x: staged(x, rt.constant(130)), 3)
        if each.category is UnrolledLoopWarning
    ]


@pytest.mark.parametrize("text, join", [("x == {}", " or "), ("x + {}", " + ")])
def test_an_expression_of_many_operands_is_no_loop(
    text: str, join: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expression = join.join(f"({text.format(number)})" for number in range(1, 130))
    name = f"operands_{join.strip()}_{text[2]}.py"
    source = f"def many(x):\n    return {expression}\n"
    entry = (len(source), None, source.splitlines(True), name)
    monkeypatch.setitem(linecache.cache, name, entry)
    namespace: dict[str, Any] = {}
    exec(compile(source, name, "exec"), namespace)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ag.function(namespace["many"])(rt.constant(3))
    assert [] == [each.category for each in caught]
