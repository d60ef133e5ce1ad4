"""The judge of the parity tests must itself see every kind of difference."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from tests.parity.agreement import error_difference, outcome_of, spelled, value_difference

SAME: list[tuple[Any, Any]] = [
    (3, rt.constant(3)),
    (3, rt.constant(3.0)),
    (True, rt.constant(True)),
    ([1, 2], rt.constant([1, 2])),
    ([1, 2], [rt.constant(1), rt.constant(2)]),
    ((1, {"a": 0.1}), (rt.constant(1), {"a": rt.constant(0.1)})),
    ("text", "text"),
    (None, None),
]

DIFFERENT: list[tuple[Any, Any]] = [
    (3, rt.constant(4)),
    (0.5, rt.constant(0)),
    (1, rt.constant(True)),
    (True, rt.constant(1)),
    (1.0, rt.constant(1.001)),
    ([1, 2], rt.constant([1, 2, 3])),
    ([1, 2], rt.constant([[1, 2]])),
    ((1, 2), [rt.constant(1), rt.constant(2)]),
    ({"a": 1}, {"b": rt.constant(1)}),
    ([1, 2], [rt.constant(1)]),
    (None, rt.constant(0)),
    ("text", "other"),
]


@pytest.mark.parametrize(("expected", "actual"), SAME)
def test_equal_values_agree(expected: Any, actual: Any) -> None:
    assert value_difference(expected, actual) is None


@pytest.mark.parametrize(("expected", "actual"), DIFFERENT)
def test_different_values_do_not(expected: Any, actual: Any) -> None:
    assert value_difference(expected, actual) is not None


def test_spelling_tells_types_apart() -> None:
    values = [
        1,
        True,
        1.0,
        [1],
        (1,),
        {"a": 1},
        {"a": True},
        rt.constant(1),
        rt.constant([1]),
        None,
    ]
    for place, value in enumerate(values):
        assert [place] == [
            at for at, other in enumerate(values) if spelled(other) == spelled(value)
        ]


def test_exceptions_differ_by_type_arguments_and_cause() -> None:
    caused = ValueError(1)
    caused.__cause__ = KeyError()
    assert error_difference(ValueError(1), ValueError(1)) is None
    assert error_difference(None, None) is None
    for other in (KeyError(1), ValueError(2), caused, None):
        assert error_difference(ValueError(1), other) is not None


def test_an_outcome_holds_output_and_changed_arguments() -> None:
    def noisy(xs: list[int]) -> None:
        xs.append(2)
        print("seen")
        raise KeyError("x")

    outcome = outcome_of(noisy, [[1]])
    assert ("seen\n", [[1, 2]]) == (outcome.printed, outcome.arguments)
    assert ("x",) == outcome.error.args if outcome.error else None
