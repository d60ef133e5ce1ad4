"""Patterns of generated code agree with Python's in matches, bindings and errors."""

from __future__ import annotations

import re
from collections import OrderedDict, deque, namedtuple
from dataclasses import dataclass
from enum import Enum
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.graph.graph import Graph
from tests.autograph.recorded import from_text

PATTERNS = """
0
-1.5
1 + 2j
"text"
b"text"
None
True
False
_
name
0 | 1 | None
(0 | [_]) as name
[]
[_]
[*_]
[a, b]
[a, *rest]
[*rest, b]
[a, *_, b]
[a, *middle, _, b]
[1, [a, *b], 3]
[0, a] | [a, 0]
(a, b) | {"a": a, "b": b}
{}
{"a": 1}
{"a": a, **rest}
{"a": a, 1: b}
{Names.KEY: a}
{"a": a, Names.KEY: b}
int()
int(a)
str(a) | bytes(a)
bool()
float(0.0)
complex(a)
list([a, *_])
dict(a)
object()
Point()
Point(a)
Point(a, 2)
Point(x=a, y=[b])
Point(1, y=a) | Pair(a, _)
Point(a, x=b)
Point(a, b, c)
Pair(a, b)
Colour.RED | Colour.BLUE
Colour()
Strange(a)
Wrong(a)
Names.missing
Names.number()
SimpleNamespace(a=a, b=None)
Sequence()
""".strip().splitlines()


@dataclass
class Point:
    x: object
    y: object


@dataclass(frozen=True)
class Pair:
    first: object
    second: object


class Strange:
    __match_args__ = ["a"]
    a = 1


class Wrong:
    __match_args__ = (1,)


class Colour(Enum):
    RED = 1
    BLUE = "blue"


class Names:
    KEY = "a"
    number = 3


class Choosy:
    """Is equal to some values, and keeps a log of its comparisons and attribute reads."""

    def __init__(self) -> None:
        self.log: list[object] = []

    def __eq__(self, other: object) -> bool:
        self.log.append(other)
        return other == "text"

    @property
    def x(self) -> object:
        self.log.append("x")
        raise AttributeError("x")


Item = namedtuple("Item", ["first", "second"])
SPACE = {
    **{each.__name__: each for each in (Point, Pair, Strange, Wrong, Colour, Names)},
    "SimpleNamespace": SimpleNamespace,
    "Sequence": type(iter([])),
}


def subjects() -> list[Any]:
    numbers: list[Any] = [0, 1, True, False, 0.0, -1.5, 1 + 2j, None, 3]
    texts: list[Any] = ["text", b"text", "", "ab", bytearray(b"ab")]
    lists: list[Any] = [[], [1], [1, 2], [0, 5], [5, 0], [1, [2, 3, 4], 3], (1, 2), range(3)]
    lists += [deque([7, 8]), Item(1, 2), np.arange(2), map(int, []), {1, 2}]
    mappings: list[Any] = [{}, {"a": 1}, {"a": 2, 1: 3}, {"a": 1, "b": 2}, OrderedDict(a=0)]
    objects: list[Any] = [Point(1, 2), Point(1, [5]), Pair(1, 2), Strange(), Wrong(), Choosy()]
    objects += [Colour.RED, Colour.BLUE, SimpleNamespace(a=1, b=None), int, object()]
    return [*numbers, *texts, *lists, *mappings, *objects]


def matcher(pattern: str, staged: bool) -> Any:
    text = f"""
def match_it(subject):
    match subject:
        case {pattern} if log("guard"):
            found = "matches"
    variables = dict(locals())
    variables.pop("subject")
    return sorted(variables.items())
"""
    space = from_text(text)
    space.update(SPACE)
    space["log"] = lambda word: True
    return ag.to_graph(space["match_it"]) if staged else space["match_it"]


def outcome(function: Any, subject: Any) -> Any:
    try:
        result = function(subject)
    except Exception as error:
        result = (type(error), str(error))
    return re.sub("0x[0-9a-f]+", "", repr(result)), getattr(subject, "log", None)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_agrees_with_python(pattern: str) -> None:
    plain, converted = matcher(pattern, False), matcher(pattern, True)
    for first, second in zip(subjects(), subjects()):
        expected = outcome(plain, first)
        with Graph("probe").recording():
            rt.constant(0)
            assert expected == outcome(converted, second), first


def test_a_vector_as_a_truth_value_is_refused() -> None:
    @ag.function
    def is_zero(x: Any) -> Any:
        match x:
            case 0:
                return True
        return False

    assert is_zero(rt.constant(0)).numpy()
    with pytest.raises(ag.errors.ConditionError, match="subject of this `match`.*reduce_all"):
        is_zero(rt.constant([0, 1]))


def test_a_loop_carried_number_matches_number_patterns() -> None:
    @ag.function
    def kinds(n: Any) -> Any:
        count, is_odd, found = 0, False, 0
        while count < n:
            count = count + 1
            is_odd = False if is_odd else True
            match count, is_odd:
                case int(k), True:
                    found += k
                case float(), _:
                    found += 1000
        return found

    assert 9 == kinds(rt.constant(5)).numpy()


def test_alternatives_that_bind_other_kinds_of_values_are_refused() -> None:
    @ag.function
    def choose(a: Any, b: Any, c: Any) -> Any:
        match a, b, c:
            case (0, y, _) | (_, 0, y):
                return y

    assert 7 == choose(rt.constant(1), rt.constant(0), rt.constant(7)).numpy()
    with pytest.raises(ag.errors.BranchMismatch, match="binds y"):
        choose(rt.constant(0), rt.constant(0), (rt.constant(1), rt.constant(2)))


def test_none_is_matched_against_an_optional_value() -> None:
    @ag.function
    def described(x: Any) -> Any:
        found = (x, x + 1) if x > 0 else None
        match found:
            case None if x < -5:
                return -1
            case [7, n] | (n, 9):
                return n
            case 3 | int():
                return 3
            case [a, b]:
                return a * b
        return 0

    results = [int(described(rt.constant(x)).numpy()) for x in (-9, -1, 0, 7, 8, 2)]
    assert [-1, 0, 0, 8, 8, 6] == results


def test_a_staged_list_matches_patterns_by_length() -> None:
    def grown(n: Any) -> Any:
        found = []
        for k in range(n):
            found.append(k + 5)
        match found:
            case [a, b]:
                return a + b
            case [*_, 8]:
                return -1
        return 0

    staged = ag.function(grown)
    results = [int(staged(rt.constant(n)).numpy()) for n in range(6)]
    assert results == [grown(n) for n in range(6)] == [0, 0, 11, 0, -1, 0]


def test_a_staged_deque_in_a_sequence_pattern_is_refused() -> None:
    @ag.function
    def grown(n: Any) -> Any:
        found = deque[Any]()
        for k in range(n):
            found.append(k)
        match found:
            case [a, b]:
                return a + b
        return 0

    with pytest.raises(ag.errors.StagingError, match="its length is known only when"):
        grown(rt.constant(2))


def test_a_variable_is_matched_before_anything_is_recorded() -> None:
    variable = rt.Variable(3)

    @ag.function
    def described() -> Any:
        match variable:
            case 3:
                return 1
            case _:
                return 2

    assert 1 == described().numpy()
    variable.assign(4)
    assert 2 == described().numpy()
