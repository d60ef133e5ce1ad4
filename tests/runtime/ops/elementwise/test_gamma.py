"""Special functions against Python's own, and against 40-digit values.

The literals were made by mpmath 1.3 with 40 digits, and what happens at the poles by TensorFlow
2.21 in float64.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError

GRID = np.concatenate([np.linspace(-7.95, 8, 53), 10.0 ** np.linspace(-9, 5, 40)])


def test_the_logarithm_of_gamma_agrees_with_python() -> None:
    expected = [math.lgamma(x) for x in GRID]
    np.testing.assert_allclose(rt.math.lgamma(GRID).numpy(), expected, rtol=1e-15)


@pytest.mark.parametrize(
    "x, expected",
    [
        (1.0, -0.5772156649015329),
        (0.5, -1.9635100260214235),
        (-0.5, 0.03648997397857652),
        (100.25, 4.602671243274712),
        (-2.5, 1.103156640645243),
    ],
)
def test_digamma_has_all_digits(x: float, expected: float) -> None:
    found = float(rt.math.digamma(rt.constant(x, rt.float64)))
    assert found == pytest.approx(expected, rel=1e-14, abs=1e-15)


def test_digamma_is_the_gradient_of_lgamma() -> None:
    x = np.linspace(0.3, 30, 40)
    step = 1e-5
    gradient = [(math.lgamma(a + step) - math.lgamma(a - step)) / (2 * step) for a in x]
    np.testing.assert_allclose(rt.math.digamma(x).numpy(), gradient, rtol=1e-6, atol=1e-8)


def test_zeta_agrees_with_known_sums() -> None:
    x = np.array([2.0, 4.0, 6.0])
    known = [math.pi**2 / 6, math.pi**4 / 90, math.pi**6 / 945]
    np.testing.assert_allclose(rt.math.zeta(x, np.ones(3)).numpy(), known, rtol=4e-16)
    summed = sum((531.0 + k) ** -43.0 for k in range(4000))
    assert float(rt.math.zeta(np.array(43.0), np.array(531.0))) == pytest.approx(summed, rel=1e-13)


def test_polygamma_of_1_is_the_gradient_of_digamma() -> None:
    found = rt.math.polygamma(np.array([1.0, 1.0]), np.array([1.0, 0.5])).numpy()
    np.testing.assert_allclose(found, [math.pi**2 / 6, math.pi**2 / 2], rtol=1e-15)
    zeroth = rt.math.polygamma(np.zeros(3), np.array([0.5, 1.5, 9.0])).numpy()
    np.testing.assert_array_equal(zeroth, rt.math.digamma(np.array([0.5, 1.5, 9.0])).numpy())


def test_poles_and_limits_agree_with_tensorflow() -> None:
    inf, nan = np.inf, np.nan
    ends = np.array([0.0, -1.0, inf, -inf, nan])
    np.testing.assert_array_equal(rt.math.lgamma(ends).numpy(), [inf, inf, inf, inf, nan])
    np.testing.assert_array_equal(rt.math.digamma(ends).numpy(), [nan, nan, inf, nan, nan])
    x, q = np.array([1.0, 0.5, 2.0, 2.0, 2.5, 2.0]), np.array([1.0, 1.0, 0.0, -1.0, -0.5, inf])
    np.testing.assert_array_equal(rt.math.zeta(x, q).numpy(), [inf, nan, inf, inf, nan, 0.0])


def test_gradients_along_the_second_argument() -> None:
    dys, step = [rt.constant(1.0, rt.float64)], 1e-6
    for name in ("zeta", "polygamma"):
        op = rt.ops.op.REGISTRY[name]
        first, at = rt.constant(2.0, rt.float64), 1.7
        along = op.grad(dys, (), (first, rt.constant(at, rt.float64)))
        public = getattr(rt.math, name)
        up, down = (float(public(first, np.array(at + s))) for s in (step, -step))
        assert along[0] is None
        assert float(along[1]) == pytest.approx((up - down) / (2 * step), rel=1e-7)


def test_the_beta_function() -> None:
    expected = math.lgamma(2.5) + math.lgamma(0.75) - math.lgamma(3.25)
    assert float(rt.math.lbeta(np.array([2.5, 0.75]))) == pytest.approx(expected, rel=1e-14)


def test_integers_are_refused() -> None:
    with pytest.raises(DTypeError, match="lgamma works on float tensors, not on int32"):
        rt.math.lgamma([1, 2])
