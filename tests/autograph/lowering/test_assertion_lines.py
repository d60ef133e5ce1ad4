"""The position of a failing assertion agrees with Python's code."""

from __future__ import annotations

import ast
import sys
from typing import Any

import pytest

from autograph.lowering.conditions import failure_position

TESTS = {
    "x": None,
    "x < 1": "x < 1",
    "not x < 1": "x < 1",
    "x and x < 1 and y": "x < 1",
    "x < 1 or y == 2": "y == 2",
    "x < 1 if y > 1 else z": "x < 1",
    "f(x < 1)": None,
    "-(x < 1)": None,
}


@pytest.mark.parametrize("text", TESTS)
def test_the_failing_position_is_the_last_comparison_before_python_3_12(text: str) -> None:
    statement: Any = ast.parse(f"assert {text}").body[0]
    found = failure_position(statement.test, statement)
    expected = TESTS[text] if sys.version_info < (3, 12) else None
    assert (expected or f"assert {text}") == ast.unparse(found)
