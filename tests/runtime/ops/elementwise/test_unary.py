"""Functions of one operand against the math module."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime.errors import DTypeError

EVERYWHERE: list[Callable[[float], float]] = [
    math.sin,
    math.cos,
    math.tan,
    math.atan,
    math.tanh,
    math.erf,
    math.floor,
    math.ceil,
]


@pytest.mark.parametrize("function", EVERYWHERE, ids=lambda fn: fn.__name__)
@given(st.floats(-20, 20))
def test_functions_agree_with_the_math_module(function: Callable[[float], float], x: float) -> None:
    tensor = rt.constant([x], rt.float64)
    result = getattr(rt.math, function.__name__)(tensor)
    np.testing.assert_allclose(result.numpy(), [function(x)], rtol=1e-9, atol=1e-12)
    assert result.dtype is rt.float64


@given(st.floats(0.01, 50))
def test_functions_of_positive_numbers_agree_with_the_math_module(x: float) -> None:
    tensor = rt.constant(x, rt.float64)
    pairs = (
        (rt.log, math.log(x)),
        (rt.sqrt, math.sqrt(x)),
        (rt.rsqrt, 1 / math.sqrt(x)),
        (rt.exp, math.exp(x)),
        (rt.log1p, math.log1p(x)),
        (rt.math.expm1, math.expm1(x)),
        (rt.math.reciprocal, 1 / x),
        (rt.square, x * x),
        (rt.cosh, math.cosh(x)),
    )
    for function, expected in pairs:
        np.testing.assert_allclose(function(tensor).numpy(), expected, rtol=1e-9)


@given(st.floats(-700, 700))
def test_sigmoid_neither_overflows_nor_loses_its_tail(x: float) -> None:
    expected = math.exp(x) / (1 + math.exp(x)) if x < 0 else 1 / (1 + math.exp(-x))
    np.testing.assert_allclose(rt.sigmoid(rt.constant(x, rt.float64)).numpy(), expected, rtol=1e-9)


def test_rounding_is_half_to_even_and_keeps_integers() -> None:
    values = [0.5, 1.5, 2.5, -0.5, -1.5, 0.4]
    assert rt.round(values).numpy().tolist() == [round(v) for v in values]
    assert rt.round([3, 4]).dtype is rt.int32


def test_dtypes_are_preserved() -> None:
    for dtype in ("float16", "float32", "float64"):
        assert rt.exp(rt.ones([], dtype)).dtype == dtype == rt.sigmoid(rt.ones([], dtype)).dtype
        assert rt.erf(rt.ones([2], dtype)).dtype == dtype
    assert rt.abs([-1, 2]).numpy().tolist() == [1, 2] and rt.sign([-5, 0]).numpy().tolist() == [
        -1,
        0,
    ]
    with pytest.raises(DTypeError):
        rt.floor(1)


def test_special_values() -> None:
    values = [np.nan, np.inf, 1.0]
    assert rt.math.is_nan(values).numpy().tolist() == [True, False, False]
    assert rt.math.is_inf(values).numpy().tolist() == [False, True, False]
    assert rt.math.is_finite(values).numpy().tolist() == [False, False, True]
    assert np.isnan(rt.sqrt(-1.0).numpy()) and rt.log(0.0).numpy() == -np.inf
