"""Saturating casts at their limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt


def test_values_out_of_range_become_the_limit() -> None:
    assert rt.saturate_cast([300, -5], "uint8").numpy().tolist() == [255, 0]


@pytest.mark.parametrize(
    "values, dtype",
    [
        ([3e9, -3e9, 7.9], "int32"),
        ([1e20, -1e20, 7.9], "int64"),
        ([5e9, -5e9, 7.9], "uint32"),
        ([float("inf"), float("-inf"), 7.9], "int16"),
    ],
)
@pytest.mark.parametrize("source", ["float16", "float32", "float64"])
def test_saturate_cast_reaches_the_very_limits(values: Any, dtype: str, source: str) -> None:
    with np.errstate(over="ignore"):
        found = rt.saturate_cast(np.array(values, source), dtype)
    limits = np.iinfo(dtype)
    assert found.numpy().tolist() == [limits.max, limits.min, 7]
