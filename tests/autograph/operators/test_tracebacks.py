"""Tracebacks keep the user's frames, in order, and the exception its identity."""

from __future__ import annotations

import subprocess
import sys
import traceback
from collections.abc import Callable

import pytest

from autograph.operators import frames
from autograph.operators.tracebacks import (
    add_note,
    call_with_user_errors,
    drop_internal_frames,
)

INTERNAL = f"{frames.PACKAGE_PREFIXES[0]}made_up.py"
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


def test_frames_of_the_package_go_and_the_others_stay_in_order() -> None:
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


class Group(Exception):
    """What `ExceptionGroup` is from Python 3.11 on, as far as it matters here."""

    def __init__(self, exceptions: list[Exception]) -> None:
        self.exceptions = tuple(exceptions)


def test_members_of_a_group_are_cleaned() -> None:
    step = ours("def f(g): g()")
    try:
        step(fail)
    except KeyError as error:
        member = error
    drop_internal_frames(Group([member]))
    assert ["test_members_of_a_group_are_cleaned", "fail"] == names_in(member)


def test_an_error_of_our_own_frames_alone_has_no_entry_left() -> None:
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


def test_notes_accumulate_where_python_looks_for_them() -> None:
    error = ValueError("no")
    add_note(error, "first")
    add_note(error, "second")
    assert ["first", "second"] == error.__notes__


def test_full_tracebacks_can_be_asked_for() -> None:
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
