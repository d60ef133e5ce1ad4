"""Reductions against NumPy, and TensorFlow's rule for the mean of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, ShapeError, SymbolicTensorError
from tests.each import for_each

DATA = np.random.default_rng(0).normal(size=(2, 3, 4))
REDUCTIONS: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (rt.reduce_sum, np.sum),
    (rt.reduce_mean, np.mean),
    (rt.reduce_prod, np.prod),
    (rt.reduce_max, np.max),
    (rt.reduce_min, np.min),
    (rt.math.reduce_std, np.std),
    (rt.math.reduce_variance, np.var),
    (
        rt.reduce_logsumexp,
        lambda x, axis, keepdims: np.log(np.sum(np.exp(x), axis, keepdims=keepdims)),
    ),
]


@for_each("axis", [None, 0, -1, (0, 2), [1, -1]])
@for_each("keepdims", [False, True])
@for_each("ours, theirs", REDUCTIONS)
def test_reductions_agree_with_numpy(ours: Any, theirs: Any, axis: Any, keepdims: bool) -> None:
    expected = theirs(DATA, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=keepdims)
    result = ours(DATA, axis, keepdims)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-12)
    assert result.dtype is rt.float64 and result.shape == np.shape(expected)


def test_the_mean_of_integers_truncates_towards_zero() -> None:
    y, predicted = rt.constant([5, 2, 8, 3]), rt.constant([1, 9, 2, 7])
    assert rt.reduce_mean(rt.pow(y - predicted, 2)).numpy() == (16 + 49 + 36 + 16) // 4 == 29
    assert rt.reduce_mean([-1, -2]).numpy() == -1 and rt.reduce_mean([1, 2]).numpy() == 1
    assert rt.reduce_mean([[1, 2], [-1, -4]], axis=1).numpy().tolist() == [1, -2]
    assert rt.reduce_mean([1, 2]).dtype is rt.int32


def test_sums_keep_their_dtype() -> None:
    assert rt.reduce_sum([2**31 - 1, 1]).numpy() == -(2**31)
    assert rt.reduce_sum(rt.constant([200, 100], "uint8")).numpy() == 44
    with pytest.raises(DTypeError, match="reduce_sum works on"):
        rt.reduce_sum([True])


def test_any_and_all() -> None:
    bools = [[True, False], [True, True]]
    assert rt.reduce_any(bools, 0).numpy().tolist() == [True, True]
    assert rt.reduce_all(bools, 1).numpy().tolist() == [False, True]
    with pytest.raises(DTypeError, match="reduce_all works on bool"):
        rt.reduce_all([1, 0])


def test_reductions_of_no_elements() -> None:
    assert rt.reduce_sum(rt.zeros([0])).numpy() == 0 and rt.reduce_prod(rt.zeros([0])).numpy() == 1
    assert rt.reduce_max(rt.zeros([0])).numpy() == -np.inf
    assert rt.reduce_min(rt.zeros([0], "int32")).numpy() == 2**31 - 1
    assert np.isnan(rt.reduce_mean(rt.zeros([0])).numpy())
    assert rt.reduce_mean(rt.zeros([2, 0]), 1).shape == (2,)


def test_positions() -> None:
    values = [[1, 9, 3], [7, 7, 2]]
    assert rt.argmax(values, 1).numpy().tolist() == [1, 0]
    assert rt.argmin(values).numpy().tolist() == [0, 1, 1]
    assert rt.argmax(values).dtype is rt.int64
    assert rt.argmax(values, output_type="int32").dtype is rt.int32
    with pytest.raises(ShapeError):
        rt.argmax(1)


def test_counting() -> None:
    assert rt.math.count_nonzero([[0, 1], [2, 3]], 0).numpy().tolist() == [1, 2]
    assert rt.math.count_nonzero(["", "a"]).numpy() == 1
    assert rt.math.count_nonzero([1], dtype="int32").dtype is rt.int32


def test_axes_are_checked_and_must_be_known() -> None:
    with pytest.raises(ShapeError, match="reduce_sum: axis 2 is out of range for rank 1"):
        rt.reduce_sum([1, 2], 2)
    assert rt.reduce_sum([[1, 2], [3, 4]], rt.constant(0)).numpy().tolist() == [4, 6]
    graph = rt.Graph("f")
    axis = graph.add_input(rt.TensorSpec((), rt.int32), "axis")
    with graph.recording(), pytest.raises(SymbolicTensorError, match="axis must be known"):
        rt.reduce_sum([1, 2], axis)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("ours, theirs", [(rt.cumsum, np.cumsum), (rt.math.cumprod, np.cumprod)])
def test_running_totals(ours: Any, theirs: Any, axis: int) -> None:
    values = np.arange(1, 7).reshape(2, 3)
    np.testing.assert_array_equal(ours(values, axis).numpy(), theirs(values, axis))
    backwards = np.flip(theirs(np.flip(values, axis), axis), axis)
    np.testing.assert_array_equal(ours(values, axis, reverse=True).numpy(), backwards)


def test_exclusive_cumulative_sums() -> None:
    assert rt.cumsum([1, 2, 3], exclusive=True).numpy().tolist() == [0, 1, 3]
    assert rt.cumsum([1, 2, 3], exclusive=True, reverse=True).numpy().tolist() == [5, 3, 0]
    assert rt.math.cumprod([2, 3, 4], exclusive=True).numpy().tolist() == [1, 2, 6]
    assert rt.cumsum(rt.zeros([0]), exclusive=True).shape == (0,)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_means_of_integers_fit_where_sums_do_not(dtype: str) -> None:
    # Recorded from TensorFlow 2.21: the mean of the largest integers is the largest one.
    most = int(np.iinfo(dtype).max)
    pixels = rt.fill([2, 300], rt.constant(most, dtype))
    assert rt.reduce_mean(pixels, 1).numpy().tolist() == [most, most]
    assert int(rt.reduce_mean(rt.constant([most, most, 0], dtype))) == 2 * most // 3
    assert rt.reduce_mean(pixels).dtype.name == dtype


def test_means_of_negative_integers_are_cut_towards_zero() -> None:
    assert int(rt.reduce_mean(rt.constant([-100, -100, -101], rt.int8))) == -100
    assert int(rt.reduce_mean([-7, 2, 2])) == -1
    assert rt.reduce_mean(rt.zeros([0, 2], rt.int32), 0).numpy().tolist() == [0, 0]


@pytest.mark.parametrize(
    "x, largest, smallest",
    [([1.0, np.nan, 3.0], 2, 0), ([np.nan, 1.0, 0.0], 1, 2), ([np.nan, np.nan], 0, 0)],
)
def test_places_of_extremes_are_of_numbers(x: Any, largest: int, smallest: int) -> None:
    assert rt.argmax(x).numpy() == largest and rt.argmin(x).numpy() == smallest


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float64"])
def test_the_extremes_of_no_floats_are_infinite(dtype: str) -> None:
    none = rt.zeros([0, 2], dtype)
    assert [-np.inf, -np.inf] == rt.reduce_max(none, axis=0).numpy().tolist()
    assert np.inf == rt.reduce_min(none).numpy() and dtype == rt.reduce_min(none).dtype


def test_a_second_axis_is_no_flag() -> None:
    x = rt.ones([2, 3])
    for reduce in (rt.reduce_sum, rt.reduce_max, rt.reduce_mean, rt.math.reduce_std):
        with pytest.raises(DTypeError, match=r"write axis=\(0, 1\) for two axes"):
            reduce(x, 0, 1)  # type: ignore[arg-type]
        with pytest.raises(DTypeError, match="axis must be an int, not True: write keepdims=True"):
            reduce(x, True)
    assert 6.0 == rt.reduce_sum(x, axis=(0, 1)).numpy()
