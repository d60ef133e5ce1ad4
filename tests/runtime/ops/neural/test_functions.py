"""Activations and cross entropies against their formulas."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError

X = np.linspace(-4, 7, 12).reshape(3, 4)


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    e = np.exp(x)
    return e / e.sum(axis, keepdims=True)


@pytest.mark.parametrize(
    "ours, formula",
    [
        (rt.nn.relu, lambda x: x * (x > 0)),
        (rt.nn.relu6, lambda x: np.clip(x, 0, 6)),
        (rt.nn.elu, lambda x: np.where(x > 0, x, np.exp(x) - 1)),
        (rt.nn.softplus, lambda x: np.log(1 + np.exp(x))),
        (rt.nn.softsign, lambda x: x / (1 + abs(x))),
        (rt.nn.silu, lambda x: x / (1 + np.exp(-x))),
        (rt.nn.leaky_relu, lambda x: np.where(x > 0, x, 0.2 * x)),
        (rt.nn.softmax, softmax),
        (rt.nn.log_softmax, lambda x: np.log(softmax(x))),
        (rt.nn.gelu, lambda x: x / 2 * (1 + np.vectorize(math.erf)(x / np.sqrt(2)))),
        (
            partial(rt.nn.gelu, approximate=True),
            lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
        ),
        (rt.nn.l2_normalize, lambda x: x / np.sqrt((x * x).sum())),
    ],
)
def test_activations_agree_with_their_formulas(ours: object, formula: object) -> None:
    result = ours(X)  # type: ignore[operator]
    np.testing.assert_allclose(result.numpy(), formula(X), rtol=1e-6)  # type: ignore[operator]
    assert result.dtype is rt.float64


def test_softmax_of_large_numbers_and_other_axes() -> None:
    assert rt.nn.softmax([1000.0, 1000.0]).numpy().tolist() == [0.5, 0.5]
    np.testing.assert_allclose(rt.nn.softmax(X, axis=0).numpy(), softmax(X, 0))
    with pytest.raises(DTypeError, match="softmax works on float"):
        rt.nn.softmax([1, 2])


def test_relu_of_integers() -> None:
    assert rt.nn.relu([-1, 2]).dtype is rt.int32 and rt.nn.relu([-1, 2]).numpy().tolist() == [0, 2]


def test_leaky_relu_with_a_steep_side_and_of_integers() -> None:
    # As TensorFlow 2.21 gives them.
    assert [-4.0, 3.0] == rt.nn.leaky_relu([-2.0, 3.0], alpha=2.0).numpy().tolist()
    assert rt.nn.leaky_relu([-2, 3]).dtype is rt.float32


def test_gelu_is_of_floats() -> None:
    with pytest.raises(DTypeError, match="gelu works on floats"):
        rt.nn.gelu([1])


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


def test_the_rest_of_the_family() -> None:
    assert rt.nn.bias_add([[1, 2]], [10, 20]).numpy().tolist() == [[11, 22]]
    planes = rt.nn.bias_add(rt.zeros([1, 2, 3]), [1.0, 2.0], data_format="NCW")
    assert planes.numpy()[0].tolist() == [[1, 1, 1], [2, 2, 2]]
    assert rt.nn.l2_loss([3.0, 4.0]).numpy() == 12.5
    mean, variance = rt.nn.moments(X, [0])
    np.testing.assert_allclose(mean.numpy(), X.mean(0))
    np.testing.assert_allclose(variance.numpy(), X.var(0))


@pytest.mark.parametrize("shape", [None, (None, None), (1, 2)])
@pytest.mark.parametrize("bias", [[1.0], [1.0, 2.0, 3.0]])
def test_biases_are_one_for_each_channel(shape: Any, bias: list[float]) -> None:
    signature = [rt.TensorSpec(shape, rt.float32), rt.TensorSpec((None,), rt.float32)]
    staged = ag.function(lambda x, b: rt.nn.bias_add(x, b), input_signature=signature)
    for add in (rt.nn.bias_add, staged):
        with pytest.raises(InvalidArgumentError):
            add(rt.constant([[1.0, 2.0]]), rt.constant(bias))
    assert staged(rt.constant([[1.0, 2.0]]), rt.constant([1.0, 2.0])).numpy().tolist() == [[2, 4]]


def test_biases_of_vectors_are_refused() -> None:
    with pytest.raises(ShapeError, match="a rank of 2 or more"):
        rt.nn.bias_add([1.0, 2.0], [1.0, 2.0])


def test_labels_of_ints_are_cast() -> None:
    loss = rt.nn.softmax_cross_entropy_with_logits(rt.constant([[1, 0]]), [[1.0, -1.0]])
    np.testing.assert_allclose(loss, [0.126928], rtol=1e-5)


def test_pooling_of_images_of_unknown_rank_says_how_it_becomes_known() -> None:
    spec = rt.TensorSpec(None, rt.float32)
    pool = ag.function(lambda photo: rt.nn.max_pool(photo, 2, 2, "SAME"), input_signature=[spec])
    with pytest.raises(ShapeError, match=r"write rt.ensure_shape\(photo, \[None, None, None"):
        pool(rt.ones([1, 4, 4, 1]))
    pool = ag.function(
        lambda photo: rt.nn.max_pool(rt.ensure_shape(photo, [None] * 4), 2, 2, "SAME"),
        input_signature=[spec],
    )
    assert (1, 2, 2, 1) == tuple(pool(rt.ones([1, 4, 4, 1])).shape)
