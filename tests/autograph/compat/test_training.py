"""Training inside of a graph: one trace, a loop over a dataset, tape, optimizer and metric."""

from __future__ import annotations

from typing import Any

import runtime as rt
from autograph.compat import tensorflow as tf


def prepared(x: Any, y: Any) -> Any:
    return tf.cast(x, tf.float32) / 255.0, tf.cast(y, tf.int64)


def test_a_network_learns_digits_in_one_trace() -> None:
    (x, y), (x_test, y_test) = rt.nn.datasets.digits.load_data(size=28)
    tf.random.set_seed(1)
    model = tf.keras.Sequential(
        (
            tf.keras.layers.Reshape(target_shape=(28 * 28,), input_shape=(28, 28)),
            tf.keras.layers.Dense(100, activation="relu"),
            tf.keras.layers.Dense(100, activation="relu"),
            tf.keras.layers.Dense(10),
        )
    )
    model.build()
    optimizer = tf.keras.optimizers.Adam()
    compute_loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    compute_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    traces = []

    def train_one_step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            logits = model(x)
            loss = compute_loss(y, logits)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        compute_accuracy(y, logits)
        return loss

    @tf.function
    def train() -> Any:
        traces.append(1)
        rows = tf.data.Dataset.from_tensor_slices((x, y)).map(prepared)
        step = 0
        loss = 0.0
        for images, labels in rows.shuffle(2000).batch(100).repeat(10):
            step += 1
            loss = train_one_step(images, labels)
        return step, loss

    steps, loss = train()
    assert 1 == len(traces)
    assert -(-len(x) // 100) * 10 == int(steps) == int(optimizer.iterations)
    assert float(loss) < 0.5
    compute_accuracy.reset_state()
    compute_accuracy(y_test, model(prepared(x_test, y_test)[0]))
    assert float(compute_accuracy.result()) > 0.85
