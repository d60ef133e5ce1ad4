"""Encodings of categories and numbers agree with Keras 3.15."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError
from runtime.nn.layers import CategoryEncoding, Discretization

ENCODED = [
    ("one_hot", [0, 3], [[1, 0, 0, 0], [0, 0, 0, 1]]),
    ("one_hot", [[0], [3]], [[1, 0, 0, 0], [0, 0, 0, 1]]),
    ("one_hot", [[0, 3, 3]], [[[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1]]]),
    ("one_hot", 2, [[0, 0, 1, 0]]),
    ("one_hot", [1, 5], [[0, 1, 0, 0], [0, 0, 0, 0]]),
    ("multi_hot", [0, 3], [1, 0, 0, 1]),
    ("multi_hot", [[0, 3, 3]], [[1, 0, 0, 1]]),
    ("multi_hot", 2, [0, 0, 1, 0]),
    ("multi_hot", [[[0, 1], [2, 2]]], [[[1, 1, 0, 0], [0, 0, 1, 0]]]),
    ("count", [[0, 3, 3]], [[1, 0, 0, 2]]),
    ("count", [1.0, 2.0], [0, 1, 1, 0]),
]


@pytest.mark.parametrize(("mode", "numbers", "expected"), ENCODED)
def test_classes_are_one_or_multi_hot_encoded(mode: str, numbers: Any, expected: Any) -> None:
    layer = CategoryEncoding.from_config(CategoryEncoding(4, mode).get_config())
    found = layer(np.array(numbers))
    assert rt.float32 is found.dtype
    np.testing.assert_array_equal(expected, found.numpy())


def test_counts_may_have_weights() -> None:
    weights = np.array([[0.1, 0.2, 0.3]], np.float32)
    found = CategoryEncoding(4, "count")([[0, 3, 3]], count_weights=weights).numpy()
    np.testing.assert_allclose(found, [[0.1, 0, 0, 0.5]], rtol=1e-6)
    with pytest.raises(ArgumentValueError, match="count_weights"):
        CategoryEncoding(4)([[0]], count_weights=weights)


def test_discretization_assigns_bins() -> None:
    numbers = np.array([[-1.0, 0.0, 0.5], [1.0, 1.5, 3.0]], np.float32)
    bins = [[0, 1, 1], [2, 2, 3]]
    layer = Discretization.from_config(Discretization([0.0, 1.0, 2.0]).get_config())

    @ag.function(input_signature=[rt.TensorSpec((None, 3))])
    def staged(x: Any) -> Any:
        return layer(x)

    for call in (layer, staged):
        np.testing.assert_array_equal(bins, call(numbers).numpy())
    many = Discretization([0.0, 1.0, 2.0], output_mode="multi_hot")(numbers).numpy()
    np.testing.assert_array_equal([[1, 1, 0, 0], [0, 0, 1, 1]], many)
    counts = Discretization([0.0, 1.0, 2.0], output_mode="count")(numbers).numpy()
    np.testing.assert_array_equal([[1, 2, 0, 0], [0, 0, 2, 1]], counts)


def test_wrong_arguments_are_refused() -> None:
    for make, words in (
        (lambda: CategoryEncoding(), "num_tokens"),
        (lambda: CategoryEncoding(4, "hot"), "output_mode"),
        (lambda: CategoryEncoding(4, sparse=True), "sparse"),
        (lambda: Discretization(), "bin_boundaries"),
        (lambda: Discretization(num_bins=3), "bin_boundaries"),
        (lambda: Discretization([1.0, 0.0]), "in increasing order"),
        (lambda: Discretization(["a"]), "numbers in increasing order"),
    ):
        with pytest.raises(ArgumentValueError, match=words):
            make()
