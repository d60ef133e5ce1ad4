"""Diagonals against NumPy."""

from __future__ import annotations

import numpy as np

import runtime as rt

RNG = np.random.default_rng(0)
A, SQUARE = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 3))


def test_diagonals() -> None:
    np.testing.assert_array_equal(rt.linalg.diag([1, 2, 3]).numpy(), np.diag([1, 2, 3]))
    np.testing.assert_array_equal(rt.linalg.diag_part(A).numpy(), np.diagonal(A))
    np.testing.assert_array_equal(rt.linalg.band_part(SQUARE, -1, 0).numpy(), np.tril(SQUARE))
    np.testing.assert_array_equal(rt.linalg.band_part(SQUARE, 0, -1).numpy(), np.triu(SQUARE))
    banded = np.triu(np.tril(SQUARE, 1), -1)
    np.testing.assert_array_equal(rt.linalg.band_part(SQUARE, 1, 1).numpy(), banded)
