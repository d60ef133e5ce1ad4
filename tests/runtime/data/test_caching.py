"""`cache`: items are computed once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.data import Dataset
from runtime.errors import UnimplementedError


def shown(dataset: Any) -> list[Any]:
    return [np.asarray(each.numpy()).tolist() for each in dataset]


def test_cached_elements_are_computed_once() -> None:
    made = rt.Variable(0, dtype=rt.int64)

    def counted(n):
        made.assign_add(1)
        return n * 2

    dataset = Dataset.range(4).map(counted).cache()
    next(iter(dataset))
    assert 1 == int(made), "there was no end, so that nothing is kept"
    made.assign(0)
    for _ in range(3):
        assert [0, 2, 4, 6] == shown(dataset)
    assert [[0, 2, 4], [6]] == shown(dataset.batch(3))
    assert 4 == int(made)
    assert 4 == len(dataset)
    with pytest.raises(UnimplementedError, match="leave filename out"):
        dataset.cache("there")


def test_shuffling_a_cached_dataset_changes_its_order() -> None:
    dataset = Dataset.range(9).shuffle(9, seed=1).cache()
    first = shown(dataset)
    assert first == shown(dataset)
    again = dataset.shuffle(9, seed=2)
    assert shown(again) != shown(again)
