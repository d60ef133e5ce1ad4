"""Backups of training, and averaged weights; numbers are those of Keras 3.15."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runtime import nn
from runtime.errors import ArgumentValueError

X = np.arange(12, dtype="float32").reshape(6, 2) / 10
Y = 2 * X.sum(1, keepdims=True)
LOSSES = [0.94524, 0.23548, 0.06017, 0.15814, 0.23338]


def model(**options: Any) -> Any:
    made = nn.Sequential([nn.layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    made.compile(nn.optimizers.Adam(0.1, **options), "mse")
    return made


def fit(made: Any, *callbacks: Any, epochs: int = 5, **options: Any) -> Any:
    given = {"batch_size": 2, "shuffle": False, "verbose": 0, **options}
    return made.fit(X, Y, epochs=epochs, callbacks=list(callbacks), **given)


def assert_losses(expected: Any, found: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


class Interrupted(nn.callbacks.Callback):
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        if epoch == 2:
            raise RuntimeError("interrupted")


@pytest.mark.parametrize(("save_freq", "first"), [("epoch", 2), (2, 1)])
def test_training_resumes_where_it_was_interrupted(
    tmp_path: Path, save_freq: Any, first: int
) -> None:
    folder = str(tmp_path / "backup")
    backup = nn.callbacks.BackupAndRestore(folder, save_freq=save_freq)
    with pytest.raises(RuntimeError, match="interrupted"):
        fit(model(), backup, Interrupted())
    assert os.path.isdir(folder)
    history = fit(model(), nn.callbacks.BackupAndRestore(folder, save_freq=save_freq))
    assert list(range(first, 5)) == history.epoch
    assert not os.path.isdir(folder)
    # Epoch 1 is trained once more, by a state of its end, as Keras does.
    expected = LOSSES[2:] if save_freq == "epoch" else [*LOSSES[2:], 0.18936]
    assert_losses(expected, history.history["loss"])


def test_a_backup_can_be_kept_after_training(tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    fit(model(), nn.callbacks.BackupAndRestore(folder, delete_checkpoint=False), epochs=2)
    assert [2] == fit(model(), nn.callbacks.BackupAndRestore(folder), epochs=3).epoch


@pytest.mark.parametrize(("wrong", "word"), [({"save_freq": 0}, "save_freq"), ({}, "empty")])
def test_wrong_backups_are_refused(wrong: Any, word: str) -> None:
    with pytest.raises(ArgumentValueError, match=word):
        nn.callbacks.BackupAndRestore("x" if wrong else "", **wrong)


def test_the_model_has_averaged_weights_after_training() -> None:
    made = model(use_ema=True, ema_momentum=0.5)
    assert_losses(LOSSES[:3], fit(made, epochs=3).history["loss"])
    assert_losses([[1.5819], [1.5876]], made.get_weights()[0])
    assert_losses([0.61146], made.get_weights()[1])


@pytest.mark.parametrize("on_epoch", [False, True])
def test_evaluations_use_averaged_weights(on_epoch: bool) -> None:
    made = model(use_ema=True, ema_momentum=0.5)
    swap = nn.callbacks.SwapEMAWeights(on_epoch)
    history = fit(made, swap, epochs=3, validation_data=(X, Y)).history
    assert_losses(LOSSES[:3], history["loss"])
    assert_losses([0.73371, 0.21673, 0.10449], history["val_loss"])
    assert_losses([0.61146], made.get_weights()[1])
    found = made.predict(X[:1], verbose=0, callbacks=[nn.callbacks.SwapEMAWeights()])
    assert_losses([[0.77022]], found)


def test_swap_ema_weights_needs_use_ema() -> None:
    with pytest.raises(ArgumentValueError, match="use_ema=True"):
        fit(model(), nn.callbacks.SwapEMAWeights(True))


def test_a_monitor_over_networks_is_refused_by_name() -> None:
    with pytest.raises(ArgumentValueError, match="RemoteMonitor.*LambdaCallback"):
        nn.callbacks.RemoteMonitor()
