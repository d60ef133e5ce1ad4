"""Training loops in a graph, as in programs for TensorFlow: losses agree and decrease."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from autograph.compat import tensorflow as tf

# The losses of the first 20 steps of `trained`, as TensorFlow 2.21 with Keras 3.15 computed them:
# the digits in the order of the file, weights of `first_weights`, tf.keras.optimizers.Adam().
LOSSES = [
    *(2.3035781383514404, 2.2912304401397705, 2.284890651702881, 2.2709598541259766),
    *(2.2674646377563477, 2.258594036102295, 2.2437033653259277, 2.2218282222747803),
    *(2.2013099193573, 2.1852517127990723, 2.1528215408325195, 2.1288881301879883),
    *(2.0794451236724854, 2.0542964935302734, 2.0218114852905273, 1.9851144552230835),
    *(1.9345428943634033, 1.9112591743469238, 1.7993465662002563, 1.8104091882705688),
]
# After two rounds, 30 steps: the last loss, the accuracy of all, and the sum of each weight.
FINAL_LOSS, FINAL_ACCURACY = 1.1902124, 0.535666645
SUMS = [
    *(280.9412841796875, 0.9247549176216125, 28.870018005371094),
    *(0.5959170460700989, -3.6351709365844727, -0.058650121092796326),
]
PRINTED = [
    "10 steps, loss 2.18525171 accuracy 0.295",
    "20 steps, loss 1.81040919 accuracy 0.4525",
    "30 steps, loss 1.19021237 accuracy 0.535666645",
]


def scaled(images: Any, labels: Any) -> Any:
    return tf.cast(images, tf.float32) / 255.0, tf.cast(labels, tf.int64)


def built_model() -> Any:
    hidden = [tf.keras.layers.Dense(100, activation="relu") for _ in range(2)]
    pixels = tf.keras.layers.Reshape(target_shape=(28 * 28,), input_shape=(28, 28))
    model = tf.keras.Sequential([pixels, *hidden, tf.keras.layers.Dense(10)])
    model.build()
    return model


def first_weights(model: Any) -> None:
    for number, weight in enumerate(model.trainable_variables):
        weight.assign(rt.random.stateless_uniform(weight.shape, [number, 7], -0.05, 0.05))


class Training:
    """A model that is trained, with its accuracy and the number of its traces."""

    def __init__(self, model: Any, batches: Callable[[], Any], prints: bool = True) -> None:
        adam = tf.keras.optimizers.Adam()
        cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
        self.traced: list[int] = []

        def descend(images: Any, labels: Any) -> Any:
            with tf.GradientTape() as tape:
                scores = model(images)
                loss = cross_entropy(labels, scores)
            weights = model.trainable_variables
            adam.apply_gradients(zip(tape.gradient(loss, weights), weights))
            self.accuracy(labels, scores)
            return loss

        @tf.function
        def train() -> Any:
            self.traced.append(1)
            count, loss = 0, 0.0
            losses = tf.TensorArray(tf.float32, 0, dynamic_size=True)
            for images, labels in batches():
                loss = descend(images, labels)
                losses = losses.write(count, loss)
                count += 1
                if prints and count % 10 == 0:
                    tf.print(count, "steps, loss", loss, "accuracy", self.accuracy.result())
            return count, loss, losses.stack()

        self.train = train


def test_losses_agree_with_tensorflow(capfd: pytest.CaptureFixture[str]) -> None:
    (x, y), _ = rt.nn.datasets.digits.load_data(28)

    def batches() -> Any:
        ds = tf.data.Dataset.from_tensor_slices((x, y))
        ds = ds.map(scaled)
        return ds.take(20000).batch(100).repeat(2)

    model = built_model()
    first_weights(model)
    training = Training(model, batches)
    step, loss, losses = training.train()
    assert (1, 30) == (len(training.traced), int(step))
    np.testing.assert_allclose(losses.numpy()[:20], LOSSES, atol=1e-5, rtol=0)
    np.testing.assert_allclose(loss.numpy(), FINAL_LOSS, atol=1e-4)
    np.testing.assert_allclose(training.accuracy.result().numpy(), FINAL_ACCURACY, atol=1e-3)
    sums = [float(tf.reduce_sum(weight)) for weight in model.trainable_variables]
    np.testing.assert_allclose(sums, SUMS, rtol=1e-3, atol=1e-3)
    printed = capfd.readouterr().err.splitlines()
    for line, expected in zip(printed, PRINTED, strict=True):
        assert expected[:21] == line[:21]


def test_a_classifier_reads_95_percent_of_test_digits() -> None:
    # People wrote the digits one after the other: the last ones of the file are of people whom the
    # first ones do not show. So all are shuffled first, by a fixed seed.
    (x, y), (x_test, y_test) = rt.nn.datasets.digits.load_data(28)
    images, labels = np.concatenate([x, x_test]), np.concatenate([y, y_test])
    order = np.random.RandomState(0).permutation(len(labels))
    training, held_out = order[:1500], order[1500:]

    def batches() -> Any:
        ds = tf.data.Dataset.from_tensor_slices((images[training], labels[training]))
        ds = ds.map(scaled)
        return ds.shuffle(20000, seed=1).batch(100).repeat(50)

    model = built_model()
    first_weights(model)
    made = Training(model, batches, prints=False)
    step, loss, _ = made.train()
    assert (1, 750) == (len(made.traced), int(step))
    made.accuracy.reset_state()
    seen, truth = scaled(images[held_out], labels[held_out])
    made.accuracy(truth, model(seen))
    assert float(made.accuracy.result()) >= 0.95
    assert float(loss) < 0.1


def test_twenty_thousand_images_train_in_one_trace_in_seconds() -> None:
    # Ten patterns, each with noise of its own.
    random = np.random.RandomState(0)
    y = random.randint(0, 10, 20000)
    noise = random.randint(0, 128, (20000, 28, 28))
    x = (random.randint(0, 128, (10, 28, 28))[y] + noise).astype(np.uint8)

    def batches() -> Any:
        ds = tf.data.Dataset.from_tensor_slices((x, y))
        ds = ds.map(scaled)
        return ds.take(20000).shuffle(20000).batch(100)

    training = Training(built_model(), batches, prints=False)
    begun = time.process_time()
    step, loss, losses = training.train()
    took = time.process_time() - begun
    assert (1, 200) == (len(training.traced), int(step))
    assert float(loss) < 0.05 < 1.0 < float(losses[0])
    # About one second on a core of 2020; what other processes do does not count.
    assert took < 15
