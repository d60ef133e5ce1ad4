"""Grids and masks agree with NumPy; control dependencies have no effect."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError


@pytest.mark.parametrize("indexing", ["xy", "ij"])
def test_grids_against_numpy(indexing: str) -> None:
    vectors = ([1, 2, 3], [4.0, 5.0], [7, 8])
    for count in (1, 2, 3):
        expected = np.meshgrid(*vectors[:count], indexing=indexing)
        found = rt.meshgrid(*vectors[:count], indexing=indexing)
        for wanted, tensor in zip(expected, found, strict=True):
            np.testing.assert_array_equal(wanted, tensor.numpy())
    with pytest.raises(InvalidArgumentError, match="indexing must be one of 'xy', 'ij'"):
        rt.meshgrid([1], indexing="yx")


def test_a_grid_and_a_mask_of_unknown_sizes() -> None:
    @ag.function(input_signature=[rt.TensorSpec((None,), rt.int32)])
    def made(x: Any) -> Any:
        return rt.meshgrid(x, [0, 1]), rt.sequence_mask(x)

    (across, down), mask = made([2, 0, 3])
    np.testing.assert_array_equal(across.numpy(), [[2, 0, 3], [2, 0, 3]])
    np.testing.assert_array_equal(down.numpy(), [[0, 0, 0], [1, 1, 1]])
    np.testing.assert_array_equal(mask.numpy(), [[1, 1, 0], [0, 0, 0], [1, 1, 1]])


def test_sequence_mask_with_a_maximum_length() -> None:
    # Recorded from TensorFlow 2.21.
    found = rt.sequence_mask([[1, 3], [2, 0]], 4, rt.int32).numpy().tolist()
    assert [[[1, 0, 0, 0], [1, 1, 1, 0]], [[1, 1, 0, 0], [0, 0, 0, 0]]] == found
    with pytest.raises(DTypeError, match="lengths must be integers, not float32"):
        rt.sequence_mask([1.5])


def test_control_dependencies_and_devices_have_no_effect() -> None:
    seen: list[int] = []
    with rt.control_dependencies([lambda: seen.append(1), None]), rt.device("/GPU:0"):
        seen.append(2)
    assert [1, 2] == seen
    with rt.name_scope("a") as scope:
        assert "a/" == scope
    assert rt.no_op() is None and rt.group(rt.constant(1)) is None
    assert [3, 4] == [int(each) for each in rt.identity_n([3, 4])]
    assert [[2], []] == [each.numpy().tolist() for each in rt.shape_n([[1, 2], 3])]
    assert 7 == rt.get_static_value(rt.guarantee_const(7))
