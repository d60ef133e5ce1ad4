"""Builtins and `and`/`or` on tensors against Python's own on the same numbers."""

from __future__ import annotations

import itertools
from unittest.mock import Mock, call

import pytest

import runtime as rt
from autograph.errors import StagingError
from tests.autograph.backends.graph.generated_code import (
    BACKEND,
    BOOL,
    FLOAT,
    INT,
    LOGICAL,
    VECTOR,
    Staged,
)

ONE = {
    "abs": abs,
    "int": int,
    "float": float,
    "bool": bool,
    "round": round,
}
TWO = {"min": min, "max": max, "divmod": divmod, "pow": pow}
ROWS = {"sum": sum, "min": min, "max": max, "any": any, "all": all, "len": len}


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("x", [0.0, 2.5, -1.5, 3.5])
def test_builtins_of_one_number(name, x):
    assert ONE[name](x) == Staged(lambda x: BACKEND.call(name, (x,), {}), FLOAT)(x)


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("x, y", [(7, 2), (-7, 2), (2, 3)])
def test_builtins_of_two_numbers(name, x, y):
    assert TWO[name](x, y) == Staged(lambda x, y: BACKEND.call(name, (x, y), {}), INT, INT)(x, y)


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("values", [[3.0, 0.0, -2.0], [1.0], [0.0, 0.0]])
def test_builtins_of_a_vector(name, values):
    assert ROWS[name](values) == Staged(lambda x: BACKEND.call(name, (x,), {}), VECTOR)(values)


def test_numbers_that_python_would_return_adapt_to_tensors():
    def f(n, x):
        return BACKEND.call("int", (n,), {}) * x

    assert 7.5 == Staged(f, FLOAT, FLOAT)(3.9, 2.5)


@pytest.mark.parametrize("name", ["max", "min", "sorted", "any", "sum"])
def test_rows_without_an_order_or_truth_are_refused(name):
    if name == "sum":
        matrix = Staged(lambda x: BACKEND.call(name, (x,), {}), rt.TensorSpec((2, 2)))
        assert [3.0, 5.0] == matrix([[1.0, 2.0], [2.0, 3.0]])
        return
    with pytest.raises(StagingError, match="rows of shape .2,. have no single truth"):
        Staged(lambda x: BACKEND.call(name, (x,), {}), rt.TensorSpec((2, 2)))


def test_int_of_several_elements_is_refused():
    with pytest.raises(rt.errors.ShapeError, match="int takes one element"):
        Staged(lambda x: BACKEND.call("int", (x,), {}), rt.TensorSpec((2,)))


@pytest.mark.parametrize("x, error", [(float("nan"), ValueError), (float("inf"), OverflowError)])
def test_int_of_nan_or_infinity_raises_pythons_error(x, error):
    with pytest.raises(error, match="cannot convert float"):
        Staged(lambda x: BACKEND.call("int", (x,), {}), FLOAT)(x)


def test_int_of_a_too_large_float_raises_overflow_error():
    with pytest.raises(OverflowError, match="does not fit int32"):
        Staged(lambda x: BACKEND.call("int", (x,), {}), FLOAT)(3e9)


@pytest.mark.parametrize("name", ["max", "min"])
def test_max_and_min_of_an_empty_vector_raise_value_error(name):
    with pytest.raises(ValueError) as of_python:
        {"max": max, "min": min}[name]([])
    with pytest.raises(ValueError, match=str(of_python.value).replace("()", "..")):
        Staged(lambda x: BACKEND.call(name, (x,), {}), VECTOR)([])


@pytest.mark.parametrize("a, b, c", list(itertools.product([False, True], repeat=3)))
def test_and_or_not_of_booleans(a, b, c):
    def f(a, b, c):
        thunks = [lambda: a, lambda: b, lambda: c]
        return LOGICAL.and_(*thunks), LOGICAL.or_(*thunks), LOGICAL.not_(a)

    staged = Staged(f, BOOL, BOOL, BOOL)
    assert (a and b and c, a or b or c, not a) == staged(a, b, c)
    assert 0 == staged.count("cond")


@pytest.mark.parametrize("x, y", [(0, 5), (3, 5), (3, 0)])
def test_and_or_return_operands_as_python_does(x, y):
    def f(x, y):
        return LOGICAL.and_(lambda: x, lambda: y), LOGICAL.or_(lambda: x, lambda: y)

    assert (x and y, x or y) == Staged(f, INT, INT)(x, y)


def test_an_operand_that_could_fail_runs_only_where_python_runs_it():
    def f(xs, i):
        return LOGICAL.and_(lambda: i < rt.shape(xs)[0], lambda: rt.gather(xs, i) > 0.0)

    staged = Staged(f, VECTOR, INT)
    assert [True, False, False] == [staged([1.0, -1.0], i) for i in (0, 1, 2)]


def test_each_operand_is_traced_once():
    traced = Mock()  # an object of a library, which is not watched

    def operand(name, value):
        def run():
            traced(name)
            return value

        return run

    def f(a, xs):
        later = [operand(k, rt.reduce_sum(xs) > float(k)) for k in range(4)]
        return LOGICAL.and_(lambda: a, *later)

    Staged(f, BOOL, VECTOR)
    assert [call(k) for k in range(4)] == traced.mock_calls


def test_chained_comparison_of_tensors():
    def f(x, y):
        return LOGICAL.compare(0, "<", lambda: x, "<=", lambda: y, "<", lambda: 9)

    staged = Staged(f, INT, INT)
    cases = list(itertools.product([-1, 0, 3, 9], repeat=2))
    assert [0 < x <= y < 9 for x, y in cases] == [staged(x, y) for x, y in cases]
