"""Exceptions of a run inside of a Python `try`, whose handlers could not run."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from tests.parity.written import module_of

STAR = pytest.mark.skipif(sys.version_info < (3, 11), reason="`except*` is newer")
FOUND_BY_RUN = """
    def f(x):
        r = 0
        try:
            if x > 0:
                raise ValueError(1)
        except* KIND as e:
            r = 1
        return r
    """
ALWAYS = """
    def f(x):
        for i in range(4):
            try:
                if i == 1:
                    continue
                if i == 3:
                    break
                raise ExceptionGroup("g", [KeyError(i)])
            except* KeyError as e:
                x = x + 10
            finally:
                x = x * 2
        return x
    """
CAUGHT_INSIDE = """
    def f(x):
        r = 0
        try:
            try:
                if x > 0:
                    raise ValueError(1)
            except ValueError:
                r = 4
        except* ValueError:
            r = 5
        return r
    """


def compiled_function(tmp_path: Path, text: str) -> Any:
    """Return `f` of a module: older versions cannot even read the syntax."""
    return module_of(textwrap.dedent(text), tmp_path / "starred.py").f


@STAR
@pytest.mark.parametrize("kind", ["ValueError", "Exception", "(KeyError, ValueError)"])
def test_an_error_that_except_star_would_miss_is_refused(tmp_path: Path, kind: str) -> None:
    f = compiled_function(tmp_path, FOUND_BY_RUN.replace("KIND", kind))
    with pytest.raises(ag.errors.StagingError, match=r"write `except` in place of `except\*`") as e:
        ag.function(f)(rt.constant(1))
    assert "if x > 0:" in str(e.value)


@STAR
def test_an_error_that_except_star_does_not_catch_is_raised(tmp_path: Path) -> None:
    staged = ag.function(compiled_function(tmp_path, FOUND_BY_RUN.replace("KIND", "KeyError")))
    assert 0 == int(staged(rt.constant(-1)))
    with pytest.raises(ValueError, match="1"):
        staged(rt.constant(1))


@STAR
@pytest.mark.parametrize("text", [ALWAYS, CAUGHT_INSIDE])
@pytest.mark.parametrize("x", [1, -1])
def test_an_exception_raised_while_tracing_is_caught(tmp_path: Path, text: str, x: int) -> None:
    f = compiled_function(tmp_path, text)
    assert f(x) == int(ag.function(f)(rt.constant(x)))


@STAR
def test_an_except_star_is_no_note(tmp_path: Path) -> None:
    report = ag.explain(compiled_function(tmp_path, ALWAYS))
    assert ["except*"] == [each.construct for each in report.kept]


def among_yields(x: Any) -> Any:
    def items() -> Any:
        try:
            if x > 0:
                raise ValueError(1)
            yield 1
        except Exception:
            yield 2

    total = 0
    for each in items():
        total += each
    return total


def raised_between_yields(x: Any) -> Any:
    def items() -> Any:
        try:
            yield 5
            if x > 0:
                raise ValueError(1)
            yield 1
        except Exception:
            yield 2

    total = 0
    for each in items():
        total += each
    return total


def yields_that_raise_nothing(x: Any) -> Any:
    def items() -> Any:
        try:
            yield x + 1
            if x > 0:
                x + 2
            yield x * 2
        except Exception:
            yield 2

    total = 0
    for each in items():
        total += each
    return total


@pytest.mark.parametrize("x", [1, -1])
def test_an_exception_before_the_last_yield_is_caught(x: int) -> None:
    assert among_yields(x) == int(ag.function(among_yields)(rt.constant(x)))


def test_an_error_that_a_try_around_a_yield_would_miss_is_refused() -> None:
    with pytest.raises(ag.errors.StagingError, match="without the `yield`") as error:
        ag.function(raised_between_yields)(rt.constant(1))
    assert "if x > 0:" in str(error.value)


def test_a_try_around_a_yield_that_cannot_raise_is_kept() -> None:
    assert 4 == int(ag.function(yields_that_raise_nothing)(rt.constant(1)))


def checked(n: Any, k: int) -> Any:
    if n < k:
        raise ValueError("small")
    return n - k


def up_to_an_error(n: Any) -> Iterator[Any]:
    for k in range(3):
        try:
            left = checked(n, k)
        except ValueError:
            return
        yield left


def without_errors(n: Any) -> Iterator[Any]:
    for k in range(4):
        try:
            left = checked(n, k) if k != 1 else 7
        except ValueError:
            continue
        yield left


def with_substitutes(n: Any) -> Iterator[Any]:
    for k in range(3):
        try:
            left = checked(n, k)
        except ValueError:
            yield -1
            break
        yield left


@pytest.mark.parametrize("n", [-1, 0, 1, 5])
@pytest.mark.parametrize("items", [up_to_an_error, without_errors, with_substitutes])
def test_a_try_that_a_jump_leaves_past_a_yield_catches_errors(
    items: Callable[[Any], Iterator[Any]], n: int
) -> None:
    staged = ag.function(lambda n: [*items(n)])
    assert [*items(n)] == [int(each) for each in staged(rt.constant(n))]
