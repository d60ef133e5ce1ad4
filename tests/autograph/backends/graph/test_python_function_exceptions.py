"""Handlers in graphs for exceptions of Python functions that the graph calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt


class Busy(Exception):
    """An exception of the user's with a number."""

    def __init__(self, code: object) -> None:
        super().__init__(code)
        self.code = code


RAISED: list[Any] = [None, Busy(7), Busy(3), ValueError("bad")]
OTHERS: list[Any] = [Busy("seven"), Busy(2.5), Busy(None)]


def called(at: object) -> None:
    """Raise one of the exceptions there are, or none."""
    error = [*RAISED, *OTHERS][int(at)]  # type: ignore[call-overload]
    if error is not None:
        raise error


def code_of_one(n: Any) -> Any:
    try:
        rt.py_function(called, [n], [])
        if n == 20:
            raise Busy(3)
    except Busy as error:
        return error.code
    return 0


def code_or_a_default(n: Any) -> Any:
    try:
        rt.py_function(called, [n], [])
        if n == 20:
            raise Busy(3)
    except Exception as error:
        return getattr(error, "code", -1)
    return 0


def has_a_code(n: Any) -> Any:
    try:
        rt.py_function(called, [n], [])
    except Exception as error:
        return hasattr(error, "code")
    return False


def matched_code(n: Any) -> Any:
    try:
        rt.py_function(called, [n], [])
        if n == 20:
            raise Busy(3)
    except Exception as error:
        match error:
            case Busy(code=code):
                return code
    return 0


def outcome(function: Callable[[Any], Any], n: int) -> object:
    """Return the result, or the class of the exception."""
    try:
        return rt.convert_to_tensor(function(rt.constant(n))).numpy().item()
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("function", [code_of_one, code_or_a_default, has_a_code])
def test_a_handler_catches_exceptions_of_python_functions(function: Callable[[Any], Any]) -> None:
    staged = ag.function(function)
    for n in range(len(RAISED)):
        assert outcome(staged, n) == outcome(function, n), n
    assert staged.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("function", [code_of_one, code_or_a_default])
def test_an_exception_attribute_of_another_kind_is_refused_at_run_time(
    function: Callable[[Any], Any],
) -> None:
    staged = ag.function(function)
    for n in range(len(RAISED), len(RAISED) + len(OTHERS)):
        with pytest.raises(ag.errors.StagingError, match="'code' of the exception caught here"):
            staged(rt.constant(n))


def test_a_pattern_on_an_unknown_exception_is_refused() -> None:
    with pytest.raises(ag.errors.StagingError, match="may be any that a Python function raises"):
        ag.function(matched_code)(rt.constant(0))


def unknown_code(n: Any) -> Any:
    try:
        rt.py_function(called, [n], [])
    except Busy as error:
        return error.code
    return 0


def test_an_unknown_exception_attribute_is_refused_where_it_is_read() -> None:
    staged = ag.function(unknown_code)
    assert outcome(staged, 0) == 0
    assert outcome(staged, 3) is ValueError
    with pytest.raises(ag.errors.StagingError, match="'code'") as caught:
        staged(rt.constant(1))
    assert any("unknown_code" in note for note in getattr(caught.value, "__notes__", [])) or (
        "unknown_code" in str(caught.value)
    )


def new_key(n: Any) -> Any:
    known = {1: 5}
    try:
        known[n] = 6
    except Exception:
        return -1
    finally:
        n += 1
    return known[1]


def test_no_handler_catches_a_refusal() -> None:
    staged = ag.function(new_key)
    assert outcome(staged, 1) == 6
    with pytest.raises(ag.errors.StagingError, match="is not in the dict"):
        staged(rt.constant(2))
