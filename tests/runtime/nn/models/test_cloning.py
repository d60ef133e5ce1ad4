"""Models as configs, as JSON, and cloned."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError
from runtime.nn import Input, Model, Sequential, models
from runtime.nn.layers import Activation, Dense, InputLayer, Layer

X = np.sin(np.arange(12, dtype=np.float32)).reshape(4, 3)


def sequence() -> Any:
    return Sequential([InputLayer((3,)), Dense(4, "tanh", name="one"), Dense(2)], name="seq")


def branched() -> Any:
    x = Input((3,), name="x")
    dense = Dense(3, "tanh")
    twice = dense(dense(x))
    return Model(x, {"a": Activation("relu")(twice), "b": Dense(1)(twice, training=False)})


def nested() -> Any:
    x = Input((3,))
    inner = sequence()
    return Model(x, [inner(x), Dense(1)(inner(x))], name="nested")


@pytest.mark.parametrize("make", [sequence, branched, nested])
@pytest.mark.parametrize(
    "again",
    [
        models.clone_model,
        lambda model: models.model_from_json(model.to_json()),
        lambda model: type(model).from_config(model.get_config()),
    ],
)
def test_a_cloned_model_agrees_with_the_same_weights(make: Any, again: Any) -> None:
    model = make()
    clone = again(model)
    assert [tuple(w.shape) for w in model.weights] == [tuple(w.shape) for w in clone.weights]
    assert not {id(w) for w in model.weights} & {id(w) for w in clone.weights}
    clone.set_weights(model.get_weights())
    for expected, found in zip(model.predict(X, verbose=0), clone.predict(X, verbose=0)):
        np.testing.assert_array_equal(expected, found)
    assert [each.name for each in model.layers] == [each.name for each in clone.layers]


def test_clone_function_replaces_layers() -> None:
    def narrow(layer: Any) -> Any:
        return Dense(1) if isinstance(layer, Dense) else layer

    assert (4, 1) == models.clone_model(sequence(), clone_function=narrow)(X).shape
    start = Input((3,))
    clone = models.clone_model(branched(), input_tensors=start)
    assert start is clone.input


def computed() -> Any:
    x, y = Input((3,)), Input((3,))
    kept = Dense(2)(rt.concat([x, rt.cast(rt.cast(y, "int32"), "float32")], axis=-1))[:, 1:]
    return Model([x, y], rt.reduce_sum(kept * [[2.0]] + rt.expand_dims(x[:, 0], 1), axis=[1]))


def test_cloned_models_keep_ops() -> None:
    model = computed()
    for again in (models.clone_model(model), models.model_from_json(model.to_json())):
        again.set_weights(model.get_weights())
        np.testing.assert_array_equal(model([X, X]).numpy(), again([X, X]).numpy())


def test_models_without_a_complete_config_are_refused() -> None:
    x = Input((3,))
    with pytest.raises(
        ArgumentValueError, match="outside of any layer, which a config cannot hold"
    ):
        Model(x, Own(2.0)(x, note=object())).to_json()
    text = computed().to_json().replace('"op": "concat"', '"op": "no_such"')
    with pytest.raises(ArgumentValueError, match="an op 'no_such', which is not known"):
        models.model_from_json(text)


class Own(Layer):
    def __init__(self, factor: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.factor = factor

    def call(self, inputs: Any, note: Any = None) -> Any:
        return inputs * self.factor


def test_custom_classes_are_passed_or_registered() -> None:
    text = Sequential([InputLayer((3,)), Own(2.0)]).to_json()
    with pytest.raises(ArgumentValueError, match="no layer 'Own': give its class"):
        models.model_from_json(text)
    again = models.model_from_json(text, custom_objects={"Own": Own})
    np.testing.assert_array_equal(X * 2, again(X).numpy())
    kept = models.register_keras_serializable("mine")(type("Kept", (Own,), {}))
    other = text.replace('"Own"', '"mine>Kept"')
    assert kept is type(models.model_from_json(other).layers[0])


def test_a_subclassed_model_is_cloned_by_its_arguments() -> None:
    class Coded(Model):
        def __init__(self, units: int, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.dense = Dense(units)

        def call(self, inputs: Any) -> Any:
            return self.dense(inputs)

    again = models.clone_model(Coded(5))
    assert 5 == again.dense.units


def test_texts_that_are_no_models_are_refused() -> None:
    for text in ("{", "[]", json.dumps({"config": {}})):
        with pytest.raises(ArgumentValueError, match="the text is not a model"):
            models.model_from_json(text)
    with pytest.raises(ArgumentValueError, match="a model must have class_name and config"):
        models.model_from_config({"class_name": "Dense"})
    with pytest.raises(ArgumentValueError, match="clone_model has no argument recursive"):
        models.clone_model(sequence(), recursive=True)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: models.model_from_json(3), "json_string must be a string, not 3"),
        (lambda: models.clone_model("model"), "clone_model takes a model, not 'model'"),
        (lambda: models.clone_model(Dense(1)), "clone_model takes a model, not"),
        (
            lambda: models.clone_model(sequence(), clone_function=3),
            "clone_function must be a function",
        ),
        (lambda: Sequential(3), "layers must be a list, not 3"),
        (lambda: models.model_from_config(3), "config must be a dict, not 3"),
        (
            lambda: models.model_from_json(sequence().to_json(), [1]),
            "custom_objects must be a dict",
        ),
    ],
)
def test_arguments_of_wrong_types_are_refused(call: Any, words: str) -> None:
    with pytest.raises(DTypeError, match=words):
        call()


def test_a_clone_of_a_sequential_names_its_weights_by_the_model() -> None:
    model = rt.nn.Sequential([rt.nn.Input((3,)), rt.nn.layers.Dense(2, name="d")], name="s")
    paths = [each.path for each in rt.nn.models.clone_model(model).weights]
    assert ["s/d/kernel", "s/d/bias"] == paths


def test_custom_object_scope_registers_classes() -> None:
    class Local(Layer):
        def call(self, inputs: Any) -> Any:
            return inputs

    text = Sequential([Input((3,)), Local(name="l")]).to_json()
    with models.custom_object_scope({"Local": Local}):
        assert isinstance(models.model_from_json(text).layers[0], Local)
    with pytest.raises(ArgumentValueError, match="there is no layer 'Local'"):
        models.model_from_json(text)
