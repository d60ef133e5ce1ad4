"""Padding agrees with NumPy, and invalid paddings are refused."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, ShapeError

MATRIX = np.arange(6.0, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize("mode", ["constant", "reflect", "symmetric"])
def test_padding_agrees_with_numpy(mode: str) -> None:
    widths = [[1, 1], [2, 0]]
    expected = np.pad(MATRIX, widths, mode)
    np.testing.assert_array_equal(expected, rt.pad(MATRIX, widths, mode.upper()).numpy())


@pytest.mark.parametrize("paddings", [[[1, 1]], [1, 1], [[1, 1, 1]] * 2, 3, [[[1, 1]] * 2]])
def test_paddings_need_a_pair_for_each_axis(paddings: object) -> None:
    with pytest.raises(ShapeError, match=r"paddings must be \[before, after\] for each axis"):
        rt.pad(MATRIX, paddings)


def test_invalid_paddings_are_refused() -> None:
    with pytest.raises(ShapeError, match="pairs of sizes"):
        rt.pad(MATRIX, [[-1, 0], [0, 0]])
    with pytest.raises(DTypeError, match="paddings must be integers"):
        rt.pad(MATRIX, [[1.0, 1.0], [0.0, 0.0]])
    for mode in ("wrap", None, 3):
        with pytest.raises(ArgumentValueError, match="mode must be CONSTANT, REFLECT or SYMMETRIC"):
            rt.pad(MATRIX, [[1, 1], [0, 0]], mode)
