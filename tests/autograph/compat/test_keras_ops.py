"""`tf.keras.ops`, `tf.keras.random` and the rarer activations: values recorded from Keras 3.15."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograph.compat import tensorflow as tf
from runtime.nn.seeds import forget_seeds

ops, K = tf.keras.ops, tf.keras
IMAGES = np.arange(64, dtype=np.float32).reshape(2, 4, 4, 2)
KERNEL = np.ones((2, 2, 2, 3), np.float32)
X = np.arange(6, dtype=np.float32).reshape(2, 3) - 2.0


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    forget_seeds()
    tf.random.set_seed(None)


OPS: list[tuple[Any, Any]] = [
    (lambda: ops.mean(X, 1), [-1.0, 2.0]),
    (lambda: ops.mean([1, 2]), 1.5),
    (lambda: ops.argmax(X), 5),
    (lambda: ops.argmin(X, axis=1, keepdims=True), [[0], [0]]),
    (lambda: ops.split(X, [1], axis=1)[1], [[-1.0, 0.0], [2.0, 3.0]]),
    (lambda: ops.concatenate([X[:1], X[1:] * 0]), [[-2.0, -1.0, 0.0], [0.0, 0.0, 0.0]]),
    (lambda: ops.cumsum(X), [-2.0, -3.0, -3.0, -2.0, 0.0, 3.0]),
    (lambda: ops.take(X, [0, 5]), [-2.0, 3.0]),
    (lambda: ops.take(X, [1], axis=0), [[1.0, 2.0, 3.0]]),
    (lambda: ops.one_hot(np.array([2]), 3), [[0.0, 0.0, 1.0]]),
    (lambda: ops.full((2,), 3.0), [3.0, 3.0]),
    (lambda: ops.outer([1.0, 2.0], [3.0, 4.0]), [[3.0, 4.0], [6.0, 8.0]]),
    (lambda: ops.fori_loop(0, 3, lambda i, v: v + i, 0), 3),
    (lambda: ops.flip(X, axis=1)[0], [0.0, -1.0, -2.0]),
    (lambda: ops.vstack([X[:1], X[:1]]), [[-2.0, -1.0, 0.0]] * 2),
    (lambda: ops.clip(X, -1, 1)[0], [-1.0, -1.0, 0.0]),
    (lambda: ops.logsumexp([0.0, 0.0]), 0.6931472),
    (lambda: ops.scatter([[0], [2], [0]], [1.0, 2.0, 3.0], (4,)), [4.0, 0.0, 2.0, 0.0]),
    (lambda: ops.scatter_update(X * 0, [[0, 1], [1, 2]], [5.0, 6.0]), [[0, 5, 0], [0, 0, 6]]),
    (lambda: ops.in_top_k([0, 2], np.float32([[0.1, 0.5, 0.2], [0.1, 0.5, 0.4]]), k=2), [0, 1]),
    (lambda: ops.binary_crossentropy([1.0, 0.0], np.float32([0.8, 0.3])), [0.22314353, 0.35667497]),
    (
        lambda: ops.binary_crossentropy([1.0, 0.0], np.float32([0.8, -0.3]), from_logits=True),
        [0.37110066, 0.55435526],
    ),
    (lambda: K.backend.binary_crossentropy([[1.0]], np.float32([[0.8]])), [[0.22314353]]),
    (lambda: ops.shape(ops.conv(IMAGES, KERNEL)), (2, 3, 3, 3)),
    (lambda: ops.sum(ops.conv(IMAGES, KERNEL, strides=2, padding="same")), 6048.0),
    (lambda: ops.shape(ops.conv(IMAGES, KERNEL, dilation_rate=2)), (2, 2, 2, 3)),
    (lambda: ops.shape(ops.conv(IMAGES[:, 0], KERNEL[0])), (2, 3, 3)),
    (lambda: ops.shape(ops.max_pool(IMAGES, (2, 2), strides=1, padding="same")), (2, 4, 4, 2)),
    (lambda: ops.shape(ops.max_pool(IMAGES[:, 0], 2)), (2, 2, 2)),
    (lambda: ops.sum(ops.average_pool(IMAGES, 2)), 504.0),
    (lambda: ops.nonzero([[1, 0], [0, 2]])[0], [0, 1]),
]


@pytest.mark.parametrize(
    ("first", "second", "dtype"),
    [
        (1, 2, "float32"),
        (np.int64(1), 2, "float32"),
        (np.ones(2), 2, "float64"),
        (np.ones(2, np.float32), 2, "float32"),
        (np.int32([1]), np.float16([2]), "float16"),
        (np.int32([1]), 2.0, "float32"),
        (True, False, "float32"),
    ],
)
def test_a_quotient_has_the_dtype_of_keras(first: Any, second: Any, dtype: str) -> None:
    assert dtype == ops.divide(first, second).dtype.name == ops.true_divide(first, second).dtype


def test_elements_are_counted_as_int32() -> None:
    assert (2, "int32") == (int(ops.count_nonzero([1, 0, 2])), ops.count_nonzero([1]).dtype.name)
    assert "int64" == K.metrics.MeanIoU(2).dtype


@pytest.mark.parametrize(("call", "expected"), OPS)
def test_ops_agree_with_keras(call: Any, expected: Any) -> None:
    np.testing.assert_allclose(call(), expected, rtol=1e-5)


def test_a_layer_of_ops_learns() -> None:
    class Scaled(K.layers.Layer):  # type: ignore[name-defined,misc]
        def build(self, shape: Any) -> None:
            self.w = self.add_weight(shape=(shape[-1], 2), initializer="ones")

        def call(self, x: Any) -> Any:
            size = ops.shape(x)[0]
            zeros = ops.reshape(ops.arange(size * 2, dtype="float32"), (size, 2)) * 0.0
            return ops.matmul(x, self.w) + ops.mean(x, axis=-1, keepdims=True) + zeros

    x = K.layers.Input((3,))
    model = K.Model(x, ops.relu(Scaled()(x)))
    model.compile("sgd", "mse")
    first, *_, last = model.fit(X, X[:, :2], epochs=5, verbose=0).history["loss"]
    assert last < first


DRAWN: list[tuple[Any, Any]] = [
    (lambda seed: K.random.normal((3,), seed=seed), [-2.0551, 1.1584, 0.1916]),
    (lambda seed: K.random.uniform((3,), seed=seed), [0.0619, 0.8317, 0.9736]),
    (lambda seed: K.random.randint((3,), 0, 9, seed=seed), [5, 4, 6]),
    (lambda seed: K.random.categorical(np.zeros((1, 4), "f4"), 3, seed=seed), [[1, 3, 0]]),
    (lambda seed: K.random.shuffle(np.arange(5), seed=seed), [0, 3, 4, 1, 2]),
    (lambda seed: K.random.dropout(np.ones(3, "f4"), 0.5, seed=seed), [0.0, 2.0, 2.0]),
    (lambda seed: K.random.truncated_normal((2,), seed=seed), [1.1584, 0.1916]),
    (lambda seed: K.random.gamma((2,), 2.0, seed=seed), [2.062, 5.219]),
]


@pytest.mark.parametrize(("drawn", "expected"), DRAWN)
def test_random_numbers_agree_with_keras(drawn: Any, expected: Any) -> None:
    np.testing.assert_allclose(drawn(5), expected, atol=2e-3)
    np.testing.assert_allclose(drawn(K.random.SeedGenerator(5)), expected, atol=2e-3)


def test_random_numbers_without_a_seed_use_the_global_seed() -> None:
    K.utils.set_random_seed(3)
    found = [K.random.normal((2,)), K.random.normal((2,)), K.random.uniform((2,))]
    expected = [[0.118, 1.175], [-0.7139, 1.06], [0.8024, 0.8945]]
    np.testing.assert_allclose(np.array(found), expected, atol=1e-3)


ACTIVATIONS: list[tuple[str, tuple[float, ...], list[float]]] = [
    ("celu", (0.5,), [-0.3153, 1.322, -0.4988, -0.4534]),
    ("hard_shrink", (), [0.0, 1.322, -2.9993, -1.186]),
    ("log_sigmoid", (), [-0.9728, -0.2363, -3.048, -1.452]),
    ("soft_shrink", (0.3,), [-0.1979, 1.022, -2.6993, -0.886]),
    ("sparse_plus", (), [0.063, 1.322, 0.0, 0.0]),
    ("sparse_sigmoid", (), [0.2511, 1.0, 0.0, 0.0]),
    ("squareplus", (), [0.7816, 1.86, 0.3028, 0.5696]),
    ("tanh_shrink", (), [-0.0374, 0.4547, -2.004, -0.3567]),
    ("threshold", (0.5, 9.0), [9.0, 1.322, 9.0, 9.0]),
]


@pytest.mark.parametrize(("name", "rest", "expected"), ACTIVATIONS)
def test_activations_agree_with_keras(name: str, rest: Any, expected: Any) -> None:
    x = np.array([-0.49787, 1.32195, -2.99931, -1.186], np.float32)
    np.testing.assert_allclose(getattr(K.activations, name)(x, *rest), expected, atol=1e-3)
    assert K.activations.get(name) is getattr(K.activations, name)


def test_glu_gates_and_sparsemax_zeroes() -> None:
    np.testing.assert_allclose(K.activations.glu([3.0, 0.0]), [1.5])
    with pytest.raises(ValueError, match="glu halves axis -1"):
        K.activations.glu([3.0, 0.0, 1.0])
    found = K.activations.sparsemax([[0.1, 1.1, 1.2], [0.0, 0.0, 9.0]])
    np.testing.assert_allclose(found, [[0.0, 0.45, 0.55], [0.0, 0.0, 1.0]], atol=1e-6)


def test_training_variables_have_keras_names() -> None:
    model = K.Sequential([K.layers.Input((3,)), K.layers.Dense(2, name="d")], name="s")
    model.compile(K.optimizers.Adam(name="adam"), "mse")
    model.fit(X, X[:, :2], verbose=0)
    paths = [(v.name, v.path) for v in model.optimizer.variables][:3]
    expected = [("iteration", "adam/iteration"), ("learning_rate", "adam/learning_rate")]
    assert [*expected, ("s_d_kernel_momentum", "adam/s_d_kernel_momentum")] == paths
    mean = K.metrics.Mean(name="loss")
    assert [("total", "loss/total"), ("count", "loss/count")] == [
        (v.name, v.path) for v in mean.variables
    ]


def test_a_loss_calls_its_function_with_arrays() -> None:
    found = K.losses.MeanSquaredError().call(np.zeros((2, 2)), np.ones((2, 2)))
    assert [1.0, 1.0] == found.numpy().tolist()
