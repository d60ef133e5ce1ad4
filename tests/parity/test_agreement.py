"""The comparison of the parity tests finds every kind of difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from tests.parity.agreement import (
    error_difference,
    outcome_of,
    spelled,
    staged_error_difference,
    value_difference,
)


def raised_by_python(body: Callable[[], Any]) -> BaseException | None:
    return outcome_of(body, []).error


SAME: list[tuple[Any, Any]] = [
    (3, rt.constant(3)),
    (True, rt.constant(True)),
    (np.array([1, 2]), rt.constant([1, 2])),
    ([1, 2], [rt.constant(1), rt.constant(2)]),
    ((1, {"a": 0.1}), (rt.constant(1), {"a": rt.constant(0.1)})),
    ("text", "text"),
    (None, None),
]

DIFFERENT: list[tuple[Any, Any]] = [
    (3, rt.constant(4)),
    (3, rt.constant(3.0)),
    ([1, 2], rt.constant([1, 2])),
    ((1, 2), rt.constant([1, 2])),
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


@pytest.mark.parametrize(
    ("expected", "actual", "differs"),
    [
        ([1, 2], rt.constant([1, 2]), {"rows"}),
        ([[1, 2], [3, 4]], [rt.constant([1, 2]), rt.constant([3, 4])], {"rows"}),
        ({"a": (1,)}, {"a": (rt.constant(1.0),)}, {"widened"}),
    ],
)
def test_only_the_named_differences_are_allowed(
    expected: Any, actual: Any, differs: set[str]
) -> None:
    assert value_difference(expected, actual) is not None
    assert value_difference(expected, actual, differs={"rows", "widened"} - differs) is not None
    assert value_difference(expected, actual, differs=differs) is None


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (None, None),
        (KeyError("a"), KeyError("a")),
        (ValueError(3), ValueError(rt.constant(3))),
        (ZeroDivisionError("by zero"), rt.errors.DivisionByZeroError("by zero")),
        (IndexError("out"), rt.errors.OutOfBoundsError("out")),
        (raised_by_python(lambda: [][0]), rt.errors.OutOfBoundsError("slice index 0")),
    ],
)
def test_a_graph_may_raise_the_runtime_s_error_of_that_kind(expected: Any, actual: Any) -> None:
    assert staged_error_difference(expected, actual) is None


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (None, ValueError()),
        (ValueError(), None),
        (ValueError(), rt.errors.OpError("anything else")),
        (ValueError(), rt.errors.ArgumentValueError("anything else")),
        (KeyError("a"), rt.errors.ShapeError("bad shape")),
        (KeyError("a"), KeyError("b")),
        (ValueError("a"), UnicodeError("a")),
        (AssertionError("n"), rt.errors.ArgumentValueError("n")),
        (raised_by_python(lambda: [][0]), rt.errors.DivisionByZeroError("by zero")),
        (raised_by_python(lambda: 1 // 0), IndexError("by zero")),
    ],
)
def test_a_different_error_is_a_difference(expected: Any, actual: Any) -> None:
    assert staged_error_difference(expected, actual) is not None


def test_spelling_distinguishes_types() -> None:
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
