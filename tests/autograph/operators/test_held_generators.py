"""Generators that variables hold, or that several go over at once: what is refused."""

from __future__ import annotations

import itertools
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


def one_more(items: Any) -> Iterator[Any]:
    for v in items:
        yield v + 1


@pytest.mark.parametrize(
    "paired",
    [
        lambda n, g: zip(g, g),
        lambda n, g: zip(g, enumerate(g)),
        lambda n, g: zip(map(abs, g), (v + 1 for v in g if v != 3)),
        lambda n, g: zip(*[g] * 3),
    ],
)
def test_one_in_step_with_itself_is_refused(paired: Callable[..., Any]) -> None:
    traced = ag.function(lambda n: [a for a, *_ in paired(n, below(n))])
    with pytest.raises(StagedIterationError, match="over a generator at several places"):
        traced(rt.constant(5))


def test_it_is_not_known_when_one_that_a_variable_holds_tidies_up() -> None:
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

    def by_one_that_goes_over_it(n: Any, log: list[str]) -> None:
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

    for function in (by_a_variable, by_an_object, by_a_list, by_one_that_goes_over_it):
        with pytest.raises(StagedIterationError, match="a `finally` of it runs"):
            ag.function(lambda n, f=function: logged(f, n))(rt.constant(5))
    for function in (by_nobody, to_the_end, one_after_the_other):
        for n in (0, 5):
            traced = ag.function(lambda n, f=function: logged(f, n))
            assert logged(function, n) == int(traced(rt.constant(n)))
