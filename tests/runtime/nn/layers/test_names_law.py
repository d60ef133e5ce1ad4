"""Laws of names: layers have Keras's names, parameters, defaults and namespaces."""

from __future__ import annotations

import ast
import functools
import inspect
from pathlib import Path
from typing import Any

import pytest

import autograph.compat.tensorflow as tf
import runtime as rt
from runtime.nn import Input, Model, Sequential, layers
from runtime.nn.modules.names import forget_names
from tests.each import for_each

# Parameters that nothing stands behind here: other number formats, and adapters of large models.
NOT_HERE = {
    *("gptq_unpacked_column_size", "lora_alpha", "lora_rank", "quantization_config"),
    *("dtype", "name"),  # Every layer takes them.
}
REQUIRED = "required"


def _recorded() -> dict[str, str]:
    text = Path(__file__).with_name("signatures.txt").read_text(encoding="utf-8")
    rows = [line.split(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {row[0]: row[1] for row in rows}


RECORDED = _recorded()


def _keras(parameters: str) -> dict[str, Any]:
    function = ast.parse(f"def f{parameters.replace('**kwargs', '')}: pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    names = [each.arg for each in function.args.args]
    given = [ast.literal_eval(each) for each in function.args.defaults]
    found = dict(zip(names, [REQUIRED] * (len(names) - len(given)) + given, strict=True))
    return {name: value for name, value in found.items() if name not in NOT_HERE}


def _ours(thing: Any) -> dict[str, Any]:
    # Of a class, Python 3.10 shows the parameters of `__new__`, which takes any.
    asked = functools.partial(thing.__init__, None) if isinstance(thing, type) else thing
    return {
        each.name: REQUIRED if each.default is each.empty else each.default
        for each in inspect.signature(asked).parameters.values()
        if each.kind is not each.VAR_KEYWORD and each.name not in NOT_HERE
    }


def _plain(value: Any) -> Any:
    """Return one number for several that are the same, which means the same here."""
    if isinstance(value, tuple) and len(set(value)) == 1 and isinstance(value[0], int):
        return value[0]
    return value.lower() if isinstance(value, str) else value


@for_each("name", RECORDED)
def test_parameters_agree_with_keras(name: str) -> None:
    expected, found = _keras(RECORDED[name]), _ours(getattr(layers, name))
    assert list(expected) == list(found)
    plain = {key: _plain(value) for key, value in expected.items()}
    assert plain == {key: _plain(value) for key, value in found.items()}


@for_each("name", RECORDED)
def test_a_layer_is_in_keras_namespaces(name: str) -> None:
    assert getattr(layers, name) is getattr(tf.keras.layers, name)


ALIASES = {
    "AvgPool2D": "AveragePooling2D",
    "Convolution1D": "Conv1D",
    "Convolution3DTranspose": "Conv3DTranspose",
    "GlobalAvgPool1D": "GlobalAveragePooling1D",
    "GlobalMaxPool3D": "GlobalMaxPooling3D",
    "MaxPool2D": "MaxPooling2D",
    "SeparableConvolution2D": "SeparableConv2D",
}


@pytest.mark.parametrize("name", ALIASES)
def test_aliases_are_the_same_layers(name: str) -> None:
    assert getattr(layers, ALIASES[name]) is getattr(layers, name)


# What keras.layers.<kind>(...).get_config() gave, without name, trainable and dtype.
WRITTEN_BY_KERAS = {
    "Dense": {
        "units": 3,
        "activation": "linear",
        "use_bias": True,
        "kernel_initializer": {
            "module": "keras.initializers",
            "class_name": "GlorotUniform",
            "config": {"seed": None, "input_axes": None, "output_axes": None},
            "registered_name": None,
        },
        "bias_initializer": {
            "module": "keras.initializers",
            "class_name": "Zeros",
            "config": {},
            "registered_name": None,
        },
        "kernel_regularizer": None,
        "bias_regularizer": None,
        "kernel_constraint": None,
        "bias_constraint": None,
        "quantization_config": None,
    },
    "LayerNormalization": {
        "axis": -1,
        "epsilon": 0.001,
        "center": True,
        "scale": True,
        "rms_scaling": False,
    },
    "UpSampling2D": {"size": [2, 2], "data_format": "channels_last", "interpolation": "nearest"},
}


@pytest.mark.parametrize("kind", WRITTEN_BY_KERAS)
def test_a_layer_is_created_from_a_keras_config(kind: str) -> None:
    dtype = {"module": "keras", "class_name": "DTypePolicy", "config": {"name": "float64"}}
    told = {"name": "one", "trainable": False, "dtype": dtype}
    layer = getattr(layers, kind).from_config({**told, **WRITTEN_BY_KERAS[kind]})
    assert ("one", False, "float64") == (layer.name, layer.trainable, layer.dtype)


class Pair(layers.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = layers.Dense(2), layers.Dense(3)

    def call(self, inputs: Any) -> Any:
        return self.second(self.first(inputs))


def test_layers_are_numbered_in_creation_order() -> None:
    forget_names()
    pair = Pair()
    row = Sequential([layers.Dense(4), layers.LSTM(2)])
    recurrent = layers.LSTM(3)
    both = layers.Bidirectional(layers.GRU(1))
    assert ["dense_2", "lstm"] == [each.name for each in row._row]
    assert ["dense_1", "dense"] == [pair.second.name, pair.first.name]
    assert ["lstm_1", "bidirectional"] == [recurrent.name, both.name]
    pair(rt.ones((1, 2)))
    assert "pair/dense/kernel" == pair.weights[0].path
    assert "gru_1" == layers.GRU(1).name


def test_a_functional_model_has_its_own_default_names() -> None:
    forget_names()
    given = Input((2,))
    assert ["functional", "functional_1"] == [Model(given, given * 2).name for _ in range(2)]
