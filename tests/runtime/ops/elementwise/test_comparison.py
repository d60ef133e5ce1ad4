"""Comparisons against Python's."""

from __future__ import annotations

import operator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, ShapeError
from runtime.ops.elementwise.comparison import EQUAL, NOT_EQUAL

OPERATORS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


@pytest.mark.parametrize("compare", OPERATORS, ids=lambda op: op.__name__)
@given(st.integers(-3, 3), st.integers(-3, 3))
def test_scalars_as_in_python(compare: Any, x: int, y: int) -> None:
    for result in (compare(rt.constant(x), y), compare(x, rt.constant(y))):
        assert result.dtype is rt.bool and bool(result) == compare(x, y)


def test_equality_is_elementwise() -> None:
    assert (rt.constant([1, 2]) == [1, 3]).numpy().tolist() == [True, False]
    assert (rt.constant([1, 2]) != rt.constant([1, 3])).numpy().tolist() == [False, True]
    assert (rt.constant(["a", "b"]) == "a").numpy().tolist() == [True, False]
    assert bool(rt.constant(True) == True)  # noqa: E712


def test_shapes_that_do_not_fit_are_unequal_by_operator_and_an_error_by_function() -> None:
    a, b = rt.constant([1, 2]), rt.constant([1, 2, 3])
    assert (a == b).numpy() == False and (a != b).numpy() == True  # noqa: E712
    with pytest.raises(ShapeError, match="equal: shapes"):
        rt.equal(a, b)


def test_none_and_other_objects_are_unequal() -> None:
    x = rt.constant(1)
    assert (x == None) is False and (x != None) is True  # noqa: E711
    assert (x == object()) is False and (x == {}) is False


def test_dtypes_do_not_mix() -> None:
    with pytest.raises(DTypeError):
        rt.constant(1) == 1.5
    with pytest.raises(DTypeError):
        rt.constant("a") < rt.constant("b")


def test_dynamic_shapes_that_do_not_broadcast_are_unequal() -> None:
    rows = rt.TensorSpec([None], rt.float32)
    same = ag.function(lambda x, y: (x == y, x != y), input_signature=[rows, rows])
    equal, unequal = same(rt.constant([1.0, 2.0, 3.0]), rt.constant([1.0, 2.0]))
    assert (equal.numpy().tolist(), unequal.numpy().tolist()) == (False, True)
    equal, unequal = same(rt.constant([1.0, 2.0]), rt.constant([1.0]))
    assert equal.numpy().tolist() == [True, False]
    assert unequal.numpy().tolist() == [False, True]


def test_the_function_of_comparisons_refuses_them() -> None:
    rows = rt.TensorSpec([None], rt.float32)
    same = ag.function(lambda x, y: rt.equal(x, y), input_signature=[rows, rows])
    with pytest.raises(rt.errors.InvalidArgumentError):
        same(rt.constant([1.0, 2.0, 3.0]), rt.constant([1.0, 2.0]))


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ((None,), (2,), None),
        ((None,), (None,), None),
        (None, (2,), None),
        ((None, 3), (2, None), None),
        ((None, 3), (2, 4), ()),
        ((None, 3), (3,), (None, 3)),
        ((None, 1), (3,), (None, 3)),
        ((3,), (2,), ()),
        (None, (), None),
    ],
)
def test_the_inferred_shape_of_equality_contains_every_answer(
    x: Any, y: Any, expected: Any
) -> None:
    specs = [rt.TensorSpec(shape, rt.float32) for shape in (x, y)]
    for op, answer in ((EQUAL, False), (NOT_EQUAL, True)):
        found = op.infer(*specs, otherwise=answer)
        assert found == rt.TensorSpec(expected, rt.bool)
