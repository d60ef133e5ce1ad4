"""Gathering, masking, scattering, against NumPy and plain loops."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError

DATA = np.arange(12).reshape(3, 4)


def test_gather_along_axes() -> None:
    np.testing.assert_array_equal(rt.gather(DATA, [2, 0]).numpy(), DATA[[2, 0]])
    np.testing.assert_array_equal(rt.gather(DATA, [[1], [3]], axis=1).numpy(), DATA[:, [[1], [3]]])
    np.testing.assert_array_equal(rt.gather(DATA, 1).numpy(), DATA[1])
    assert rt.gather(["a", "b"], [1, 0]).numpy().tolist() == [b"b", b"a"]


def test_gather_in_batches() -> None:
    rows = [[3, 0], [1, 1], [2, 2]]
    expected = np.take_along_axis(DATA, np.array(rows), 1)
    np.testing.assert_array_equal(rt.gather(DATA, rows, batch_dims=1).numpy(), expected)


def test_indices_out_of_range_are_named() -> None:
    with pytest.raises(InvalidArgumentError, match=r"^indices\[0\] = 1 is not in \[0, 1\)$"):
        rt.gather(rt.constant([0.0]), [1])
    with pytest.raises(InvalidArgumentError, match=r"indices\[1,0\] = -1 is not in \[0, 3\)"):
        rt.gather(DATA, [[0], [-1]])
    with pytest.raises(InvalidArgumentError, match=r"indices = 7 is not in \[0, 3\)"):
        rt.gather(DATA, 7)
    with pytest.raises(DTypeError, match="indices must be integers"):
        rt.gather(DATA, [0.5])


def test_an_out_of_range_index_without_wrap_is_no_index_error() -> None:
    with pytest.raises(InvalidArgumentError, match=r"^indices\[0\] = 9 is") as caught:
        rt.gather([1, 2], [9])
    assert "InvalidArgumentError" == type(caught.value).__name__
    with pytest.raises(IndexError, match=r"^indices\[0\] = 9 is not in \[-2, 2\)$"):
        rt.gather([1, 2], [9], wrap=True)
    with pytest.raises(IndexError):
        rt.constant([1, 2])[[9]]


def test_gather_nd() -> None:
    assert rt.gather_nd(DATA, [[0, 1], [2, 3]]).numpy().tolist() == [1, 11]
    np.testing.assert_array_equal(rt.gather_nd(DATA, [[2], [0]]).numpy(), DATA[[2, 0]])
    batched = rt.gather_nd(DATA, [[1], [0], [3]], batch_dims=1).numpy()
    assert batched.tolist() == [1, 4, 11]
    with pytest.raises(InvalidArgumentError, match=r"indices\[1\] = \[3, 0\] does not index into"):
        rt.gather_nd(DATA, [[0, 0], [3, 0]])
    with pytest.raises(ShapeError, match="too long"):
        rt.gather_nd(DATA, [[0, 0, 0]])


def test_boolean_mask() -> None:
    mask = DATA % 2 == 0
    np.testing.assert_array_equal(rt.boolean_mask(DATA, mask).numpy(), DATA[mask])
    columns = np.array([True, False, False, True])
    np.testing.assert_array_equal(rt.boolean_mask(DATA, columns, axis=1).numpy(), DATA[:, columns])
    with pytest.raises(ShapeError, match=r"boolean_mask: a mask of shape \(2,\) does not fit"):
        rt.boolean_mask(DATA, [True, False])
    assert rt.boolean_mask([5, 6, 7], [0, 1, 2]).numpy().tolist() == [6, 7]
    with pytest.raises(DTypeError, match="a mask must be bool, not string"):
        rt.boolean_mask(DATA, ["a", "b", "c"])


def test_batch_dims_below_0_count_from_the_end() -> None:
    expected = rt.gather([[1, 2], [3, 4]], [[1], [0]], batch_dims=1).numpy().tolist()
    assert [[2], [3]] == expected
    assert expected == rt.gather([[1, 2], [3, 4]], [[1], [0]], batch_dims=-1).numpy().tolist()


def test_scatter_nd_adds_into_zeros() -> None:
    assert rt.scatter_nd([[1], [1], [3]], [5, 6, 7], [4]).numpy().tolist() == [0, 11, 0, 7]
    assert rt.scatter_nd([[0]], [[1, 2]], rt.constant([2, 2])).numpy().tolist() == [[1, 2], [0, 0]]


def test_updates_of_a_tensor() -> None:
    expected = DATA.copy()
    expected[[0, 2], [1, 3]] = [-1, -2]
    updated = rt.tensor_scatter_nd_update(rt.constant(DATA), [[0, 1], [2, 3]], [-1, -2])
    np.testing.assert_array_equal(updated.numpy(), expected)
    assert rt.tensor_scatter_nd_add([1, 2], [[0], [0]], [5, 6]).numpy().tolist() == [12, 2]
    with pytest.raises(InvalidArgumentError, match="does not index into shape"):
        rt.tensor_scatter_nd_update([1, 2], [[2]], [0])
    with pytest.raises(ShapeError, match=r"updates of shape \(3,\) should have shape \(2,\)"):
        rt.tensor_scatter_nd_update([1, 2], [[0], [1]], [0, 1, 2])


def test_where_agrees_with_numpy() -> None:
    condition = DATA > 5
    np.testing.assert_array_equal(
        rt.where(condition, DATA, 0).numpy(), np.where(condition, DATA, 0)
    )
    np.testing.assert_array_equal(rt.where(condition).numpy(), np.argwhere(condition))
    assert rt.where([True, False], 1.5, 2).dtype is rt.float32
    assert rt.where(["", "a"]).numpy().tolist() == [[1]]
    with pytest.raises(InvalidArgumentError, match="both x and y"):
        rt.where(condition, 1)
    with pytest.raises(DTypeError, match="write x != 0"):
        rt.where([1, 0], 1, 2)
    with pytest.raises(ShapeError, match="rt.where: shapes"):
        rt.where([True, False], [1, 2, 3], 0)


def test_an_empty_index_list_gathers_nothing() -> None:
    assert rt.gather([1, 2, 3], []).shape == (0,)
    assert rt.gather([[1, 2]], [], axis=1).shape == (1, 0)


def test_a_negative_out_of_range_index_is_named_as_written() -> None:
    with pytest.raises(IndexError, match=r"^indices\[1\] = -3 is not in \[-2, 2\)$"):
        rt.gather([1, 2], [0, -3], wrap=True)
    assert [1, 2] == rt.gather([1, 2], [-2, -1], wrap=True).numpy().tolist()
