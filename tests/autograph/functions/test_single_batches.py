"""`train_on_batch`, `test_on_batch` and `predict_on_batch` in functions: parts of their graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.compat import tensorflow as tf

keras = tf.keras
X = np.sin(np.arange(24, dtype=np.float32)).reshape(8, 3)
Y = np.cos(np.arange(8, dtype=np.float32))[:, None]
CLASSES = np.arange(8) % 3
WEIGHTS = np.linspace(0.5, 2, 8).astype(np.float32)


def regression(is_built: bool = True) -> Any:
    ones = {"kernel_initializer": "ones"}
    layers = [keras.layers.Dense(4, "tanh", **ones), keras.layers.Dense(1, **ones)]
    model = keras.Sequential([*([keras.Input((3,))] if is_built else []), *layers])
    model.compile(keras.optimizers.Adam(0.1), "mse", metrics=["mae"])
    return model


def classifier() -> Any:
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(3, kernel_initializer="ones")])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("sgd", loss, metrics=["accuracy"], weighted_metrics=["accuracy"])
    return model


def two_headed() -> Any:
    x = {"a": keras.Input((3,), name="a"), "b": keras.Input((3,), name="b")}
    both = keras.layers.Concatenate()([x["a"], x["b"]])
    heads = [keras.layers.Dense(1, name=n, kernel_initializer="ones")(both) for n in ("p", "q")]
    model = keras.Model(x, heads)
    model.compile("sgd", ["mse", "mae"], metrics=[["mae"], []])
    return model


Call = Callable[[Any], Any]
CALLS: dict[str, tuple[Callable[[], Any], Call]] = {
    "train": (regression, lambda m: m.train_on_batch(tf.constant(X), tf.constant(Y))),
    "not built": (lambda: regression(False), lambda m: m.train_on_batch(X, Y)),
    "arrays": (regression, lambda m: m.train_on_batch(X, Y, return_dict=True)),
    "lists": (regression, lambda m: m.train_on_batch(X.tolist(), Y.tolist())),
    "double": (regression, lambda m: m.train_on_batch(tf.constant(X, tf.float64), Y)),
    "sample weights": (classifier, lambda m: m.train_on_batch(X, CLASSES, WEIGHTS)),
    "class weights": (
        classifier,
        lambda m: m.train_on_batch(X, tf.constant(CLASSES), class_weight={0: 1.0, 1: 3.0}),
    ),
    "test": (regression, lambda m: m.test_on_batch(tf.constant(X), tf.constant(Y))),
    "test as a dict": (classifier, lambda m: m.test_on_batch(X, CLASSES, return_dict=True)),
    "predict": (regression, lambda m: m.predict_on_batch(tf.constant(X))),
    "predict of several": (two_headed, lambda m: m.predict_on_batch({"a": X, "b": -X})),
    "train several": (two_headed, lambda m: m.train_on_batch({"a": X, "b": -X}, [Y, -Y])),
    "all": (
        regression,
        lambda m: (m.train_on_batch(X, Y), m.test_on_batch(X, Y), m.predict_on_batch(X)),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_batch_in_a_function_agrees_with_an_eager_one(name: str) -> None:
    make, call = CALLS[name]
    eager, traced = make(), make()
    graph = ag.function(lambda: call(traced))
    for _ in range(3):
        expected, found = call(eager), graph()
        tf.nest.map_structure(assert_close, expected, found)
    for mine, other in zip(eager.get_weights(), traced.get_weights()):
        assert_close(mine, other)
    assert 1 == graph.experimental_get_tracing_count()


def assert_close(expected: Any, found: Any) -> None:
    np.testing.assert_allclose(np.asarray(found), expected, rtol=2e-5, atol=1e-6)


def test_batches_of_all_sizes_share_a_trace() -> None:
    eager, traced = regression(), regression()
    specs = (tf.TensorSpec((None, 3)), tf.TensorSpec((None, 1)))
    graph = ag.function(lambda x, y: traced.train_on_batch(x, y), input_signature=specs)
    for size in (2, 5, 8):
        assert_close(eager.train_on_batch(X[:size], Y[:size]), graph(X[:size], Y[:size]))


def test_an_epoch_is_a_loop_over_batches() -> None:
    eager, traced = regression(), regression()
    batches = tf.data.Dataset.from_tensor_slices((X, Y)).batch(3)

    @ag.function
    def epoch(data: Any) -> Any:
        total = tf.constant(0.0)
        for x, y in data:
            loss, error = traced.train_on_batch(x, y)
            if error > 0.5:
                total += loss
        return total

    expected = 0.0
    for x, y in batches:
        loss, error = eager.train_on_batch(x, y)
        expected += loss if error > 0.5 else 0.0
    assert_close(expected, epoch(batches))


def test_class_weights_of_codes() -> None:
    """One-hot classes count as the classes they are of."""
    codes = tf.one_hot(CLASSES, 3)
    models = [classifier(), classifier()]
    for model in models:
        model.compile("sgd", keras.losses.CategoricalCrossentropy(from_logits=True))
    weights = {0: 2.0, 2: 0.5}
    graph = ag.function(lambda y: models[1].train_on_batch(X, y, class_weight=weights))
    assert_close(models[0].train_on_batch(X, codes, class_weight=weights), graph(codes))


def test_metrics_are_reset_in_each_call() -> None:
    metric = keras.metrics.Mean()
    model = regression()
    model.metric = metric

    @ag.function
    def counted(x: Any) -> Any:
        model.reset_metrics()
        metric.update_state(x)
        return metric.result()

    assert [1.0, 5.0] == [float(counted(tf.constant(value))) for value in (1.0, 5.0)]


def test_mismatched_batches_are_refused() -> None:
    model = regression()
    with pytest.raises(tf.errors.InvalidArgumentError, match="same number of items"):
        ag.function(lambda: model.train_on_batch(X, Y[:4]))()
    with pytest.raises(tf.errors.InvalidArgumentError, match="x is one number"):
        ag.function(lambda: model.train_on_batch(tf.constant(1.0)))()
