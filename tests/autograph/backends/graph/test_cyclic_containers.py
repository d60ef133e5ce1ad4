"""Lists and dicts that contain themselves, in staged statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import BranchMismatch


def item_of_the_list_in_it(n: Any) -> Any:
    a = [n]
    a.append(a)
    for i in rt.range(n):
        if i > 1:
            a[1][0] = i
    return a[0]


def grown_by_itself(n: Any) -> Any:
    a: list[Any] = []
    for _ in rt.range(n):
        a.append(a)
    return len(a)


def two_that_hold_each_other(n: Any) -> Any:
    a = [n]
    b = [a]
    a.append(b)
    while n < 9:
        n += 1
        a[0] = n
    return b[0][0], len(b)


def dict_in_its_value(n: Any) -> Any:
    a = [n]
    d = {"a": a}
    a.append(d)
    for i in rt.range(n):
        d["a"][0] = i
    return a[0], d["a"][1]["a"][0]


@pytest.mark.parametrize(
    "function",
    [item_of_the_list_in_it, grown_by_itself, two_that_hold_each_other, dict_in_its_value],
)
def test_a_container_may_hold_itself(function: Callable[[Any], Any]) -> None:
    for n in (0, 1, 4):
        found = rt.nest.flatten(ag.function(function)(rt.constant(n)))
        assert [int(each) for each in rt.nest.flatten(function(n))] == [int(x) for x in found]


def test_one_that_holds_itself_on_one_path_is_refused() -> None:
    def f(n: Any) -> Any:
        a = [n]
        if n > 0:
            a.append(a)
        return len(a)

    with pytest.raises(BranchMismatch, match=r"items of 'a', .* are int32 and a list of 2"):
        ag.function(f)(rt.constant(3))
