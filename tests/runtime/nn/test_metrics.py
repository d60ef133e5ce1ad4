"""Metrics against numbers that Keras 3 gave for the same values."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.errors import ShapeError
from runtime.nn.metrics import Mean, SparseCategoricalAccuracy

TRUE = np.array([0, 2, 1])
PREDICTED = np.array([[2.0, 1.0, 0.0], [0.5, 0.1, 0.4], [0.2, 0.7, 0.1]], np.float32)


def test_a_mean_of_batches_with_and_without_weights() -> None:
    mean = Mean()
    assert 0.0 == float(mean.result())
    assert 2.0 == float(mean([1, 2, 3.0]))
    assert 1.875 == float(mean([[1, 2], [3.0, 5]], sample_weight=[1, 0]))
    mean.reset_state()
    assert 0.0 == float(mean.result())
    assert ["total", "count"] == [each.name for each in mean.variables]


def test_accuracy_of_numbered_classes() -> None:
    accuracy = SparseCategoricalAccuracy()
    assert np.float32(2 / 3) == accuracy(TRUE, PREDICTED).numpy()
    again = accuracy(TRUE[:, None], PREDICTED, sample_weight=[1.0, 2.0, 0.5])
    assert np.float32(0.5384615659713745) == again.numpy()
    with pytest.raises(ShapeError, match="one axis less"):
        accuracy(np.zeros((2, 3, 4), int), PREDICTED)
