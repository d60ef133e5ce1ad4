"""Reductions of short rows, laid side by side, are those of NumPy but for the rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.ops.arrays.short_reductions import folded

SHAPES: list[tuple[tuple[int, ...], Any]] = [
    ((38, 38, 32), (0, 1)),
    ((1001, 3), (0,)),
    ((4, 777, 5), (1,)),
    ((4, 777, 5), (-2,)),
    ((300, 7), (1,)),
    ((5, 300, 9), (0, 1)),
]


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("keepdims", [False, True])
def test_sums_have_more_digits_than_those_of_numpy(shape: Any, axis: Any, keepdims: bool) -> None:
    x = np.random.default_rng(0).random(shape, np.float32)
    exact = x.sum(axis, np.float64, keepdims=keepdims)
    found = folded(np.add, x, axis, keepdims)
    assert found is not None and found.dtype == np.float32 and found.shape == exact.shape
    plain = x.sum(axis, keepdims=keepdims)
    assert np.abs(found - exact).max() <= np.abs(plain - exact).max() + 1e-7 * np.abs(exact).max()
    np.testing.assert_allclose(found, exact, rtol=1e-6)


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_extremes_and_nan_agree_with_numpy(shape: Any, axis: Any) -> None:
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    x.flat[5] = np.nan
    for op, exact in ((rt.reduce_max, np.max), (rt.reduce_min, np.min)):
        np.testing.assert_array_equal(op(x, axis).numpy(), exact(x, axis))


@pytest.mark.parametrize("shape", [(1001, 3), (4, 777, 5)])
def test_other_memory_layouts_are_left_to_numpy(shape: Any) -> None:
    x = np.zeros(shape, np.float32)
    assert folded(np.add, x.T, (0,), False) is None
    assert folded(np.add, x, (0, 2) if x.ndim == 3 else (1, 1), False) is None


def test_integers_are_multiplied_exactly_and_wrap_around() -> None:
    draw = np.random.default_rng(0)
    for most in (9, 2**20, 2**31 - 1):
        a, b = draw.integers(-most, most, (2, 64, 64)).astype(np.int32)
        np.testing.assert_array_equal(rt.matmul(a, b).numpy(), a @ b)
