"""Orders against Python's sorted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime.errors import InvalidArgumentError, ShapeError

lists = st.lists(st.integers(-5, 5), min_size=1, max_size=8)


@given(lists)
def test_sorting_is_pythons_and_stable(values: list[int]) -> None:
    tensor, positions = rt.constant(values), range(len(values))
    assert rt.sort(tensor).numpy().tolist() == sorted(values)
    assert rt.sort(tensor, direction="DESCENDING").numpy().tolist() == sorted(values)[::-1]
    assert rt.argsort(tensor).numpy().tolist() == sorted(positions, key=values.__getitem__)
    falling = rt.argsort(tensor, direction="DESCENDING").numpy().tolist()
    assert falling == sorted(positions, key=lambda i: -values[i])


@given(lists, st.integers(0, 8))
def test_top_k(values: list[int], k: int) -> None:
    if k > len(values):
        with pytest.raises(InvalidArgumentError, match=f"at least k={k}"):
            rt.math.top_k(values, k)
        return
    found = rt.math.top_k(values, k)
    assert found.values.numpy().tolist() == sorted(values, reverse=True)[:k]
    assert (
        found.indices.numpy().tolist() == sorted(range(len(values)), key=lambda i: -values[i])[:k]
    )


@given(lists)
def test_unique_keeps_the_order_of_appearance(values: list[int]) -> None:
    y, idx = rt.unique(values)
    assert y.numpy().tolist() == list(dict.fromkeys(values))
    assert y.numpy()[idx.numpy()].tolist() == values


def test_axes_and_strings() -> None:
    grid = np.array([[3, 1], [2, 4]])
    np.testing.assert_array_equal(rt.sort(grid, axis=0).numpy(), np.sort(grid, 0))
    assert rt.sort(["b", "a"]).numpy().tolist() == [b"a", b"b"]
    assert rt.unique(["b", "a", "b"]).y.numpy().tolist() == [b"b", b"a"]
    with pytest.raises(InvalidArgumentError, match="direction is"):
        rt.sort(grid, direction="UP")
    with pytest.raises(ShapeError):
        rt.unique(grid)
