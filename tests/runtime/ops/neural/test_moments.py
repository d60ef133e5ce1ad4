"""Moments of sums and of weighted numbers: recorded with TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError

X = [[1.0, 2.0], [3.0, 6.0]]
nn = rt.nn


def lists(tensors: Any) -> list[Any]:
    return [None if each is None else each.numpy().tolist() for each in tensors]


def test_moments_of_rows() -> None:
    x = np.linspace(-4, 7, 12).reshape(3, 4)
    mean, variance = rt.nn.moments(x, [0])
    np.testing.assert_allclose(mean.numpy(), x.mean(0))
    np.testing.assert_allclose(variance.numpy(), x.var(0))


def test_sufficient_statistics_and_normalize_moments() -> None:
    assert [2.0, [4.0, 8.0], [10.0, 40.0], None] == lists(nn.sufficient_statistics(X, [0]))
    whole = nn.sufficient_statistics(X, [0, 1], shift=1.0, keepdims=True)
    assert [4.0, [[8.0]], [[30.0]], 1.0] == lists(whole)
    moments = nn.normalize_moments(*nn.sufficient_statistics(X, [0], shift=1.0))
    assert [[2.0, 4.0], [1.0, 4.0]] == lists(moments)
    assert 0.0 == float(nn.sufficient_statistics(np.zeros((0, 2)), [0]).counts)


def test_moments_of_weighted_numbers() -> None:
    assert [[2.5, 5.0], [0.75, 3.0]] == lists(nn.weighted_moments(X, [0], [[1.0], [3.0]]))
    kept = nn.weighted_moments(X, [1], [1.0, 3.0], keepdims=True)
    assert [[[1.75], [5.25]], [[0.1875], [1.6875]]] == lists(kept)
    assert [[0.0, 0.0], [0.0, 0.0]] == lists(nn.weighted_moments(X, [0], [0.0, 0.0]))


def test_means_of_losses() -> None:
    assert 2.0 == float(nn.compute_average_loss([1.0, 2.0, 3.0]))
    weighted = nn.compute_average_loss([1.0, 2.0, 3.0], [1.0, 0.0, 1.0], global_batch_size=6)
    assert pytest.approx(2 / 3) == float(weighted)
    assert 6.0 == float(nn.compute_average_loss(X))
    assert 3.0 == float(nn.scale_regularization_loss([1.0, 2.0]))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: nn.sufficient_statistics([1, 2], [0]), "x must be floats, not int32"),
        (lambda: nn.weighted_moments(X, [0], [1.0, 2.0, 3.0]), "broadcast"),
        (lambda: nn.compute_average_loss(2.0), "an axis of examples"),
        (lambda: nn.compute_average_loss(["a"]), "must be floats, not string"),
    ],
)
def test_invalid_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        call()
