"""`keras.Variable` agrees with Keras in its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import ArgumentValueError

# The value, dtype, and whether it is trained, as Keras 3.15 prints them.
MADE: list[tuple[Callable[[], Any], Any, str, bool]] = [
    (lambda: tf.keras.Variable([1, 2], None, "float32"), [1.0, 2.0], "float32", True),
    (lambda: tf.keras.Variable([1, 2]), [1, 2], "int32", True),
    (lambda: tf.keras.Variable(np.array([1.5])), [1.5], "float64", True),
    (lambda: tf.keras.Variable("ones", (2,)), [1.0, 1.0], "float32", True),
    (lambda: tf.keras.Variable(tf.keras.initializers.Zeros(), shape=(1,)), [0.0], "float32", True),
    (lambda: tf.keras.Variable(tf.ones, (2,), "float64"), [1.0, 1.0], "float64", True),
    (
        lambda: tf.keras.Variable(1, None, "float16", False, True, "mean", "on_read", "w"),
        1.0,
        "float16",
        False,
    ),
]


@pytest.mark.parametrize("made", MADE, ids=range(len(MADE)))
def test_arguments_agree_with_keras(made: Any) -> None:
    make, value, dtype, trainable = made
    variable = make()
    assert isinstance(variable, rt.Variable) and isinstance(variable, tf.keras.Variable)
    assert (value, dtype) == (variable.numpy().tolist(), variable.dtype.name)
    assert trainable is variable.trainable


def test_a_weight_of_a_layer_is_an_instance() -> None:
    layer = tf.keras.layers.Dense(1)
    layer.build((None, 1))
    assert isinstance(layer.kernel, tf.keras.Variable)
    assert not isinstance(tf.constant(1.0), tf.keras.Variable)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: tf.keras.Variable("ones"), "shape"),
        (lambda: tf.keras.Variable(1.0, aggregation="most"), "'only_first_replica'"),
        (lambda: tf.keras.Variable(1.0, layout=("x",)), "layout"),
    ],
)
def test_unknown_arguments_are_refused_by_name(make: Callable[[], Any], word: str) -> None:
    with pytest.raises(ArgumentValueError, match=word):
        make()


def test_a_layer_may_count_in_a_keras_variable() -> None:
    class Counting(tf.keras.layers.Layer):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.calls = tf.keras.Variable(0, None, "int32", trainable=False)

        def call(self, inputs: Any) -> Any:
            self.calls.assign_add(1)
            return inputs

    layer = Counting()
    traced = tf.function(lambda x: layer(x))
    traced(tf.ones(1)), traced(tf.ones(1))
    assert (2, 1, 0) == (
        int(layer.calls.numpy()),
        len(layer.weights),
        len(layer.trainable_weights),
    )


def test_names_of_arguments_agree_with_keras() -> None:
    one: Any = tf.keras.Variable(1.0)
    one.assign_add(value=2.0)
    one.assign_sub(value=0.5)
    assert 2.5 == float(one.value)
    optimizer = rt.nn.optimizers.SGD(0.5, momentum=0.9)
    optimizer.build(variables=[one])
    for kind in (rt.nn.optimizers.RMSprop, rt.nn.optimizers.Adam):
        kind().build(var_list=[one])
    again = rt.nn.optimizers.SGD.from_config(optimizer.get_config(), custom_objects={})
    assert (True, 0.5) == (optimizer.built, float(again.learning_rate))


def test_add_weight_takes_positional_options() -> None:
    layer = rt.nn.layers.Layer()
    regularizer = rt.nn.regularizers.L2(0.5)
    weight = layer.add_weight((2,), "ones", "float32", True, True, regularizer, None, "none")
    assert [1.0] == [float(each) for each in layer.losses]
    assert [1.0, 1.0] == weight.numpy().tolist()
