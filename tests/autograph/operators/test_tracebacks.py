"""Tracebacks keep the user's frames, in order, and the exception its identity."""

from __future__ import annotations

import builtins
import inspect
import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.operators.tracebacks import (
    call_with_user_errors,
    drop_internal_frames,
    note_trace,
    with_user_frames,
)
from runtime.core.internal_files import PACKAGE_PREFIXES

INTERNAL = f"{PACKAGE_PREFIXES[0]}made_up.py"
# Python 3.10 restores, at the end of an `except` clause, the traceback as it was caught.
KEEPS_BOUNDARY = sys.version_info < (3, 11)


def ours(source: str, **names: object) -> Callable[..., object]:
    """Compile a function as if it stood in a file of this package."""
    space: dict[str, object] = dict(names)
    exec(compile(source, INTERNAL, "exec"), space)
    found = space["f"]
    assert callable(found)
    return found


def names_in(error: BaseException) -> list[str]:
    return [entry.name for entry in traceback.extract_tb(error.__traceback__)]


def fail() -> None:
    raise KeyError("user")


def fail_in(fn: Callable[[], None]) -> None:
    fn()


def test_internal_frames_are_removed_and_others_keep_their_order() -> None:
    step = ours("def f(g): g()", fail=fail)

    def user() -> None:
        step(fail)

    with pytest.raises(KeyError) as caught:
        step(user)
    before = names_in(caught.value)
    drop_internal_frames(caught.value)
    assert ["f", "user", "f", "fail"] == before[1:]
    assert [before[0], "user", "fail"] == names_in(caught.value)


def test_the_same_object_leaves_the_boundary() -> None:
    made = KeyError("k")

    def user() -> None:
        raise made

    with pytest.raises(KeyError) as caught:
        call_with_user_errors(user)
    assert made is caught.value
    here = "test_the_same_object_leaves_the_boundary"
    boundary = ["call_with_user_errors"] if KEEPS_BOUNDARY else []
    assert [here, *boundary, "user"] == names_in(made)


def test_cause_and_context_are_cleaned_too() -> None:
    step = ours("def f(g): g()")

    def user() -> None:
        try:
            step(fail)
        except KeyError as error:
            raise ValueError("second") from error

    with pytest.raises(ValueError) as caught:
        step(user)
    drop_internal_frames(caught.value)
    assert caught.value.__cause__ is not None
    assert ["user", "fail"] == names_in(caught.value.__cause__)


def test_exceptions_that_refer_to_each_other_do_not_hang() -> None:
    one, two = ValueError(1), ValueError(2)
    one.__context__, two.__context__ = two, one
    drop_internal_frames(one)
    assert one.__context__ is two


def test_members_of_a_group_are_cleaned() -> None:
    step = ours("def f(g): g()")
    try:
        step(fail)
    except KeyError as error:
        member = error
    group = getattr(builtins, "ExceptionGroup", None)
    drop_internal_frames(member if group is None else group("several", [member]))
    assert ["test_members_of_a_group_are_cleaned", "fail"] == names_in(member)


class Stubborn(Exception):
    """An exception that lets nobody set or ask for attributes."""

    def __setattr__(self, name: str, value: object) -> None:
        raise TypeError(name)

    def __getattr__(self, name: str) -> object:
        raise TypeError(name)

    @property
    def exceptions(self) -> None:
        raise TypeError


def test_exceptions_that_take_no_attributes_are_cleaned_and_noted() -> None:
    step, made = ours("def f(g): g()"), Stubborn()

    def throw() -> None:
        raise made

    with pytest.raises(Stubborn):
        step(throw)
    drop_internal_frames(made)
    note_trace(made, "f()")
    here = "test_exceptions_that_take_no_attributes_are_cleaned_and_noted"
    assert [here, "throw"] == names_in(made)
    assert {"__notes__": ["while tracing f()"]} == vars(made)


def test_an_error_with_internal_frames_only_has_no_traceback() -> None:
    step = ours("def f(): raise KeyError")
    try:
        step()
    except KeyError as error:
        assert error.__traceback__ is not None
        error.__traceback__ = error.__traceback__.tb_next
        drop_internal_frames(error)
        assert error.__traceback__ is None


