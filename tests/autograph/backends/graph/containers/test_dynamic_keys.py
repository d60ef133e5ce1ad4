"""Sets and dicts whose keys only the run knows."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt


def test_a_string_key_differs_from_numeric_keys() -> None:
    known: set[Any] = set()

    @ag.function
    def f(x: Any) -> Any:
        known.add(len(known) if len(known) < 3 else "many")
        return x

    for _ in range(5):
        f(rt.constant(1))
    assert known == {0, 1, 2, "many"}


def test_a_missing_key_is_pythons_error() -> None:
    given: dict[int, Any] = {}

    @ag.function
    def f(x: Any) -> Any:
        given[len(given)] = x
        return given[2 * len(given) - 2]

    assert int(f(rt.constant(7))) == 7
    with pytest.raises(KeyError):
        f(rt.constant(8))
    assert list(given) == [0]


def test_a_value_is_stored_under_the_existing_key() -> None:
    counts = {0: 5, 1: 6}

    @ag.function
    def f(x: Any) -> Any:
        counts[len(counts)] = 0
        counts[1] = counts[1] + 1
        return x + counts[1]

    assert [int(f(rt.constant(0))) for _ in range(4)] == [7, 8, 9, 10]
    assert counts == {0: 5, 1: 10, 2: 0, 3: 0, 4: 0, 5: 0}
    assert f.experimental_get_tracing_count() <= 2


def test_items_are_iterated_in_insertion_order() -> None:
    given: dict[int, Any] = {}

    @ag.function
    def f(x: Any) -> Any:
        given[-len(given)] = x
        last = x
        for key, value in given.items():
            last = key + 10 * value
        return last

    assert [int(f(rt.constant(x))) for x in (1, 2, 3)] == [10, 19, 28]
    assert f.experimental_get_tracing_count() <= 2
