"""Callbacks that monitor a number agree with Keras 3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError
from runtime.nn import callbacks
from runtime.nn.callbacks import EarlyStopping, ReduceLROnPlateau, TerminateOnNaN

LOSSES = [1.0, 0.8, 0.85, 0.79, 0.795, 0.78, 0.9, 0.95, 0.99, 1.0]


class Model:
    """The parts of a model that callbacks need; its weights are the number of the epoch."""

    def __init__(self) -> None:
        self.stop_training = False
        self.weights = -1
        self.optimizer = rt.nn.optimizers.SGD(1.0)

    def get_weights(self) -> int:
        return self.weights

    def set_weights(self, weights: int) -> None:
        self.weights = weights


# The last epoch, and that of the weights in the end: keras.callbacks.EarlyStopping("val_loss", ...)
STOPPED: list[tuple[dict[str, Any], tuple[int, int]]] = [
    ({"patience": 1}, (2, 2)),
    ({"patience": 2, "restore_best_weights": True}, (7, 5)),
    ({"patience": 2, "min_delta": 0.05, "restore_best_weights": True}, (3, 1)),
    ({"patience": 3, "mode": "max", "restore_best_weights": True}, (3, 0)),
    ({"patience": 0, "start_from_epoch": 3, "restore_best_weights": True}, (4, 3)),
    ({"patience": 2, "baseline": 0.5, "restore_best_weights": True}, (2, 1)),
]


@pytest.mark.parametrize(("options", "expected"), STOPPED)
def test_training_stops_without_improvement(
    options: dict[str, Any], expected: tuple[int, int]
) -> None:
    callback, model = EarlyStopping(**options), Model()
    callback.set_model(model)
    callback.on_train_begin()
    for epoch, loss in enumerate(LOSSES):
        model.weights = epoch
        callback.on_epoch_end(epoch, {"val_loss": loss})
        if model.stop_training:
            break
    callback.on_train_end()
    assert expected == (callback.stopped_epoch, model.weights)


# keras.callbacks.ReduceLROnPlateau("val_loss", ...) from a learning rate of 1, after each epoch.
REDUCED: list[tuple[dict[str, Any], list[float]]] = [
    ({"patience": 1}, [1.0, 1.0, 0.1, 0.1, 0.01, 0.01, 0.001, 0.0001, 0.0, 0.0]),
    (
        {"patience": 2, "factor": 0.5, "cooldown": 1},
        [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.25],
    ),
    (
        {"patience": 1, "factor": 0.5, "min_lr": 0.3},
        [1.0, 1.0, 0.5, 0.5, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3],
    ),
    (
        {"patience": 1, "factor": 0.5, "min_delta": 0.1},
        [1.0, 1.0, 0.5, 0.25, 0.125, 0.0625, 0.0312, 0.0156, 0.0078, 0.0039],
    ),
]


@pytest.mark.parametrize(("options", "expected"), REDUCED)
def test_the_learning_rate_drops_without_improvement(
    options: dict[str, Any], expected: list[float]
) -> None:
    callback, model = ReduceLROnPlateau(**options), Model()
    callback.set_model(model)
    callback.on_train_begin()
    rates = []
    for epoch, loss in enumerate(LOSSES):
        callback.on_epoch_end(epoch, {"val_loss": loss})
        rates.append(float(model.optimizer.learning_rate))
    np.testing.assert_allclose(rates, expected, atol=5e-5)


def test_a_missing_monitor_warns() -> None:
    callback = EarlyStopping("val_los")
    with pytest.warns(UserWarning, match="no 'val_los' in the logs, which have loss, val_loss"):
        callback.on_epoch_end(0, {"loss": 1.0, "val_loss": 1.0})
    with pytest.raises(ArgumentValueError, match="mode must be one of 'auto', 'min', 'max'"):
        EarlyStopping(mode="best")
    with pytest.raises(ArgumentValueError, match="factor must be between 0 and 1"):
        ReduceLROnPlateau(factor=2.0)


def test_training_stops_at_the_first_nan_loss(
    capsys: pytest.CaptureFixture[str],
) -> None:
    callback, model = TerminateOnNaN(), Model()
    callback.set_model(model)
    callback.on_train_batch_end(0, {"loss": 1.0})
    assert not model.stop_training
    callback.on_train_batch_end(1, {"loss": float("nan")})
    assert model.stop_training
    assert "Batch 1: the loss is nan, the training ends\n" == capsys.readouterr().out


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: callbacks.EarlyStopping(monitor=None), "monitor must be a string, not None"),
        (lambda: callbacks.EarlyStopping(min_delta="little"), "min_delta must be a number"),
        (lambda: callbacks.ReduceLROnPlateau(factor=[0.5]), "factor must be a number"),
        (lambda: callbacks.ModelCheckpoint(3), "filepath must be a path, not 3"),
        (lambda: callbacks.CSVLogger(3), "filename must be a path, not 3"),
        (lambda: callbacks.TensorBoard(3), "log_dir must be a path, not 3"),
        (lambda: callbacks.History().on_epoch_end(0, 3), "logs must be a dict, not 3"),
    ],
)
def test_arguments_of_wrong_types_are_refused(make: Any, words: str) -> None:
    with pytest.raises(DTypeError, match=words):
        make()
