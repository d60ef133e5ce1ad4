"""Arguments in TensorFlow's order, and unsupported ones: recorded from 2.21."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.compat import tensorflow as tf

DATASET = tf.data.Dataset


def counted(*args: Any, **kwargs: Any) -> Any:
    """A loop to 7 with more arguments behind its variables."""
    return tf.while_loop(lambda i: i < 7, lambda i: [i + 1], [tf.constant(0)], *args, **kwargs)


def chosen() -> list[int]:
    numbers = DATASET.from_tensor_slices(np.int64([0, 0, 0, 1, 1]))
    both = [DATASET.range(2), DATASET.range(10, 12)]
    return [int(each) for each in tf.data.experimental.choose_from_datasets(both, numbers)]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: counted(None, 3)[0], 7),
        (lambda: counted(None, 10, True, False, 3)[0], 3),
        (lambda: counted(None, 10, True, False, 3, "loop")[0], 3),
        (lambda: counted(maximum_iterations=2, swap_memory=True)[0], 2),
        (lambda: counted(None, 1, False)[0], 7),
        (lambda: tf.scatter_nd([[1]], [2], [3], "DEFAULT"), [0, 2, 0]),
        (lambda: tf.gather_nd([1, 2], [[1]], 0, None, "ERROR"), [2]),
        (lambda: tf.tensor_scatter_nd_add([1, 2], [[1]], [5], ""), [1, 7]),
        (lambda: tf.fill([2], 1, None, None), [1, 1]),
        (lambda: tf.math.l2_normalize([3.0, 4.0], dim=0) * 5, [3.0, 4.0]),
        (lambda: tf.math.count_nonzero([0, 1], None, None), 1),
        (chosen, [0, 1, 10, 11]),
        (lambda: tf.keras.optimizers.Adam(0.1, 0.9, 0.99, 1e-7, False, None, 2.0).clipnorm, 2.0),
        (lambda: tf.keras.optimizers.SGD(0.1, 0.9, True, None, None, 0.5).clipvalue, 0.5),
        (
            lambda: tf.keras.layers.InputLayer((3,), 2, "float32", None, None, (4, 5)).batch_shape,
            (4, 5),
        ),
        (lambda: tf.keras.Input((3,), None, None, None, None, (4, 5)).shape, (4, 5)),
        (lambda: tf.nest.is_nested(seq=[1]), True),
        (lambda: tf.parallel_stack([1, 2], "name"), [1, 2]),
        (lambda: tf.constant_initializer(2.0, False)([1]), [2.0]),
        (lambda: tf.as_dtype(type_value="int8").size, 1),
    ],
)
def test_arguments_bind_as_in_tensorflow(call: Callable[[], Any], expected: Any) -> None:
    np.testing.assert_allclose(call(), expected, rtol=1e-6)


@pytest.mark.parametrize("back_prop", [True, False])
@pytest.mark.parametrize("is_graph", [True, False])
@pytest.mark.parametrize("kind", ["while_loop", "map_fn", "scan", "foldl", "foldr"])
def test_back_prop_false_stops_gradients_of_loops(
    kind: str, is_graph: bool, back_prop: bool
) -> None:
    rows = tf.constant([1.0, 2.0])

    def looped(x: Any) -> Any:
        if kind == "while_loop":
            step: Any = lambda i, y: [i + 1, y * x]
            start = [0, tf.constant(1.0)]
            return tf.while_loop(lambda i, y: i < 3, step, start, None, 10, back_prop)[1]
        if kind == "map_fn":
            return tf.map_fn(lambda row: row * x, rows, back_prop=back_prop)
        return getattr(tf, kind)(lambda so_far, row: so_far * x + row, rows, back_prop=back_prop)

    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            found = tf.reduce_sum(looped(x))
        slope = tape.gradient(found, x)
        return found, tf.constant(-1.0) if slope is None else slope

    found, slope = (tf.function(gradient) if is_graph else gradient)(tf.constant(2.0))
    values = {"while_loop": 8.0, "map_fn": 6.0, "scan": 5.0, "foldl": 4.0, "foldr": 5.0}
    slopes = {"while_loop": 12.0, "map_fn": 3.0, "scan": 1.0, "foldl": 1.0, "foldr": 2.0}
    assert values[kind] == float(found)
    assert (slopes[kind] if back_prop else -1.0) == float(slope)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tf.zeros([2], tf.float32, None, "mesh"), "zeros: layout is not supported"),
        (lambda: tf.ones_like([2], layout="mesh"), "ones_like: layout is not supported"),
        (
            lambda: tf.gather_nd([1], [[5]], 0, None, "IGNORE"),
            "bad_indices_policy is not supported",
        ),
        (
            lambda: tf.tensor_scatter_nd_sub([1], [[0]], [2], bad_indices_policy="IGNORE"),
            "bad_indices_policy is not supported",
        ),
        (lambda: tf.math.l2_normalize([1.0], 0, dim=0), "give axis or dim, not both"),
        (lambda: tf.keras.Input((3,), ragged=True), "Input: ragged is not supported"),
        (lambda: tf.keras.utils.split_dataset(DATASET.range(3), 1, preferred_backend="jax"), "jax"),
        (lambda: tf.keras.initializers.GlorotUniform(input_axes=[0]), "give both of"),
    ],
)
def test_unsupported_arguments_are_refused_by_name(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_initializer_variance_uses_the_given_axes() -> None:
    shape = (4, 2, 50)
    limit = np.sqrt(6.0 / (4 + 100))
    made = tf.keras.initializers.GlorotUniform(1, [0], [1, 2])
    found = np.abs(made(shape).numpy()).max()
    assert 0.9 * limit < found <= limit
    again = tf.keras.initializers.deserialize(tf.keras.initializers.serialize(made))
    assert ([0], [1, 2]) == (again.input_axes, again.output_axes)
    assert "input_axes" not in tf.keras.initializers.GlorotUniform(1).get_config()


def test_custom_objects_are_found_by_name() -> None:
    class Halves(tf.keras.initializers.Initializer):
        def __call__(self, shape: Any, dtype: Any = None) -> Any:
            return tf.fill(shape, 0.5)

    config = {"class_name": "Halves", "config": {}}
    made = tf.keras.initializers.deserialize(config, {"Halves": Halves})
    assert [0.5] == made([1]).numpy().tolist()
    assert 3 == tf.keras.activations.deserialize("third", {"third": lambda x: 3})(1)


def test_a_nan_loss_raises_on_demand() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    data = (np.full((2, 1), np.nan, np.float32), np.ones((2, 1), np.float32))
    with pytest.raises(RuntimeError, match="the loss is nan"):
        model.fit(*data, verbose=0, callbacks=[tf.keras.callbacks.TerminateOnNaN(True)])
