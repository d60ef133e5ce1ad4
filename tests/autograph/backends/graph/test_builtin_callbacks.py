"""User functions that builtins call for each item may change reachable objects."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt

SIGNATURE = [rt.TensorSpec((None,), rt.int32)]
VECTORS = ([3, 1, 4, 9], [7], [])


class Counter:
    def __init__(self) -> None:
        self.calls, self.seen = 0, 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        if x > 3:
            self.seen += x
        return (x + self.calls) % 5

    key = __call__


def count(counter: Counter, x: Any) -> Any:
    counter.calls += x
    return counter.calls % 4


def by_closure(xs: Any) -> Any:
    calls = 0

    def key(x: Any) -> Any:
        nonlocal calls
        calls += 1
        return x % 3 + calls

    return sorted(xs, key=key), calls


def by_method(xs: Any) -> Any:
    counter = Counter()
    return sorted(xs, key=counter.key, reverse=True), counter.calls, counter.seen


def by_object(xs: Any) -> Any:
    counter = Counter()
    return min(xs, key=counter, default=0), counter.calls, counter.seen


def by_partial(xs: Any) -> Any:
    counter = Counter()
    return list(map(functools.partial(count, counter), xs)), counter.calls


def in_list(xs: Any) -> Any:
    counter, items = Counter(), []
    for x in xs:
        items.append(x + 1)
    items.sort(key=counter.key)
    return items, max(items, key=counter.key, default=0), counter.calls, counter.seen


def into_list(xs: Any) -> Any:
    seen: list[Any] = []
    return sorted(xs, key=lambda x: (seen.append(x % 3), len(seen) % 2)[1]), seen


def any_of_a_map(xs: Any) -> Any:
    counter = Counter()
    is_found = any(map(lambda x: counter.key(x) > 3, xs))  # noqa: C417
    return is_found, counter.calls, counter.seen


def filtered_and_mapped(xs: Any) -> Any:
    counter = Counter()
    return list(map(counter.key, filter(lambda x: counter.key(x) > 1, xs))), counter.calls


def one_by_one(xs: Any) -> Any:
    counter = Counter()
    items = map(counter.key, xs)
    return next(items, -1), counter.calls, next(items, -1), counter.seen


def in_loop(xs: Any) -> Any:
    counter, total = Counter(), 0
    for x in xs:
        total += sorted(xs, key=lambda y: counter.key(y) % 5)[0] * x
    return total, counter.calls, counter.seen


FUNCTIONS = [by_closure, by_method, by_object, by_partial, in_list, into_list, any_of_a_map]
FUNCTIONS += [filtered_and_mapped, one_by_one, in_loop]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_changes_by_callbacks_agree_with_python(function: Callable[[Any], Any]) -> None:
    staged = ag.function(function, input_signature=SIGNATURE)
    for values in VECTORS:
        assert spelled(function(np.array(values, np.int32))) == spelled(
            staged(rt.constant(np.array(values, np.int32)))
        )


def spelled(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return list(map(spelled, value))
    return value.numpy().tolist() if isinstance(value, rt.Tensor) else np.asarray(value).tolist()
