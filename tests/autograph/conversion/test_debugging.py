"""Debuggers, tracers and tracebacks see the user's own file, lines and names."""

from __future__ import annotations

import bdb
import inspect
import sys
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from autograph.conversion.convert import convert, to_graph


def program(x: int, n: int) -> int:
    total = 0
    for i in range(n):
        if i % 2:
            continue
        while total < i:
            total += x
    helper(total)
    return total


def helper(total: int) -> None:
    ok = total < 10
    if not ok:
        check(total)


def check(total: int) -> None:
    raise Refused("too much", code=total)


class Refused(ValueError):
    """An exception that a copy made by calling its class again would lose."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def line_of(fn: Callable[..., Any], text: str) -> int:
    """The line in this file on which `text` stands in the source of `fn`."""
    lines, first = inspect.getsourcelines(fn)
    return first + next(number for number, line in enumerate(lines) if text in line)


CONVERTED = convert(program)


def frames_of(error: BaseException) -> list[tuple[str, str, int | None]]:
    entries = traceback.extract_tb(error.__traceback__)
    return [(entry.filename, entry.name, entry.lineno) for entry in entries]


def raised(fn: Callable[..., Any], *args: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        fn(*args)
    return caught.value


def test_a_traceback_has_pythons_frames_and_lines() -> None:
    plain, converted = raised(program, 20, 4), raised(CONVERTED, 20, 4)
    expected = [
        (__file__, "program", line_of(program, "helper(total)")),
        (__file__, "helper", line_of(helper, "check(total)")),
        (__file__, "check", line_of(check, "raise")),
    ]
    assert expected == frames_of(plain)[1:]
    assert expected == frames_of(converted)[-3:]
    # Python 3.10 keeps the frame of the wrapper, which restores the traceback it caught.
    assert (1 if sys.version_info >= (3, 11) else 2) == len(frames_of(converted)) - 3
    assert 20 == converted.code


def test_the_same_exception_object_arrives() -> None:
    made = Refused("mine", 3)

    def throw() -> None:
        if made:
            raise made

    assert made is raised(convert(throw))
    assert "throw" == frames_of(made)[-1][1]


def test_carets_point_into_the_users_line() -> None:
    @convert
    def divide(a: int, b: int) -> float:
        if a:
            return a + a / b
        return 0

    with pytest.raises(ZeroDivisionError) as caught:
        divide(1, 0)
    entry = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert "return a + a / b" == entry.line
    if sys.version_info >= (3, 11):
        text = "            return a + a / b"
        assert "a / b" == text[entry.colno : entry.end_colno]


def test_wrong_arguments_of_the_outermost_call_blame_the_caller() -> None:
    with pytest.raises(TypeError, match=r"program\(\) missing 2 required positional arguments"):
        CONVERTED()  # type: ignore[call-arg]
    try:
        CONVERTED()  # type: ignore[call-arg]
    except TypeError as error:
        names = [name for _, name, _ in frames_of(error)]
    here = "test_wrong_arguments_of_the_outermost_call_blame_the_caller"
    assert [here] == names


def test_the_cause_of_an_error_is_cleaned_as_well() -> None:
    @convert
    def twice(x: int) -> None:
        try:
            check(x)
        except Refused as error:
            raise KeyError("second") from error

    with pytest.raises(KeyError) as caught:
        twice(5)
    cause = caught.value.__cause__
    assert isinstance(cause, Refused)
    assert ["twice", "check"] == [name for _, name, _ in frames_of(cause)]


class Stops(bdb.Bdb):
    """A debugger that notes where it stops and goes on."""

    def __init__(self, *lines: int) -> None:
        super().__init__()
        self.stops: list[tuple[str, int, object]] = []
        for line in lines:
            assert self.set_break(__file__, line) is None

    def user_line(self, frame: FrameType) -> None:
        if self.get_break(frame.f_code.co_filename, frame.f_lineno):
            self.stops.append((frame.f_code.co_name, frame.f_lineno, frame.f_locals.get("total")))
        self.set_continue()


def test_a_breakpoint_on_a_users_line_stops_there() -> None:
    line = line_of(program, "total += x")
    debugger, before = Stops(line), sys.gettrace()
    try:
        assert 4 == debugger.runcall(to_graph(program), 2, 5)
    finally:
        sys.settrace(before)
        debugger.clear_all_breaks()
    assert [("program", line, 0), ("program", line, 2)] == debugger.stops


def lines_run(fn: Callable[..., Any], *args: Any) -> set[int]:
    """The lines of this file that are run, as a coverage tool learns of them."""
    seen: set[int] = set()

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code.co_filename == __file__ and event == "line":
            seen.add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        fn(*args)
    finally:
        sys.settrace(before)
    return seen


@pytest.mark.parametrize("args", [(2, 5), (2, 0), (2, 1)])
def test_a_tracer_sees_exactly_the_lines_of_python(args: tuple[int, int]) -> None:
    plain, converted = lines_run(program, *args), lines_run(to_graph(program), *args)
    # `continue` leaves no instruction behind; entering the scope is one more, on the `def` line.
    assert plain - {line_of(program, "continue")} <= converted
    assert converted - plain <= {line_of(program, "def "), line_of(helper, "def ")}
