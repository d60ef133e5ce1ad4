"""TensorFlow's introductory examples of models in Functions, and Functions in models.

Topics, each in both spellings: a model whose `call` is a Function with a conditional, and one whose
`call` is converted unasked; a model of layers with one that drops at random, made a Function as a
whole; layers in a row, given as a tuple and built before they are called.
"""

from __future__ import annotations

import numpy as np

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from tests.autograph.compat.documents.spellings import both, printed_by


class HalvingInCompat(tf.keras.models.Model):
    @tf.function
    def call(self, numbers):
        if tf.reduce_max(numbers) > 100:
            return numbers // 3
        else:
            return numbers


class HalvingInNative(rt.nn.Model):
    @ag.function
    def call(self, numbers):
        if rt.reduce_max(numbers) > 100:
            return numbers // 3
        else:
            return numbers


def conditional_in_compat():
    model = HalvingInCompat()
    print(repr(model(tf.constant([-200, 500]))))
    print(repr(model(tf.constant([-200, 50]))))


def conditional_in_native():
    model = HalvingInNative()
    print(repr(model(rt.constant([-200, 500]))))
    print(repr(model(rt.constant([-200, 50]))))


@both(conditional_in_compat, conditional_in_native)
def test_the_call_of_a_model_may_be_a_function(program):
    shown = [np.array(each, np.int32) for each in ([-200 // 3, 500 // 3], [-200, 50])]
    assert [
        f"<rt.Tensor: shape=(2,), dtype=int32, numpy={array!r}>" for array in shown
    ] == printed_by(program)


class UnderLimitInCompat(tf.keras.Model):
    def call(self, numbers):
        for _ in range(3):
            if tf.reduce_max(numbers) > 10:
                numbers = numbers - 10
        return numbers


class UnderLimitInNative(rt.nn.Model):
    def call(self, numbers):
        for _ in range(3):
            if rt.reduce_max(numbers) > 10:
                numbers = numbers - 10
        return numbers


def converted_in_compat():
    model = UnderLimitInCompat()
    for called in (model, tf.function(model), tf.function(lambda x: model(x))):
        print(called(tf.constant([3, 25])))


def converted_in_native():
    model = UnderLimitInNative()
    for called in (model, ag.function(model), ag.function(lambda x: model(x))):
        print(called(rt.constant([3, 25])))


@both(converted_in_compat, converted_in_native)
def test_the_call_of_a_model_is_converted_by_default(program):
    wanted = np.array([3, 25])
    while wanted.max() > 10:
        wanted -= 10
    assert [f"rt.Tensor({wanted}, shape=(2,), dtype=int32)"] * 3 == printed_by(program)


class NetworkInCompat(tf.keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.flat = tf.keras.layers.Flatten(input_shape=(4, 5))
        self.hidden = tf.keras.layers.Dense(6, activation="relu")
        self.dropped = tf.keras.layers.Dropout(0.5)
        self.scores = tf.keras.layers.Dense(3)

    def call(self, x):
        x = self.flat(x)
        x = self.hidden(x)
        x = self.dropped(x)
        x = self.scores(x)
        return x


class NetworkInNative(rt.nn.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.flat = rt.nn.layers.Flatten(input_shape=(4, 5))
        self.hidden = rt.nn.layers.Dense(6, activation="relu")
        self.dropped = rt.nn.layers.Dropout(0.5)
        self.scores = rt.nn.layers.Dense(3)

    def call(self, x):
        x = self.flat(x)
        x = self.hidden(x)
        x = self.dropped(x)
        x = self.scores(x)
        return x


def network_in_compat():
    images = tf.random.uniform([7, 4, 5])
    model = NetworkInCompat(name="network")
    as_graph = tf.function(model)
    return images, model, [model(images), as_graph(images), as_graph(images)]


def network_in_native():
    images = rt.random.uniform([7, 4, 5])
    model = NetworkInNative(name="network")
    as_graph = ag.function(model)
    return images, model, [model(images), as_graph(images), as_graph(images)]


@both(network_in_compat, network_in_native)
def test_a_model_is_wrapped_as_a_function(program):
    images, model, results = program()
    weights = [each.numpy() for each in model.trainable_variables]
    assert [(20, 6), (6,), (6, 3), (3,)] == [each.shape for each in weights]
    hidden = np.maximum(images.numpy().reshape(7, 20) @ weights[0] + weights[1], 0)
    for result in results:  # nothing is dropped but in training
        np.testing.assert_allclose(result.numpy(), hidden @ weights[2] + weights[3], rtol=1e-5)


def row_in_compat():
    model = tf.keras.Sequential(
        (
            tf.keras.layers.Reshape(target_shape=(2 * 3,), input_shape=(2, 3)),
            tf.keras.layers.Dense(4, activation="relu"),
            tf.keras.layers.Dense(2),
        )
    )
    model.build()
    return model


def row_in_native():
    model = rt.nn.Sequential(
        (
            rt.nn.layers.Reshape(target_shape=(2 * 3,), input_shape=(2, 3)),
            rt.nn.layers.Dense(4, activation="relu"),
            rt.nn.layers.Dense(2),
        )
    )
    model.build()
    return model


@both(row_in_compat, row_in_native)
def test_layers_in_a_row_are_built_before_they_are_called(program):
    model = program()
    variables = [each.numpy() for each in model.trainable_variables]
    assert [(6, 4), (4,), (4, 2), (2,)] == [each.shape for each in variables]
    images = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    hidden = np.maximum(images.reshape(2, 6) @ variables[0] + variables[1], 0)
    wanted = hidden @ variables[2] + variables[3]
    np.testing.assert_allclose(model(images).numpy(), wanted, rtol=1e-5, atol=1e-6)
