"""Datasets over several others: elements recorded from TensorFlow 2.21, and errors."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from runtime.data import Dataset
from runtime.errors import ArgumentValueError, DTypeError, ShapeError


def shown(dataset: Any) -> list[Any]:
    return [each.numpy().tolist() for each in dataset]


def tens(n: Any) -> Dataset:
    return Dataset.range(10 * n, 10 * n + n)


# Recorded by tf.data.Dataset.range(1, 6).interleave(tens, cycle, block).
@pytest.mark.parametrize(
    "cycle, block, expected",
    [
        (2, 1, [10, 20, 21, 30, 31, 40, 32, 41, 42, 50, 43, 51, 52, 53, 54]),
        (2, 3, [10, 20, 21, 30, 31, 32, 40, 41, 42, 43, 50, 51, 52, 53, 54]),
        (3, 2, [10, 20, 21, 30, 31, 40, 41, 32, 42, 43, 50, 51, 52, 53, 54]),
        (1, 2, [10, 20, 21, 30, 31, 32, 40, 41, 42, 43, 50, 51, 52, 53, 54]),
    ],
)
def test_interleave_agrees_with_tensorflow(cycle: int, block: int, expected: list[int]) -> None:
    assert expected == shown(Dataset.range(1, 6).interleave(tens, cycle, block))


def test_flat_map_with_outer_datasets() -> None:
    others = Dataset.from_tensor_slices([7, 8])
    assert [7, 8, 7, 8] == shown(Dataset.range(2).flat_map(lambda n: others))
    with pytest.raises(DTypeError, match="flat_map: the function returns .* not a dataset: write"):
        Dataset.range(2).flat_map(lambda n: n)


def test_concatenate() -> None:
    both = Dataset.from_tensors([1, 2]).concatenate(Dataset.from_tensors([3]))
    assert [[1, 2], [3]] == shown(both)
    assert rt.TensorSpec((None,), rt.int32) == both.element_spec
    assert 2 == len(both)
    with pytest.raises(DTypeError, match="concatenate: elements are of int64 and int32"):
        Dataset.range(2).concatenate(Dataset.from_tensors(1))
    with pytest.raises(DTypeError, match="elements of one structure"):
        Dataset.range(2).concatenate(Dataset.range(2).enumerate())
    with pytest.raises(DTypeError, match="concatenate takes a dataset, not 3"):
        Dataset.range(2).concatenate(3)


def test_choose_from_datasets() -> None:
    numbers = Dataset.from_tensor_slices(rt.constant([0, 1, 0, 0, 1, 1], rt.int64))
    sources = [Dataset.range(2), Dataset.range(10, 14)]
    # Recorded from TensorFlow 2.21, as is the order with stop_on_empty_dataset=False.
    assert [0, 10, 1] == shown(Dataset.choose_from_datasets(sources, numbers))
    assert [0, 10, 1, 11, 12] == shown(Dataset.choose_from_datasets(sources, numbers, False))
    wrong = Dataset.choose_from_datasets(sources, Dataset.range(3))
    with pytest.raises(ArgumentValueError, match="a choice must be from 0 to 1, not 2"):
        shown(wrong)
    with pytest.raises(DTypeError, match="takes a list of datasets, and 3 is not a dataset"):
        Dataset.choose_from_datasets([3], numbers)


def test_sample_from_datasets() -> None:
    sources = [Dataset.range(1).repeat(), Dataset.range(1, 2).repeat()]

    def share(weights: Any) -> float:
        mixed = Dataset.sample_from_datasets(sources, weights, seed=3).take(2000)
        return sum(shown(mixed)) / 2000

    assert 0.5 == pytest.approx(share(None), abs=0.05)
    assert 0.9 == pytest.approx(share([0.1, 0.9]), abs=0.03)
    assert 0.0 == share([1.0, 0.0])
    with pytest.raises(ShapeError, match="weights must be 2 numbers"):
        share([1.0])
    with pytest.raises(ArgumentValueError, match="must be at least 0 and not all 0"):
        share([-1.0, 2.0])


def test_sampling_continues_or_stops_at_an_exhausted_dataset() -> None:
    sources = [Dataset.range(3), Dataset.range(10, 20)]
    assert [0, 1, 2, *range(10, 20)] == sorted(shown(Dataset.sample_from_datasets(sources)))
    stopped = shown(Dataset.sample_from_datasets(sources, seed=1, stop_on_empty_dataset=True))
    assert len(stopped) < 13


def test_a_list_of_datasets_is_spread_for_zip() -> None:
    datasets = [Dataset.range(2), Dataset.range(3)]
    with pytest.raises(DTypeError, match=r"write Dataset.zip\(\*datasets\)"):
        Dataset.zip(datasets)
    assert 2 == len(list(Dataset.zip(*datasets)))
