"""Rows of histograms, as TensorBoard 2.21 makes them in TensorFlow 2.21."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.summary.encodings import bucket_rows


# Recorded from `tensorboard.plugins.histogram.summary_v2._buckets(tf.constant(values), buckets)`.
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (
            [1.0, 2.0, 5.0, 5.0],
            [[1.0, 2.333333333333333, 2], [2.333333333333333, 3.6666666666666665, 0]]
            + [[3.6666666666666665, 5.0, 2]],
        ),
        (
            [-1.5, 0.0, 0.25, 3.0, 2.9, 7.0],
            [[-1.5, 0.625, 3], [0.625, 2.75, 0], [2.75, 4.875, 2], [4.875, 7, 1]],
        ),
        ([1, 1, 1], [[1, 1, 0], [1, 1, 3]]),
        ([3.0], [[3, 3, 1]]),
        ([1, 2, 3], [[1, 3, 3]]),
        ([], [[0, 0, 0], [0, 0, 0]]),
    ],
)
def test_rows_agree_with_tensorboard(values: list[float], expected: list[list[float]]) -> None:
    found = bucket_rows(np.array(values), len(expected))
    np.testing.assert_allclose(found, expected, rtol=1e-15)


def test_non_finite_values_are_ignored() -> None:
    found = bucket_rows(np.array([np.nan, 1.0, np.inf, 2.0, -np.inf]), 2)
    assert [[1.0, 1.5, 1.0], [1.5, 2.0, 1.0]] == found.tolist()


def test_the_largest_numbers_have_a_range() -> None:
    largest = np.finfo(np.float64).max
    assert [1.0, 1.0] == bucket_rows(np.array([-largest, largest]), 2)[:, 2].tolist()


def test_zero_buckets_give_no_rows() -> None:
    assert (0, 3) == bucket_rows(np.array([1.0]), 0).shape


def test_every_value_is_counted_once() -> None:
    values = np.random.default_rng(0).normal(size=1000)
    rows = bucket_rows(values, 30)
    counts, edges = np.histogram(values, 30)
    assert 1000 == rows[:, 2].sum()
    np.testing.assert_allclose(rows[:, 0], edges[:-1])
    np.testing.assert_allclose(rows[:, 2], counts)
