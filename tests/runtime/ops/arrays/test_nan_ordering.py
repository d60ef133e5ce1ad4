"""Orders and extremes with nan agree with TensorFlow; the numbers are recorded from it."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime import nn
from runtime.ops.arrays.nan_ordering import falling_order

N, INF = float("nan"), float("inf")
LOWEST = float(np.finfo(np.float32).min)
ROWS = [[3.0, N, 1.0, N, 2.0], [N, 1.0, 2.0, 3.0, 0.0], [1.0, 2.0, N, 0.0, 5.0]]


def test_argsort_keeps_nan_in_between() -> None:
    assert rt.argsort(ROWS).numpy().tolist() == [
        [2, 0, 1, 3, 4],
        [0, 4, 1, 2, 3],
        [3, 0, 1, 2, 4],
    ]
    falling = rt.argsort(ROWS, direction="DESCENDING").numpy().tolist()
    assert falling == [[0, 1, 2, 3, 4], [0, 3, 2, 1, 4], [4, 1, 0, 2, 3]]


def test_sort_and_top_k_follow() -> None:
    np.testing.assert_equal(rt.sort(ROWS).numpy()[0], [1, 3, N, N, 2])
    np.testing.assert_equal(rt.sort(np.transpose(ROWS), 0).numpy()[:, 2], [0, 1, 2, N, 5])
    np.testing.assert_equal(rt.sort(ROWS, direction="DESCENDING").numpy()[2], [5, 2, 1, N, 0])
    values, indices = rt.math.top_k(ROWS[0], 2)
    np.testing.assert_equal(values.numpy(), [3, N])
    assert indices.numpy().tolist() == [0, 1]
    assert rt.math.top_k(np.float64(ROWS), 1).indices.numpy().tolist() == [[0], [3], [4]]


def test_long_rows_are_divided_first() -> None:
    values = np.array([(7 * at) % 40 for at in range(40)], float)
    assert falling_order(values, 0).tolist() == np.argsort(-values).tolist()
    values[::9] = N
    assert falling_order(values, 0).tolist() == RECORDED


RECORDED = [
    17,
    5,
    22,
    39,
    16,
    10,
    27,
    34,
    11,
    28,
    33,
    32,
    20,
    36,
    4,
    21,
    38,
    15,
    26,
    3,
    37,
    14,
    8,
    25,
    2,
    19,
    13,
    30,
    9,
    31,
    0,
    7,
    24,
    35,
    12,
    29,
    6,
    23,
    18,
    1,
]


def test_searchsorted_bisects() -> None:
    wanted = [0.0, 2.5, N, INF]
    for row, left, right in [
        ([1.0, 2.0, 3.0, 4.0], [0, 2, 0, 4], [0, 2, 4, 4]),
        ([1.0, 2.0, N, N], [0, 2, 0, 2], [4, 4, 4, 4]),
        ([N, 1.0, 2.0, 3.0], [0, 3, 0, 4], [1, 3, 4, 4]),
    ]:
        assert rt.searchsorted(row, wanted).numpy().tolist() == left
        assert rt.searchsorted(row, wanted, "right").numpy().tolist() == right


@pytest.mark.parametrize(
    ("data", "largest", "smallest"),
    [(ROWS[0], [N, N, 2], [N, N, 2]), (ROWS[1], [1, 3, 0], [1, 2, 0])],
)
def test_segment_extremes_after_nan_agree_with_tensorflow(
    data: object, largest: object, smallest: object
) -> None:
    ids = [0, 0, 1, 1, 2]
    for found, expected in [
        (rt.math.segment_max(data, ids), largest),
        (rt.math.segment_min(data, ids), smallest),
        (rt.math.unsorted_segment_max(data, ids, 3), largest),
        (rt.math.unsorted_segment_min(data, ids, 3), smallest),
    ]:
        np.testing.assert_equal(found.numpy(), expected)


def test_scattered_nan_is_ignored() -> None:
    there, indices = [1.0, N, 2.0, N, 0.0], [[0], [1], [2], [3], [4]]
    found = rt.tensor_scatter_nd_max(there, indices, ROWS[2])
    np.testing.assert_equal(found.numpy(), [1, N, 2, N, 5])
    found = rt.tensor_scatter_nd_min(there, indices, ROWS[1])
    np.testing.assert_equal(found.numpy(), [1, N, 2, N, 0])
    v = rt.Variable([0.0, 0.0])
    v.scatter_max(rt.IndexedSlices(rt.constant([5.0, N]), rt.constant([0, 1])))
    assert v.numpy().tolist() == [5.0, 0.0]


IMAGE = np.float32([3, N, 1, N, 2, 0]).reshape(1, 2, 3, 1)


def test_max_pools_ignore_nan() -> None:
    assert nn.max_pool2d(IMAGE, 2, 1, "VALID").numpy().ravel().tolist() == [3, 2]
    lowest = [3, LOWEST, 1, LOWEST, 2, 0]
    assert nn.max_pool2d(IMAGE, 1, 1, "VALID").numpy().ravel().tolist() == lowest
    assert nn.max_pool1d([[[-INF]]], 1, 1, "VALID").numpy().item() == LOWEST
    found = nn.max_pool3d(IMAGE[None], 2, 1, "SAME").numpy().ravel().tolist()
    assert found == [2, 2, 1, 2, 2, 0]
    assert nn.max_pool3d([[[[[-INF]]]]], 1, 1, "VALID").numpy().item() == -INF


def test_max_pool_positions_with_nan() -> None:
    values, places = nn.max_pool_with_argmax(IMAGE, 2, 1, "VALID")
    np.testing.assert_equal(values.numpy().ravel(), [3, N])
    assert places.numpy().ravel().tolist() == [0, 1]


def test_pool_gradients_go_to_the_first_maximum() -> None:
    x = rt.constant(IMAGE)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = nn.max_pool2d(x, 2, 1, "VALID")
    assert tape.gradient(y, x).numpy().ravel().tolist() == [1, 1, 0, 0, 0, 0]


def test_gradients_do_not_go_to_padding() -> None:
    x = rt.constant(np.float32([N, 1, 2, 3, 0, N]).reshape(1, 2, 3, 1))
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = nn.max_pool2d(x, 3, 1, "SAME")
    assert tape.gradient(y, x).numpy().ravel().tolist() == [4, 0, 2, 0, 0, 0]
