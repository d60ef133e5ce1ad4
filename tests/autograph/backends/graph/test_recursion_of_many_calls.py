"""Recursion over Python numbers with so many calls that tracing each would have no end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.backends.graph import recursion
from autograph.errors import StagingError

SIZE = 2


@pytest.fixture(autouse=True)
def few_calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(recursion, "_MOST_CALLS", 12)
    yield


def filled(given: Any) -> Any:
    """Fill a board, flat in a list, so that no row and no column has a number twice."""
    board = [given[i] for i in range(SIZE * SIZE)]

    def fits(at: Any, number: int) -> Any:
        for k in range(SIZE):
            if board[at // SIZE * SIZE + k] == number or board[k * SIZE + at % SIZE] == number:
                return False
        return True

    def solve(at: Any) -> Any:
        if at == SIZE * SIZE:
            return True
        if board[at] != 0:
            return solve(at + 1)
        for number in range(1, SIZE + 1):
            if fits(at, number):
                board[at] = number
                if solve(at + 1):
                    return True
                board[at] = 0
        return False

    return solve(0), board


def two_paths(x: Any, at: int, names: tuple[str, ...]) -> Any:
    if at == 6:
        return x
    if x > at:
        return two_paths(x - 1, at + 1, (*names, "left"))
    return two_paths(x + 2, at + 1, (*names, "right"))


@pytest.mark.parametrize("given", [[0, 0, 0, 0], [2, 0, 0, 0], [1, 1, 0, 0]])
def test_recursion_with_too_many_calls_becomes_one_function(given: list[int]) -> None:
    staged = ag.function(filled)
    assert "recursion" in str(staged.get_concrete_function(rt.constant(given)).graph.as_text())
    solved, board = filled(rt.constant(given))
    found, result = staged(rt.constant(given))
    assert (bool(solved), [int(each) for each in board]) == (
        bool(found),
        [int(each) for each in result],
    )


def test_calls_that_differ_in_more_than_numbers_are_refused() -> None:
    with pytest.raises(StagingError, match="'two_paths' calls itself more than 12 times"):
        ag.function(two_paths)(rt.constant(1), 0, ())
