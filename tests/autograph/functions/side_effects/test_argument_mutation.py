"""Views of array arguments: NumPy changes the argument as well, and a graph does not."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import TraceEffectWarning


def in_an_if(m: Any) -> Any:
    row = m[0]
    if m[0, 0] > 0:
        row[0] = 7.0
    return m, row


def in_a_loop_over_rows(m: Any) -> Any:
    for row in m:
        row[0] = 3.0
    return m


def of_a_view_of_a_view(m: Any) -> Any:
    columns = m.T[1:]
    for i in rt.range(2):
        columns[0, i] = 7.0
    return m


def under_another_name(m: Any) -> Any:
    other = m
    other[0] = 3.0
    return other + m


def changed_itself(m: Any) -> Any:
    m[0] = 7.0
    for i in rt.range(2):
        m[i, 0] += 1.0
    return m


def put_back(m: Any) -> Any:
    row = m[0]
    if m[0, 0] > 0:
        row[0] = 7.0
    m[0] = row * 2.0
    return m


def of_copies(m: Any) -> Any:
    rows, chosen, same = m[[0, 1]], m[m > 0], rt.identity(m)
    rows[0], chosen[0], same[0] = 1.0, 1.0, 1.0
    return m


def never_read(m: Any) -> Any:
    row = m[0]
    row[0] = 7.0
    return row


def lines_told(function: Callable[[Any], Any], argument: Any) -> list[int]:
    """Return the lines of the warnings, from the one of the `def`."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        ag.function(function)(argument)
    assert {TraceEffectWarning}.issuperset(each.category for each in found)
    return [each.lineno - function.__code__.co_firstlineno for each in found]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("function", "line"),
    [(in_an_if, 3), (in_a_loop_over_rows, 2), (of_a_view_of_a_view, 3), (under_another_name, 2)],
)
def test_a_change_that_numpy_would_make_warns(function: Callable[[Any], Any], line: int) -> None:
    assert [line] == lines_told(function, np.ones((2, 2), np.float32))
    assert [] == lines_told(function, rt.ones((2, 2)))


@pytest.mark.parametrize("function", [changed_itself, put_back, of_copies, never_read])
def test_results_of_numpy_do_not_warn(function: Callable[[Any], Any]) -> None:
    array = np.ones((2, 2), np.float32)
    assert [] == lines_told(function, array)


def test_the_warning_has_the_remedy() -> None:
    with pytest.warns(TraceEffectWarning, match=r"to 'm' itself, as in m\[i, j\] = v"):
        ag.function(in_an_if)(np.ones((2, 2), np.float32))
