"""Python floats in a graph: division, and conversion to tensors as literals."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt


@pytest.mark.parametrize("divide", [operator.truediv, operator.floordiv, operator.mod])
@pytest.mark.parametrize("iterations", [0, 1, 3])
def test_a_float_divided_by_a_count_of_iterations(
    divide: Callable[[Any, Any], Any], iterations: int
) -> None:
    def divided(iterations: Any) -> Any:
        count = 0.0
        while iterations > 0:
            iterations = iterations - 1
            count += 1.25
        return divide(7.5, count)

    staged = ag.function(divided)
    if iterations:
        assert float(staged(rt.constant(iterations))) == divided(iterations)
        return
    with pytest.raises(ZeroDivisionError) as expected:
        divided(iterations)
    with pytest.raises(ZeroDivisionError) as raised:
        staged(rt.constant(iterations))
    assert str(raised.value).splitlines()[0] == str(expected.value)


def test_python_numbers_convert_to_tensors_as_literals_do() -> None:
    @ag.function
    def constants(x: Any) -> Any:
        third = float(x) / 3
        return rt.constant(third), rt.constant([third, 0.5]), rt.constant(third, rt.float64)

    one, both, wide = constants(rt.constant(1.0))
    assert (one.dtype, both.dtype, wide.dtype) == (rt.float32, rt.float32, rt.float64)
    assert float(wide) == 1 / 3


def test_sums_of_list_items_agree_with_python() -> None:
    def sums(iterations: Any) -> Any:
        numbers, wholes = [], []
        while iterations > 0:
            numbers.append(float(iterations) / 10)
            wholes.append(int(iterations) * 700_000_000)
            iterations = iterations - 1
        return sum(numbers), sum(numbers, 0.25), math.prod(numbers), sum(wholes)

    staged = ag.function(sums)
    for iterations in (0, 1, 2):
        assert [float(each) for each in staged(rt.constant(iterations))] == [*sums(iterations)]
    with pytest.raises(OverflowError, match="sum.. is 4200000000"):
        staged(rt.constant(3))


def test_library_functions_treat_float_results_as_literals() -> None:
    def given(x: Any) -> Any:
        third = float(x) / 3
        exact = rt.constant(0.5, rt.float64)
        return (
            rt.exp(third),
            rt.stack([third, 1]),
            rt.fill(rt.shape(rt.ones([2])), third),
            rt.where(x > 0, third, 2.0),
            rt.add(exact, third),
            rt.constant(third, rt.float64),
            rt.greater(third, 0.1),
            third * exact,
        )

    for value in (0.3, 1.0):
        x = rt.constant(value)
        for plain, staged in zip(given(x), ag.function(given)(x)):
            assert plain.dtype == staged.dtype
            assert plain.numpy().tolist() == staged.numpy().tolist()


def test_unsupported_float_methods_are_refused() -> None:
    with pytest.raises(AttributeError, match="no 'as_integer_ratio' then: it has its operators"):
        ag.function(lambda x: float(x).as_integer_ratio())(rt.constant(1.0))
    with pytest.raises(AttributeError, match="'float' object has no attribute 'bit_length'"):
        ag.function(lambda x: float(x).bit_length())(rt.constant(1.0))


def test_the_imaginary_part_of_an_infinite_float_is_zero() -> None:
    def imaginary(x: Any) -> Any:
        number = float(x) * 1e308
        return number.imag, number.real

    plain, staged = imaginary(10.0), ag.function(imaginary)(rt.constant(10.0))
    assert [float(each) for each in staged] == list(plain) == [0.0, math.inf]
