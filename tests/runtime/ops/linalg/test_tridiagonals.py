"""Tridiagonal matrices, against whole ones and TensorFlow's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError

COMPACT = np.array([[1.0, 1, 0], [4, 4, 4], [0, 1, 1]], np.float32)
WHOLE = np.array([[4.0, 1, 0], [1, 4, 1], [0, 1, 4]], np.float32)
FORMS: list[tuple[Any, str]] = [
    (COMPACT, "compact"),
    (list(COMPACT), "sequence"),
    (WHOLE, "matrix"),
]


@pytest.mark.parametrize("diagonals, form", FORMS)
def test_products(diagonals: Any, form: str) -> None:
    found = rt.linalg.tridiagonal_matmul(diagonals, [[1.0], [2.0], [3.0]], form)
    assert found.numpy().tolist() == [[6.0], [12.0], [14.0]]


@pytest.mark.parametrize("diagonals, form", FORMS)
def test_solutions(diagonals: Any, form: str) -> None:
    expected = [0.17857143, 0.2857143, 0.6785714]
    found = rt.linalg.tridiagonal_solve(diagonals, [1.0, 2.0, 3.0], form)
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    rows = rt.linalg.tridiagonal_solve(diagonals, [[1.0, 2.0, 3.0]], form, transpose_rhs=True)
    np.testing.assert_allclose(rows, np.array(expected)[:, None], rtol=1e-5)


def test_eigenvalues() -> None:
    expected = [0.26794922, 2.0, 3.732051]
    np.testing.assert_allclose(
        rt.linalg.eigh_tridiagonal([1.0, 2.0, 3.0], [1.0, 1.0]), expected, rtol=1e-5
    )
    values, vectors = rt.linalg.eigh_tridiagonal(
        [1.0, 2.0, 3.0], [1.0, 1.0], eigvals_only=False, select="i", select_range=(1, 2)
    )
    np.testing.assert_allclose(values, expected[1:], rtol=1e-5)
    assert vectors.shape == (3, 2)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: rt.linalg.tridiagonal_solve([[1.0, 2.0]], [1.0, 2.0]),
        lambda: rt.linalg.tridiagonal_solve(COMPACT, [1.0, 2.0, 3.0], "other"),
        lambda: rt.linalg.tridiagonal_matmul(COMPACT, [1.0, 2.0, 3.0]),
        lambda: rt.linalg.tridiagonal_solve(np.zeros((3, 2)), [1.0, 2.0]),
    ],
)
def test_invalid_arguments_are_refused(wrong: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        wrong()
