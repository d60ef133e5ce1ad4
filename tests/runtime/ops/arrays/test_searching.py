"""Places in orders, permutations and shapes, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError

RNG = np.random.default_rng(1)


@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted_agrees_with_numpy(side: Any) -> None:
    ordered = np.sort(RNG.integers(0, 9, size=(2, 3, 6)))
    values = RNG.integers(-1, 11, size=(2, 3, 4))
    expected = [
        np.searchsorted(a, v, side) for a, v in zip(ordered.reshape(-1, 6), values.reshape(-1, 4))
    ]
    found = rt.searchsorted(ordered, values, side, rt.int64)
    np.testing.assert_array_equal(found.numpy(), np.reshape(expected, values.shape))
    assert [0] == rt.searchsorted(np.zeros(0), [1.0], side).numpy().tolist()
    assert (0, 2) == rt.searchsorted(np.zeros((0, 3)), np.zeros((0, 2)), side).shape


def test_invert_permutation_inverts() -> None:
    order = RNG.permutation(7)
    np.testing.assert_array_equal(rt.math.invert_permutation(order).numpy(), np.argsort(order))
    assert "int32" == rt.math.invert_permutation([1, 0]).dtype.name


def test_unravel_index_agrees_with_numpy() -> None:
    flat = RNG.integers(0, 24, size=5)
    expected = np.stack(np.unravel_index(flat, (2, 3, 4)))
    np.testing.assert_array_equal(rt.unravel_index(flat, [2, 3, 4]).numpy(), expected)
    assert [2, 1] == rt.unravel_index(7, [3, 3]).numpy().tolist()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: rt.searchsorted([1, 2], [1], side="x"), "'left' or 'right'"),
        (lambda: rt.searchsorted([1, 2], [1], out_type=rt.float32), "int32 or int64"),
        (lambda: rt.searchsorted([1, 2], 1), "rank 1 or more"),
        (lambda: rt.searchsorted([1, 2], [[1]]), "must have a row for each row"),
        (lambda: rt.searchsorted(rt.constant([1.0]), rt.constant([1])), "float32"),
        (lambda: rt.math.invert_permutation([2, 2, 0]), "2 is duplicated"),
        (lambda: rt.math.invert_permutation([3, 2, 0]), "numbers from 0 to 2, not 3"),
        (lambda: rt.math.invert_permutation([-1, 0]), "numbers from 0 to 1, not -1"),
        (lambda: rt.math.invert_permutation([[0]]), "expected a vector"),
        (lambda: rt.math.invert_permutation([1.0]), "not on float32"),
        (lambda: rt.unravel_index([9], [3, 3]), "must be below 9"),
        (lambda: rt.unravel_index([[1]], [3, 3]), "a number or a vector"),
        (lambda: rt.unravel_index([1], 3), "dims must be a vector"),
        (lambda: rt.unravel_index([1], [3, 0]), "1 or more"),
    ],
)
def test_invalid_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        call()
