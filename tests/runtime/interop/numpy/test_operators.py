"""Operators of stand-ins for NumPy values agree with NumPy."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.each import for_each
from tests.suite_length import sample

OPERATORS = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv),
    *(operator.mod, operator.pow, operator.lt, operator.eq, operator.ge, divmod),
)
BITS = (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift)
IN_PLACE = (operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv)
OTHERS = (2, 2.5, True, np.float32(2), np.int64(3), np.int8(3), np.ones(3, np.float32), [1, 2, 3])
DTYPES = (bool, np.uint8, np.int32, np.int64, np.float32, np.float64)


def both(compute: Any, dtype: Any) -> tuple[Any, Any]:
    """Return the results of a function: for NumPy's array, and for one that a run fills."""

    def program(i, x):
        a = np.ones(3, dtype)
        a[i] = x
        return compute(a)

    def outcome(call: Any, *args: Any) -> Any:
        try:
            return call(*args)
        except (TypeError, OverflowError) as error:
            return type(error).__mro__[-3]

    return outcome(program, 1, 3), outcome(ag.function(program), rt.constant(1), rt.constant(3))


def check(expected: Any, found: Any) -> None:
    if isinstance(expected, type):
        assert expected is found
        return
    for one, other in zip(np.atleast_1d(expected), np.atleast_1d(found), strict=True):
        np.testing.assert_allclose(np.asarray(other), one)
    parts = (expected, found) if isinstance(expected, tuple) else ([expected], [found])
    for one, other in zip(*parts, strict=True):
        assert one.dtype == np.asarray(other).dtype


@for_each("compute, other, dtype", sample([*itertools.product(OPERATORS, OTHERS, DTYPES)], 31))
def test_arrays_promote_as_in_numpy(compute: Any, other: Any, dtype: Any) -> None:
    # NumPy squares truth values in a way of its own.
    if not (compute is operator.pow and type(other) is int and dtype is bool):
        check(*both(lambda a: compute(a, other), dtype))
    check(*both(lambda a: compute(other, a), dtype))
    if not isinstance(other, list):  # A whole number of NumPy's repeats a list.
        check(*both(lambda a: compute(a[1], other), dtype))


@for_each("dtype", DTYPES)
@for_each("count", [1, -1, 70, np.int64(2), np.arange(3)], ids=repr)
@for_each("compute", BITS, ids=lambda each: each.__name__)
def test_shifts_agree_with_numpy(compute: Any, count: Any, dtype: Any) -> None:
    check(*both(lambda a: compute(a, count), dtype))


@for_each("dtype", DTYPES)
@for_each("other", OTHERS, ids=repr)
@for_each("change", IN_PLACE, ids=lambda each: each.__name__)
def test_in_place_operators_raise_numpys_errors(change: Any, other: Any, dtype: Any) -> None:
    check(*both(lambda a: change(a, other), dtype))


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
@pytest.mark.parametrize(
    "ask",
    [np.isscalar, lambda e: isinstance(e, (int, np.integer)), lambda e: type(e).__name__, repr],
    ids=["isscalar", "isinstance", "type", "repr"],
)
def test_an_element_has_the_attributes_of_numpys_scalar(ask: Any, dtype: Any) -> None:
    expected, found = both(lambda a: ask(a[1]), dtype)
    assert expected == (
        found.numpy().decode()
        if isinstance(expected, str) and isinstance(found, rt.Tensor)
        else found
    )


def test_a_whole_tensor_beside_an_array_of_floats_promotes() -> None:
    def program(i):
        a = np.zeros(3)
        a[i] = 0.5
        return a[1] + i, i * a, a / i

    expected, found = program(1), ag.function(program)(rt.constant(1))
    assert [np.asarray(each).tolist() for each in expected] == [
        np.asarray(each).tolist() for each in found
    ]
