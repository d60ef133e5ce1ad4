"""Generators with a `finally` that are held: closed at the loop's end where that is as good."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import AutographError, StagedIterationError


def below(n: Any, log: list[str] | None = None) -> Iterator[Any]:
    k = 0
    try:
        while k < n:
            yield k
            k += 1
    finally:
        if log is not None:
            log.append("done")


def one_more(items: Any) -> Iterator[Any]:
    for v in items:
        yield v + 1


def test_a_generator_that_is_closed_later_is_refused() -> None:
    class Held:
        numbers: Any

    def by_a_variable(n: Any, log: list[str]) -> None:
        numbers = below(n, log)
        for v in numbers:
            if v > 1:
                break
        log.append("after")

    def by_an_object(n: Any, log: list[str]) -> None:
        held = Held()
        held.numbers = below(n, log)
        for v in held.numbers:
            if v > 1:
                break
        log.append("after")

    def by_a_list(n: Any, log: list[str]) -> None:
        numbers = [below(n, log)]
        log.append("found" if any(v > 1 for v in numbers[0]) else "none")

    def outlived_by_an_outer_generator(n: Any, log: list[str]) -> None:
        numbers = one_more(below(n, log))
        for v in numbers:
            if v > 1:
                break
        log.append("after")

    def by_nobody(n: Any, log: list[str]) -> None:
        for v in (2 * v for v in itertools.islice(below(n, log), 4)):
            if v > 1:
                break
        log.append("after")

    def to_the_end(n: Any, log: list[str]) -> None:
        numbers = below(n, log)
        for _ in numbers:
            log.append("turn")

    def one_after_the_other(n: Any, log: list[str]) -> None:
        numbers = below(n, log)
        more = one_more(numbers)
        for _ in one_more(more):
            log.append("turn")

    def logged(function: Callable[..., None], n: Any) -> Any:
        log = ["begin"]
        function(n, log)
        return len(log)

    for function in (by_a_variable, by_an_object, by_a_list, outlived_by_an_outer_generator):
        with pytest.raises(StagedIterationError, match="a `finally` of it runs"):
            ag.function(lambda n, f=function: logged(f, n))(rt.constant(5))
    for function in (by_nobody, to_the_end, one_after_the_other):
        for n in (0, 5):
            traced = ag.function(lambda n, f=function: logged(f, n))
            assert logged(function, n) == int(traced(rt.constant(n)))


def logged_below(n: Any, log: list[int]) -> Iterator[Any]:
    try:
        for k in range(n):
            log.append(k)
            yield k
    finally:
        log.append(100)


def limited(items: Iterator[Any]) -> Iterator[Any]:
    for v in items:
        if v > 1:
            return
        yield v


def first_of(items: Iterator[Any]) -> Any:
    for v in items:
        if v > 2:
            return v
    return -1


def through_a_generator(n: Any, log: list[int]) -> Any:
    total = 0
    for v in limited(logged_below(n, log)):
        total = total + v
    return total


def through_a_generator_left_early(n: Any, log: list[int]) -> Any:
    for v in enumerate(limited(one_more(logged_below(n, log)))):
        if v[1] > 0:
            break
    return len(log)


def through_two_helpers(n: Any, log: list[int]) -> Any:
    def again(items: Iterator[Any]) -> Any:
        return first_of(items)

    return again(logged_below(n, log))


def in_a_branch(n: Any, log: list[int]) -> Any:
    if n > 1:
        found = first_of(logged_below(n, log))
    else:
        found = -7
    return found


def two_new_generators(n: Any, log: list[int]) -> Any:
    total = 0
    for k in range(2):
        total += first_of(logged_below(n + k, log))
    return total


def by_next(n: Any, log: list[int]) -> Any:
    numbers = logged_below(n, log)
    return next(numbers, -1)


@pytest.mark.parametrize(
    "function",
    [
        through_a_generator,
        through_a_generator_left_early,
        through_two_helpers,
        in_a_branch,
        two_new_generators,
        by_next,
    ],
)
def test_a_caller_in_tail_position_may_hold_a_generator(
    function: Callable[[Any, list[int]], Any],
) -> None:
    def logged(n: Any) -> Any:
        log: list[int] = []
        found = function(n, log)
        log.append(50)
        return found, log

    traced = ag.function(logged)
    for n in (0, 1, 2, 5):
        staged = rt.nest.map_structure(lambda each: each.numpy(), traced(rt.constant(n)))
        assert logged(n) == rt.nest.map_structure(int, staged)


def test_operators_on_values_that_the_finally_may_change_are_refused() -> None:
    def emptied(n: Any) -> Iterator[Any]:
        rows: list[Any] = []
        try:
            for k in range(n):
                rows.append(k)
                yield rows
        finally:
            rows.clear()

    def added(numbers: Iterator[list[Any]]) -> Any:
        found = [0]
        for rows in numbers:
            found = rows
            if len(rows) > 2:
                break
        return found + [7]

    with pytest.raises(AutographError):
        ag.function(lambda n: added(emptied(n)))(rt.constant(5))


def test_statements_between_two_loops_are_seen() -> None:
    """The outer loop goes on after the one that is left, whose generator lives longer."""

    def twice(numbers: Iterator[Any], log: list[int]) -> Iterator[Any]:
        for v in numbers:
            if v > 1:
                break
        log.append(7)
        yield 1

    def function(n: Any) -> Any:
        log: list[int] = []
        total = 0
        for v in twice(logged_below(n, log), log):
            total = total + v
        return total, log

    with pytest.raises(StagedIterationError, match="a `finally` of it runs"):
        ag.function(function)(rt.constant(5))
