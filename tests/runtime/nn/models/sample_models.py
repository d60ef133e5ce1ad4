"""Models of many kinds, saved by one process and loaded by another.

python -m tests.runtime.nn.models.sample_models FOLDER          # saves each, and its numbers
python -m tests.runtime.nn.models.sample_models FOLDER runtime  # loads each, and compares
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import runtime as rt
from runtime.nn import Input, Model, Sequential, initializers, layers, models, optimizers

X = np.sin(np.arange(30, dtype=np.float32)).reshape(10, 3)
Y = X[:, :1]


class Times(layers.Layer):
    def __init__(self, factor: float = 2.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.factor = factor

    def call(self, inputs: Any) -> Any:
        return inputs * self.factor

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "factor": self.factor}


class Net(Model):
    def __init__(self, units: int = 2, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units, self.first, self.last = units, layers.Dense(units), layers.Dense(1)

    def call(self, inputs: Any) -> Any:
        return self.last(rt.tanh(self.first(inputs)))

    def get_config(self) -> dict[str, Any]:
        return {"units": self.units, "name": self.name}


class TwoInputs(Net):
    def call(self, inputs: Any) -> Any:
        return self.last(self.first(inputs["a"]) + self.first(inputs["b"]))


class Cell(layers.Layer):
    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units = self.state_size = units

    def build(self, input_shape: Any) -> None:
        self.kernel = self.add_weight(shape=(input_shape[-1], self.units), name="kernel")

    def call(self, inputs: Any, states: Any) -> Any:
        output = inputs @ self.kernel + states[0]
        return output, [output]

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "units": self.units}


CUSTOM: dict[str, Any] = {"Times": Times, "Net": Net, "Cell": Cell, "TwoInputs": TwoInputs}


def _functional() -> Any:
    x = Input((3,))
    return Model(x, layers.Dense(1)(layers.Dense(2)(x)) * 2.0 + 1.0)


def _shared() -> Any:
    x, dense = Input((3,)), layers.Dense(3)
    return Model(x, layers.Dense(1)(layers.Add()([dense(x), dense(dense(x))])))


def _nested() -> Any:
    x, y = Input((3,)), Input((3,))
    inner = Sequential([layers.Dense(4), layers.Dense(3)])
    return Model(x, Model(y, layers.Dense(1)(y))(inner(x)))


def _two_inputs() -> Any:
    a, b = Input((3,), name="a"), Input((3,), name="b")
    return Model({"a": a, "b": b}, layers.Dense(1)(layers.Concatenate()([a, b])))


def _row(*parts: Any) -> Any:
    return Sequential([Input((3,)), *parts, layers.Dense(1)])


def _steps(*parts: Any) -> Any:
    return _row(layers.Reshape((3, 1)), *parts)


KINDS: Mapping[str, Any] = {
    "sequential": lambda: Sequential([layers.Dense(3), layers.Dense(1)]),
    "sequential of known shape": lambda: _row(layers.Dense(3, "relu"), layers.BatchNormalization()),
    "functional": _functional,
    "shared": _shared,
    "nested": _nested,
    "two inputs": _two_inputs,
    "options": lambda: _row(
        layers.Dense(
            2,
            kernel_regularizer="l2",
            kernel_initializer=initializers.HeNormal(seed=1),
            kernel_constraint="max_norm",
        ),
        layers.LeakyReLU(0.1),
    ),
    "recurrent": lambda: _steps(layers.Bidirectional(layers.LSTM(2))),
    "own layer": lambda: _row(Times(3.0)),
    "own layer in another": lambda: _steps(layers.TimeDistributed(Times(4.0)), layers.Flatten()),
    "own cell": lambda: _steps(layers.RNN(Cell(2))),
    "own model": lambda: Net(4),
    "own model of two inputs": lambda: TwoInputs(4),
    "own model in a row": lambda: _row(Net(4), Times()),
}
OPTIMIZERS: Mapping[str, Any] = {
    "functional": lambda: optimizers.SGD(0.1, momentum=0.9),
    "shared": lambda: optimizers.Adam(optimizers.schedules.ExponentialDecay(0.1, 3, 0.5)),
    "recurrent": lambda: "rmsprop",
}


def _facts(model: Any, kind: str) -> tuple[Any, Any]:
    """Return the predictions of a model, and its losses when it goes on training."""
    x = {"a": X, "b": X} if "two inputs" in kind else X
    predicted = model.predict(x, verbose=0)
    return predicted, model.fit(x, Y, epochs=2, verbose=0, shuffle=False).history["loss"]


def save(folder: Path) -> None:
    """Save a model of each kind, compiled and trained for a while."""
    for kind, make in KINDS.items():
        model = make()
        model.compile(OPTIMIZERS.get(kind, lambda: "adam")(), "mse", metrics=["mae"])
        _facts(model, kind)
        model.save(folder / f"{kind}.keras")
        predicted, losses = _facts(model, kind)
        np.savez(folder / f"{kind}.npz", predicted=predicted, losses=losses)


def load(folder: Path, load_model: Any) -> None:
    """Load each and print its kind, and in which way it differs from the model that was saved."""
    for kind in KINDS:
        try:
            model = load_model(folder / f"{kind}.keras", custom_objects=CUSTOM)
            facts = _facts(model, kind)
            wanted = np.load(folder / f"{kind}.npz")
            for name, found in zip(("predicted", "losses"), facts):
                np.testing.assert_array_equal(wanted[name], found)
            print(f"{kind}: equal")
        except Exception as error:
            print(f"{kind}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        save(Path(sys.argv[1]))
    elif sys.argv[2] == "runtime":
        load(Path(sys.argv[1]), models.load_model)
    else:
        from autograph.compat import tensorflow as tf

        load(Path(sys.argv[1]), tf.keras.models.load_model)
