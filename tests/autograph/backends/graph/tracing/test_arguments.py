"""Which calls of a function are traced alike."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from autograph.backends.graph.tracing.arguments import (
    ArgumentRef,
    ArgumentsByParameter,
    common_specs,
    common_specs_with,
    joined_specs,
)
from autograph.backends.graph.values.leaf_spec import LiteralSpec, TracedSpec


def f(a: Any, b: Any = 2, *rest: Any, k: Any = None, **named: Any) -> Any:
    return a, b, rest, k, named


def given(*args: Any, **kwargs: Any) -> ArgumentsByParameter:
    arguments = ArgumentsByParameter.of(f, args, kwargs)
    assert arguments is not None
    return arguments


INT, FLOAT, VECTOR = rt.constant(1), rt.constant(1.0), rt.constant([1, 2])


def test_arguments_are_bound_to_parameters_and_unbound() -> None:
    arguments = given(1, k=3, other=4)
    assert dict(arguments.values) == {"a": 1, "b": 2, "rest": (), "k": 3, "named": {"other": 4}}
    assert arguments.call(f) == (1, 2, (), 3, {"other": 4})
    assert ArgumentsByParameter.of(f, (), {}) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (INT, rt.constant(5)),
        ("add", "add"),
        ((INT, "x"), (INT, "x")),
        (VECTOR, rt.constant([1, 2, 3])),
        (0, INT),
        (FLOAT, 1),
        (f, f),
    ],
)
def test_equal_arguments_share_a_trace(first: Any, second: Any) -> None:
    assert common_specs(given(first), given(second)) is not None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (1, 2),
        (True, 1),
        ("a", "b"),
        (INT, FLOAT),
        ((INT,), (INT, INT)),
        ([INT], [INT, INT]),
        (None, INT),
        (f, given),
        ((0, INT), (INT, FLOAT)),
        (rt.Variable(1), rt.Variable(1)),
    ],
)
def test_different_arguments_do_not_share_a_trace(first: Any, second: Any) -> None:
    assert common_specs(given(first), given(second)) is None


def test_shapes_widen_and_numbers_become_tensors() -> None:
    known = common_specs(given(VECTOR, 0), given(rt.constant([1]), INT))
    assert known is not None
    assert known["a"] == TracedSpec(rt.TensorSpec((None,), rt.int32))
    assert known["b"] == TracedSpec(rt.TensorSpec((), rt.int32))
    assert known["k"] == LiteralSpec(None) or known["k"].value is None  # type: ignore[union-attr]


def test_an_argument_that_is_passed_on_is_matched_by_identity() -> None:
    items = [INT]
    known = common_specs(given(items), given(items))
    assert known is not None and known["a"] == ArgumentRef(items)
    assert common_specs_with(known, given(items)) == known
    other = common_specs_with(known, given([rt.constant(9)]))
    assert other is not None and not isinstance(other["a"], ArgumentRef)
    assert common_specs_with(known, given([INT, INT])) is None


def test_numbers_that_differ_are_joined_and_objects_are_not() -> None:
    of_numbers = TracedSpec(rt.TensorSpec((), rt.int32), weak=True)
    known = joined_specs([given(f), given(1), given(2), given(3)])
    assert known[0] is None and [each["a"] for each in known[1:3]] == [of_numbers, of_numbers]
    assert joined_specs([given(f), given(given)])[0] is None


def test_calls_are_joined_as_their_last_ones_alone() -> None:
    items = [INT]
    calls = [given(each) for each in (1, INT, f, f, items, items, [INT], 2.0, 2, 3)]
    for count in range(2, len(calls) + 1):
        found = joined_specs(calls[:count])
        assert found == [joined_specs(calls[at:count])[0] for at in range(count)]
