"""`try` in graphs: staged against eager."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from tests.autograph.backends.graph import trying, trying_more
from tests.autograph.backends.graph.test_raised import told


def lines(error: BaseException) -> list[tuple[str, int]]:
    entries = traceback.extract_tb(error.__traceback__)
    return [
        (e.name, e.lineno or 0)
        for e in entries
        if e.filename in (trying.__file__, trying_more.__file__)
    ]


def outcome(function: Callable[..., Any], value: int) -> Any:
    try:
        result = function(rt.constant(value))
    except BaseException as error:
        return told(error), lines(error)
    return float(result)


@pytest.mark.parametrize(
    "function", trying.FUNCTIONS + trying_more.FUNCTIONS, ids=lambda f: f.__name__
)
def test_a_staged_try_does_what_an_eager_one_does(function: Callable[..., Any]) -> None:
    staged = ag.function(function)
    expected = [outcome(function, value) for value in trying.ALL]
    assert expected == [outcome(staged, value) for value in trying.ALL]


def test_what_a_note_converts_is_not_noted_by_a_try_further_out() -> None:
    def passed(values: Any, most: Any) -> bool:
        def checked(least: int) -> None:
            assert least == 1 or most <= least

        checked(0)
        try:
            for _ in values:
                pass
        except Exception:
            pass
        finally:
            checked(1)
        return True

    specs = [rt.TensorSpec((None,), rt.int32), rt.TensorSpec((), rt.int32)]
    staged = ag.function(passed, input_signature=specs)
    assert staged(rt.constant([3, 1, 4]), rt.constant(0))
