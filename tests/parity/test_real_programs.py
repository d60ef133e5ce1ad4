"""The two real programs: traced once, and compared with other implementations."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from tests.corpus import find
from tests.parity.agreement import outcome_of, value_difference
from tests.programs.real.beam_search import beam_search
from tests.programs.real.shift_reduce import Malformed, shift_reduce, tokens

LARGEST = 2**31 - 1


@pytest.fixture(scope="module")
def staged_search() -> Any:
    return ag.function(beam_search)


@pytest.fixture(scope="module")
def staged_evaluator() -> Any:
    return ag.function(shift_reduce)


def searched(scores: Any, width: int, limit: int, penalty: float) -> Any:
    """Beam search on tuples, a level at a time."""
    level, done, steps = [((0,), 0.0)], [], 0

    def rank(item: tuple[tuple[int, ...], float]) -> float:
        return item[1] - penalty * len(item[0])

    while steps < limit:
        steps += 1
        grown = [
            ((*path, token), total + gain)
            for path, total in level
            for token, gain in enumerate(scores[path[-1]])
            if gain > -1000.0
        ]
        kept = heapq.nlargest(width, grown, key=rank)
        done += [item for item in kept if item[0][-1] == 1]
        level = [item for item in kept if item[0][-1] != 1]
        highest = max((total for _, total in done), default=float("-inf"))
        if all(total <= highest for _, total in level):
            break
    if not done:
        return None, len(level), steps
    path, total = max(done, key=lambda item: item[1])
    return (list(path), total, len(done)), len(level), steps


def tables(count: int) -> Iterator[tuple[Any, ...]]:
    """Arguments of searches; every score is a multiple of a quarter, so sums are exact."""
    chance = random.Random(11)
    for _ in range(count):
        table = [
            [-1000.0 if chance.random() < 0.3 else -chance.randrange(1, 16) / 4 for _ in range(4)]
            for _ in range(4)
        ]
        yield table, chance.randrange(1, 5), chance.randrange(7), chance.choice((0.0, 0.25))


class Overflow(Exception):
    """A number no int32 holds came up."""


class Descent:
    """The same arithmetic by recursive descent, evaluated on the way."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text + "$", 0

    def whole(self) -> int:
        value = self.sum()
        if self.next() == ")":
            raise Malformed("nothing to close", self.at)
        return value

    def next(self) -> str:
        return self.text[self.at]

    def sum(self) -> int:
        value = self.product()
        while self.next() in "+-":
            sign = self.taken()
            right = self.product()
            value = small(value + right if sign == "+" else value - right)
        return value

    def product(self) -> int:
        value = self.negated()
        while self.next() in "*/":
            place, sign = self.at, self.taken()
            right = self.negated()
            if sign == "/" and right == 0:
                raise Malformed("division by zero", place)
            value = small(value * right if sign == "*" else value // right)
        return value

    def negated(self) -> int:
        if self.next() != "-":
            return self.power()
        self.at += 1
        return -self.negated()

    def power(self) -> int:
        base = self.atom()
        if self.next() != "^":
            return base
        place, _ = self.at, self.taken()
        exponent = self.negated()
        if exponent < 0:
            raise Malformed("a negative power", place)
        if exponent > 40 and abs(base) > 1:
            raise Overflow
        return small(base**exponent)

    def atom(self) -> int:
        place, sign = self.at, self.taken()
        if sign == "(":
            value = self.sum()
            if self.taken() != ")":
                raise Malformed("never closed", place)
        elif sign.isdigit():
            value = int(sign)
        else:
            raise Malformed("an operand is missing", place)
        if self.next() in "_(" or self.next().isdigit():
            raise Malformed("an operator is missing", self.at)
        return value

    def taken(self) -> str:
        self.at += 1
        return self.text[self.at - 1]


def small(value: int) -> int:
    """Return the value, if it is one of the graph's numbers."""
    if abs(value) > LARGEST // 2:
        raise Overflow
    return value


def texts(count: int) -> Iterator[str]:
    """Yield expressions, and variants of them with a sign put in, taken out or changed."""
    chance = random.Random(5)
    while count:
        text = _expression(chance, 3)
        if chance.random() < 0.5:
            place = chance.randrange(len(text))
            text = (
                text[:place] + chance.choice(("", "(", ")", "*", "-", "0", "_")) + text[place + 1 :]
            )
        if len(text) < 16:
            count -= 1
            yield text


def _expression(chance: random.Random, depth: int) -> str:
    kind = chance.random() if depth else 0.0
    if kind < 0.3:
        return str(chance.randrange(4))
    if kind < 0.4:
        return f"-{_expression(chance, depth - 1)}"
    if kind < 0.6:
        return f"({_expression(chance, depth - 1)})"
    left, right = _expression(chance, depth - 1), _expression(chance, depth - 1)
    return f"{left}{chance.choice('+-*/^')}{right}"


def test_beam_search_agrees_with_exhaustive_search(staged_search: Any) -> None:
    inputs = [*find(["real/beam_search"])[0].cases, *tables(40)]
    found = [searched(*each) for each in inputs]
    assert {True, False} == {each[0] is None for each in found}
    for each, wanted in zip(inputs, found):
        assert wanted == beam_search(*each)
        assert None is value_difference(wanted, staged_search(*map(rt.constant, each)))
    assert 1 == staged_search.experimental_get_tracing_count()


def test_the_evaluator_agrees_with_recursive_descent(staged_evaluator: Any) -> None:
    reasons: set[str] = set()
    for text in (*texts(150), "2^-1", "2^(1-3)"):
        expected = outcome_of(lambda text=text: Descent(text).whole(), [])
        if isinstance(expected.error, Overflow):
            continue
        reasons.add(expected.error.args[0] if expected.error else "none")
        actual = outcome_of(staged_evaluator, [*map(rt.constant, tokens(text))])
        assert type(expected.error) is type(actual.error), text
        if expected.error is None:
            assert None is value_difference(expected.result, actual.result), text
        else:
            assert expected.error.args == actual.error.args, text
    assert 1 == staged_evaluator.experimental_get_tracing_count()
    assert 7 == len(reasons), reasons


def test_expressions_agree_with_pythons_arithmetic() -> None:
    for text in ("1+2*3", "-2^2*-(3-5)", "2^3^2/7", "7-(4/3)*2"):
        assert eval(text.replace("^", "**").replace("/", "//")) == shift_reduce(*tokens(text))


def test_the_error_holds_the_position(staged_evaluator: Any) -> None:
    with pytest.raises(Malformed) as raised:
        staged_evaluator(*map(rt.constant, tokens("1+(2*)")))
    assert ("an operand is missing", 5) == (raised.value.args[0], int(raised.value.position))
