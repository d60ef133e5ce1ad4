"""`tf.keras.ops` and `tf.keras.backend` by Keras's names of arguments: recorded from Keras 3.15."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.compat import tensorflow as tf
from autograph.compat.keras_argument_names import RENAMED_ARGUMENTS
from runtime.errors import ArgumentValueError
from tests.each import for_each

ops, K = tf.keras.ops, tf.keras.backend
M = np.arange(6, dtype=np.float32).reshape(2, 3)
C = np.arange(8, dtype=np.float32).reshape(2, 2, 2)

# Calls, their values and dtypes; of some the shape is told, which has none.
CALLS: list[tuple[str, Any, str]] = [
    ("ops.sum(x=M, axis=0)", [3.0, 5.0, 7.0], "float32"),
    ("ops.max(M, 1, True)", [[2.0], [5.0]], "float32"),
    ("ops.add(x1=M, x2=1.0)", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "float32"),
    ("ops.moments(M, [0], True)[0]", [[1.5, 2.5, 3.5]], "float32"),
    ("ops.eye(2, 3, 1)", [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], "float32"),
    ('ops.identity(2, "int32")', [[1.0, 0.0], [0.0, 1.0]], "int32"),
    ("ops.linspace(0, 4, 4, False)", [0.0, 1.0, 2.0, 3.0], "float32"),
    ('ops.linspace(0.0, 1.0, num=3, dtype="float64")', [0.0, 0.5, 1.0], "float64"),
    ("ops.svd(M[:, :2])[0].shape", [2, 2], "None"),
    ("ops.svd(M)[2].shape", [3, 3], "None"),
    ("ops.svd(M, False)[0].shape", [2, 2], "None"),
    ('ops.qr(M.T, mode="complete")[0].shape', [3, 3], "None"),
    ("ops.trace(C)", [6.0, 8.0], "float32"),
    ("ops.trace(C, 1)", [2.0, 3.0], "float32"),
    ("ops.diag([1, 2], 1)", [[0.0, 1.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]], "int32"),
    ("ops.diag(M, k=1)", [1.0, 5.0], "float32"),
    ("ops.cumprod(M + 1)", [1.0, 2.0, 6.0, 24.0, 120.0, 720.0], "float32"),
    ("ops.cumprod(M + 1, 1)", [[1.0, 2.0, 6.0], [4.0, 20.0, 120.0]], "float32"),
    ("ops.segment_sum(np.int32([1, 2, 4]), np.int32([1, 0, 1]))", [2.0, 5.0], "int32"),
    ("ops.segment_max(np.float32([1, 2, 4]), np.int32([1, 0, 1]), 2)", [2.0, 4.0], "float32"),
    ("ops.while_loop(lambda i: i < 9, lambda i: (i + 1,), (0,), 3)", [3.0], "None"),
    ("ops.tensordot(x1=M, x2=M, axes=[[0, 1], [0, 1]])", 55.0, "float32"),
    ("ops.where(M > 2, x1=M, x2=-M)", [[-0.0, -1.0, -2.0], [3.0, 4.0, 5.0]], "float32"),
    ("ops.size(ops.reshape(M, newshape=(3, 2)))", 6.0, "int32"),
    ("ops.ravel(ops.slice(M, start_indices=[0, 1], shape=[2, 1]))", [1.0, 4.0], "float32"),
    (
        "ops.sparse_categorical_crossentropy([1], np.float32([[0.2, 0.8]]), False, -1)",
        [0.2231],
        "float32",
    ),
    (
        "ops.categorical_crossentropy(np.float32([[0, 1]]), np.float32([[0.2, 0.8]]), False, -1)",
        [0.2231],
        "float32",
    ),
    (
        'ops.depth_to_space(np.arange(4).reshape(1, 1, 1, 4), 2, "channels_last").shape',
        [1, 2, 2, 1],
        "None",
    ),
    ("ops.round(np.float32([1.25, 1.35]), 1)", [1.2, 1.4], "float32"),
    (
        "ops.transpose(x=C, axes=[2, 0, 1])",
        [[[0.0, 2.0], [4.0, 6.0]], [[1.0, 3.0], [5.0, 7.0]]],
        "float32",
    ),
    (
        "ops.tile(M, repeats=[1, 2])",
        [[0.0, 1.0, 2.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 3.0, 4.0, 5.0]],
        "float32",
    ),
    ("ops.clip(M, x_min=1, x_max=3)", [[1.0, 1.0, 2.0], [3.0, 3.0, 3.0]], "float32"),
    ("ops.arange(1, 5, step=2)", [1.0, 3.0], "int32"),
    ("ops.top_k(M, k=1)[0]", [[2.0], [5.0]], "float32"),
    ("ops.norm(M, axis=1)", [2.2361, 7.0711], "float32"),
    ("ops.outer(x1=[1.0, 2.0], x2=[3.0])", [[3.0], [6.0]], "float32"),
    ("ops.vstack(xs=[M, M]).shape", [4, 3], "None"),
    ("ops.isclose(x1=[1.0], x2=[1.1], rtol=0.2)", [1.0], "bool"),
    ("ops.map(f=lambda v: v * 2, xs=M)", [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]], "float32"),
    ("ops.softmax(x=M)", [[0.09, 0.2447, 0.6652], [0.09, 0.2447, 0.6652]], "float32"),
    ("ops.arctan2(x1=[1.0], x2=[2.0])", [0.4636], "float32"),
    ("ops.bincount(x=[1, 1, 3])", [0.0, 2.0, 0.0, 1.0], "int32"),
    ("K.sum(x=M, axis=1, keepdims=True)", [[3.0], [12.0]], "float32"),
    ("K.relu(M - 3, 0.5, 1.0)", [[-1.5, -1.0, -0.5], [0.0, 1.0, 1.0]], "float32"),
    ("K.relu(x=M - 3, alpha=0.1)", [[-0.3, -0.2, -0.1], [0.0, 1.0, 2.0]], "float32"),
    ("K.expand_dims(M).shape", [2, 3, 1], "None"),
    ("K.one_hot([1], num_classes=3)", [[0.0, 1.0, 0.0]], "float32"),
    (
        "K.permute_dimensions(x=C, pattern=[2, 0, 1])",
        [[[0.0, 2.0], [4.0, 6.0]], [[1.0, 3.0], [5.0, 7.0]]],
        "float32",
    ),
    ("K.pow(M, a=2.0)", [[0.0, 1.0, 4.0], [9.0, 16.0, 25.0]], "float32"),
    ("K.gather(reference=M, indices=[1])", [[3.0, 4.0, 5.0]], "float32"),
    ("K.tile(M, n=[2, 1]).shape", [4, 3], "None"),
    ("ops.std(x=M, axis=1)", [0.8165, 0.8165], "float32"),
    (
        "K.sparse_categorical_crossentropy([1], np.float32([[0.2, 0.8]]), False, -1)",
        [0.2231],
        "float32",
    ),
]


@pytest.mark.parametrize(("call", "expected", "dtype"), CALLS)
def test_calls_with_keras_argument_names_agree(call: str, expected: Any, dtype: str) -> None:
    found = eval(call)
    np.testing.assert_allclose(found, expected, atol=1e-4)
    assert dtype == getattr(getattr(found, "dtype", None), "name", "None")


@for_each("path", RENAMED_ARGUMENTS)
def test_renamed_arguments_belong_to_existing_functions(path: str) -> None:
    value: Any = tf
    for part in path.split("."):
        value = getattr(value, part)
    assert path.rpartition(".")[2] == value.__name__


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: ops.sum(M, keep_dims=True),
            TypeError,
            "sum.. has no argument",
        ),
        (lambda: ops.sum(M, x=M), TypeError, "sum.. has two values for 'x'"),
        (lambda: ops.add(M), TypeError, "add.. needs 'x2'"),
        (lambda: ops.add(M, M, M), TypeError, "takes 2 arguments, and 3 are given"),
        (lambda: ops.max(M, initial=9.0), ArgumentValueError, "max: initial is not supported"),
        (
            lambda: ops.cholesky(M, upper=True),
            ArgumentValueError,
            "cholesky: upper is not supported",
        ),
    ],
)
def test_wrong_argument_names_are_refused(call: Any, kind: type, message: str) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_functions_keep_their_names_in_graphs() -> None:
    @tf.function
    def f(x: Any) -> Any:
        if ops.sum(x=x) > 0:
            return ops.transpose(x, axes=[1, 0])
        return ops.zeros((3, 2))

    assert [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]] == f(tf.constant(M)).numpy().tolist()
    assert 0.0 == float(tf.reduce_sum(f(-tf.constant(M))))
