"""Scattered maxima and minima: numbers recorded with TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError

OLD, NEW = [1.0, 5.0, 3.0, 4.0], [1.0, 6.0, 2.0]
PLACES = [[0], [1], [0]]

RECORDED = [
    (rt.tensor_scatter_nd_max, [4, 5, 3, 4], [0.0, 0.0, 3.0, 4.0], [0.0, 2.0, 1.0]),
    (rt.tensor_scatter_nd_min, [1, 4, 3, 4], [0.5, 2.0, 3.0, 4.0], [0.5, 0.0, 0.0]),
    (rt.tensor_scatter_nd_sub, [-5, 1, 3, 4], [1.0, 2.0, 3.0, 4.0], [-1.0, -2.0, -1.0]),
]


@pytest.mark.parametrize("scatter, expected, d_old, d_new", RECORDED)
def test_scatter_max_and_min_agree_with_tensorflow(
    scatter: Any, expected: Any, d_old: Any, d_new: Any
) -> None:
    assert expected == scatter([1, 5, 3, 4], PLACES, [4, 4, 2]).numpy().tolist()
    old, new = rt.constant(OLD), rt.constant(NEW)
    with rt.GradientTape() as tape:
        tape.watch([old, new])
        y = scatter(old, PLACES, new) * [1.0, 2.0, 3.0, 4.0]
    found = tape.gradient(y, [old, new])
    assert [d_old, d_new] == [each.numpy().tolist() for each in found]
    with pytest.raises(InvalidArgumentError, match="does not index into"):
        scatter([1, 2], [[9]], [4])


def test_scatter_of_rows_and_refused_strings() -> None:
    rows = rt.tensor_scatter_nd_max(np.zeros((2, 2)), [[1]], [[3.0, -1.0]])
    assert [[0, 0], [3, 0]] == rows.numpy().tolist()
    with pytest.raises(DTypeError):
        rt.tensor_scatter_nd_max(["a"], [[0]], ["b"])