def test_a_long_traceback_is_cleaned_in_linear_time() -> None:
    def down(n: int) -> None:
        if n == 0:
            fail()
        down(n - 1)

    with pytest.raises(KeyError) as caught:
        down(800)
    drop_internal_frames(caught.value)
    assert 803 == len(names_in(caught.value))


def test_a_trace_is_noted_once_beside_notes_of_the_users() -> None:
    error = ValueError("no")
    error.__notes__ = ["mine"]
    note_trace(error, "g(n=1)")
    note_trace(error, "f(n=2)")
    assert ["mine", "while tracing f(n=2)"] == error.__notes__


def test_an_exception_near_the_recursion_limit_keeps_its_type() -> None:
    def plain(fn: Callable[[], None]) -> None:
        fn()

    def raised(word: Callable[..., object], depth: int) -> type[BaseException]:
        if depth > 0:
            return raised(word, depth - 1)
        try:
            word(fail)
        except (KeyError, RecursionError) as error:
            return type(error)
        raise AssertionError("nothing was raised")

    def all_raised(word: Callable[..., object]) -> list[type[BaseException]]:
        found = []
        for depth in range(sys.getrecursionlimit()):
            try:
                found.append(raised(word, depth))
            except RecursionError:
                break
        return found

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 60)
    try:
        expected, found = all_raised(plain), all_raised(with_user_frames(fail_in))
    finally:
        sys.setrecursionlimit(before)
    assert {KeyError, RecursionError} == set(expected)
    # The word has one frame more.
    assert expected.count(KeyError) - 2 <= found.count(KeyError) <= expected.count(KeyError)


def test_full_tracebacks_are_an_option() -> None:
    program = (
        "from autograph.operators.tracebacks import call_with_user_errors as call\n"
        "import traceback\n"
        "try: call(lambda: 1 / 0)\n"
        "except ZeroDivisionError as e:\n"
        "    print([entry.name for entry in traceback.extract_tb(e.__traceback__)])"
    )
    environment = {"AUTOGRAPH_TRACEBACKS": "full", "PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    assert "['<module>', 'call_with_user_errors', '<lambda>']" == run.stdout.strip(), run.stderr


COUNTER = 1


def misspelled_in_body(x: Any) -> Any:
    total = x
    if x > 0:
        total = toal + 1  # type: ignore[name-defined] # noqa: F821
    return total


def misspelled_in_operand(x: Any) -> Any:
    return x > 0 and CUONTER  # type: ignore[name-defined] # noqa: F821


def misspelled_in_test(x: Any) -> Any:
    total = x
    while toal > 0:  # type: ignore[name-defined] # noqa: F821
        total = total - 1
    return total


@pytest.mark.parametrize(
    ("function", "similar"),
    [
        (misspelled_in_body, "total"),
        (misspelled_in_operand, "COUNTER"),
        (misspelled_in_test, "total"),
    ],
)
@pytest.mark.skipif(KEEPS_BOUNDARY, reason="Python 3.10 prints no notes")
def test_a_misspelled_variable_is_answered_as_python_does(
    function: Callable[..., Any], similar: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(NameError, match="is not defined") as caught:
        ag.function(function)(rt.constant(1))
    # As an error is printed that ends a program: `traceback` of 3.12 suggests more names.
    sys.__excepthook__(NameError, caught.value, caught.value.__traceback__)
    assert 1 == capsys.readouterr().err.count(f"Did you mean: {similar!r}?")
    assert "ot defined" in str(caught.value) and "mean" not in str(caught.value)


def fails_in_comprehension(x: Any) -> Any:
    return [row + rt.ones([5]) for row in x]


def test_a_frame_has_the_parameters_of_the_user() -> None:
    with pytest.raises(rt.errors.ShapeError) as caught:
        ag.function(fails_in_comprehension)(rt.ones([2, 3]))
    frames = [frame for frame, _ in traceback.walk_tb(caught.value.__traceback__)]
    of_function = [each for each in frames if each.f_code.co_name == "fails_in_comprehension"]
    # From Python 3.12 on a comprehension has no frame of its own, whose parameters could be shown.
    shown = ["x"] if sys.version_info < (3, 12) else []
    assert [shown] == [inspect.getargvalues(each).args for each in of_function]
