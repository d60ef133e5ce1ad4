"""Keras objects as configs and back, and layer state in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime import nn
from runtime.errors import ArgumentValueError

THINGS: list[Any] = [
    nn.optimizers.Adam(0.3),
    nn.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9),
    nn.losses.Huber(1.5),
    nn.losses.MeanSquaredError(),
    nn.metrics.MeanSquaredError(),
    nn.metrics.Mean(name="u"),
    nn.initializers.Constant(2.0),
    nn.regularizers.L2(0.1),
    nn.layers.Dense(3, activation="relu", name="q"),
    nn.Sequential([nn.layers.Dense(1, input_shape=(2,))]),
]


@pytest.mark.parametrize("thing", THINGS, ids=lambda each: type(each).__name__)
def test_objects_round_trip_through_json(thing: Any) -> None:
    told = json.loads(json.dumps(nn.models.serialize_keras_object(thing)))
    assert type(thing).__name__ == told["class_name"]
    found = nn.models.deserialize_keras_object(told)
    assert type(found) is type(thing)
    assert json.dumps(thing.get_config()) == json.dumps(found.get_config())


def test_values_and_functions_round_trip() -> None:
    values = {"a": [1, (2, "x")], "relu": nn.activations.relu, "t": rt.constant([1, 2])}
    told = json.loads(json.dumps(nn.models.serialize_keras_object(values)))
    found = nn.models.deserialize_keras_object(told)
    assert [1, [2, "x"]] == found["a"]
    assert nn.activations.relu is found["relu"]
    assert [1, 2] == found["t"].numpy().tolist()


def test_layers_are_serialized_in_their_namespace() -> None:
    told = nn.layers.serialize(nn.layers.Dropout(0.5))
    assert ("Dropout", "keras.layers") == (told["class_name"], told["module"])
    assert 0.5 == nn.layers.deserialize(told).rate
    assert 0.25 == nn.layers.deserialize({"class_name": "Dropout", "config": {"rate": 0.25}}).rate


class Scaled(nn.layers.Layer):
    def __init__(self, factor: float = 2.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.factor = factor

    def call(self, inputs: Any) -> Any:
        return inputs * self.factor

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "factor": self.factor}


def test_custom_classes_are_passed_or_registered() -> None:
    told = nn.layers.serialize(Scaled(5.0))
    with pytest.raises(ArgumentValueError, match="no class or function 'Scaled'"):
        nn.layers.deserialize(told)
    assert 5.0 == nn.layers.deserialize(told, {"Scaled": Scaled}).factor


class Counting(nn.layers.Layer):
    """Keeps an array of its own beside its weights, as the guide to saving has it."""

    def build(self, input_shape: Any) -> None:
        self.kernel = self.add_weight(shape=(input_shape[-1],), initializer="ones")
        self.seen = np.zeros(2)

    def call(self, inputs: Any) -> Any:
        return inputs * self.kernel

    def save_own_variables(self, store: Any) -> None:
        super().save_own_variables(store)
        store["seen"] = self.seen

    def load_own_variables(self, store: Any) -> None:
        self.seen = store["seen"]
        super().load_own_variables({"0": store["0"]})


def counting() -> Any:
    return nn.Sequential([nn.layers.Dense(2, input_shape=(3,)), Counting()])


@pytest.mark.parametrize("is_whole", [False, True])
def test_files_hold_layer_state(tmp_path: Path, is_whole: bool) -> None:
    model = counting()
    model.layers[1].seen = np.array([3.0, 4.0])
    model.layers[1].kernel.assign([5.0, 6.0])
    path = tmp_path / ("model.keras" if is_whole else "model.weights.h5")
    model.save(path) if is_whole else model.save_weights(path)
    if is_whole:
        other = nn.models.load_model(path, {"Counting": Counting})
    else:
        other = counting()
        other.load_weights(path)
    assert [3.0, 4.0] == other.layers[1].seen.tolist()
    assert [5.0, 6.0] == other.layers[1].kernel.numpy().tolist()


class Compiled(nn.Model):
    """Compiled in a way of its own, as the guide to saving has it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dense = nn.layers.Dense(1)

    def call(self, inputs: Any) -> Any:
        return self.dense(inputs)

    def compile(self, own_optimizer: Any, own_loss: Any) -> None:  # type: ignore[override]
        super().compile(own_optimizer, own_loss)
        self.own_optimizer, self.own_loss = own_optimizer, own_loss

    def get_compile_config(self) -> dict[str, Any]:
        return {"own_optimizer": self.own_optimizer, "own_loss": self.own_loss}

    def compile_from_config(self, config: Any) -> None:
        self.compile(**{k: nn.models.deserialize_keras_object(v) for k, v in config.items()})


class Uncompiled(Compiled):
    get_compile_config = nn.Model.get_compile_config
    compile_from_config = nn.Model.compile_from_config


def saved(tmp_path: Path, kind: Any) -> Any:
    model = kind()
    model.compile(nn.optimizers.SGD(0.25), nn.losses.Huber(2.0))
    model(np.ones((1, 2), np.float32))
    model.save(tmp_path / "m.keras")
    return nn.models.load_model(tmp_path / "m.keras", {kind.__name__: kind})


def test_a_custom_compile_is_restored_from_its_config(tmp_path: Path) -> None:
    model = saved(tmp_path, Compiled)
    assert (0.25, 2.0) == (
        float(model.optimizer.learning_rate),
        model.own_loss.get_config()["delta"],
    )


def test_a_custom_compile_without_a_config_is_omitted(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Uncompiled has a `compile` of its own"):
        assert not saved(tmp_path, Uncompiled).compiled


def test_compile_options_are_in_the_compile_config() -> None:
    model = nn.Sequential([nn.layers.Dense(1, input_shape=(2,))])
    assert model.get_compile_config() is None
    mean = nn.metrics.MeanAbsoluteError(name="q")
    model.compile(nn.optimizers.SGD(0.5), nn.losses.Huber(2.0), metrics=[mean, "mse"])
    other = nn.Sequential([nn.layers.Dense(1, input_shape=(2,))])
    other.compile_from_config(model.get_compile_config())
    assert (0.5, 2.0) == (float(other.optimizer.learning_rate), other.loss.get_config()["delta"])
    x, y = np.ones((2, 2), np.float32), np.ones((2, 1), np.float32)
    assert {"loss", "q", "mse"} == set(other.evaluate(x, y, verbose=0, return_dict=True))
