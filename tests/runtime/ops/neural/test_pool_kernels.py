"""Pools and their gradients agree with loops over windows."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from runtime.ops.neural.pool_kernels import (
    counts,
    first_largest,
    spread_evenly,
    spread_to_largest,
    window_reductions,
)
from runtime.ops.neural.windows import Sliding
from tests.each import for_each

WAYS = [
    (window, Sliding(strides, padding, (1, 1)))
    for window in ((2, 2), (3, 2), (1, 3))
    for strides in ((1, 1), (2, 2), (2, 3))
    for padding in ("SAME", "VALID", ((0, window[0] - 1), (1, 0)))
]
SIZES = (5, 6)


def windows(window: Any, how: Sliding) -> Any:
    """Yield where each window stands, and the places of the image in it by its positions."""
    pads, steps = how.all_pads(SIZES, window), how.all_steps(SIZES, window)
    for at in itertools.product(*map(range, steps)):
        first = [a * by - pad[0] for a, by, pad in zip(at, how.strides, pads)]
        inside = {}
        for number, place in enumerate(itertools.product(*map(range, window))):
            row, column = (f + p for f, p in zip(first, place))
            if 0 <= row < SIZES[0] and 0 <= column < SIZES[1]:
                inside[number] = (row, column)
        yield at, inside


def hostile(dtype: Any) -> Any:
    x = np.random.default_rng(3).integers(-2, 3, (2, *SIZES, 2)).astype(dtype)
    if x.dtype.kind == "f":
        x[0, 1, 2, 0], x[1, :3], x[0, 3, :, 1] = np.nan, -np.inf, np.nan
    else:
        x[x < 0] = np.iinfo(dtype).min
    return x


@for_each("dtype", ["float32", "float64", "int32", "int8"])
@for_each("window, how", WAYS)
def test_the_first_maximum_gets_the_gradient(window: Any, how: Sliding, dtype: Any) -> None:
    for x in (hostile(dtype), np.nan_to_num(hostile(dtype))):
        lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(dtype).min
        where = first_largest(x, window, how, lowest)
        gradients = (np.arange(where.size) % 7).reshape(where.shape).astype(dtype)
        expected = np.zeros(x.shape, dtype)
        for (at, inside), image, channel in itertools.product(windows(window, how), (0, 1), (0, 1)):
            best = None
            for number, place in inside.items():
                value = x[(image, *place, channel)]
                if best is None or value > best[0]:
                    best = value, number, place
            if best is not None:
                assert where[(image, *at, channel)] == best[1]
                expected[(image, *best[2], channel)] += gradients[(image, *at, channel)]
        np.testing.assert_array_equal(
            spread_to_largest(x, gradients, window, how, lowest), expected
        )


@pytest.mark.parametrize(("window", "how"), WAYS)
def test_elements_are_joined_and_gradients_are_spread(window: Any, how: Sliding) -> None:
    x = np.random.default_rng(4).normal(size=(2, *SIZES, 2))
    total, largest = (
        window_reductions(x, window, how, np.add, 0),
        window_reductions(x, window, how, np.fmax, -np.inf),
    )
    number = np.broadcast_to(counts(SIZES, window, how), total.shape)
    expected = np.zeros(x.shape)
    for at, inside in windows(window, how):
        met = [x[:, row, column] for row, column in inside.values()]
        assert number[(0, *at, 0)] == len(met)
        np.testing.assert_allclose(total[(slice(None), *at)], sum(met), rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(largest[(slice(None), *at)], np.max(met, 0))
        for row, column in inside.values():
            expected[:, row, column] += total[(slice(None), *at)]
    np.testing.assert_allclose(spread_evenly(total, SIZES, window, how), expected, rtol=1e-12)


@pytest.mark.parametrize("window", [(7, 2), (2**40, 1), (1, 2**40)])
def test_pools_without_a_fitting_window_are_empty(window: Any) -> None:
    x, how = np.ones((2, *SIZES, 3), np.float32), Sliding(window, "VALID", (1, 1))
    out = window_reductions(x, window, how, np.maximum, -np.inf)
    assert 0 == out.size
    assert out.shape == first_largest(x, window, how, -np.inf).shape
    assert np.zeros_like(x).tolist() == spread_evenly(out, SIZES, window, how).tolist()
