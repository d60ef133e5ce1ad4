"""Short repeated rows are expanded for NumPy without a change of results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from tests.runtime.executors.graphs import body_of, both


def squares(x, c):
    return rt.reduce_sum((x[:, None, :] - c[None, :, :]) ** 2, -1)


def turned(x, c):
    return rt.reduce_sum(rt.transpose(x)[:, None, :] - c[None, :, :], -1)


def quotients(x, c):
    return c[None, :, :] / x[:, None, :]


def draws(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype("f4")


def test_the_rows_are_repeated() -> None:
    assert "repeated(strided_slice, 10, strided_slice_1)" in body_of(
        squares, draws(40, 8), draws(10, 8)
    )
    assert "repeated" not in body_of(squares, draws(4, 8), draws(10, 8))
    assert "repeated" not in body_of(squares, draws(40, 50), draws(10, 50))


@pytest.mark.parametrize("function", [squares, quotients])
@pytest.mark.parametrize(("rows", "count", "width"), [(40, 10, 8), (1000, 2, 2), (3, 99, 32)])
def test_results_agree_with_the_interpreter(
    function: Any, rows: int, count: int, width: int
) -> None:
    printed, interpreted = both(function, draws(rows, width), draws(count, width))
    assert printed == interpreted


def test_other_layouts_are_left_to_numpy() -> None:
    printed, interpreted = both(turned, draws(30, 200), draws(10, 30))
    assert printed == interpreted
