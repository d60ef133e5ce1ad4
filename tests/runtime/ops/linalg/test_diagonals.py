"""Diagonals against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError

RNG = np.random.default_rng(0)
A, SQUARE = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 3))


def test_diagonals() -> None:
    np.testing.assert_array_equal(rt.linalg.diag([1, 2, 3]).numpy(), np.diag([1, 2, 3]))
    np.testing.assert_array_equal(rt.linalg.diag_part(A).numpy(), np.diagonal(A))
    np.testing.assert_array_equal(rt.linalg.band_part(SQUARE, -1, 0).numpy(), np.tril(SQUARE))
    np.testing.assert_array_equal(rt.linalg.band_part(SQUARE, 0, -1).numpy(), np.triu(SQUARE))
    banded = np.triu(np.tril(SQUARE, 1), -1)
    np.testing.assert_array_equal(rt.linalg.band_part(SQUARE, 1, 1).numpy(), banded)


NUMBERS = np.arange(12).reshape(3, 4)


def test_several_diagonals_agree_with_tensorflow() -> None:
    # Recorded with TensorFlow 2.21; all alignments, bands and sizes up to 6 were compared with it.
    taken = rt.linalg.diag_part(NUMBERS, k=(-1, 1), padding_value=9)
    assert [[1, 6, 11], [0, 5, 10], [4, 9, 9]] == taken.numpy().tolist()
    made = rt.linalg.diag([[1, 2, 3], [4, 5, 0]], k=(-1, 0), align="LEFT_LEFT")
    assert [[1, 0, 0], [4, 2, 0], [0, 5, 3]] == made.numpy().tolist()
    set_ = rt.linalg.set_diag(np.zeros((2, 3), int), [[7, 8], [1, 2]], k=(0, 1))
    assert [[1, 7, 0], [0, 2, 8]] == set_.numpy().tolist()
    large = rt.linalg.diag([[1, 2, 3], [1, 2, 3]], k=(0, 1), num_rows=5)
    assert [[1, 2, 0], [0, 2, 3], [0, 0, 3], [0, 0, 0], [0, 0, 0]] == large.numpy().tolist()


@pytest.mark.parametrize("k", range(-2, 4))
def test_one_diagonal_against_numpy(k: int) -> None:
    taken = rt.linalg.diag_part(NUMBERS, k=k).numpy()
    np.testing.assert_array_equal(taken, np.diagonal(NUMBERS, k))
    np.testing.assert_array_equal(rt.linalg.diag([1, 2], k=k).numpy(), np.diag([1, 2], k))
    changed = rt.linalg.set_diag(NUMBERS, taken * 0 - 1, k=k).numpy()
    expected = np.where(np.eye(3, 4, k, bool), -1, NUMBERS)
    np.testing.assert_array_equal(changed, expected)


@pytest.mark.parametrize("align", ["RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"])
def test_set_diag_inverts_diag_part(align: str) -> None:
    block = RNG.normal(size=(2, 3, 4))
    for k in ((-2, 3), (1, 2), (-1, 0)):
        taken = rt.linalg.diag_part(block, k=k, align=align)
        back = rt.linalg.set_diag(block * 0, taken, k=k, align=align).numpy()
        np.testing.assert_array_equal(back, np.tril(np.triu(block, k[0]), k[1]))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: rt.linalg.diag_part(NUMBERS, k=5), "have no diagonal 5"),
        (lambda: rt.linalg.diag_part(NUMBERS, k=(1, -1)), r"a pair \(lowest, highest\), not"),
        (lambda: rt.linalg.diag_part(NUMBERS, k=(1, 2, 3)), "k must be an int or a pair"),
        (lambda: rt.linalg.diag_part(NUMBERS, k=1.5), "k must be an int or a pair"),
        (lambda: rt.linalg.diag_part(NUMBERS, align="LEFT"), "align must be one of"),
        (lambda: rt.linalg.diag([1, 2], num_rows=1), "do not have diagonals"),
        (lambda: rt.linalg.diag([1, 2], k=1, num_rows=3, num_cols=4), "do not have diagonals"),
        (lambda: rt.linalg.diag([1, 2, 3], k=(0, 1)), "more axes than shape"),
        (lambda: rt.linalg.diag([[1, 2, 3]], k=(0, 1)), "needs .* diagonals, not 1"),
        (lambda: rt.linalg.diag([1, 2], padding_value=[1, 2]), "padding_value must be one number"),
    ],
)
def test_missing_diagonals_are_refused(call: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        call()


def test_diagonals_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"they should have shape \(2,\)"):
        rt.linalg.set_diag(np.zeros((2, 3)), [7.0, 8.0, 9.0])
    with pytest.raises(DTypeError):
        rt.linalg.set_diag(np.zeros((2, 3), int), [7.0, 8.0])
    with pytest.raises(ShapeError, match="rank 2 or more"):
        rt.linalg.diag_part([1, 2], k=1)
