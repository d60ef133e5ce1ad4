"""`try` in graphs: staged against eager."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from tests.autograph.backends.graph import more_try_functions, try_functions
from tests.autograph.backends.graph.tracing.test_trace_exceptions import exception_contents


def lines(error: BaseException) -> list[tuple[str, int]]:
    entries = traceback.extract_tb(error.__traceback__)
    return [
        (e.name, e.lineno or 0)
        for e in entries
        if e.filename in (try_functions.__file__, more_try_functions.__file__)
    ]


def outcome(function: Callable[..., Any], value: int) -> Any:
    try:
        result = function(rt.constant(value))
    except BaseException as error:
        return exception_contents(error), lines(error)
    return float(result)


@pytest.mark.parametrize(
    "function", try_functions.FUNCTIONS + more_try_functions.FUNCTIONS, ids=lambda f: f.__name__
)
def test_a_staged_try_agrees_with_eager_execution(function: Callable[..., Any]) -> None:
    staged = ag.function(function)
    expected = [outcome(function, value) for value in try_functions.ALL]
    assert expected == [outcome(staged, value) for value in try_functions.ALL]
