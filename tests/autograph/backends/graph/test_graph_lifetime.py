"""Caches of a trace do not keep its graph alive."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import autograph as ag
import runtime as rt


def flags(x: Any) -> Any:
    is_small = x < 9
    if x > 0 and is_small:
        x = x + 1 if is_small else x - 1
    return x


def texts(x: Any) -> Any:
    return f"<{x}>" if x > 0 else f"{x:>4}"


def perhaps_none(x: Any) -> Any:
    found = None
    if x > 0:
        found = x
    return 1 if found is None else found


def caught(x: Any) -> Any:
    try:
        if x > 0:
            raise ValueError(x)
    except ValueError:
        x = x + 1
    return x


def leaving(x: Any) -> Any:
    while x > 3:
        x -= 1
        if x == 5:
            break
    else:
        x = 7
    return x


def live_graph_count() -> int:
    for _ in range(3):
        gc.collect()  # What one pass finalizes the next one frees.
    return sum(type(each) is rt.Graph for each in gc.get_objects())


def traced_and_dropped(function: Any) -> None:
    ag.function(function)(rt.constant(4))


FUNCTIONS = [flags, texts, perhaps_none, caught, leaving]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_graphs_are_freed_with_their_function(function: Any) -> None:
    traced_and_dropped(function)
    before = live_graph_count()
    for _ in range(3):
        traced_and_dropped(function)
    assert before == live_graph_count()
