"""The training workloads on tensors: written once, with TensorFlow's names.

`tf` and `Made` are set in this module before it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tools.bench.rows import data

if TYPE_CHECKING:
    from tools.bench.rows.tensor_programs import Made

tf: Any = globals().get("tf")

_NAMES = ("w1", "b1", "w2", "b2")


def _weights(row: str) -> list[Any]:
    arrays = data.generator_arrays(row)
    return [tf.Variable(arrays[name]) for name in _NAMES]


def _loss(x: Any, y: Any, w: Any) -> Any:
    w1, b1, w2, b2 = w
    hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
    logits = tf.matmul(hidden, w2) + b2
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
    return tf.reduce_mean(losses)


def logreg_step() -> Made:
    """A step of logistic regression."""
    a = data.generator_arrays("logreg_step")
    w = tf.Variable(a["w"])

    def logreg_step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            z = tf.linalg.matvec(x, w)
            losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=z)
            loss = tf.reduce_mean(losses)
        w.assign_sub(data.SMALL_RATE * tape.gradient(loss, w))
        return loss, w.read_value()

    return Made(logreg_step, (tf.constant(a["x"]), tf.constant(a["y"])))


def mlp_step() -> Made:
    """A step of two layers."""
    a = data.generator_arrays("mlp_step")
    w = _weights("mlp_step")

    def mlp_step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = _loss(x, y, w)
        for each, gradient in zip(w, tape.gradient(loss, w)):
            each.assign_sub(data.SMALL_RATE * gradient)
        return loss, w[3].read_value()

    return Made(mlp_step, (tf.constant(a["x"]), tf.constant(a["y"])))


class Training:
    """Weights and Adam's moments, which each call resets."""

    def __init__(self, row: str) -> None:
        arrays = data.generator_arrays(row)
        self.first = [tf.constant(arrays[name]) for name in _NAMES]
        self.w = _weights(row)
        self.m = [tf.Variable(tf.zeros_like(each)) for each in self.first]
        self.v = [tf.Variable(tf.zeros_like(each)) for each in self.first]

    def begin(self) -> None:
        """Give everything its first value."""
        for each, first, m, v in zip(self.w, self.first, self.m, self.v):
            each.assign(first)
            m.assign(tf.zeros_like(first))
            v.assign(tf.zeros_like(first))

    def step(self, x: Any, y: Any, number: Any) -> Any:
        """Take one step of Adam and return the loss."""
        with tf.GradientTape() as tape:
            loss = _loss(x, y, self.w)
        gradients = tape.gradient(loss, self.w)
        t = tf.cast(number + 1, tf.float32)
        corrected = tf.sqrt(1.0 - data.BETA_2**t) / (1.0 - data.BETA_1**t)
        rate = data.RATE * corrected
        for w, m, v, gradient in zip(self.w, self.m, self.v, gradients):
            m.assign(data.BETA_1 * m + (1.0 - data.BETA_1) * gradient)
            v.assign(data.BETA_2 * v + (1.0 - data.BETA_2) * gradient * gradient)
            w.assign_sub(rate * m / (tf.sqrt(v) + data.EPSILON))
        return loss


def _arrays_loop(row: str) -> Made:
    a = data.generator_arrays(row)
    training = Training(row)

    def train(x: Any, y: Any) -> Any:
        training.begin()
        loss = tf.constant(0.0)
        for i in tf.range(data.STEPS):
            start = i * data.BATCH
            images, labels = x[start : start + data.BATCH], y[start : start + data.BATCH]
            loss = training.step(images, labels, i)
        return loss

    return Made(train, (tf.constant(a["x"]), tf.constant(a["y"])))


def train() -> Made:
    """Twenty steps of Adam in one graph."""
    return _arrays_loop("train")


def dataset_arrays() -> Made:
    """The same steps on plain arrays."""
    return _arrays_loop("dataset_loop")


def dataset_loop() -> Made:
    """The steps of `train`, over the batches of a dataset."""
    a = data.generator_arrays("dataset_loop")
    training = Training("dataset_loop")
    dataset = tf.data.Dataset.from_tensor_slices((a["x"], a["y"])).batch(data.BATCH)

    def train() -> Any:
        training.begin()
        loss = tf.constant(0.0)
        i = tf.constant(0)
        for x, y in dataset:
            loss = training.step(x, y, i)
            i = i + 1
        return loss

    return Made(train)


def train_keras() -> Made:
    """Twenty steps of Adam through layers, an optimizer and a dataset."""
    a = data.generator_arrays("train_keras")
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Dense(data.HIDDEN, activation="relu"), layers.Dense(data.CLASSES)]
    )
    model.build((None, data.WIDTH))
    model.set_weights([a[name] for name in _NAMES])
    optimizer = tf.keras.optimizers.Adam(data.RATE)
    optimizer.build(model.trainable_variables)
    entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    dataset = tf.data.Dataset.from_tensor_slices((a["x"], a["y"])).batch(data.BATCH)

    def train() -> Any:
        loss = tf.constant(0.0)
        for x, y in dataset:
            with tf.GradientTape() as tape:
                loss = entropy(y, model(x, training=True))
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    return Made(train)


def seq_keras() -> Made:
    """A model of layers, as the guide to graphs writes it."""
    a = data.generator_arrays("seq_keras")

    class SequentialModel(tf.keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.flatten = tf.keras.layers.Flatten()
            self.dense_1 = tf.keras.layers.Dense(data.HIDDEN, activation="relu")
            self.dropout = tf.keras.layers.Dropout(0.2)
            self.dense_2 = tf.keras.layers.Dense(data.CLASSES)

        def call(self, x: Any) -> Any:
            x = self.flatten(x)
            x = self.dense_1(x)
            x = self.dropout(x)
            return self.dense_2(x)

    x = tf.constant(a["x"])
    model = SequentialModel()
    model(x)
    model.set_weights([a[name] for name in _NAMES])
    return Made(model, (x,))


MAKERS: dict[str, Callable[[], Made]] = {
    each.__name__: each
    for each in (
        *(logreg_step, mlp_step, train, dataset_arrays, dataset_loop, train_keras, seq_keras),
    )
}
