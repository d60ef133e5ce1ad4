"""Generators that loops consume: what happens, in which order, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagedIterationError


def below(n: Any, log: list[str] | None = None) -> Iterator[Any]:
    k = 0
    try:
        while k < n:
            yield k
            k += 1
    finally:
        if log is not None:
            log.append("done")


def guarded(n: Any) -> Iterator[Any]:
    for k in range(n):
        try:
            yield k
        except ValueError:
            yield -1


def failing(n: Any) -> Iterator[Any]:
    for k in range(n):
        if k > 2:
            raise KeyError("three")
        yield k


def again_after_the_end(n: Any) -> Any:
    numbers, total = below(n), 0
    for v in numbers:
        total += v
    for v in numbers:
        total += 100 * v
    return total


def an_error_of_the_generator(n: Any) -> Any:
    total = 0
    try:
        for v in failing(n):
            total += v + 1
    except KeyError:
        total += 100
    return total


def an_error_of_the_loop(n: Any) -> Any:
    total = 0
    try:
        for v in below(n):
            if v > 2:
                raise ValueError(v)
            total += v
    except ValueError:
        total += 100
    return total


def values_of_the_last_turn(n: Any) -> Any:
    last = -1
    for v in below(n):
        square = v * v
        last = square if square < 10 else last
    return last


def attributes_and_lists(n: Any) -> Any:
    class Kept:
        total = 0

    kept, seen, counts = Kept(), [], {"all": 0}
    for v in below(n):
        kept.total += v
        seen.append(v)
        counts["all"] += 1
    return kept.total, seen, counts


def a_choice_of_generators(n: Any, m: Any) -> Any:
    total = 0
    for v in below(n):
        for w in below(m):
            if w > v:
                break
            total += w + 1
    return total


@pytest.mark.parametrize(
    "function",
    [
        again_after_the_end,
        an_error_of_the_generator,
        an_error_of_the_loop,
        values_of_the_last_turn,
        attributes_and_lists,
    ],
)
@pytest.mark.parametrize("n", [0, 1, 3, 5])
def test_as_python_has_it(function: Callable[[Any], Any], n: int) -> None:
    traced = ag.function(function)(rt.constant(n))
    assert function(n) == rt.nest.map_structure(lambda each: each.numpy(), traced)


def test_one_in_another() -> None:
    traced = ag.function(a_choice_of_generators)
    for n, m in ((0, 3), (3, 0), (4, 2), (2, 4)):
        assert a_choice_of_generators(n, m) == int(traced(rt.constant(n), rt.constant(m)))


def test_it_tidies_up_once() -> None:
    def first(n: Any) -> Any:
        log: list[str] = []
        for v in below(n, log):
            if v > 1:
                break
        return len(log)

    traced = ag.function(first)
    assert [first(n) for n in (0, 1, 5)] == [int(traced(rt.constant(n))) for n in (0, 1, 5)]


def test_what_is_left_after_a_break_is_refused() -> None:
    def goes_on(n: Any) -> Any:
        numbers, total = below(n), 0
        for v in numbers:
            if v > 1:
                break
        for v in numbers:
            total += v
        return total

    def draws(n: Any) -> Any:
        numbers = below(n)
        for v in numbers:
            if v > 1:
                break
        return next(numbers, -1)

    for function in (goes_on, draws):
        with pytest.raises(StagedIterationError, match="what is left in it is known only"):
            ag.function(function)(rt.constant(5))


def test_a_handler_around_the_yield_stays_python() -> None:
    def f(n: Any) -> Any:
        total = 0
        for v in guarded(n):
            total += v
        return total

    assert 3 == int(ag.function(f)(3))
    with pytest.raises(StagedIterationError):
        ag.function(f)(rt.constant(3))


def test_a_generator_that_was_begun_goes_on_in_python() -> None:
    def f(x: Any) -> Any:
        numbers = below(4)
        total = next(numbers) + x
        for v in numbers:
            total = total * 2 + v
        return total

    assert f(1) == int(ag.function(f)(rt.constant(1)))
