"""`in` with Python values while a graph is recorded: Python answers, and no node is recorded."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt


class Distance:
    """Equal to another one that is near; to anything else, Python asks the other side."""

    def __init__(self, at: float) -> None:
        self.at = at

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Distance):
            return NotImplemented
        return abs(self.at - other.at) < 1

    def __hash__(self) -> int:
        return 0


class Truthy:
    """The result of an `==`, which has a truth of its own."""

    def __init__(self, truth: bool) -> None:
        self.truth = truth

    def __bool__(self) -> bool:
        return self.truth


class Odd:
    """Equal to odd numbers, in an answer that is no bool."""

    def __eq__(self, other: object) -> Any:
        return Truthy(isinstance(other, int) and other % 2 == 1)

    __hash__ = None  # type: ignore[assignment]


def is_in(item: Any, values: Any) -> Any:
    return item in values


def number_of(item: Any, values: Any) -> Any:
    return values.count(item)


def place_of(item: Any, values: Any) -> Any:
    return values.index(item) if item in values else None


NEAR, FAR = Distance(0.5), Distance(5.0)
CASES = [
    (Distance(0), [FAR, NEAR]),
    (Distance(0), (FAR, "text", None)),
    ((Distance(0), 1), ((NEAR, 1), (NEAR, 2))),
    ((Distance(0), 3), [(NEAR, 1), (NEAR, 2)]),
    ([Distance(0)], ([FAR], [NEAR])),
    ((Distance(0), Distance(0)), (object(), int)),
    ({"at": Distance(0)}, [{"at": FAR}, {"at": NEAR}]),
    (3, [Odd()]),
    (2, [Odd(), "2"]),
    (Odd(), (2, 4, 5)),
    ((3, 4), [(Odd(), 5), (Odd(), 4)]),
    ((2, 4), [(Odd(), 4)]),
]


@pytest.mark.parametrize("function", [is_in, number_of, place_of])
@pytest.mark.parametrize("item, values", CASES)
def test_python_answers_for_python_values(function: Any, item: Any, values: Any) -> None:
    graph = rt.Graph("probe")
    with graph.recording():
        found = ag.convert(function)(item, values)
    assert found == function(item, values)
    assert type(found) is type(function(item, values))
    assert graph.nodes == []


def test_tensors_are_compared_by_the_graph() -> None:
    @ag.function
    def near(x: rt.Tensor) -> Any:
        return (Distance(0), x) in [(FAR, x), (NEAR, 2), (NEAR, 3)]

    assert [bool(near(rt.constant(value))) for value in (1, 2, 3, 4)] == [False, True, True, False]
