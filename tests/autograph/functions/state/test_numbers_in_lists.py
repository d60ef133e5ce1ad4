"""Python numbers in returned lists are tensors."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt


def squares(n: Any) -> Any:
    found = []
    for i in range(n):
        found.append(i * i)
    return found


def whether_even(n: Any) -> Any:
    return [i % 2 == 0 for i in range(n) if i != 1]


def halves(n: Any) -> Any:
    found = []
    for i in range(n):
        found.append(i / 2)
    return found


def pairs(n: Any) -> Any:
    return [(i, [i * 2.5, i > 1]) for i in range(n)]


def rows(n: Any) -> Any:
    return [[i, n, i * n] for i in range(n)], [(i,) for i in range(n)]


@pytest.mark.parametrize("function", [squares, whether_even, halves, pairs, rows])
@pytest.mark.parametrize("n", [0, 1, 5])
def test_items_agree_with_python(function: Any, n: int) -> None:
    found = ag.function(function)(rt.constant(n))
    assert function(n) == rt.nest.map_structure(lambda each: each.numpy().item(), found)


def test_items_have_the_dtypes_of_numbers() -> None:
    n = rt.constant(2)
    assert {each.dtype for each in ag.function(squares)(n)} == {rt.int32}
    assert {each.dtype for each in ag.function(whether_even)(n)} == {rt.bool}
    assert {each.dtype for each in ag.function(halves)(n)} == {rt.float32}
    kinds = rt.nest.map_structure(lambda each: each.dtype, ag.function(pairs)(n))
    assert [(rt.int32, [rt.float32, rt.bool])] * 2 == kinds


def test_items_are_distinct_objects() -> None:
    found = ag.function(rows)(rt.constant(3))[0]
    assert len({id(each) for row in found for each in row}) == 9
    assert len({id(row) for row in found}) == 3
