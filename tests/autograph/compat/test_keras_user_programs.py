"""Programs of Keras users; numbers are those of Keras 3 (TensorFlow 2.21)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograph.compat import tensorflow as tf
from runtime.errors import ArgumentValueError, DTypeError

keras = tf.keras
layers = keras.layers
ONES = {"kernel_initializer": "ones"}
X = np.sin(np.arange(24, dtype=np.float32)).reshape(8, 3)
Y = np.cos(np.arange(8, dtype=np.float32))[:, None]


def assert_close(expected: Any, found: Any) -> None:
    np.testing.assert_allclose(np.asarray(found), expected, rtol=2e-4, atol=1e-4)


# -- data of one axis ------------------------------------------------------------------------------


def line() -> Any:
    model = keras.Sequential([keras.Input((1,)), layers.Dense(1, **ONES)])
    model.compile("sgd", "mse")
    return model


NUMBERS = np.arange(6, dtype=np.float32)


def test_numbers_are_fit_by_a_model_of_one_feature() -> None:
    model = line()
    history = model.fit(NUMBERS, 2 * NUMBERS, 2, 2, verbose=0, shuffle=False).history
    assert_close([7.1967, 1.6582], history["loss"])
    expected = [[0.1982], [1.9178], [3.6375], [5.3572], [7.0768], [8.7965]]
    assert_close(expected, model.predict(NUMBERS, verbose=0))
    assert_close(0.4819, model.evaluate(NUMBERS, 2 * NUMBERS, verbose=0))


def test_scalars_are_inputs_of_fit_call_and_predict() -> None:
    data = tf.data.Dataset.from_tensor_slices((NUMBERS, NUMBERS)).batch(2)
    assert [0.0] == line().fit(data, verbose=0).history["loss"]
    assert 0.0 == line().train_on_batch(NUMBERS, NUMBERS)
    assert [[0.0], [1.0], [2.0]] == line()(NUMBERS[:3]).numpy().tolist()
    lazy = keras.Sequential([layers.Dense(1, **ONES)])
    lazy(NUMBERS[:, None])
    assert [[0.0], [1.0]] == lazy.predict(NUMBERS[:2], verbose=0).tolist()


def test_a_column_loses_its_axis_for_a_scalar_input() -> None:
    model = keras.Sequential([keras.Input(()), layers.Lambda(lambda x: x * 2)])
    assert [0.0, 2.0] == model(NUMBERS[:2, None]).numpy().tolist()


def test_inputs_of_wrong_rank_are_refused() -> None:
    model = keras.Sequential([keras.Input((3,)), layers.Dense(1)])
    with pytest.raises(ArgumentValueError, match="takes inputs of 2 axes or more"):
        model(NUMBERS)


# -- layers that merge -----------------------------------------------------------------------------

MERGED = {
    "Add": [[1.5, 5.0]],
    "Subtract": [[0.5, -1.0]],
    "Multiply": [[0.5, 6.0]],
    "Average": [[0.75, 2.5]],
    "Maximum": [[1.0, 3.0]],
    "Minimum": [[0.5, 2.0]],
    "Concatenate": [[1.0, 2.0, 0.5, 3.0]],
}


@pytest.mark.parametrize("name", MERGED)
def test_integers_and_floats_are_merged(name: str) -> None:
    integers, floats = tf.constant([[1, 2]]), tf.constant([[0.5, 3.0]])
    found = getattr(layers, name)()([integers, floats])
    assert (tf.float32, MERGED[name]) == (found.dtype, found.numpy().tolist())
    inputs = [keras.Input((2,), dtype="int32"), keras.Input((2,))]
    model = keras.Model(inputs, getattr(layers, name)()(inputs))
    assert MERGED[name] == model([integers, floats]).numpy().tolist()


def test_merged_inputs_take_the_widest_dtype() -> None:
    add = layers.Add()
    small, wide = tf.constant([1], tf.int8), tf.constant([1000], tf.int64)
    assert (tf.int64, [1001]) == (add([small, wide]).dtype, add([small, wide]).numpy().tolist())
    flags = tf.constant([True, False])
    assert [1.5, 2.0] == layers.add([flags, tf.constant([0.5, 2.0])]).numpy().tolist()
    dot = layers.Dot(1)([tf.constant([[1, 2]]), tf.constant([[0.5, 3.0]])])
    assert [[6.5]] == dot.numpy().tolist()


# -- configs ---------------------------------------------------------------------------------------


def doubled(x: Any) -> Any:
    return 2 * tf.nn.relu(x)


class Scale(layers.Layer):
    """Leaves its name, and all that Layer has, out of its config."""

    def __init__(self, factor: float = 2.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.factor = factor

    def call(self, inputs: Any) -> Any:
        return inputs * self.factor

    def get_config(self) -> dict[str, Any]:
        return {"factor": self.factor}


class Needing(layers.Layer):
    """Needs an argument that its config does not tell, and takes no name."""

    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def call(self, inputs: Any) -> Any:
        return inputs * self.factor

    def get_config(self) -> dict[str, Any]:
        return {"trainable": self.trainable}


class Plain(layers.Layer):
    """Has no config of its own, and takes no name."""

    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def call(self, inputs: Any) -> Any:
        return inputs * self.factor


def test_a_layer_is_created_from_a_partial_config() -> None:
    scale = Scale.from_config(Scale(3.0, name="of_three").get_config())
    assert 3.0 == scale.factor
    plain = Plain(4.0)
    plain.trainable = False
    again = Plain.from_config(plain.get_config())
    assert (4.0, plain.name, False) == (again.factor, again.name, again.trainable)


@pytest.mark.parametrize("kind", [Scale, Needing, Plain])
@pytest.mark.parametrize("is_row", [True, False])
def test_models_of_layers_with_partial_configs_are_restored(
    kind: Any, is_row: bool, tmp_path: Path
) -> None:
    x = keras.Input((3,), name="x")
    layer = kind(3.0)
    row = [x, layer, layers.Dense(1, name="d", **ONES)]
    model: Any = keras.Sequential(row) if is_row else keras.Model(x, row[2](row[1](x)))
    known = {kind.__name__: kind}
    model.save(tmp_path / "model.keras")
    loaded = keras.models.load_model(tmp_path / "model.keras", custom_objects=known)
    as_text = keras.models.model_from_json(model.to_json(), custom_objects=known)
    as_text.set_weights(model.get_weights())
    clone = keras.models.clone_model(model)
    clone.set_weights(model.get_weights())
    for each in (loaded, as_text, clone):
        assert_close(model(X), each(X))
    assert layer.name in [each.name for each in loaded.layers]


def test_a_config_that_lacks_an_argument_names_the_layer_and_the_remedy() -> None:
    with pytest.raises(ArgumentValueError) as caught:
        Needing.from_config({"trainable": True, "name": "n"})
    assert (
        "cannot make layer 'n' (Needing) from its config: that lacks 'factor', which its __init__ "
        "needs: let get_config return {**super().get_config(), 'factor': self.factor}, and "
        "__init__ take factor and **kwargs"
    ) == str(caught.value)
    with pytest.raises(ArgumentValueError, match="has 'power', which its __init__ does not take"):
        Plain.from_config({"factor": 2.0, "power": 2})


def test_a_config_holds_a_function_of_the_users_by_its_name() -> None:
    dense = layers.Dense(2, activation=doubled, name="own", **ONES)
    config = dense.get_config()
    assert "doubled" == config["activation"]
    assert [[6.0, 6.0]] == layers.Dense.from_config(config)(tf.ones((1, 3))).numpy().tolist()
    written = json.loads(json.dumps(config))
    with pytest.raises(ArgumentValueError) as caught:
        layers.Dense.from_config(written)
    assert (
        "cannot make layer 'own' (Dense) from its config: there is no activation 'doubled': if it "
        "is your own, say so with custom_objects={'doubled': ...} or "
        "keras.saving.register_keras_serializable"
    ) == str(caught.value)
    with keras.utils.custom_object_scope({"doubled": doubled}):
        again = layers.Dense.from_config(written)
    assert [[6.0, 6.0]] == again(tf.ones((1, 3))).numpy().tolist()


def test_registered_names_are_found_by_all_objects(tmp_path: Path) -> None:
    @keras.saving.register_keras_serializable("habits")
    def registered(x: Any) -> Any:
        return 3 * x

    found = layers.Dense(1, activation="habits>registered", **ONES)(tf.ones((1, 2)))
    assert [[6.0]] == found.numpy().tolist()
    assert "habits>registered" == keras.saving.get_registered_name(registered)
    with pytest.raises(DTypeError, match="only classes and functions are registered"):
        keras.saving.get_registered_name(tf.constant([1.0]))
    assert registered is keras.utils.get_registered_object("registered")
    with keras.utils.custom_object_scope({"tens": lambda shape, dtype=None: tf.fill(shape, 10.0)}):
        assert [[20.0]] == layers.Dense(1, kernel_initializer="tens")([[1.0, 1.0]]).numpy().tolist()
    model = keras.Sequential([keras.Input((3,)), layers.Dense(1, activation=doubled)])
    model.compile("sgd", "mse", metrics=["mae"])
    model.save(tmp_path / "model.keras")
    known = {"doubled": doubled}
    loaded = keras.models.load_model(tmp_path / "model.keras", known, safe_mode=False)
    assert_close(model(X), loaded(X))
    with pytest.raises(ArgumentValueError, match="there is no activation 'doubled': if it is your"):
        keras.models.load_model(tmp_path / "model.keras")


def test_an_unsaveable_config_value_is_named_with_its_layer(tmp_path: Path) -> None:
    model = keras.Sequential([keras.Input((3,)), layers.Lambda(lambda x: x, name="same")])
    with pytest.raises(ArgumentValueError, match=r"saved for layer 'same' \(Lambda\), whose 'func"):
        model.save(tmp_path / "model.keras")
    with pytest.raises(ArgumentValueError, match=r"no text for layer 'same' \(Lambda\), whose 'fu"):
        model.to_json()


class Lazy(keras.Model):
    """Makes its layers at its first call."""

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units = units
        self.inner: Any = None

    def build(self, input_shape: Any) -> None:
        self.inner = keras.Sequential([layers.Dense(self.units), Scale(0.5)])

    def call(self, inputs: Any) -> Any:
        return self.inner(inputs)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "units": self.units}


def test_a_subclassed_model_that_is_built_by_its_first_call_is_saved(tmp_path: Path) -> None:
    model = Lazy(2)
    model.compile("sgd", "mse")
    model.fit(X, X[:, :2], verbose=0)
    model.save(tmp_path / "model.keras")
    known = {"Lazy": Lazy, "Scale": Scale}
    loaded = keras.models.load_model(tmp_path / "model.keras", custom_objects=known)
    assert_close(model(X), loaded(X))


# -- steps of Keras 2 ------------------------------------------------------------------------------


class OldStep(keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.dense = layers.Dense(1, kernel_regularizer=keras.regularizers.L2(0.1), **ONES)

    def call(self, inputs: Any) -> Any:
        return self.dense(inputs)

    def train_step(self, data: Any) -> Any:
        x, y = data
        with tf.GradientTape() as tape:
            predicted = self(x, training=True)
            loss = self.compiled_loss(y, predicted, regularization_losses=self.losses)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.compiled_metrics.update_state(y, predicted)
        return {each.name: each.result() for each in self.metrics}


@pytest.mark.parametrize("eagerly", [False, True])
def test_a_train_step_in_keras_2_style(eagerly: bool) -> None:
    old, new = OldStep(), keras.Sequential([OldStep().dense])
    for model in (old, new):
        model.compile("sgd", "mse", metrics=["mae"], run_eagerly=eagerly)
    expected = new.fit(X, Y, 4, 2, verbose=0, shuffle=False).history
    found = old.fit(X, Y, 4, 2, verbose=0, shuffle=False).history
    for name, values in expected.items():
        assert_close(values, found[name])


def test_compiled_loss_needs_compile() -> None:
    with pytest.raises(ArgumentValueError, match="does not know how to train"):
        OldStep().compiled_loss(Y, Y)
    model = OldStep()
    model.compile("sgd")
    with pytest.raises(ArgumentValueError, match="is compiled without a loss"):
        model.compiled_loss(Y, Y)


# -- names and arguments ---------------------------------------------------------------------------


def test_arguments_of_keras_2() -> None:
    leaky = layers.LeakyReLU(alpha=0.1)
    assert_close([-0.1, 2.0], leaky(tf.constant([-1.0, 2.0])))
    assert_close([-0.1], layers.LeakyReLU.from_config(leaky.get_config())(tf.constant([-1.0])))


def test_a_name_may_be_empty() -> None:
    x = keras.Input((2,))
    model = keras.Model(x, layers.Dense(1, name="d", **ONES)(x), name="")
    row = keras.Sequential([layers.Dense(1, name="", **ONES)], name="")
    assert ("", "", "") == (model.name, row.name, row.layers[0].name)
    assert (
        [[2.0]] == model(tf.ones((1, 2))).numpy().tolist() == row(tf.ones((1, 2))).numpy().tolist()
    )
    assert ["kernel", "bias"] == [each.path.rpartition("/")[2] for each in row.weights]


def test_hasattr_finds_inputs_of_built_models() -> None:
    lazy = keras.Sequential([layers.Dense(1)])
    assert [False] * 4 == [hasattr(lazy, name) for name in ("inputs", "outputs", "input", "output")]
    assert (None, False) == (getattr(OldStep(), "inputs", None), hasattr(OldStep(), "output_shape"))
    assert not hasattr(layers.Dense(1), "output")
    lazy.build((None, 3))
    assert hasattr(lazy, "outputs")


def test_set_weights_of_wrong_shapes_names_a_remedy() -> None:
    dense = layers.Dense(2, name="two")
    with pytest.raises(
        ArgumentValueError, match="'two' has no weights yet and is given 1: call it"
    ):
        dense.set_weights([np.ones((3, 2))])
    dense.build((None, 3))
    with pytest.raises(ArgumentValueError, match=r"2 weights \(two/kernel \(3, 2\), two/bias"):
        dense.set_weights([np.ones((3, 2))])


# -- data of other libraries, and floats -----------------------------------------------------------


def test_whole_numbers_that_are_floats_are_classes() -> None:
    expected = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    given = np.array([0.0, 2.0])
    assert expected == tf.one_hot(given, 3).numpy().tolist()
    assert expected == tf.one_hot(given.astype("float32"), 3).numpy().tolist()
    for values in (given, given.tolist(), tf.constant(given)):
        assert expected == keras.ops.one_hot(values, 3).numpy().tolist()
        assert expected == keras.utils.to_categorical(values, 3).tolist()
    for wrong in (tf.constant([0.0, 2.0]), np.array([0.5])):
        with pytest.raises(TypeError, match="one_hot works on int"):
            tf.one_hot(wrong, 3)


class Frame:
    """A table with the part of pandas's interface that Keras uses: it converts to an array."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.columns, self.shape = columns, (len(columns["a"]), len(columns))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.stack([np.asarray(each) for each in self.columns.values()], 1).astype(dtype)

    def __len__(self) -> int:
        return self.shape[0]


def frames() -> list[Any]:
    columns = {"a": X[:, 0], "b": X[:, 1]}
    try:
        import pandas
    except ImportError:
        return [Frame(columns)]
    return [Frame(columns), pandas.DataFrame(columns)]


@pytest.mark.parametrize("at", range(len(frames())))
def test_a_table_is_an_input(at: int) -> None:
    frame, found = frames()[at], []
    for x in (X[:, :2], frame):
        model = keras.Sequential([layers.Dense(1, **ONES)])
        model.compile("sgd", "mse")
        history = model.fit(x, Y[:, 0], 4, verbose=0, shuffle=False, validation_split=0.25).history
        found.append([*history.values(), model.evaluate(x, Y, verbose=0)])
        assert (8, 1) == model.predict(x, verbose=0).shape == tuple(model(x).shape)
    assert_close(np.ravel(found[0][:-1]), np.ravel(found[1][:-1]))
    assert_close(found[0][-1], found[1][-1])
    normal = layers.Normalization()
    normal.adapt(frame)
    assert_close(normal(X[:, :2]), normal(frame))
