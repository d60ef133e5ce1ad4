"""Orders against Python's sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError

lists = st.lists(st.integers(-5, 5), min_size=1, max_size=8)


@given(lists)
def test_sort_agrees_with_python_and_is_stable(values: list[int]) -> None:
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
    with pytest.raises(InvalidArgumentError, match="direction must be"):
        rt.sort(grid, direction="UP")
    with pytest.raises(ShapeError):
        rt.unique(grid)


def test_distinct_elements_are_counted() -> None:
    # Recorded with TensorFlow 2.21.
    y, idx, count = rt.unique_with_counts([7, 3, 7])
    assert ([7, 3], [0, 1, 0], [2, 1]) == (
        y.numpy().tolist(),
        idx.numpy().tolist(),
        count.numpy().tolist(),
    )
    assert "int64" == rt.unique_with_counts([7], rt.int64).count.dtype.name
    nans = rt.unique_with_counts([np.nan, np.nan])
    assert ([0, 1], [1, 1]) == (nans.idx.numpy().tolist(), nans.count.numpy().tolist())
    with pytest.raises(ShapeError, match="vector"):
        rt.unique_with_counts([[7]])
    with pytest.raises(DTypeError, match="out_idx must be an integer dtype"):
        rt.unique_with_counts([7], rt.float32)


def test_top_k_indices_have_the_requested_dtype() -> None:
    values, places = rt.math.top_k([1, 5, 3], 2, index_type=rt.int16)
    assert ([5, 3], [1, 2], "int16") == (
        values.numpy().tolist(),
        places.numpy().tolist(),
        places.dtype.name,
    )
    with pytest.raises(DTypeError, match="int16, int32 or int64"):
        rt.math.top_k([1], index_type=rt.float32)
    with pytest.raises(InvalidArgumentError, match="0 or more"):
        rt.math.top_k([1], -1)


@pytest.mark.parametrize("shape", [None, (None,), (3,)])
def test_top_k_with_a_dynamic_k(shape: Any) -> None:
    @ag.function(input_signature=[rt.TensorSpec(shape, rt.int32), rt.TensorSpec((), rt.int32)])
    def largest(x: rt.Tensor, k: rt.Tensor) -> Any:
        return rt.math.top_k(x, k)

    values, indices = largest(rt.constant([7, 9, 9]), rt.constant(2))
    assert values.numpy().tolist() == [9, 9] and indices.numpy().tolist() == [1, 2]
    with pytest.raises(InvalidArgumentError):
        largest(rt.constant([7, 9, 9]), rt.constant(4))


def test_top_k_is_named_as_in_tensorflow() -> None:
    assert type(rt.math.top_k([1, 2], 1)).__name__ == "TopKV2"


@pytest.mark.parametrize("shape", [(50,), (999,), (3, 200), (2, 2, 64)])
@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8"])
def test_the_largest_of_long_rows_are_the_first_of_a_stable_order(shape, dtype):
    x = (np.random.default_rng(0).normal(size=shape) * 3).round().astype(dtype)
    for k in (1, 2, 3):
        values, indices = rt.nn.top_k(x, k)
        order = np.flip(np.argsort(np.flip(x, -1), -1, kind="stable"), -1)
        np.testing.assert_array_equal(indices.numpy(), shape[-1] - 1 - order[..., :k])
        np.testing.assert_array_equal(values.numpy(), np.take_along_axis(x, indices.numpy(), -1))


def test_distinct_integers_of_a_small_range_are_found_without_sorting():
    x = np.random.default_rng(0).integers(-20, 30, 5000).astype(np.int32)
    y, idx, count = rt.unique_with_counts(x)
    seen = list(dict.fromkeys(x.tolist()))
    assert seen == y.numpy().tolist()
    np.testing.assert_array_equal(x, y.numpy()[idx.numpy()])
    assert [int((x == each).sum()) for each in seen] == count.numpy().tolist()
