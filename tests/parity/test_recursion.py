"""Recursion is as deep as in Python, within a factor of two, and ends with its error."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from tests.parity.run_modes import Call, decorated, idle, plain, recorded

MODES = {"idle": idle, "recorded": recorded, "decorated": decorated}
Log = list[int]


def straight(n: int, log: Log) -> int:
    log.append(n)
    if n < 0:
        return 0
    return straight(n + 1, log)


def mutual_recursion(n: int, log: Log) -> int:
    log.append(n)
    for i in [1]:
        if n:
            return other(n + i, log)
    return mutual_recursion(n + 1, log)


def other(n: int, log: Log) -> int:
    return mutual_recursion(n + 1, log)


def through_a_closure(n: int, log: Log) -> int:
    log.append(n)

    def inner(m: int) -> int:
        return through_a_closure(m + 1, log)

    return inner(n)


def through_a_builtin(n: int, log: Log) -> Any:
    log.append(n)
    return sorted([n], key=lambda v: through_a_builtin(v + 1, log))


def through_a_comprehension(n: int, log: Log) -> Any:
    log.append(n)
    return [through_a_comprehension(v + 1, log) for v in [n]]


def through_statements(n: int, log: Log) -> int:
    log.append(n)
    with contextlib.nullcontext():
        try:
            while True:
                return through_statements(n + 1, log)
        finally:
            n = 3


class Node:
    def __init__(self, n: int, log: Log) -> None:
        log.append(n)
        self.child = Node(n + 1, log)


def through_constructors(n: int, log: Log) -> Node:
    return Node(n, log)


class Sum:
    def __init__(self, log: Log) -> None:
        self.log = log

    def __add__(self, other: int) -> Any:
        self.log.append(other)
        return self + other


def through_operators(n: int, log: Log) -> Any:
    return Sum(log) + n


ENDLESS: list[Call] = [
    straight,
    mutual_recursion,
    through_a_closure,
    through_a_builtin,
    through_a_comprehension,
    through_statements,
    through_constructors,
    through_operators,
]


def depth(call: Callable[[int, Log], Any]) -> int:
    log: Log = []
    with pytest.raises(RecursionError):
        call(1, log)
    return len(log)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fn", ENDLESS)
def test_endless_recursion_ends_near_pythons_limit(fn: Call, mode: str) -> None:
    expected, call = depth(plain(fn)), MODES[mode](fn)
    assert expected / 2 <= depth(call) <= expected * 2
    # The second time everything is converted and met.
    assert expected / 2 <= depth(call) <= expected * 2


@pytest.mark.parametrize("mode", MODES)
def test_the_end_of_the_stack_can_be_handled(mode: str) -> None:
    def careful(n: int) -> int:
        try:
            return careful(n + 1)
        except RecursionError:
            return n

    expected, call = careful(0), MODES[mode](careful)
    for _ in range(3):
        assert expected / 2 <= call(0) <= expected


@pytest.mark.parametrize("mode", MODES)
def test_deep_recursion_returns_its_result(mode: str) -> None:
    def total(n: int) -> int:
        if n == 0:
            return 0
        return n + total(n - 1)

    assert total(800) == MODES[mode](total)(800)


def test_a_trace_without_end_leaves_tracing_usable() -> None:
    @ag.function
    def endless(x: Any) -> Any:
        if x > 0:
            return endless(x + 1)
        return x

    @ag.function
    def relu(x: Any) -> Any:
        if x > 0:
            return x
        return x * 0

    for _ in range(2):
        with pytest.raises(RecursionError) as caught:
            endless(rt.constant(3))
        assert 1 == len(getattr(caught.value, "__notes__", ()))
        assert [3, 0] == [int(relu(rt.constant(x))) for x in (3, -3)]
