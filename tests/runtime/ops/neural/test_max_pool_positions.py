"""Positions of maxima and pools by name: numbers recorded with TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError

NUMBERS = [1, 5, 2, 3, 4, 9, 8, 7, 6, 0, 1, 2, 3, 3, 3, 3]
X = np.array(NUMBERS, np.float32).reshape(1, 4, 4, 1)
nn = rt.nn


def test_places_of_the_largest() -> None:
    values, places = nn.max_pool_with_argmax(X, 2, 2, "VALID")
    assert [9, 8, 6, 3] == values.numpy().ravel().tolist()
    assert ([5, 6, 8, 14], "int64") == (places.numpy().ravel().tolist(), places.dtype.name)
    both = np.concatenate([X, X + 1])
    places = nn.max_pool_with_argmax(
        both, 2, 2, "SAME", output_dtype=rt.int32, include_batch_in_index=True
    ).argmax
    assert [5, 6, 8, 14, 21, 22, 24, 30] == places.numpy().ravel().tolist()
    channels = np.concatenate([X, -X], 3)
    places = nn.max_pool_with_argmax(channels, 3, 2, "SAME").argmax
    assert [10, 19, 12, 21, 16, 19, 28, 21] == places.numpy().ravel().tolist()


def test_places_name_the_values() -> None:
    x = np.random.default_rng(0).normal(size=(2, 5, 4, 3))
    for padding in ("SAME", "VALID"):
        values, places = nn.max_pool_with_argmax(x, [3, 2], [2, 1], padding)
        flat = x.reshape(2, -1)
        named = np.take_along_axis(flat, places.numpy().reshape(2, -1), 1)
        np.testing.assert_array_equal(named.reshape(values.shape), values.numpy())


def test_pools_by_name() -> None:
    largest = nn.pool(X, [2, 2], "MAX").numpy()[0, :, :, 0].tolist()
    assert [[9, 9, 8], [9, 9, 8], [6, 3, 3]] == largest
    means = nn.pool(X, [2, 2], "AVG", padding="SAME", strides=[2, 2]).numpy().ravel().tolist()
    assert [4.75, 5.0, 3.0, 2.25] == means
    apart = nn.pool(X, [2, 2], "MAX", dilations=[2, 2]).numpy().ravel().tolist()
    assert [6, 5, 8, 9] == apart


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: nn.max_pool_with_argmax(X, 2, 2, "VALID", data_format="NCHW"), "must be NHWC"),
        (lambda: nn.max_pool_with_argmax(X[0], 2, 2, "VALID"), "images must have 4 axes"),
        (lambda: nn.max_pool_with_argmax(X, 2, 2, [[0, 0]] * 4), '"SAME" or "VALID"'),
        (lambda: nn.max_pool_with_argmax(X, 2, 2, "SAME", "NHWC", rt.int8), "int32 or int64"),
        (lambda: nn.pool(X, [2, 2], "X"), "'MAX' or 'AVG'"),
        (lambda: nn.pool(X, [2], "AVG"), "a size for each spatial axis"),
        (lambda: nn.pool(X, [2, 2], "AVG", padding="SAME", dilations=[2, 2]), "with dilations"),
        (lambda: nn.pool(X, [2, 2], "MAX", strides=[2, 2], dilations=[2, 2]), "with dilations"),
    ],
)
def test_invalid_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        call()


def test_bfloat16_is_padded_below_all_numbers() -> None:
    x = rt.cast(rt.reshape(rt.range(9), [1, 3, 3, 1]) - 40, rt.bfloat16)
    with rt.GradientTape() as tape:
        tape.watch(x)
        largest = rt.nn.max_pool2d(x, 2, 2, "SAME")
    expected = [[0, 0, 0], [0, 1, 1], [0, 1, 1]]
    assert expected == tape.gradient(largest, x)[0, :, :, 0].numpy().astype(int).tolist()
    places = rt.nn.max_pool_with_argmax(x, 2, 2, "SAME")[1]
    assert [4, 5, 7, 8] == places.numpy().ravel().tolist()
