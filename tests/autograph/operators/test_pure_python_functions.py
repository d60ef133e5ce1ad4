"""`heapq` and `bisect` in a graph agree with Python's compiled functions."""

from __future__ import annotations

import bisect
import heapq
import operator
import sys
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.operators.pure_python_modules import COMPILED, pure_python_module

Heap = list[int]


def pushed(heap: Heap, item: int) -> Heap:
    heapq.heappush(heap, item)
    return heap


def pushed_to_what_is_no_list(item: int) -> None:
    heapq.heappush((1, 2), item)  # type: ignore[arg-type]


def pushed_nothing(item: int) -> None:
    heapq.heappush([item])  # type: ignore[call-arg]


def pushed_by_name(item: int) -> None:
    heapq.heappush(heap=[], item=item)  # type: ignore[call-arg]


def popped_too_often(n: int) -> int:
    heap = [n]
    for _ in range(n):
        heapq.heappop(heap)
    return heapq.heappop(heap)


def replaced_in_nothing(n: int) -> int:
    heap = [n]
    for _ in range(n):
        heap.pop()
    return heapq.heapreplace(heap, n)


def searched_from_before_the_start(n: int) -> int:
    return bisect.bisect_left([1, 2], n, lo=-n)


class Account:
    def __init__(self, balance: int) -> None:
        self.balance = balance

    def due(self, limit: int, *, fee: int = 0) -> int:
        return limit + fee if self.balance > limit else self.balance

    def __call__(self, limit: int) -> int:
        return -1 if self.balance > limit else 1


@pytest.mark.parametrize(
    "use",
    [
        lambda n: operator.methodcaller("due", 3, fee=2)(Account(n)),
        lambda n: max([Account(n), Account(2)], key=operator.methodcaller("due", 3)).balance,
        lambda n: list(map(operator.attrgetter("balance"), [Account(n)]))[0],
        lambda n: operator.itemgetter(n)([1, 2, 3, 4, 5, 6]),
        lambda n: getattr(operator, "call", lambda f, *args: f(*args))(Account(n), 3),
    ],
)
def test_functions_that_operator_makes_call_converted_code(use: Callable[[Any], Any]) -> None:
    for n in (1, 5):
        assert use(n) == int(ag.function(use)(rt.constant(n)))


def raised_by(function: Callable[[object], object], argument: object) -> tuple[type, object]:
    with pytest.raises(Exception) as raised:
        function(argument)
    return raised.type, raised.value.args


@pytest.mark.parametrize(
    "function",
    [
        pushed_to_what_is_no_list,
        pushed_nothing,
        pushed_by_name,
        popped_too_often,
        replaced_in_nothing,
        searched_from_before_the_start,
    ],
)
def test_errors_have_pythons_messages(function: Callable[..., object]) -> None:
    assert raised_by(function, 1) == raised_by(ag.function(function), rt.constant(1))


def test_an_error_is_at_the_line_of_the_call() -> None:
    with pytest.raises(IndexError) as raised:
        ag.function(popped_too_often)(rt.constant(1))
    last = raised.traceback[-1]
    assert (__file__, "return heapq.heappop(heap)") == (str(last.path), str(last.statement).strip())


def test_outside_a_trace_the_compiled_function_is_called() -> None:
    heap = [3, 5]
    assert [1, 5, 3] == ag.convert(pushed)(heap, 1) == heap
    assert ag.convert(lambda: heapq.heappush)() is heapq.heappush


@pytest.mark.parametrize(("half", "name"), COMPILED.items())
def test_the_pure_python_module_replaces_nothing_elsewhere(half: str, name: str) -> None:
    made = pure_python_module(name)
    assert made is not sys.modules[name] and sys.modules[half] is not None
    for each in made.__all__ if hasattr(made, "__all__") else ("bisect", "insort"):
        assert getattr(made, each) is not getattr(sys.modules[name], each)
