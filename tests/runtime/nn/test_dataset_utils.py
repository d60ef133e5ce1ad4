"""Data cut into datasets, against Keras 3.15 (recorded)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError
from runtime.nn.dataset_utils import split_dataset, timeseries_dataset_from_array


def items(dataset: Any) -> list[int]:
    return [int(each) for each in dataset]


def test_a_dataset_is_split_by_numbers_and_by_shares() -> None:
    first, rest = split_dataset(np.arange(10), left_size=0.8)
    assert ([0, 1, 2, 3, 4, 5, 6, 7], [8, 9]) == (items(first), items(rest))
    first, rest = split_dataset((np.arange(10), np.arange(10.0)), right_size=0.25)
    assert (8, 2) == (len(first), len(rest))
    first, rest = split_dataset(rt.data.Dataset.range(10), left_size=3, shuffle=True, seed=1)
    assert (3, 7) == (len(first), len(rest))
    assert list(range(10)) == sorted(items(first) + items(rest))
    first, rest = split_dataset(np.arange(10), 2, 3)
    assert ([0, 1], [2, 3, 4]) == (items(first), items(rest))


def test_windows_of_a_series() -> None:
    made = timeseries_dataset_from_array(
        np.arange(20),
        np.arange(20) * 10,
        sequence_length=4,
        sequence_stride=2,
        sampling_rate=2,
        batch_size=3,
    )
    assert [
        ([[0, 2, 4, 6], [2, 4, 6, 8], [4, 6, 8, 10]], [0, 20, 40]),
        ([[6, 8, 10, 12], [8, 10, 12, 14], [10, 12, 14, 16]], [60, 80, 100]),
        ([[12, 14, 16, 18]], [120]),
    ] == [(x.numpy().tolist(), y.numpy().tolist()) for x, y in made]
    made = timeseries_dataset_from_array(np.arange(10), None, 3, start_index=2, end_index=8)
    expected = [[2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7]]
    assert [expected] == [x.numpy().tolist() for x in made]
    made = timeseries_dataset_from_array(np.arange(10.0), None, 3, batch_size=None, shuffle=True)
    assert (8, (3,)) == (len(list(made)), tuple(made.element_spec.shape.dims))


REFUSED: list[tuple[Any, str]] = [
    (lambda: split_dataset(np.arange(3)), "needs left_size or right_size"),
    (lambda: split_dataset(np.arange(3), 5), "left_size must be between 0 and the 3 items"),
    (lambda: split_dataset(np.arange(3), 1.5), "left_size must be between 0 and 1 as a share"),
    (lambda: split_dataset(np.arange(3), "a"), "left_size must be an int"),
    (lambda: split_dataset(np.arange(3), 2, 2), "are more than the 3 items"),
    (
        lambda: timeseries_dataset_from_array(np.arange(3), None, 0),
        "sequence_length must be a whole",
    ),
    (
        lambda: timeseries_dataset_from_array(np.arange(3), None, 1, start_index=7),
        "start_index must be from 0 to 3, the number of steps",
    ),
]


@pytest.mark.parametrize(("wrong", "words"), REFUSED)
def test_invalid_splits_are_refused(wrong: Any, words: str) -> None:
    with pytest.raises(ArgumentValueError, match=words):
        wrong()
