"""Law: to convert, trace, optimize and print takes as long as a program is. Calls are counted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.parity.written import module_of
from tests.suite_length import sample

HEAD = "import autograph as ag\nimport runtime as rt\n"
FLOAT = np.float32(2)


def straight(count: int) -> str:
    each = ("y = y * 0.5", "y = y + x", "y = rt.tanh(y)", "y = -y")
    return _function("y = x", *each * (count // 4), "return y")


def choices(count: int) -> str:
    lines = (f"if y > {at}:\n        y = y + {at}.5" for at in range(count))
    return _function("y = x", *lines, "return y")


def loops(count: int) -> str:
    lines = (f"while y < {at}.0:\n        y = y + 1.5" for at in range(count))
    return _function("y = x", *lines, "return y")


def loop_variables(count: int) -> str:
    names = [f"v{at}" for at in range(count)]
    turns = (f"        {name} = {name} * 1.5\n" for name in names)
    loop = "while x < 10.0:\n" + "".join(turns) + "        x = x + 1.0"
    return _function(*(f"{name} = x" for name in names), loop, f"return ({', '.join(names)})")


def closures(count: int) -> str:
    lines = (
        f"def g{at}(y):\n        return y * {at}.5 + x\n    x = g{at}(x)" for at in range(count)
    )
    return _function(*lines, "return x")


def matches(count: int) -> str:
    lines = (
        f"match x:\n        case {at}: y = y + 1.0\n        case _: y = -y" for at in range(count)
    )
    return _function("y = x", *lines, "return y")


def cases(count: int) -> str:
    lines = "".join(f"\n        case {at}: y = y + {at}.0" for at in range(count))
    return _function("y = x", "match x:" + lines, "return y")


def choices_in_a_row(count: int) -> str:
    others = "".join(f"\n    elif x > {-at}.0:\n        y = y + {at}.5" for at in range(count))
    return _function("y = x", "if x > 1000.0:\n        y = -y" + others, "return y")


def returns(count: int) -> str:
    lines = (f"if x > {1000 - at}.0:\n        return x + {at}.5" for at in range(count))
    return _function(*lines, "return x")


def helpers(count: int) -> str:
    each = "def g{}(x):\n    if x > {}.0:\n        x = x + 1.0\n    return x * 2.0\n"
    made = "".join(each.format(at, at) for at in range(count))
    return made + _function(*(f"x = g{at}(x)" for at in range(count)), "return x")


def calls_of_functions(count: int) -> str:
    called = "@ag.function\ndef g(x):\n    return rt.tanh(x * 2.0) - x\n"
    return called + _function(*["x = g(x)"] * count, "return x")


def gradients(count: int) -> str:
    inside = "".join("        y = rt.tanh(y * 0.5)\n" for _ in range(count))
    tape = "with rt.GradientTape() as t:\n        t.watch(x)\n        y = x\n" + inside
    return _function(tape, "return t.gradient(y, x)")


def _function(*lines: str) -> str:
    return "def f(x):\n" + "".join(f"    {line}\n" for line in lines)


# How many times as many calls twice as long a program takes, at most. What is in one another has
# more to hand on from level to level, and code is written out once for each, up to a limit.
LONGER = [straight, choices, loops, loop_variables, closures, matches, helpers]
LONGER += [calls_of_functions, gradients]
DEEPER = [cases, choices_in_a_row, returns]


@pytest.mark.parametrize("program", sample(LONGER, 3))
def test_costs_are_linear_in_the_length(program: Callable[[int], str], tmp_path: Path) -> None:
    few, many = (_calls(program(count), tmp_path) for count in (12, 24))
    assert many < 2.1 * few


@pytest.mark.parametrize("program", sample(DEEPER, 2))
def test_costs_are_linear_in_the_depth(program: Callable[[int], str], tmp_path: Path) -> None:
    few, many = (_calls(program(count), tmp_path) for count in (20, 40))
    assert many < 2.6 * few


def _calls(source: str, folder: Path) -> int:
    """Return how many calls of functions it takes to convert, trace and run a program once."""
    path = folder / f"program_{len(source)}.py"
    module: Any = module_of(HEAD + source, path)
    calls = 0

    def count_calls(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count_calls)
    try:
        ag.function(module.f)(FLOAT)
    finally:
        sys.setprofile(before)
    return calls
