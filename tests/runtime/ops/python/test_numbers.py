"""Numbers as Python's builtins make them, against the builtins."""

from __future__ import annotations

import math

import numpy as np
import pytest

import runtime as rt
from runtime.ops.python.min_max import first_extreme, python_order
from runtime.ops.python.numbers import power_modulo, python_int, python_round


@pytest.mark.parametrize("value", [2.5, -2.5, 0.0, 2147483520.0])
def test_int(value):
    assert int(value) == python_int(value).numpy()


@pytest.mark.parametrize("value", [2.0**31, -(2.0**32)])
def test_int_that_does_not_fit(value):
    with pytest.raises(OverflowError):
        python_int(value)


@pytest.mark.parametrize("digits", [-1, 0, 1, 2])
@pytest.mark.parametrize("value", [17, 25, -35, 1234])
def test_round_of_ints(value, digits):
    assert round(value, digits) == python_round(value, digits).numpy()


@pytest.mark.parametrize("digits", [0, 1, 2])
@pytest.mark.parametrize("value", [0.5, 2.675, -0.125, 1e20])
def test_round_of_floats(value, digits):
    x = rt.constant(value, rt.float64)
    assert round(value, digits) == python_round(x, digits).numpy()


@pytest.mark.parametrize(
    "base, exponent, modulus", [(7, 100, 13), (-3, 5, 7), (2, -1, 7), (5, 3, -4)]
)
def test_power_modulo(base, exponent, modulus):
    assert pow(base, exponent, modulus) == power_modulo(base, exponent, modulus).numpy()
    assert pow(base, exponent, modulus) == pow(rt.constant(base), exponent, modulus).numpy()


@pytest.mark.parametrize("arguments", [(2, 3, 0), (2, -1, 4)])
def test_power_modulo_without_a_result(arguments):
    with pytest.raises(ValueError):
        power_modulo(*arguments)


@pytest.mark.parametrize(
    "values", [[1.0, math.nan, 3.0, 3.0], [math.nan, 1.0], [0.0, -0.0], [-0.0, 0.0], [2.0]]
)
def test_max_and_min_agree_with_python(values):
    for choose in (max, min):
        index = first_extreme(np.array(values), largest=choose is max).numpy()
        assert str(choose(values)) == str(values[index])


@pytest.mark.parametrize("descending", [False, True])
def test_sorted_agrees_with_python(descending):
    values = [2, 3, 1, 2, 3]
    expected = sorted(range(5), key=values.__getitem__, reverse=descending)
    assert expected == python_order(values, descending=descending).numpy().tolist()
