"""Segments: values recorded from TensorFlow 2.21, and refusals."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError, OutOfBoundsError, ShapeError

DATA = [[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]
LOWEST = np.finfo(np.float32).min
SORTED = {
    "sum": [[-2, 6], [0, 0], [0, 0], [5, -6]],
    "mean": [[-1, 3], [0, 0], [0, 0], [5, -6]],
    "prod": [[-3, 8], [1, 1], [1, 1], [5, -6]],
    "max": [[1, 4], [0, 0], [0, 0], [5, -6]],
    "min": [[-3, 2], [0, 0], [0, 0], [5, -6]],
}
UNSORTED = {
    "sum": ([6, -4], 0),
    "mean": ([3, -2], 0),
    "prod": ([5, -12], 1),
    "max": ([5, 2], LOWEST),
    "min": ([1, -6], -LOWEST),
}


@pytest.mark.parametrize("how", SORTED)
def test_sorted_numbers(how: str) -> None:
    found = getattr(rt.math, f"segment_{how}")(DATA, [0, 0, 3])
    assert SORTED[how] == found.numpy().tolist()


@pytest.mark.parametrize("how", UNSORTED)
def test_unsorted_segments_ignore_negative_ids(how: str) -> None:
    row, empty = UNSORTED[how]
    found = getattr(rt.math, f"unsorted_segment_{how}")(DATA, [2, -1, 2], 4).numpy()
    np.testing.assert_array_equal([[empty] * 2, [empty] * 2, row, [empty] * 2], found)


def test_numbers_of_elements_and_of_whole_numbers() -> None:
    found = rt.math.unsorted_segment_sum(DATA, [[0, 1], [1, 1], [2, 0]], 3)
    assert [-5.0, 3.0, 5.0] == found.numpy().tolist()
    assert [-3, 5] == rt.math.segment_mean([-3, -4, 5], [0, 0, 1]).numpy().tolist()
    assert [] == rt.math.segment_sum(rt.zeros([0]), rt.zeros([0], rt.int32)).numpy().tolist()


def test_invalid_segment_ids_are_refused() -> None:
    with pytest.raises(
        InvalidArgumentError, match=r"segment_ids must not decrease, as in \[0, 2, 1\]"
    ):
        rt.math.segment_sum(DATA, [0, 2, 1])
    with pytest.raises(InvalidArgumentError, match="segment_ids must not be negative"):
        rt.math.segment_sum(DATA, [-1, 0, 1])
    with pytest.raises(ShapeError, match="2 segment_ids for the 3 rows"):
        rt.math.segment_sum(DATA, [0, 2])
    with pytest.raises(OutOfBoundsError, match=r"a segment id must be in \[0, 3\), not 9"):
        rt.math.unsorted_segment_sum(DATA, [0, 2, 9], 3)
    with pytest.raises(ShapeError, match="do not begin with the shape"):
        rt.math.unsorted_segment_sum(DATA, [0, 2], 3)
    with pytest.raises(InvalidArgumentError, match="num_segments must be at least 0, not -3"):
        rt.math.unsorted_segment_sum(DATA, [0, 1, 2], -3)


def test_a_product_with_zeros_has_a_gradient() -> None:
    data, ids = rt.constant([0.0, 3.0, 0.0, 0.0, 2.0]), rt.constant([0, 0, 1, 1, 2])
    op = rt.ops.op.REGISTRY["segment_prod"]
    dx, _ = op.grad([rt.ones([3])], [rt.math.segment_prod(data, ids)], [data, ids])
    assert [3.0, 0.0, 0.0, 0.0, 1.0] == dx.numpy().tolist()


def test_gradients_of_unknown_rank() -> None:
    graph = rt.Graph("slopes")
    data = graph.add_input(rt.TensorSpec(None, rt.float32), "data")
    ids = graph.add_input(rt.TensorSpec(None, rt.int32), "ids")
    with graph.recording():
        y = rt.math.unsorted_segment_max(data, ids, 2)
        dx = rt.ops.op.REGISTRY["unsorted_segment_max"].grad(
            [rt.ones_like(y)], [y], [data, ids], num_segments=2
        )[0]
    assert dx.dtype is rt.float32
