"""`unique`: each item once."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.data import Dataset


def shown(dataset: Any) -> list[Any]:
    return [np.asarray(each.numpy()).tolist() for each in dataset]


def test_unique_keeps_each_element_once() -> None:
    assert [b"a", b"b"] == shown(Dataset.from_tensor_slices(["a", "b", "a"]).unique())
    rows = Dataset.from_tensor_slices([[1, 2], [2, 1], [1, 2]]).unique()
    assert [[1, 2], [2, 1]] == shown(rows)
    assert -2 == int(rows.cardinality())
