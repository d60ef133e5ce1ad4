"""Softmax and its cross entropies against their formulas."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError

X = np.linspace(-4, 7, 12).reshape(3, 4)


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    e = np.exp(x)
    return e / e.sum(axis, keepdims=True)


@pytest.mark.parametrize(
    "ours, formula",
    [
        (rt.nn.softmax, softmax),
        (rt.nn.log_softmax, lambda x: np.log(softmax(x))),
    ],
)
def test_softmax_and_log_softmax_agree_with_their_formulas(ours: object, formula: object) -> None:
    result = ours(X)  # type: ignore[operator]
    np.testing.assert_allclose(result.numpy(), formula(X), rtol=1e-6)  # type: ignore[operator]
    assert result.dtype is rt.float64


def test_softmax_of_large_numbers_and_other_axes() -> None:
    assert rt.nn.softmax([1000.0, 1000.0]).numpy().tolist() == [0.5, 0.5]
    np.testing.assert_allclose(rt.nn.softmax(X, axis=0).numpy(), softmax(X, 0))
    with pytest.raises(DTypeError, match="softmax works on float"):
        rt.nn.softmax([1, 2])


def test_cross_entropies() -> None:
    labels = [3, 0, 2]
    expected = -np.log(softmax(X)[range(3), labels])
    sparse = rt.nn.sparse_softmax_cross_entropy_with_logits(labels, X)
    dense = rt.nn.softmax_cross_entropy_with_logits(np.eye(4)[labels], X)
    np.testing.assert_allclose(sparse.numpy(), expected)
    np.testing.assert_allclose(dense.numpy(), expected)
    p, z = 1 / (1 + np.exp(-X)), np.full(X.shape, 0.3)
    binary = rt.nn.sigmoid_cross_entropy_with_logits(z, X)
    np.testing.assert_allclose(binary.numpy(), -z * np.log(p) - (1 - z) * np.log(1 - p))


def test_cross_entropy_errors() -> None:
    with pytest.raises(InvalidArgumentError, match="outside the 4 classes"):
        rt.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 4], X)
    with pytest.raises(ShapeError, match="labels of shape"):
        rt.nn.sparse_softmax_cross_entropy_with_logits([0, 1], X)


def test_labels_of_ints_are_cast() -> None:
    loss = rt.nn.softmax_cross_entropy_with_logits(rt.constant([[1, 0]]), [[1.0, -1.0]])
    np.testing.assert_allclose(loss, [0.126928], rtol=1e-5)
