"""Exceptions of the user's in graphs: staged against eager."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import LeakError
from runtime.errors import FailedPreconditionError, VariableCreationError
from tests.autograph.backends.graph import raising_functions


def raised(function: Callable[..., Any], *args: Any) -> BaseException:
    with pytest.raises(BaseException) as caught:
        function(*map(rt.constant, args))
    return caught.value


def exception_contents(error: BaseException | None) -> Any:
    """Return the contents of an exception that a handler can see."""
    if error is None:
        return None
    held = {k: str(v) for k, v in vars(error).items() if k not in ("__notes__", "origin")}
    args = [str(a) for a in error.args]
    return (
        type(error),
        args,
        held,
        exception_contents(error.__cause__),
        exception_contents(error.__context__),
    )


def lines(error: BaseException) -> list[tuple[str, int]]:
    entries = traceback.extract_tb(error.__traceback__)
    entries = [each for each in entries if each.filename in (__file__, raising_functions.__file__)]
    return [(each.name, each.lineno or 0) for each in entries[1:]]


@pytest.mark.parametrize("function", raising_functions.FUNCTIONS, ids=lambda f: f.__name__)
def test_a_staged_exception_is_the_eager_one(function: Callable[..., Any]) -> None:
    staged = ag.function(function)
    assert int(function(rt.constant(0))) == int(staged(rt.constant(0)))
    expected, actual = raised(function, 5), raised(staged, 5)
    assert exception_contents(expected) == exception_contents(actual)
    assert lines(expected) == lines(actual)


def test_each_run_raises_a_new_exception_with_its_values() -> None:
    staged = ag.function(raising_functions.with_values)
    first, second = raised(staged, 5), raised(staged, 6)
    assert [5, 6] == [int(each.value[0]) for each in (first, second)]


def test_exception_arguments_keep_their_aliases() -> None:
    first, others = raised(ag.function(raising_functions.with_an_object), 5).args
    assert first is others["inside"][0].value[0] and int(first.value) == 5


def test_an_object_in_an_exception_holds_the_values_of_the_run() -> None:
    @ag.function
    def f(x: Any) -> Any:
        raise ValueError(raising_functions.Detail(x))

    assert [5, 6] == [int(raised(f, value).args[0].value) for value in (5, 6)]


def test_an_existing_exception_object_keeps_its_identity() -> None:
    total = raising_functions.Detail(0)

    @ag.function
    def f(x: Any) -> Any:
        total.value = total.value + x
        if x > 2:
            raise ValueError(total)
        return x

    f(rt.constant(1))
    assert raised(f, 5).args[0] is total and int(total.value) == 1


def test_an_exception_with_a_closure_is_refused_when_it_is_raised() -> None:
    @ag.function
    def f(x: Any) -> Any:
        if x > 2:
            raise ValueError(lambda: x)
        return x

    assert int(f(rt.constant(1))) == 1
    with pytest.raises(LeakError, match="an exception. is left holding a function"):
        f(rt.constant(5))


@pytest.mark.parametrize("value", [7, -3])
def test_the_error_of_an_op_ends_at_the_user_s_line(value: int) -> None:
    def gathered(x):
        y = x * 1
        return rt.gather(rt.constant([1, 2]), y)

    error = raised(ag.function(gathered), value)
    line = gathered.__code__.co_firstlineno + 2
    assert [("gathered", line)] == lines(error)


@pytest.mark.parametrize("function", raising_functions.OF_OPS, ids=lambda f: f.__name__)
def test_an_op_error_has_the_users_call_stack(function: Callable[..., Any]) -> None:
    expected, actual = raised(function, 5), raised(ag.function(function), 5)
    assert type(expected) is type(actual) and str(expected) in str(actual)
    assert lines(expected) == lines(actual)


def test_a_message_has_effects_only_where_the_assertion_fails() -> None:
    made = rt.Variable(0)

    def message(x):
        made.assign_add(1)
        return x

    def checked(x):
        assert x < 1, message(x)
        return x

    staged = ag.function(checked)
    staged(rt.constant(0))
    assert 0 == int(made.numpy())
    error = raised(staged, 3)
    assert (1, 3) == (int(made.numpy()), int(error.args[0]))


def test_a_message_changes_no_container_while_tracing() -> None:
    log: list[Any] = []

    def checked(x):
        seen = log
        assert x < 1, seen.append(x)
        return x

    ag.function(checked)(rt.constant(0))
    assert [] == log


def test_without_debug_there_are_no_assertions(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import autograph as ag, runtime as rt\n"
        "@ag.function\n"
        "def f(x):\n"
        "    assert x > 0, print('made')\n"
        "    return x\n"
        "print(int(f(rt.constant(-1))))\n"
    )
    command = [sys.executable, "-O", str(program)]
    folder = str(Path(ag.__file__).parents[1])
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONPATH": folder})
    assert (b"-1\n", b"") == (done.stdout, done.stderr)


def test_a_handler_does_not_catch_errors_of_tracing() -> None:
    kept = SimpleNamespace(n=0, v=None)

    @ag.function
    def counter_in_init_scope(x: Any) -> Any:
        kept.n += 1
        try:
            with rt.init_scope():
                kept.v = rt.Variable(kept.n)
        except Exception:
            return -x
        return x * kept.n

    assert [1, 2, 3] == [int(counter_in_init_scope(rt.constant(1))) for _ in range(3)]
    assert 3 == int(kept.v)


@pytest.mark.parametrize("kind", [Exception, ValueError])
def test_a_handler_does_not_hide_a_variable_created_per_call(kind: Any) -> None:
    kept = SimpleNamespace(v=None)

    @ag.function
    def f(x: Any) -> Any:
        try:
            kept.v = rt.Variable(1.0)
        except kind:
            return -x
        return x * 2.0

    assert 2.0 == float(f(rt.constant(1.0)))
    with pytest.raises(VariableCreationError, match="makes a Variable again"):
        f(rt.constant(1.0))


def test_a_handler_does_not_hide_an_unknown_initial_value() -> None:
    @ag.function
    def f(x: Any) -> Any:
        try:
            return rt.Variable(x) + 1.0
        except Exception:
            return -x

    with pytest.raises(FailedPreconditionError, match="is not known while tracing"):
        f(rt.constant(1.0))
