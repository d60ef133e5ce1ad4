"""Attributes and methods of Keras' objects; names and numbers are those of Keras 3.15."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograph.compat import tensorflow as tf
from runtime.errors import ArgumentValueError, NotBuiltError

keras = tf.keras
layers = keras.layers
X = np.arange(12, dtype="float32").reshape(6, 2) / 10
Y = X.sum(1, keepdims=True)


def model(kind: Any = keras.Sequential) -> Any:
    made = kind([keras.Input((2,)), layers.Dense(1, kernel_initializer="ones")])
    made.compile("sgd", "mse", metrics=["mae"])
    return made


# -- steps as functions ----------------------------------------------------------------------------


def test_a_step_is_a_function_of_an_iterator() -> None:
    made = model()
    assert made.train_function is None
    made.make_train_function()
    function = made.train_function
    data = tf.data.Dataset.from_tensor_slices((X, 2 * Y)).batch(3)
    logs = function(iter(data))
    np.testing.assert_allclose([logs["loss"], logs["mae"]], [0.35667, 0.5], rtol=1e-4)
    assert made.make_train_function() is function
    assert made.make_train_function(force=True) is not function
    predict = made.make_predict_function()
    assert (6, 1) == predict(iter([(X,)])).shape
    assert {"loss", "mae"} == set(made.make_test_function()(iter([(X, Y)])))


class Staged(keras.Sequential):
    """Has a function of its own for its steps."""

    def make_train_function(self, force: bool = False) -> Any:
        if self.train_function is not None and not force:
            return self.train_function

        @tf.function
        def one(iterator: Iterator[Any]) -> Any:
            logs = self.train_step(next(iterator))
            return {**logs, "twice": 2.0 * logs["loss"]}

        self.train_function = one
        return one


class Returned(keras.Sequential):
    """Gives its function and keeps it nowhere."""

    def make_train_function(self, force: bool = False) -> Any:
        def one(iterator: Iterator[Any]) -> Any:
            logs = self.train_step(next(iterator))
            return {**logs, "twice": 2.0 * logs["loss"]}

        return one


class Evaluated(keras.Sequential):
    def make_test_function(self, force: bool = False) -> Any:
        self.test_function = lambda iterator: {"loss": tf.reduce_sum(next(iterator)[0])}


class Predicted(keras.Sequential):
    def make_predict_function(self, force: bool = False) -> Any:
        self.predict_function = lambda iterator: next(iterator) * 3.0
        return self.predict_function


@pytest.mark.parametrize("kind", [Staged, Returned])
def test_fit_uses_a_custom_train_function(kind: Any) -> None:
    history = model(kind).fit(X, 2 * Y, 2, 2, verbose=0, shuffle=False).history
    np.testing.assert_allclose(history["loss"], [1.60332, 1.32595], rtol=1e-4)
    np.testing.assert_allclose(history["twice"], [3.20665, 2.6519], rtol=1e-4)


def test_train_on_batch_uses_the_custom_train_function() -> None:
    assert "twice" in model(Staged).train_on_batch(X, Y, return_dict=True)


def test_evaluate_and_predict_use_custom_functions() -> None:
    assert X.sum() == pytest.approx(model(Evaluated).evaluate(X, Y, verbose=0))
    np.testing.assert_allclose(model(Predicted).predict(X, verbose=0), 3 * X)


def test_compile_options_are_attributes() -> None:
    made = model()
    assert (False, 1) == (made.jit_compile, made.steps_per_execution)
    made.compile("sgd", "mse", steps_per_execution=3)
    assert 3 == made.steps_per_execution


# -- layers ----------------------------------------------------------------------------------------


def test_paths_hold_the_names_of_enclosing_layers() -> None:
    dense = layers.Dense(2, name="alone")
    assert dense.path is None
    dense.build((None, 3))
    assert ("alone", "alone/kernel") == (dense.path, dense.kernel.path)
    inputs = keras.Input((3,))
    wired = keras.Model(inputs, layers.Dense(2, name="a")(inputs), name="wired")
    assert ("wired", "a") == (wired.path, wired.layers[1].path)


class Nested(keras.Model):
    def __init__(self) -> None:
        super().__init__(name="outer")
        self.first = layers.Dense(2, name="first")
        self.block = keras.Sequential([layers.Dense(1, name="last")], name="block")

    def call(self, inputs: Any) -> Any:
        return self.block(self.first(inputs))


def test_paths_inside_of_a_subclassed_model() -> None:
    made = Nested()
    assert made.path is None
    made(X)
    found = [made.path, made.first.path, made.block.path, made.block.layers[0].path]
    assert ["outer", "outer/first", "outer/block", "outer/block/last"] == found


def test_layers_have_dtype_policies_and_build_configs() -> None:
    dense = layers.Dense(2, dtype=keras.DTypePolicy("float64"))
    policy = dense.dtype_policy
    assert ("float64",) * 3 == (policy.name, policy.compute_dtype, policy.variable_dtype)
    assert dense.get_build_config() is None
    dense.build_from_config({"input_shape": (None, 4)})
    assert (4, 2) == tuple(dense.kernel.shape)
    assert {"input_shape": (None, 4)} == dense.get_build_config()
    assert (None, 2) == tuple(layers.Dense(2).symbolic_call(keras.Input((3,))).shape)
    with pytest.raises(ArgumentValueError, match="float32"):
        keras.DTypePolicy("mixed_float16")


class Watching(layers.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.mean = keras.metrics.Mean()


def test_layers_list_their_metrics() -> None:
    layer = Watching()
    assert [layer.mean] == layer.metrics
    assert 2 == len(layer.metrics_variables)
    assert [] == layers.Dense(1).metrics


# -- variables -------------------------------------------------------------------------------------


def test_a_variable_of_keras_has_its_value_as_an_attribute() -> None:
    variable = keras.Variable([1.0, 2.0], name="v")
    assert ("v", "v") == (variable.name, variable.path)
    assert [2.0, 3.0] == (variable.value + 1).numpy().tolist()

    @tf.function
    def doubled() -> Any:
        variable.assign_add(variable.value)
        return variable.value * 1.0

    assert [2.0, 4.0] == doubled().numpy().tolist()
    assert [4.0, 8.0] == doubled().numpy().tolist()


# -- files -----------------------------------------------------------------------------------------


def test_an_exported_model_serves(tmp_path: Path) -> None:
    model().export(tmp_path / "one")
    found = tf.saved_model.load(tmp_path / "one")
    assert [[3.0]] == found.serve(tf.constant([[1.0, 2.0]])).numpy().tolist()
    served = found.signatures["serving_default"](tf.constant([[1.0, 2.0]]))
    assert [[3.0]] == next(iter(served.values())).numpy().tolist()


def test_an_exported_model_takes_its_inputs_in_their_structure(tmp_path: Path) -> None:
    inputs = [keras.Input((2,)), keras.Input((3,))]
    keras.Model(inputs, layers.Concatenate()(inputs)).export(tmp_path / "two")
    found = tf.saved_model.load(tmp_path / "two")
    given = [np.ones((1, 2), np.float32), np.zeros((1, 3), np.float32)]
    assert [[1.0, 1.0, 0.0, 0.0, 0.0]] == found.serve(given).numpy().tolist()


def test_an_exported_subclassed_model_runs_in_inference_mode(tmp_path: Path) -> None:
    class Own(keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.drop = layers.Dropout(0.9)

        def call(self, x: Any, training: Any = None) -> Any:
            return self.drop(x, training=training) * 2.0

    made = Own()
    with pytest.raises(NotBuiltError, match="input_signature"):
        made.export(tmp_path / "own")
    made(X)
    made.export(tmp_path / "own")
    np.testing.assert_allclose(tf.saved_model.load(tmp_path / "own").serve(X), 2 * X)
    signature = [tf.TensorSpec([None, 5], tf.float32)]
    Own().export(tmp_path / "told", input_signature=signature)
    found = tf.saved_model.load(tmp_path / "told").serve(np.ones((1, 5), np.float32))
    assert [[2.0] * 5] == found.numpy().tolist()


class Line(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = tf.Variable(2.0)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def scaled(self, x: Any) -> Any:
        return x * self.w

    @tf.function
    def moved(self, x: Any, n: int = 2) -> Any:
        return x * float(n) + self.w


def test_a_loaded_function_returns_its_concrete_functions(tmp_path: Path) -> None:
    line = Line()
    line.moved(tf.constant([1.0]))
    line.moved(tf.constant([1.0, 2.0]), n=3)
    tf.saved_model.save(line, tmp_path / "m")
    found = tf.saved_model.load(tmp_path / "m")
    x = tf.constant([1.0, 2.0])
    assert [2.0, 4.0] == found.scaled.get_concrete_function()(x).numpy().tolist()
    by_spec = found.scaled.get_concrete_function(tf.TensorSpec([None], tf.float32))
    assert [2.0, 4.0] == by_spec(x).numpy().tolist()
    by_both = found.moved.get_concrete_function(tf.TensorSpec([2], tf.float32), n=3)
    assert [5.0, 8.0] == by_both(x).numpy().tolist()
    with pytest.raises(ValueError, match="saved for other arguments"):
        found.moved.get_concrete_function(tf.TensorSpec([2], tf.int32))


# -- losses of the users' --------------------------------------------------------------------------


class Untold(keras.Sequential):
    """Its losses are not told whether they train, as it was before Keras 3.4."""

    def compute_loss(  # type: ignore[override]
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None
    ) -> Any:
        return tf.reduce_sum(tf.abs(y - y_pred))


class Various(keras.Sequential):
    def compute_loss(self, x: Any = None, y: Any = None, y_pred: Any = None, **told: Any) -> Any:
        assert {"sample_weight", "training"} == set(told)
        return tf.reduce_sum(tf.abs(y - y_pred))


@pytest.mark.parametrize("kind", [Untold, Various])
def test_compute_loss_of_a_subclass_gets_its_arguments(kind: Any) -> None:
    made = model(kind)
    assert 0.0 == made.evaluate(X, Y, verbose=0, return_dict=True)["loss"]
    history = made.fit(X, 2 * Y, batch_size=6, verbose=0).history
    assert float(Y.sum()) == pytest.approx(history["loss"][0])


def test_logs_have_the_order_of_keras() -> None:
    class Own(keras.Sequential):
        def train_step(self, data: Any) -> Any:
            x, y = data
            return {"loss": tf.reduce_sum(x), "compile_metrics": {"mae": tf.reduce_sum(y)}}

    assert ["mae", "loss"] == list(model(Own).fit(X, Y, verbose=0).history)
