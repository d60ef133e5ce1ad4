"""The TensorBoard callback: its logs and weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runtime.errors import ArgumentValueError
from runtime.nn import Sequential
from runtime.nn.callbacks import TensorBoard
from runtime.nn.layers import Dense

X = np.ones((4, 3), np.float32)


def bytes_in(folder: Path) -> bytes:
    (file,) = folder.iterdir()
    return file.read_bytes()


def test_logs_and_weights_are_written(tmp_path: Path) -> None:
    model = Sequential([Dense(2, input_shape=(3,), name="only")], name="told")
    model.compile("sgd", "mse")
    callback = TensorBoard(tmp_path, histogram_freq=1, update_freq="batch")
    held_out = (X, X[:, :2])
    model.fit(X, X[:, :2], verbose=0, callbacks=[callback], validation_data=held_out)
    trained = bytes_in(tmp_path / "train")
    for tag in (b"epoch_loss", b"batch_loss", b"told/only/kernel", b"told/only/bias"):
        assert tag in trained
    assert b"epoch_loss" in bytes_in(tmp_path / "validation")


def test_how_often_is_checked() -> None:
    with pytest.raises(ArgumentValueError, match="update_freq must be"):
        TensorBoard(update_freq="always")
