"""Incomplete gamma and beta functions agree with known sums and 40-digit values."""

from __future__ import annotations

import math

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError
from runtime.ops.op import REGISTRY


def test_whole_orders_are_sums_of_poisson() -> None:
    for a in (1, 3, 12):
        for x in (0.1, 1.0, 4.5, 30.0):
            upper = math.exp(-x) * sum(x**k / math.factorial(k) for k in range(a))
            found = rt.math.igammac(np.array(float(a)), np.array(x))
            assert float(found) == pytest.approx(upper, rel=1e-13)


def test_half_an_order_is_the_error_function() -> None:
    x = np.linspace(0.01, 12, 30)
    lower = [math.erf(math.sqrt(each)) for each in x]
    upper = [math.erfc(math.sqrt(each)) for each in x]
    np.testing.assert_allclose(rt.math.igamma(np.full(30, 0.5), x).numpy(), lower, rtol=1e-14)
    np.testing.assert_allclose(rt.math.igammac(np.full(30, 0.5), x).numpy(), upper, rtol=1e-13)


def test_tails_keep_their_digits() -> None:
    # mpmath 1.3, 40 digits.
    found = rt.math.igamma(np.array(783.8969054387501), np.array(328.31235028534564))
    assert float(found) == pytest.approx(9.030889502522241e-101, rel=1e-12)


def test_beta_of_whole_orders_is_binomial() -> None:
    for a, b, x in ((2, 3, 0.3), (5, 1, 0.9), (7, 11, 0.45)):
        n = a + b - 1
        tail = sum(math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1))
        found = rt.math.betainc(*(np.array(float(each)) for each in (a, b, x)))
        assert float(found) == pytest.approx(tail, rel=1e-13)


def test_limits_agree_with_tensorflow() -> None:
    inf, nan = np.inf, np.nan
    a = np.array([0.0, 0.0, 1.0, -1.0, 1.0, inf, 1.0, nan])
    x = np.array([0.0, 1.0, 0.0, 1.0, -1.0, 1.0, inf, 1.0])
    lower, upper = rt.math.igamma(a, x).numpy(), rt.math.igammac(a, x).numpy()
    np.testing.assert_array_equal(lower, [nan, nan, 0, nan, nan, 0, 1, nan])
    np.testing.assert_array_equal(upper, [nan, nan, 1, nan, nan, 1, 0, nan])


def test_the_gradient_of_beta_along_x() -> None:
    parts = [rt.constant(value, rt.float64) for value in (2.5, 1.5, 0.3)]
    grads = REGISTRY["betainc"].grad([rt.constant(1.0, rt.float64)], (), parts)
    density = 0.3**1.5 * 0.7**0.5 / math.exp(math.lgamma(2.5) + math.lgamma(1.5) - math.lgamma(4.0))
    assert grads[0] is grads[1] is None
    assert float(grads[2]) == pytest.approx(density, rel=1e-13)


def test_integers_are_refused() -> None:
    with pytest.raises(DTypeError, match="betainc works on floats, not on int32"):
        rt.math.betainc(1, 1, 1)
