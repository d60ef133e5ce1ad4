"""The operator of `try` agrees with Python."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from autograph.backends.protocol import Backends
from autograph.backends.try_block import Handler, TryBlock, is_caught_by
from autograph.operators.try_statements import Tries


def run(log: list[Any], body: Callable[[], object], *handlers: Handler) -> None:
    parts = (lambda: log.append("else")), (lambda: log.append("finally"))
    Tries(Backends(())).try_stmt(body, handlers, *parts, (), tuple, len, (), 0)  # type: ignore[arg-type]


def test_else_and_finally_follow_the_body() -> None:
    log: list[Any] = []
    run(log, lambda: log.append("body"))
    assert ["body", "else", "finally"] == log


def test_the_first_matching_clause_handles_the_exception() -> None:
    log: list[Any] = []
    clauses = [
        Handler(lambda: OSError, lambda: log.append("OSError")),
        Handler(lambda: (TypeError, LookupError), log.append, "e"),
        Handler(None, lambda: log.append("bare")),
    ]
    run(log, lambda: {}["k"], *clauses)  # type: ignore[index]
    assert isinstance(log[0], KeyError)
    assert ["finally"] == log[1:]


def test_an_uncaught_exception_propagates() -> None:
    log: list[Any] = []
    with pytest.raises(ZeroDivisionError):
        run(log, lambda: 1 / 0, Handler(lambda: KeyError, log.clear))
    assert ["finally"] == log


def test_a_handler_runs_while_the_exception_is_handled() -> None:
    log: list[Any] = []
    run(log, lambda: 1 / 0, Handler(None, lambda: log.append(sys.exc_info()[0])))
    assert [ZeroDivisionError, "finally"] == log


def test_classes_are_evaluated_only_after_an_exception() -> None:
    TryBlock(lambda: None, [Handler(lambda: 1 / 0, print)]).run()
    with pytest.raises(ZeroDivisionError):
        TryBlock(lambda: {}["k"], [Handler(lambda: 1 / 0, print)]).run()  # type: ignore[index]


@pytest.mark.parametrize("wanted", [3, (KeyError, 3), [KeyError], object])
def test_only_exceptions_can_be_caught(wanted: object) -> None:
    with pytest.raises(TypeError) as expected:
        try:
            raise KeyError
        except wanted:  # type: ignore[misc]
            pass
    with pytest.raises(TypeError) as actual:
        is_caught_by(KeyError, wanted)
    assert str(expected.value) == str(actual.value)
