"""Arguments of steps and layers, and names of results: as in Keras 3.15."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.nn import Input, Model, PyDataset, Sequential
from runtime.nn.layers import BatchNormalization, Dense, Dropout, Layer

X = np.sin(np.arange(12, dtype=np.float32)).reshape(4, 3)
Y = np.cos(np.arange(4, dtype=np.float32)).reshape(4, 1)


class Noting(Model):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def _note(self, data: Any) -> None:
        is_tuple = isinstance(data, tuple)
        self.seen.append(len(data) if is_tuple else sorted(data) if isinstance(data, dict) else 0)

    def train_step(self, data: Any) -> Any:
        self._note(data)
        return {"loss": rt.constant(1.0)}

    def predict_step(self, data: Any) -> Any:
        self._note(data)
        return rt.ones((4, 1))


class Listed(PyDataset):
    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: int) -> Any:
        return [X, Y]


def rows(value: Any) -> Any:
    return rt.data.Dataset.from_tensor_slices(value).batch(4)


# What a step is given: the length of a tuple, the keys of a dict, 0 for a tensor.
GIVEN: list[tuple[Any, Any]] = [
    (lambda: (X,), 0),
    (lambda: ({"a": X},), ["a"]),
    (lambda: ([X, X],), 1),
    (lambda: (X, Y), 2),
    (lambda: (rows(X),), 0),
    (lambda: (rows((X,)),), 1),
    (lambda: (rows((X, Y)),), 2),
    (lambda: (rows({"a": X}),), ["a"]),
    (lambda: (Listed(),), 2),
]


@pytest.mark.parametrize(("given", "expected"), GIVEN)
def test_train_step_gets_data_unchanged(given: Any, expected: Any) -> None:
    model = Noting()
    model.compile(optimizer="sgd", run_eagerly=True)
    model.fit(*given(), verbose=0)
    assert [expected] == model.seen


def test_predict_step_gets_the_array_alone() -> None:
    model = Noting()
    model.compile(optimizer="sgd", run_eagerly=True)
    model.predict(X, verbose=0)
    assert [0] == model.seen


class Untold(Model):
    def __init__(self) -> None:
        super().__init__()
        self.inner, self.last = BatchNormalization(), Dense(1)

    def call(self, inputs: Any) -> Any:
        return self.last(self.inner(inputs))


class Told(Untold):
    def call(self, inputs: Any, training: Any = None) -> Any:
        return super().call(inputs)


@pytest.mark.parametrize(("kind", "moves"), [(Untold, False), (Told, True)])
def test_layers_train_if_the_models_call_takes_training(kind: Any, moves: bool) -> None:
    model = kind()
    model.compile("sgd", "mse")
    model.fit(X, Y, verbose=0)
    assert moves == bool(model.inner.moving_mean.numpy().any())


def test_the_training_flag_of_a_model_overrides_those_of_layers() -> None:
    x = Input((3,))
    model = Model(x, Dropout(0.999, seed=1)(x, training=True))
    assert not model(X).numpy().any()
    assert (model.predict(X, verbose=0) == X).all()
    model = Model(x, Dropout(0.999, seed=1)(x, training=False))
    assert (model(X).numpy() == X).all()
    assert not model(X, training=True).numpy().any()


def test_a_single_loss_has_no_separate_mean() -> None:
    x = Input((3,))
    model = Model(x, [Dense(1, name="a")(x), Dense(1, name="b")(x)])
    model.compile("sgd", [None, "mse"])
    assert ["loss"] == list(model.fit(X, [Y, Y], verbose=0).history)


def test_metrics_of_one_name_are_numbered() -> None:
    model = Sequential([Dense(1)])
    mean = rt.nn.losses.MeanSquaredError()
    model.compile("sgd", "mse", metrics=["mse", rt.nn.metrics.MeanSquaredError(name="mse"), mean])
    found = model.fit(X, Y, verbose=0).history
    assert ["loss", "mean_squared_error", "mse", "mse_1"] == sorted(found)
    assert found["mse"] == found["mse_1"] == found["mean_squared_error"]


class Tells(Layer):
    def call(self, inputs: Any, training: Any = None) -> Any:
        return inputs * 0.0 + (2.0 if training is None else float(training))


class Holds(Model):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Tells()

    def call(self, inputs: Any) -> Any:
        return self.inner(inputs)


def test_predict_passes_training_only_to_calls_that_take_it() -> None:
    assert (Holds().predict(X, verbose=0) == 2.0).all()
    assert (Sequential([Tells()]).predict(X, verbose=0) == 0.0).all()
