"""Layers and models: their weights, shapes and values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, ShapeError
from runtime.nn import Model, Sequential
from runtime.nn.layers import Activation, Dense, Dropout, Flatten, InputLayer, Layer, Reshape

IMAGES = np.arange(2 * 2 * 3, dtype=np.float32).reshape(2, 2, 3)


def test_dense_is_the_product_with_the_kernel_along_the_last_axis() -> None:
    layer = Dense(4, activation="relu", bias_initializer="ones")
    for inputs in (IMAGES, IMAGES[0]):
        found = layer(inputs).numpy()
        expected = np.maximum(inputs @ layer.kernel.numpy() + 1, 0)
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert [(3, 4), (4,)] == [tuple(each.shape) for each in layer.weights]
    with pytest.raises(ShapeError, match="last axis of size 3"):
        layer([[1.0, 2.0]])


def test_a_layer_built_explicitly_creates_its_weights_once() -> None:
    layer = Dense(4)
    layer.build((None, 3))
    kernel = layer.kernel
    layer(IMAGES)
    assert layer.built
    assert kernel is layer.kernel
    assert 2 == len(layer.weights)


def test_a_layer_that_does_not_train_has_no_trainable_weights() -> None:
    layer = Dense(4, trainable=False)
    layer(IMAGES)
    assert (0, 2) == (len(layer.trainable_weights), len(layer.non_trainable_weights))
    layer.trainable = True
    assert (2, 0) == (len(layer.trainable_weights), len(layer.non_trainable_weights))


def test_reshape_and_flatten_shapes() -> None:
    np.testing.assert_array_equal(IMAGES.reshape(2, 3, 2), Reshape((3, -1))(IMAGES).numpy())
    np.testing.assert_array_equal(IMAGES.reshape(2, 6), Flatten()(IMAGES).numpy())
    first = Flatten("channels_first")(IMAGES).numpy()
    np.testing.assert_array_equal(IMAGES.transpose(0, 2, 1).reshape(2, 6), first)
    assert (None, 6) == Flatten().compute_output_shape((None, 2, 3))
    with pytest.raises(ShapeError, match="number of elements"):
        Reshape((4, -1))(IMAGES)


def test_dropout_applies_in_training_only() -> None:
    inputs = np.ones((50, 50), np.float32)
    np.testing.assert_array_equal(inputs, Dropout(0.25)(inputs).numpy())
    found = Dropout(0.25, seed=1)(inputs, training=True).numpy()
    assert {np.float32(0.0), np.float32(1 / 0.75)} == set(found.ravel())
    np.testing.assert_allclose((found == 0).mean(), 0.25, atol=0.05)
    model = Sequential([Dropout(1.0)])
    assert 0.0 == float(rt.reduce_sum(model(inputs, training=True)))


def test_a_sequential_with_an_input_shape_has_weights() -> None:
    for first in (Reshape((6,), input_shape=(2, 3)), InputLayer((6,))):
        model = Sequential((first, Dense(5, "relu"), Activation("tanh"), Dense(1)))
        model.build()
        shapes = [tuple(each.shape) for each in model.trainable_weights]
        assert [(6, 5), (5,), (5, 1), (1,)] == shapes
        assert 41 == model.count_params()


def test_a_sequence_is_the_composition_of_its_layers() -> None:
    one, other = Dense(5, "relu"), Dense(1)
    model = Sequential([one, other])
    np.testing.assert_array_equal(other(one(IMAGES)).numpy(), model(IMAGES).numpy())
    assert [one, other] == model.layers
    assert other is model.pop()
    with pytest.raises(ArgumentValueError, match="already"):
        model.add(one)
    with pytest.raises(ArgumentValueError, match="shape of its inputs"):
        Sequential([Dense(1)]).build()


def test_a_model_has_the_weights_of_the_layers_in_its_attributes() -> None:
    class Twice(Model):
        def __init__(self) -> None:
            super().__init__()
            self.inner: list[Layer] = [Dense(2), Dense(3)]

        def call(self, inputs: Any) -> Any:
            for each in self.inner:
                inputs = each(inputs)
            return inputs

    called, built = Twice(), Twice()
    assert (2, 2, 3) == tuple(called(IMAGES).shape)
    built.build((None, 3))
    for model in (called, built):
        shapes = [tuple(each.shape) for each in model.weights]
        assert [(3, 2), (2,), (2, 3), (3,)] == shapes
    built.set_weights(called.get_weights())
    np.testing.assert_array_equal(called(IMAGES).numpy(), built(IMAGES).numpy())
