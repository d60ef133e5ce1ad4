"""TensorFlow's introductory example of training: a data set, a network, and a staged loop.

Topics, each in both spellings: images and labels prepared by `map`, shuffled, and batched; a
step with a tape and an optimizer; a loop over the batches inside of a Function, which prints the
loss and the accuracy now and then, and gives the last of them; the same steps written with NumPy.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from tests.autograph.compat.documents.spellings import both, printed_by


@pytest.fixture(autouse=True)
def digits_for_mnist():
    rt.nn.datasets.mnist.use_digits()
    yield
    rt.nn.datasets.mnist.use_digits(False)


def batches_in_compat():
    def prepared(image, label):
        image = tf.cast(image, tf.float32) / 255.0
        label = tf.cast(label, tf.int64)
        return image, label

    (images, labels), _ = tf.keras.datasets.mnist.load_data()
    rows = tf.data.Dataset.from_tensor_slices((images, labels))
    return rows.map(prepared).take(900).shuffle(900, seed=1).batch(60)


def batches_in_native():
    def prepared(image, label):
        image = rt.cast(image, rt.float32) / 255.0
        label = rt.cast(label, rt.int64)
        return image, label

    (images, labels), _ = rt.nn.datasets.mnist.load_data()
    rows = rt.data.Dataset.from_tensor_slices((images, labels))
    return rows.map(prepared).take(900).shuffle(900, seed=1).batch(60)


@both(batches_in_compat, batches_in_native)
def test_batches_hold_each_image_once(program):
    found = [(image, label) for image, label in program()]
    assert [(60, 28, 28)] * 15 == [tuple(image.shape) for image, _ in found]
    assert ({rt.float32}, {rt.int64}) == ({i.dtype for i, _ in found}, {n.dtype for _, n in found})
    (images, labels), _ = rt.nn.datasets.digits.load_data(size=28)
    wanted = sorted((each / 255.0).sum() for each in images[:900])
    sums = sorted(np.concatenate([image.numpy().sum((1, 2)) for image, _ in found]))
    np.testing.assert_allclose(sums, wanted, rtol=1e-5)
    counts = sum(np.bincount(label.numpy(), minlength=10) for _, label in found)
    assert np.bincount(labels[:900], minlength=10).tolist() == counts.tolist()


def trained_in_compat():
    tf.random.set_seed(3)
    model = tf.keras.Sequential(
        (
            tf.keras.layers.Reshape(target_shape=(28 * 28,), input_shape=(28, 28)),
            tf.keras.layers.Dense(60, activation="relu"),
            tf.keras.layers.Dense(10),
        )
    )
    model.build()
    optimizer = tf.keras.optimizers.Adam(0.003)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    def one_step(model, optimizer, images, labels):
        with tf.GradientTape() as tape:
            logits = model(images)
            loss = loss_of(labels, logits)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        accuracy(labels, logits)
        return loss

    @tf.function
    def train(model, optimizer):
        print("tracing")
        step = 0
        loss = 0.0
        for images, labels in batches_in_compat():
            step += 1
            loss = one_step(model, optimizer, images, labels)
            if step % 5 == 0:
                tf.print("At", step, ": loss", loss, "; accuracy", accuracy.result())
        return step, loss

    for _ in range(5):
        step, loss = train(model, optimizer)
    print("In the end", step, ": loss", loss, "; accuracy", accuracy.result())
    return model


def trained_in_native():
    rt.random.set_seed(3)
    model = rt.nn.Sequential(
        (
            rt.nn.layers.Reshape(target_shape=(28 * 28,), input_shape=(28, 28)),
            rt.nn.layers.Dense(60, activation="relu"),
            rt.nn.layers.Dense(10),
        )
    )
    model.build()
    optimizer = rt.nn.optimizers.Adam(0.003)
    loss_of = rt.nn.losses.SparseCategoricalCrossentropy(from_logits=True)
    accuracy = rt.nn.metrics.SparseCategoricalAccuracy()

    def one_step(model, optimizer, images, labels):
        with rt.GradientTape() as tape:
            logits = model(images)
            loss = loss_of(labels, logits)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        accuracy(labels, logits)
        return loss

    @ag.function
    def train(model, optimizer):
        print("tracing")
        step = 0
        loss = 0.0
        for images, labels in batches_in_native():
            step += 1
            loss = one_step(model, optimizer, images, labels)
            if step % 5 == 0:
                rt.print("At", step, ": loss", loss, "; accuracy", accuracy.result())
        return step, loss

    for _ in range(5):
        step, loss = train(model, optimizer)
    print("In the end", step, ": loss", loss, "; accuracy", accuracy.result())
    return model


@both(trained_in_compat, trained_in_native)
def test_a_network_learns_in_one_trace_and_prints_its_progress(program):
    made = []
    first, *steps, last = printed_by(lambda: made.append(program()))
    number = r"([0-9.e-]+)"
    found = [re.fullmatch(rf"At (\d+) : loss {number} ; accuracy {number}", s) for s in steps]
    assert ("tracing", [5, 10, 15] * 5) == (first, [int(each[1]) for each in found])
    losses, accuracies = ([float(each[at]) for each in found] for at in (2, 3))
    assert losses[0] > 1.2 > 0.4 > losses[-1]
    assert accuracies == sorted(accuracies) and accuracies[0] < 0.6 < accuracies[-1]
    shown = r"rt\.Tensor\(([0-9.e-]+), shape=\(\), dtype=float32\)"
    end = re.fullmatch(
        rf"In the end rt\.Tensor\(15, shape=\(\), dtype=int32\) : loss {shown} ; accuracy {shown}",
        last,
    )
    assert [losses[-1], accuracies[-1]] == [
        pytest.approx(float(each), rel=1e-6) for each in end.groups()
    ]
    _, (images, labels) = rt.nn.datasets.digits.load_data(size=28)
    guesses = made[0](images.astype(np.float32) / 255).numpy().argmax(1)
    assert (guesses == labels).mean() > 0.8


ROWS = np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 0.5], [-2.0, 1.0]], np.float32)
KINDS = np.array([1, 0, 2, 0])


def descending_in_compat():
    weights = tf.Variable(tf.zeros([2, 3]))
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.SGD(0.5)

    @tf.function
    def descend(rows):
        losses = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for at, (row, kind) in rows.enumerate():
            with tf.GradientTape() as tape:
                loss = loss_of(kind, tf.matmul(row, weights))
            gradients = tape.gradient(loss, [weights])
            optimizer.apply_gradients(zip(gradients, [weights]))
            losses = losses.write(tf.cast(at, tf.int32), loss)
        return losses.stack()

    rows = tf.data.Dataset.from_tensor_slices((ROWS, KINDS)).batch(2).repeat(3)
    return descend(rows), weights


def descending_in_native():
    weights = rt.Variable(rt.zeros([2, 3]))
    loss_of = rt.nn.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = rt.nn.optimizers.SGD(0.5)

    @ag.function
    def descend(rows):
        losses = []
        for row, kind in rows:
            with rt.GradientTape() as tape:
                loss = loss_of(kind, rt.matmul(row, weights))
            gradients = tape.gradient(loss, [weights])
            optimizer.apply_gradients(zip(gradients, [weights]))
            losses.append(loss)
        return rt.stack(losses)

    rows = rt.data.Dataset.from_tensor_slices((ROWS, KINDS)).batch(2).repeat(3)
    return descend(rows), weights


@both(descending_in_compat, descending_in_native)
def test_steps_of_a_training_loop_agree_with_numpy(program):
    losses, weights = program()
    expected, wanted = np.zeros((2, 3)), []
    for at in [0, 2] * 3:
        rows, kinds = ROWS[at : at + 2], KINDS[at : at + 2]
        scores = np.exp(rows @ expected)
        scores /= scores.sum(1, keepdims=True)
        wanted.append(-np.log(scores[[0, 1], kinds]).mean())
        expected = expected - 0.5 * rows.T @ (scores - np.eye(3)[kinds]) / 2
    np.testing.assert_allclose(losses.numpy(), wanted, rtol=1e-5)
    np.testing.assert_allclose(weights.numpy(), expected, rtol=1e-4, atol=1e-6)
