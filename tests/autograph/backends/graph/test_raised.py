"""Exceptions of the user's in graphs: staged against eager."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt


class Located(ValueError):
    def __init__(self, what: str, value: Any) -> None:
        super().__init__(what)
        self.value = value


def raised(function: Callable[..., Any], *args: Any) -> BaseException:
    with pytest.raises(BaseException) as caught:
        function(*map(rt.constant, args))
    return caught.value


def told(error: BaseException | None) -> Any:
    """What a handler can see of an exception."""
    if error is None:
        return None
    held = {k: str(v) for k, v in vars(error).items() if k != "__notes__"}
    args = [str(a) for a in error.args]
    return type(error), args, held, told(error.__cause__), told(error.__context__)


def lines(error: BaseException) -> list[tuple[str, int]]:
    entries = traceback.extract_tb(error.__traceback__)
    return [(e.name, e.lineno or 0) for e in entries if e.filename == __file__][1:]


def with_values(x):
    if x > 0:
        raise Located("bad", [x, x + 1])
    return x


def from_another(x):
    if x > 0:
        try:
            raise KeyError("inner", x)
        except KeyError as inner:
            raise ValueError("outer", {"x": x}) from inner
    return x


def during_another(x):
    try:
        raise KeyError("inner")
    except KeyError:
        if x > 0:
            raise ValueError("outer", x)
    return x


def raised_again(x):
    try:
        raise KeyError("inner", x)
    except KeyError:
        if x > 0:
            raise
    return x


def in_a_loop(x):
    i = 0
    while i < x:
        if i * i > 5:
            raise ValueError("square", i, x)
        i += 1
    return i


def helper(y):
    if y > 3:
        raise ValueError("helper", y)
    return y


def in_a_helper(x):
    return helper(x + 1) * 2


def leaves(x):
    if x > 0:
        sys.exit(4)
    return x


def interrupts(x):
    if x > 0:
        raise KeyboardInterrupt("stop", x)
    return x


def of_the_runtime(x):
    if x > 0:
        raise rt.errors.OutOfRangeError("no more")
    return x


def unreachable(x):
    if x > 0:
        raise ValueError("positive")
        x = "never"
    return x


FUNCTIONS = [
    with_values, from_another, during_another, raised_again, in_a_loop, in_a_helper, leaves,
    interrupts, of_the_runtime, unreachable,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_staged_exception_is_the_eager_one(function: Callable[..., Any]) -> None:
    staged = ag.function(function)
    assert int(function(rt.constant(0))) == int(staged(rt.constant(0)))
    expected, actual = raised(function, 5), raised(staged, 5)
    assert told(expected) == told(actual)
    assert lines(expected) == lines(actual)


def test_each_run_raises_another_exception_with_its_own_values() -> None:
    staged = ag.function(with_values)
    first, second = raised(staged, 5), raised(staged, 6)
    assert [5, 6] == [int(each.value[0]) for each in (first, second)]


@pytest.mark.parametrize("value", [7, -3])
def test_the_error_of_an_op_ends_at_the_user_s_line(value: int) -> None:
    def gathered(x):
        y = x * 1
        return rt.gather(rt.constant([1, 2]), y)

    error = raised(ag.function(gathered), value)
    line = gathered.__code__.co_firstlineno + 2
    assert [("gathered", line)] == lines(error)
