"""The error function's inverses undo Python's own; Bessel functions against 40-digit values."""

from __future__ import annotations

import math

import numpy as np

import runtime as rt

NEAR_1 = 1 - 10.0 ** np.linspace(-15, -1, 30)
INSIDE = np.concatenate([np.linspace(-0.99, 0.99, 45), NEAR_1, 10.0 ** np.linspace(-20, -1, 20)])


def test_erfc_agrees_with_python() -> None:
    x = np.linspace(-6, 26, 80)
    np.testing.assert_allclose(rt.math.erfc(x).numpy(), [*map(math.erfc, x)], rtol=1e-15)


def test_erfinv_is_undone_by_erf() -> None:
    y = rt.math.erfinv(INSIDE).numpy()
    # How far an x of one digit more would move erf(x), in the digits of erf(x).
    np.testing.assert_allclose([*map(math.erf, y)], INSIDE, rtol=4e-16)


def test_erfcinv_and_ndtri_are_undone_by_erfc() -> None:
    p = np.concatenate([10.0 ** np.linspace(-280, -1, 40), np.linspace(0.15, 1.85, 30)])
    x = rt.math.erfcinv(p).numpy()
    np.testing.assert_allclose([math.erfc(each) for each in x], p, rtol=3e-12)
    quantiles = rt.math.ndtri(p[p < 1]).numpy()
    below = [math.erfc(-each / math.sqrt(2)) / 2 for each in quantiles]
    np.testing.assert_allclose(below, p[p < 1], rtol=3e-12)


def test_inverses_are_infinite_at_limits_and_nan_beyond() -> None:
    inf, nan = np.inf, np.nan
    found = rt.math.erfinv(np.array([-1.0, 1.0, 2.0, nan])).numpy()
    np.testing.assert_array_equal(found, [-inf, inf, nan, nan])
    found = rt.math.ndtri(np.array([0.0, 1.0, -1.0, 2.0])).numpy()
    np.testing.assert_array_equal(found, [-inf, inf, nan, nan])


def test_bessel_functions() -> None:
    # mpmath 1.3, 40 digits.
    x = np.array([0.5, -27.735002049236783, 29.165262902082304])
    i0, i1 = 84440022809.31425, 338148189474.06976
    assert abs(float(rt.math.bessel_i0(x)[1]) / i0 - 1) < 3e-15
    assert abs(float(rt.math.bessel_i1(x)[2]) / i1 - 1) < 3e-15
    grid = np.linspace(-60, 60, 61)
    np.testing.assert_allclose(rt.math.bessel_i0(grid).numpy(), np.i0(grid), rtol=2e-15)


def test_scaled_bessel_functions_do_not_overflow() -> None:
    x = np.array([-5.0, 3.0, 2000.0])
    scaled = rt.math.bessel_i0e(x).numpy()
    np.testing.assert_allclose(scaled[:2], np.i0(x[:2]) * np.exp(-np.abs(x[:2])), rtol=2e-15)
    assert abs(scaled[2] * math.sqrt(2 * math.pi * 2000) - 1) < 1e-4
    assert rt.math.bessel_i1e(x).numpy()[0] < 0
