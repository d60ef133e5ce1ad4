"""Losses, metrics, steps and states of Keras programs; numbers are from Keras 3.15."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.nn import Model, PyDataset, Sequential
from runtime.nn.layers import RNN, Dense, Embedding, Layer
from runtime.nn.losses import Loss
from runtime.nn.metrics import AUC, Metric

X = np.array([[0.2], [0.5], [0.7]], np.float32)
LINE = np.array([1.0, 0.0, 1.0], np.float32)


def scaled(**options: Any) -> Any:
    made = Sequential([Dense(1, kernel_initializer="ones")])
    made.compile(**{"optimizer": "sgd", **options})
    return made


def off(y_true: Any, y_pred: Any) -> Any:
    return rt.abs(y_true - y_pred)


def mean_off(y_true: Any, y_pred: Any) -> Any:
    return rt.reduce_mean(rt.abs(y_true - y_pred))


@pytest.mark.parametrize("loss", [off, mean_off])
def test_a_loss_of_a_function_compares_numbers_with_a_column_one_by_one(loss: Any) -> None:
    # (0.8 + 0.5 + 0.3) / 3; compared each with each it would be 0.511.
    assert scaled(loss=loss).evaluate(X, LINE, verbose=0) == pytest.approx(1.6 / 3, abs=1e-6)


def test_a_loss_of_a_function_leaves_classes_of_rows_alone() -> None:
    def weighted_prediction(y_true: Any, y_pred: Any) -> Any:
        return y_pred[:, 0] * y_true

    model = Sequential([Dense(2, kernel_initializer="ones")])
    model.compile("sgd", weighted_prediction)
    assert model.evaluate(X, LINE, verbose=0) == pytest.approx(0.9 / 3, abs=1e-6)


def test_targets_are_cast_to_floats_for_losses() -> None:
    class Off(Loss):
        def call(self, y_true: Any, y_pred: Any) -> Any:
            return y_true - y_pred

    assert float(Off()(np.array([2, 4]), rt.constant([1.0, 2.0]))) == 1.5
    assert float(Off()(np.array([2.0, 4.0]), rt.constant([1.0, 2.0]))) == 1.5
    assert scaled(loss=off).evaluate(X, LINE.astype(int), verbose=0) == pytest.approx(1.6 / 3)


class Counting(Model):
    """Counts in its own train step, as guides of Keras show it."""

    def __init__(self) -> None:
        super().__init__()
        self.only = Dense(1, kernel_initializer="ones")

    def call(self, inputs: Any) -> Any:
        return self.only(inputs)

    def train_step(self, data: Any) -> Any:
        x, y = data
        with rt.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        trained = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, trained), trained))
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {metric.name: metric.result() for metric in self.metrics}


@pytest.mark.parametrize("eagerly", [False, True])
def test_a_train_step_updates_the_metrics_of_compile(eagerly: bool) -> None:
    model = Counting()
    model.compile("sgd", "mse", metrics=["mae"], run_eagerly=eagerly)
    logs = model.fit(X, LINE[:, None], epochs=2, verbose=0).history
    assert ["loss", "mae"] == sorted(logs)
    assert logs["mae"][0] == pytest.approx(1.6 / 3, abs=1e-6)
    assert logs["mae"][1] < logs["mae"][0]
    assert len(model.evaluate(X, LINE[:, None], verbose=0)) == 2


def test_two_metrics_of_one_class_are_numbered() -> None:
    model = scaled(loss="mse", metrics=[AUC(), AUC(curve="PR")])
    logs = model.fit(X, LINE, verbose=0).history
    assert 3 == len(logs) and not any("weighted" in name for name in logs)
    assert 3 == len(model.evaluate(X, LINE, verbose=0))


def test_a_metric_without_a_name_gets_a_default_name() -> None:
    class HeardOfNowhereElse(Metric):
        pass

    names = [HeardOfNowhereElse().name, HeardOfNowhereElse().name]
    assert ["heard_of_nowhere_else", "heard_of_nowhere_else_1"] == names


def test_batches_in_tuples_follow_those_in_lists() -> None:
    class Two(Counting):
        def call(self, inputs: Any) -> Any:
            return [self.only(inputs), 2.0 * self.only(inputs)]

        train_step = Model.train_step

    model = Two()
    model.compile("sgd", loss=["mse", "mse"])
    column = LINE[:, None]
    model.fit(X, [column, column], verbose=0)
    pairs = rt.data.Dataset.from_tensor_slices((X, (column, column))).batch(3)
    assert 3 == len(model.fit(pairs, verbose=0).history)


def test_a_sequential_updates_its_output_shape_on_pop_and_add() -> None:
    model = Sequential([Dense(3, input_shape=(4,)), Dense(2)])
    model.pop()
    assert (None, 3) == tuple(model.output_shape)
    model.add(Dense(5))
    assert (None, 5) == tuple(model.output_shape)
    built = Sequential([Dense(3), Dense(2)])
    built.build((None, 4))
    built.pop()
    assert (None, 3) == tuple(built.output_shape)


class Summing(Layer):
    """A cell whose state is one number for each unit."""

    state_size = 1

    def call(self, inputs: Any, states: Any) -> Any:
        total = states[0] + inputs
        return total, [total]


def test_stacked_cells_return_each_state() -> None:
    layer = RNN([Summing(), Summing()], return_state=True)
    output, first, second = layer(rt.constant([[[1.0], [2.0]]]))
    assert (4.0, 3.0, 4.0) == (float(output[0, 0]), float(first[0, 0]), float(second[0, 0]))


def test_a_tensor_has_its_keras_mask() -> None:
    found = Embedding(4, 2, mask_zero=True)(np.array([[1, 0]]))
    assert [[True, False]] == found._keras_mask.numpy().tolist()
    assert rt.constant([1.0])._keras_mask is None


def test_a_py_dataset_yields_batches() -> None:
    class Halves(PyDataset):
        begun = ended = 0

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> Any:
            return X[index : index + 1], LINE[index : index + 1]

        def on_epoch_begin(self) -> None:
            self.begun += 1

        def on_epoch_end(self) -> None:
            self.ended += 1

    data = Halves(workers=2)
    model = scaled(loss=off)
    assert 2 == len(model.fit(data, epochs=2, verbose=0, shuffle=False).history["loss"])
    assert (2, 2) == (data.begun, data.ended)
    with pytest.raises(NotImplementedError, match="define __len__"):
        len(PyDataset())
    with pytest.raises(NotImplementedError, match="define __getitem__"):
        PyDataset()[0]


def test_each_evaluation_of_fit_is_of_the_same_batches() -> None:
    model = scaled(loss=off, optimizer=rt.nn.optimizers.SGD(0.0))
    data = rt.data.Dataset.from_tensor_slices((X, LINE[:, None])).batch(1)
    options = {"epochs": 3, "verbose": 0, "validation_steps": 1}
    for held_out in (data, data.repeat()):
        logs = model.fit(data, validation_data=held_out, **options).history
        assert logs["val_loss"] == pytest.approx([0.8, 0.8, 0.8])
