"""Quotients, remainders and powers are those of NumPy, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runtime.ops.elementwise import quotient_kernels

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint32"]
MANY = 10_000


def integers(dtype: str) -> tuple[Any, Any]:
    draw, ends = np.random.default_rng(0), np.iinfo(dtype)
    x, y = (draw.integers(ends.min, ends.max, MANY, dtype, endpoint=True) for _ in range(2))
    x[:40], x[40:80] = ends.min, ends.max
    y[:20] = ends.max if dtype.startswith("u") else -1
    y[20:30], y[100:5000] = ends.min, draw.integers(1, 6, 4900)
    y[y == 0] = 1
    return x, y


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_wrap_as_ever(dtype: str) -> None:
    x, y = integers(dtype)
    with np.errstate(all="ignore"):
        for by in (y, y[:1], y[1000]):
            by = np.asarray(by)
            expected = {
                "floor_quotient": np.floor_divide(x, by),
                "floor_remainder": np.mod(x, by),
                "cut_quotient": np.floor_divide(x - np.fmod(x, by), by),
            }
            for name, exact in expected.items():
                found = getattr(quotient_kernels, name)(x, by)
                assert found.dtype == dtype
                np.testing.assert_array_equal(found, exact)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_floats_keep_the_sign_of_zero(dtype: str) -> None:
    ends = np.array([0, -0.0, 1, -1, 0.1, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 1e30, 3], dtype)
    draw = np.random.default_rng(0)
    tenths, others = draw.integers(-50, 50, MANY) / 10, draw.integers(-9, 9, MANY) / 10
    x = np.concatenate([np.repeat(ends, len(ends)), tenths]).astype(dtype)
    y = np.concatenate([np.tile(ends, len(ends)), others]).astype(dtype)
    with np.errstate(all="ignore"):
        for by in (y, np.array(0.1, dtype), np.array(0, dtype)):
            found, exact = quotient_kernels.floor_quotient(x, by), np.floor_divide(x, by)
            np.testing.assert_array_equal(found, exact)
            numbers = ~np.isnan(exact)
            np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(exact[numbers]))


@pytest.mark.parametrize("exponent", [3, 5, 8])
def test_whole_powers_are_rounded_once(exponent: int) -> None:
    x = np.random.default_rng(0).normal(size=MANY).astype(np.float32) * 30
    x[:6] = [0, -0.0, np.inf, -np.inf, 1e30, -1e-30]
    with np.errstate(all="ignore"):
        exact = (x.astype(np.longdouble) ** exponent).astype(np.float32)
        found = quotient_kernels.power(x, np.array(exponent, np.float32))
    np.testing.assert_array_equal(found, exact)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(exact))
