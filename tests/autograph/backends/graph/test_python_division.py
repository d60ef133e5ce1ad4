"""Floats of Python that a graph divides raise where Python does, in the running Python's words."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt


@pytest.mark.parametrize("divide", [operator.truediv, operator.floordiv, operator.mod])
@pytest.mark.parametrize("turns", [0, 1, 3])
def test_a_float_divided_by_what_a_loop_has_counted(
    divide: Callable[[Any, Any], Any], turns: int
) -> None:
    def divided(turns: Any) -> Any:
        count = 0.0
        while turns > 0:
            turns = turns - 1
            count += 1.25
        return divide(7.5, count)

    staged = ag.function(divided)
    if turns:
        assert float(staged(rt.constant(turns))) == divided(turns)
        return
    with pytest.raises(ZeroDivisionError) as expected:
        divided(turns)
    with pytest.raises(ZeroDivisionError) as raised:
        staged(rt.constant(turns))
    assert str(raised.value).splitlines()[0] == str(expected.value)
