"""A choice that is a statement stays one on every Python, also before a `try`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def compared_before_a_try(x: Any, log: list[int]) -> Any:
    x == x
    try:
        log.append(1)
    except ValueError:
        return 0
    return 1


def operands_before_a_try(x: Any, log: list[int]) -> Any:
    x > 0 and log.append(x)
    x > 5 or log.append(7) if x else log.append(8)
    try:
        return len(log)
    finally:
        log.append(9)


@pytest.mark.parametrize("function", [compared_before_a_try, operands_before_a_try])
@pytest.mark.parametrize("x", [0, 1, 9])
def test_expression_statements_agree_with_python(
    function: Callable[..., Any], x: int, converted: Callable[..., Any]
) -> None:
    expected, found = [], []
    assert function(x, expected) == converted(function)(x, found)
    assert expected == found
