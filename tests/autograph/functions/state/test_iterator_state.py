"""Iterators from outside of a function are state: each call takes the next items, as in Python."""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ContainerMutationError

pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
CALLS = (3, 10, 0, 4)


def counted() -> Iterator[int]:
    k = 0
    while True:
        k += 1
        yield k


def delegated() -> Iterator[int]:
    yield from [4, 5, 6, 7]


ITERATORS: dict[str, Callable[[], Iterator[Any]]] = {
    "generator": counted,
    "delegating generator": delegated,
    "generator expression": lambda: (k * k for k in range(9)),
    "list": lambda: iter([1, 2, 3, 4]),
    "reversed list": lambda: reversed([1, 2, 3, 4]),
    "range": lambda: iter(range(9)),
    "dict": lambda: iter({5: "a", 7: "b", 9: "c", 1: "d"}),
    "set": lambda: iter({1, 2, 3, 4}),
    "deque": lambda: iter(deque([1, 2, 3, 4])),
    "map": lambda: map(abs, range(-9, 9)),
    "filter": lambda: filter(None, range(9)),
    "zip": lambda: zip(range(9)),
    "enumerate": lambda: enumerate("abcd", 5),
    "iter of two": lambda: iter(iter([1, 2, 3, 4]).__next__, 9),
    "count": lambda: itertools.count(7),
    "cycle": lambda: itertools.cycle([5, 7]),
    "repeat": lambda: itertools.repeat(3, 9),
    "chain": lambda: itertools.chain([1], [2, 3, 4]),
    "islice": lambda: itertools.islice(counted(), 9),
    "accumulate": lambda: itertools.accumulate(range(1, 9)),
    "groupby": lambda: itertools.groupby([1, 1, 2, 2, 3, 4]),
    "pairwise": lambda: itertools.pairwise([1, 2, 3, 4, 5]),
    "zip_longest": lambda: itertools.zip_longest([1, 2, 3, 4], [5]),
    "starmap": lambda: itertools.starmap(max, [(1, 2), (3, 4), (5, 6), (7, 8)]),
    "tee": lambda: itertools.tee([1, 2, 3, 4])[1],
    "product": lambda: itertools.product([1, 2], [3, 4]),
    "permutations": lambda: itertools.permutations([1, 2, 3]),
    "combinations": lambda: itertools.combinations([1, 2, 3, 4], 2),
    "combinations with replacement": lambda: itertools.combinations_with_replacement([1, 2, 3], 2),
}


def outcomes(function: Callable[..., Any], constant: Callable[[int], Any]) -> list[int]:
    return [int(function(constant(x))) for x in CALLS]


def assert_same(make: Callable[[], Callable[..., Any]]) -> None:
    assert outcomes(make(), int) == outcomes(ag.function(make()), rt.constant)


@pytest.mark.parametrize("kind", ITERATORS)
def test_each_call_takes_the_next_item(kind: str) -> None:
    def make() -> Callable[..., Any]:
        items = ITERATORS[kind]()

        def f(x: Any) -> Any:
            item = next(items)
            item = sum(item) if isinstance(item, tuple) and kind not in NAMED else item
            item = item[0] if isinstance(item, tuple) else item
            return x + item if x > 2 else x - item

        return f

    assert_same(make)


NAMED = ("enumerate", "groupby", "zip_longest")


def test_each_call_continues_a_loop() -> None:
    def make() -> Callable[..., Any]:
        items = iter(range(20))

        def f(x: Any) -> Any:
            for item in items:
                x = x + item
                if item % 3 == 2:
                    break
            return x

        return f

    assert_same(make)


def test_an_iterator_that_has_ended_stays_so() -> None:
    def make() -> Callable[..., Any]:
        items = iter([1, 2])

        def f(x: Any) -> Any:
            return x + sum(items) + next(items, 100)

        return f

    assert_same(make)


@pytest.mark.parametrize("kind", ["send", "__next__"])
def test_methods_of_an_iterator_advance_it(kind: str) -> None:
    def echo() -> Any:
        total = 0
        while True:
            total += (yield total) or 1

    def make() -> Callable[..., Any]:
        items = echo()
        next(items)
        step = items.send if kind == "send" else items.__next__

        def f(x: Any) -> Any:
            return x + (step(5) if kind == "send" else step())

        return f

    assert_same(make)


def test_an_iterator_that_no_call_advances_needs_one_trace() -> None:
    items = iter([1, 2, 3])

    @ag.function
    def f(x: Any) -> Any:
        return x + len([items])

    assert [4, 5] == [int(f(rt.constant(x))) for x in (3, 4)]
    assert 1 == f.experimental_get_tracing_count()
    assert [1, 2, 3] == list(items)


@pytest.mark.parametrize("kind", ["next", "method"])
def test_an_iterator_in_a_staged_branch_is_refused(kind: str) -> None:
    items = iter([1, 2, 3])
    step = items.__next__

    def by_next(x: Any) -> Any:
        return x + next(items) if x > 2 else x

    def by_method(x: Any) -> Any:
        return x + step() if x > 2 else x

    f = ag.function(by_next if kind == "next" else by_method)
    name = "items" if kind == "next" else "step"
    with pytest.raises(ContainerMutationError, match=re.escape(f"iterator '{name}'")):
        f(rt.constant(3))


def test_the_warning_names_the_iterator() -> None:
    class Numbered:
        def __init__(self) -> None:
            self.numbers = itertools.count()

        @ag.function
        def call(self, x: Any) -> Any:
            return x + next(self.numbers)

    numbered = Numbered()
    with pytest.warns(ag.errors.RetracingWarning, match="self.numbers"):
        found = [int(numbered.call(rt.constant(0))) for _ in range(12)]
    assert [*range(12)] == found


def test_an_argument_is_consumed_once_a_trace_as_in_tensorflow() -> None:
    @ag.function
    def f(x: Any, items: Any) -> Any:
        return x + next(items)

    items = iter([4, 5, 6])
    with pytest.warns(ag.errors.TraceEffectWarning, match="items of 'items', an iterator"):
        assert 5 == int(f(rt.constant(1), items))
    assert 6 == int(f(rt.constant(2), items))
    assert 5 == next(items)
