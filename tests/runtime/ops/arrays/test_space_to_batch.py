"""Blocks moved into the batch and back: numbers recorded with TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError
from runtime.executors import run

X = np.arange(16).reshape(1, 4, 4, 1)
NO = [[0, 0], [0, 0]]


def test_space_to_batch_agrees_with_tensorflow() -> None:
    apart = rt.space_to_batch(X, [2, 2], NO).numpy()
    assert [[0, 8], [1, 9], [4, 12], [5, 13]] == apart[:, :, 0, 0].tolist()
    wide = rt.space_to_batch(X, [2, 2], [[1, 1], [0, 0]]).numpy()
    expected = [[0, 4, 12], [0, 5, 13], [0, 8, 0], [1, 9, 0]]
    assert expected == wide[:, :, 0, 0].tolist()
    assert [0, 4] == rt.space_to_batch(X, [2], [[0, 0]]).numpy()[:, 0, 0, 0].tolist()
    assert [*range(16)] == rt.nn.space_to_batch(X, [4, 4], NO).numpy().ravel().tolist()


def test_batch_to_space_agrees_with_tensorflow() -> None:
    apart = rt.space_to_batch_nd(X, [2, 2], NO)
    whole = rt.batch_to_space(apart, [2, 2], [[0, 1], [1, 0]]).numpy()
    assert [[1, 2, 3], [5, 6, 7], [9, 10, 11]] == whole[0, :, :, 0].tolist()
    block = np.random.default_rng(0).normal(size=(2, 3, 4, 5))
    there = rt.space_to_batch(block, [3, 2], [[1, 2], [0, 2]])
    back = rt.batch_to_space(there, [3, 2], [[1, 2], [0, 2]]).numpy()
    np.testing.assert_array_equal(back, block)
    assert [0, 1] == rt.batch_to_space([0, 1], [], np.zeros((0, 2), int)).numpy().tolist()


def test_sizes_may_be_dynamic() -> None:
    graph = rt.Graph("blocks")
    x = graph.add_input(rt.TensorSpec((None, None, 4, None), "int64"), "x")
    with graph.recording():
        apart = rt.space_to_batch(x, [2, 2], NO)
        graph.set_outputs([apart, rt.batch_to_space(apart, [2, 2], NO)])
    found, back = run(graph, [X])
    np.testing.assert_array_equal(found, rt.space_to_batch(X, [2, 2], NO).numpy())
    np.testing.assert_array_equal(back, X)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: rt.space_to_batch(X, [3, 2], NO), "4 positions is not a multiple of 3"),
        (lambda: rt.space_to_batch(X, [2, 2], [[0, 0]]), "two integers for each of 2"),
        (lambda: rt.space_to_batch(X, 2, NO), "a vector of integers, not 2"),
        (lambda: rt.space_to_batch(X, [0, 2], NO), "of at least 1"),
        (lambda: rt.space_to_batch(X, [2, 2], [[0, 0], [-1, 1]]), "must not be negative"),
        (lambda: rt.space_to_batch(X, [1] * 4, [[0, 0]] * 4), "does not fit into"),
        (lambda: rt.batch_to_space(X, [2, 2], NO), "a multiple of 4, the size of a block, not 1"),
        (
            lambda: rt.batch_to_space(np.zeros((4, 1, 1, 1)), [2, 2], [[2, 1], [0, 0]]),
            "are more than the",
        ),
    ],
)
def test_invalid_blocks_are_refused(call: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        call()
