"""Whole numbers that stand for Python's: exact, or refused where the dtype cannot hold them."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt

LIMIT = 2**31
OPERATORS: list[Callable[[int, int], int]] = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.pow,
    operator.lshift,
]


def apply_in_a_loop(compute: Callable[[Any, Any], Any], x: int, y: int, n: Any) -> Any:
    first, second = x, y
    result = 0
    for i in range(n):
        first, second = x + i, y + i
        result = compute(first, second)
    return result


@pytest.mark.parametrize("compute", OPERATORS)
def test_a_python_number_is_exact_or_refused(compute: Callable[[int, int], int]) -> None:
    rng = random.Random(compute.__name__)
    staged = ag.function(apply_in_a_loop)
    fits = []
    for bits in (4, 4, 16, 16, 31, 31):
        most = bits if compute in (operator.pow, operator.lshift) else 2 ** (bits - 1)
        x, y = rng.randrange(1, 2 ** (bits - 1)), rng.randrange(1, most)
        exact = compute(x + 1, y + 1)
        fits.append(-LIMIT <= exact < LIMIT)
        if fits[-1]:
            assert int(staged(compute, x, y, rt.constant(2))) == exact
        else:
            with pytest.raises(rt.errors.IntegerOverflowError, match="rt.int64"):
                staged(compute, x, y, rt.constant(2))
    assert any(fits)


def test_an_overflow_raises_at_the_users_line() -> None:
    @ag.function
    def doubled(n):  # type: ignore[no-untyped-def]
        power = 1
        while n > 0:
            power = power * 2
            n -= 1
        return power

    assert int(doubled(rt.constant(30))) == 2**30
    with pytest.raises(OverflowError, match="test_exact_integers.py:58, in doubled"):
        doubled(rt.constant(31))
    assert int(doubled(rt.constant(3))) == 8


def test_tensors_wrap_around_as_numpy_arrays_do() -> None:
    @ag.function
    def doubled(x):  # type: ignore[no-untyped-def]
        while x > 0:
            x = x * 2
        return x

    assert int(doubled(rt.constant(1))) == -LIMIT
