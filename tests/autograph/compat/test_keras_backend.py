"""Losses and metrics that programs write with `keras.backend`; numbers recorded from Keras 3.15."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.compat import tensorflow as tf

K = tf.keras.backend
TRUE = np.array([[1.0, 0.0, 1.0, 1.0]], np.float32)
SAID = np.array([[0.8, 0.6, 0.3, 0.9]], np.float32)


def f1(y_true: Any, y_pred: Any) -> Any:
    right = K.sum(K.round(K.clip(y_true * y_pred, 0, 1)))
    possible = K.sum(K.round(K.clip(y_true, 0, 1)))
    said = K.sum(K.round(K.clip(y_pred, 0, 1)))
    precision, recall = right / (said + K.epsilon()), right / (possible + K.epsilon())
    return 2 * precision * recall / (precision + recall + K.epsilon())


def dice(y_true: Any, y_pred: Any) -> Any:
    one, other = K.flatten(y_true), K.flatten(y_pred)
    shared = K.sum(one * other)
    return 1 - (2.0 * shared + 1.0) / (K.sum(one) + K.sum(other) + 1.0)


def rmse(y_true: Any, y_pred: Any) -> Any:
    return K.sqrt(K.mean(K.square(y_pred - y_true)))


@pytest.mark.parametrize(
    ("count", "expected"),
    [(f1, 2 / 3), (dice, 1 - 5 / 6.6), (rmse, np.sqrt(0.9 / 4))],
)
def test_a_metric_of_backend_functions_is_computed(count: Any, expected: float) -> None:
    given = tf.constant(TRUE), tf.constant(SAID)
    assert float(count(*given)) == pytest.approx(expected, abs=1e-6)
    assert float(tf.function(count)(*given)) == pytest.approx(expected, abs=1e-6)


def test_the_last_axis_is_the_default_axis() -> None:
    rows = tf.constant([[1.0, 5.0], [4.0, 2.0]])
    assert [1, 0] == K.argmax(rows).numpy().tolist()
    assert [0, 1] == K.argmin(rows).numpy().tolist()
    assert (2, 4) == K.int_shape(K.concatenate([rows, rows]))
    product = K.dot(rows, tf.constant([[1.0, 4.0], [2.0, 1.0]]))
    assert [[11.0, 9.0], [8.0, 18.0]] == product.numpy().tolist()


def test_a_learning_rate_is_read_and_assigned() -> None:
    rate = tf.Variable(0.1)
    K.set_value(rate, 0.5)
    assert 0.5 == float(K.get_value(rate))
    assert ("float32", 1e-07) == (K.floatx(), K.epsilon())
    assert [2, 3] == K.clip(tf.constant([1, 5]), 2, 3).numpy().tolist()
    assert 0.5 == float(K.mean(tf.constant([True, False])))


def test_settings_have_keras_defaults_and_refuse_other_values() -> None:
    told = (K.floatx(), K.epsilon(), K.image_data_format(), K.backend())
    assert ("float32", 1e-07, "channels_last", "tensorflow") == told
    assert 1 == K.get_uid("of a test") == K.get_uid("of a test") - 1
    K.set_floatx("float32")
    K.set_epsilon(1e-07)
    tf.keras.config.set_image_data_format("channels_last")
    for change, value in (
        (K.set_floatx, "float64"),
        (K.set_epsilon, 1e-3),
        (K.set_image_data_format, "channels_first"),
    ):
        with pytest.raises(ValueError, match="must be .*, not"):
            change(value)
