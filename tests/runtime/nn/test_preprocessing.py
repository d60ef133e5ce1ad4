"""Preprocessing of data; the expected values are those of Keras 3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.compat import tensorflow as tf
from runtime.errors import ArgumentValueError, DTypeError, OutOfMemoryError, ShapeError
from runtime.nn.preprocessing import normalize, pad_sequences, to_categorical


def test_to_categorical_encodes_classes() -> None:
    assert [[0, 1], [1, 0]] == to_categorical([1, 0]).tolist()
    assert np.eye(4)[[3, 1]].tolist() == to_categorical([[3], [1]], 4).tolist()
    assert (2, 2, 3) == to_categorical([[0, 2], [1, 1]]).shape
    assert (0, 3) == to_categorical(np.zeros(0, int), 3).shape


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [[0, 0, 1], [0, 2, 3], [4, 5, 6]]),
        ({"padding": "post"}, [[1, 0, 0], [2, 3, 0], [4, 5, 6]]),
        ({"maxlen": 2}, [[0, 1], [2, 3], [5, 6]]),
        ({"maxlen": 2, "truncating": "post"}, [[0, 1], [2, 3], [4, 5]]),
        ({"maxlen": 2, "padding": "post", "value": 9}, [[1, 9], [2, 3], [5, 6]]),
        ({"maxlen": 4}, [[0, 0, 0, 1], [0, 0, 2, 3], [0, 4, 5, 6]]),
        ({"maxlen": 0}, [[], [], []]),
    ],
)
def test_pad_sequences_pads_to_one_length(options: Any, expected: Any) -> None:
    got = pad_sequences([[1], [2, 3], [4, 5, 6]], **options)
    assert np.int32 == got.dtype and expected == got.tolist()


def test_sequences_of_vectors_and_texts() -> None:
    assert [[[0, 0]], [[1, 2]]] == pad_sequences([[], [[1, 2]]], dtype="float32").tolist()
    texts = pad_sequences([["a"], ["b", "c"]], dtype=object, value="")
    assert [["", "a"], ["b", "c"]] == texts.tolist()


def test_normalize_divides_by_norms() -> None:
    np.testing.assert_allclose([[0.6, 0.8], [0, 0]], normalize([[3.0, 4.0], [0.0, 0.0]]))
    np.testing.assert_allclose([[0.75], [0.25]], normalize([[3.0], [1.0]], axis=0, order=1))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: to_categorical([0, 3], 3),
            ArgumentValueError,
            "a class must be from 0 to 2, not 3",
        ),
        (lambda: to_categorical([-1]), ArgumentValueError, "a class must be from 0 to .*, not -1"),
        (lambda: to_categorical([0.5]), ArgumentValueError, "takes whole numbers"),
        (lambda: pad_sequences([[1]], padding="left"), ArgumentValueError, "one of 'pre', 'post'"),
        (
            lambda: pad_sequences([[1]], value="x"),
            ArgumentValueError,
            "value does not fit in int32",
        ),
        (lambda: pad_sequences([["x"]]), ArgumentValueError, "a sequence does not fit in int32"),
        (lambda: pad_sequences([[1.5, np.nan]]), ArgumentValueError, "a sequence does not fit"),
        (lambda: pad_sequences([[1]], maxlen=2**40), OutOfMemoryError, "memory cannot hold"),
        (lambda: pad_sequences([np.array(3)]), ArgumentValueError, "a list of sequences"),
        (lambda: to_categorical([1], 2**50), OutOfMemoryError, "memory cannot hold"),
        (
            lambda: to_categorical([], -1),
            ArgumentValueError,
            "num_classes must be 0 or more, not -1",
        ),
        (lambda: normalize([[1.0]], order="wrong"), DTypeError, "order must be a number"),
        (lambda: pad_sequences([1, 2]), ArgumentValueError, "1 is not a sequence"),
        (lambda: pad_sequences([[[1]], [[1, 2]]]), ShapeError, "items of shape"),
        (lambda: normalize([1.0], axis=2), ShapeError, "no axis 2"),
        (lambda: to_categorical([[1], [1, 2]]), ShapeError, "different lengths"),
    ],
)
def test_invalid_data_is_refused(call: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_keras_names_are_the_same_functions() -> None:
    assert tf.keras.utils.to_categorical is to_categorical
    assert tf.keras.utils.pad_sequences is pad_sequences
    assert tf.keras.preprocessing.sequence.pad_sequences is pad_sequences
    assert tf.keras.utils.normalize is normalize
