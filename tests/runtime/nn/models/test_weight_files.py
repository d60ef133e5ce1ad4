"""Weights in files, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import (
    AlreadyExistsError,
    ArgumentValueError,
    DataLossError,
    FailedPreconditionError,
    NotFoundError,
    ShapeError,
)
from runtime.nn import Sequential
from runtime.nn.layers import Dense


def model(units: int = 2) -> Any:
    return Sequential([Dense(3, input_shape=(4,)), Dense(units)])


def test_weights_round_trip(tmp_path: Path) -> None:
    first, second = model(), model()
    path = tmp_path / "deep" / "w.weights.h5"
    first.save_weights(path)
    second.load_weights(str(path))
    for expected, found in zip(first.get_weights(), second.get_weights()):
        np.testing.assert_array_equal(expected, found)
    assert ["w.weights.h5"] == [each.name for each in path.parent.iterdir()]


def test_other_weights_are_refused_before_any_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "w"
    model(5).save_weights(path)
    target = model()
    before = target.get_weights()
    with pytest.raises(ShapeError, match="weight sequential.*kernel has shape"):
        target.load_weights(path)
    for expected, found in zip(before, target.get_weights()):
        np.testing.assert_array_equal(expected, found)
    target.load_weights(path, skip_mismatch=True)
    assert not np.array_equal(before[0], target.get_weights()[0])
    np.testing.assert_array_equal(before[2], target.get_weights()[2])
    with pytest.raises(ArgumentValueError, match="has 2 weights, and .* holds 4"):
        Sequential([Dense(3, input_shape=(4,))]).load_weights(path)


def test_files_that_are_none_of_weights_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "w"
    with pytest.raises(NotFoundError):
        model().load_weights(path)
    path.write_bytes(b"nothing")
    with pytest.raises(DataLossError, match="damaged or no checkpoint"):
        model().load_weights(path)
    kept = rt.train.Checkpoint(v=rt.Variable(1.0)).write(str(tmp_path / "other"))
    with pytest.raises(DataLossError, match="not of a model's weights"):
        model().load_weights(f"{kept}.ckpt")
    with pytest.raises(AlreadyExistsError):
        model().save_weights(path, overwrite=False)
    with pytest.raises(FailedPreconditionError, match="has no weights to save yet"):
        Sequential([Dense(3)]).save_weights(path)
