"""Comparison and order of containers with tensors agree with Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt


def _tuples(a: Any, b: Any) -> list[Any]:
    x, y, longer = (a, 1), (1, b), (a, 1, b)
    together = [x < y, x <= y, x > y, x >= y, x == y, x != y]
    return [*together, x < longer, longer <= x, x == longer]


def _nested(a: Any, b: Any) -> list[Any]:
    x, y = [(a, [b]), 1], [(1, [a]), b]
    return [x < y, x <= y, x > y, x >= y, x == y, x != y, [a] == (a,), {"k": x} == {"k": y}]


def _others(a: Any, b: Any) -> list[Any]:
    return [{"k": a} == {"j": a}, (a, 1) in [(b, 1)], [(b, 1), (a, 2)].count((1, 1)), a < b < 2]


@pytest.mark.parametrize("function", [_tuples, _nested, _others])
def test_containers_are_compared_as_python_compares_them(function: Callable[..., Any]) -> None:
    staged = ag.function(function)
    for a in range(3):
        for b in range(3):
            result = staged(rt.constant(a), rt.constant(b))
            assert function(a, b) == [each.numpy().item() for each in result]


def _keys_that_log(n: Any, log: list[Any], cleared: list[Any]) -> Any:
    class Key:
        def __init__(self, name: str) -> None:
            self.name = name

        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: Any) -> bool:
            log.append(f"{self.name} == {other.name}")
            for each in cleared:
                each.clear()
            return bool(self.name == other.name)

    a, b = {Key("p"): n, Key("q"): 2}, {Key("q"): 2, Key("p"): 1}
    log.clear()
    cleared += [a] if cleared else []
    return a == b


@pytest.mark.parametrize("cleared", [[], [{1: 1}]])
def test_keys_of_dicts_are_compared_as_often_as_in_python(cleared: list[Any]) -> None:
    expected: list[Any] = []
    found: list[Any] = []
    of_python = _keys_that_log(1, expected, list(cleared))
    answer = ag.function(lambda n: _keys_that_log(n, found, list(cleared)))(rt.constant(1))
    assert bool(answer) == of_python
    assert found == expected


def test_comparing_unordered_values_raises_at_run_time() -> None:
    staged = ag.function(lambda n: (n, "a") < (2, 1))
    assert staged(rt.constant(1)).numpy()
    with pytest.raises(TypeError):
        staged(rt.constant(2))


def _chosen(x: Any) -> list[Any]:
    pairs = [(x, 1), (2.0, 2), (1.0, 3), (x, 0)]
    down = sorted(pairs, key=lambda p: p[0], reverse=True)
    numbers = [pair[1] for pair in (*sorted(pairs), *down)]
    return [*numbers, max(pairs)[1], min(pairs)[1], max(pairs, key=lambda p: (p[0] > 1, p[1]))[1]]


@pytest.mark.parametrize("x", [0.5, 1.0, 2.0, 3.0])
def test_min_max_and_sorted_of_pairs_agree_with_python(x: float) -> None:
    result = ag.function(_chosen)(rt.constant(x))
    assert _chosen(x) == [each.numpy().item() for each in result]


def test_nan_is_sorted_as_python_sorts_it() -> None:
    x = float("nan")
    rows = [(x, 1), (2.0, 2), (1.0, 3)]
    expected = [pair[1] for pair in sorted(rows)]
    staged = ag.function(lambda x: [p[1] for p in sorted([(x, 1), (2.0, 2), (1.0, 3)])])
    assert expected == [each.numpy().item() for each in staged(rt.constant(x))]
