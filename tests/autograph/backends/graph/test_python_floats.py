"""Floats of Python in a graph: divided, and made tensors, as Python and its literals have it."""

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


def test_numbers_of_python_become_the_tensors_that_literals_do() -> None:
    @ag.function
    def constants(x: Any) -> Any:
        third = float(x) / 3
        return rt.constant(third), rt.constant([third, 0.5]), rt.constant(third, rt.float64)

    one, both, wide = constants(rt.constant(1.0))
    assert (one.dtype, both.dtype, wide.dtype) == (rt.float32, rt.float32, rt.float64)
    assert float(wide) == 1 / 3
