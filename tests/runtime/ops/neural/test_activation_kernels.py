"""Kernels without branches agree with their formulas."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.ops.elementwise.selection import chosen, masked
from runtime.ops.neural import activation_kernels as curve_kernels

ENDS = [0.0, -0.0, 1e-40, -1e-40, 88.0, -88.0, 1e4, -1e4, np.inf, -np.inf, np.nan]


def numbers(dtype: Any) -> Any:
    x = np.random.default_rng(0).normal(size=3000) * 4
    return np.concatenate([ENDS, x]).astype(dtype)


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


FORMULAS = {
    "sigmoid": logistic,
    "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, x.dtype.type(0)))),
}


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", FORMULAS)
def test_activations_are_bit_identical_to_their_formulas(name: str, dtype: str) -> None:
    x = numbers(dtype)
    with np.errstate(all="ignore"):
        found = getattr(curve_kernels, name)(x)
        np.testing.assert_array_equal(found, FORMULAS[name](x).astype(dtype))
        for one, whole in zip(x[:20], found):
            alone = getattr(curve_kernels, name)(np.array(one))
            assert alone.shape == () and alone.dtype == dtype
            np.testing.assert_allclose(alone, whole, rtol=1e-3 if dtype == "float16" else 3e-7)


@pytest.mark.parametrize(("dtype", "rtol"), [("float32", 3e-7), ("float64", 1e-15)])
def test_softplus_has_all_digits(dtype: str, rtol: float) -> None:
    x = numbers(dtype)
    with np.errstate(all="ignore"):
        exact = np.logaddexp(x.astype(np.longdouble), 0).astype(dtype)
        np.testing.assert_allclose(curve_kernels.softplus(x), exact, rtol=rtol)


def test_erf_is_rounded_from_the_exact_value() -> None:
    x = np.concatenate([ENDS, np.linspace(-5, 5, 20_001), np.logspace(-40, 1, 999)])
    x = x.astype(np.float32)
    exact = np.array([math.erf(each) for each in x.tolist()])
    found = curve_kernels.erf(x)
    assert found.dtype == np.float32
    steps = np.abs(found.view(np.int32) - exact.astype(np.float32).view(np.int32))
    assert steps[~np.isnan(x)].max() <= 1 and np.count_nonzero(steps) <= 2
    wide = x.astype(np.float64)
    np.testing.assert_array_equal(curve_kernels.erf(wide), [math.erf(each) for each in wide])


@pytest.mark.parametrize(
    "shape", [(1000, 10), (3, 1000), (40, 1), (0, 4), (4, 0), (50, 2, 7), (7, 41, 700)]
)
def test_extremes_of_short_and_long_rows(shape: Any) -> None:
    x = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    if x.size:
        x.reshape(-1)[0] = np.nan
        found = curve_kernels.along_rows(np.maximum, x, -1)
        np.testing.assert_array_equal(found, np.max(x, -1, keepdims=True))
    e = np.exp(x - np.max(x, -1, keepdims=True, initial=-np.inf))
    np.testing.assert_array_equal(rt.nn.softmax(x), e / np.sum(e, -1, keepdims=True))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint16", "int64"])
def test_elements_are_chosen_by_their_bits(dtype: str) -> None:
    x, y = (np.random.default_rng(k).normal(size=(50, 701)) * 50 for k in (1, 2))
    x, y = x.astype(np.int8).astype(dtype), y.astype(np.int8).astype(dtype)
    if x.dtype.kind == "f":
        x[0, :3], y[:2, 0] = np.nan, -np.inf
    mask = np.random.default_rng(3).random(x.shape) < 0.5
    for one, other in ((x, y), (x, y[0, 0]), (x[0, 0], y), (x[0, 0], y[0, 0])):
        one, other = np.asarray(one), np.asarray(other)
        np.testing.assert_array_equal(chosen(mask, one, other), np.where(mask, one, other))
        np.testing.assert_array_equal(rt.where(mask, one, other), np.where(mask, one, other))
    np.testing.assert_array_equal(masked(x, mask), np.where(mask, x, x.dtype.type(0)))
    turned = rt.where(mask.T, x.T, y.T)
    np.testing.assert_array_equal(turned, np.where(mask.T, x.T, y.T))
    row = rt.where(mask, x, y[:1])
    np.testing.assert_array_equal(row, np.where(mask, x, y[:1]))


def test_invalid_classes_are_all_off() -> None:
    found = rt.one_hot([[0, -1], [5, 2]], 3, on_value=7, off_value=1)
    assert found.numpy().tolist() == [[[7, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 7]]]
    assert rt.one_hot([1, 0], 0).shape == (2, 0)
    assert rt.one_hot([1, 0], 2, axis=0, on_value=True, off_value=False).numpy().tolist() == [
        [False, True],
        [True, False],
    ]
    big = rt.one_hot(rt.constant([3, 2**40], rt.int64), 4).numpy().tolist()
    assert big == [[0, 0, 0, 1], [0, 0, 0, 0]]


@pytest.mark.parametrize("shape", [(1000, 10), (3, 1000), (4, 50, 7), (40, 1)])
@pytest.mark.parametrize("dtype", ["float32", "int32", "float64"])
def test_extremes_of_the_last_axis_agree_with_numpy(shape: Any, dtype: str) -> None:
    x = (np.random.default_rng(2).normal(size=shape) * 9).astype(dtype)
    if x.dtype.kind == "f":
        x.reshape(-1)[3] = np.nan
    for ours, numpys in ((rt.reduce_max, np.max), (rt.reduce_min, np.min)):
        for axis in (-1, len(shape) - 1):
            for keepdims in (False, True):
                found = ours(x, axis, keepdims)
                np.testing.assert_array_equal(found, numpys(x, axis, keepdims=keepdims))
                assert found.dtype == dtype
