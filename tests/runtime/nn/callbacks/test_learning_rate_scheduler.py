"""Callbacks that set the learning rate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runtime.errors import ArgumentValueError
from runtime.nn import Sequential
from runtime.nn.callbacks import LearningRateScheduler
from runtime.nn.layers import Dense


def fitted(schedule: Any) -> list[float]:
    model = Sequential([Dense(1, input_shape=(1,))])
    model.compile("sgd", "mse")
    callback = LearningRateScheduler(schedule)
    data = np.ones((2, 1))
    rates: list[float] = model.fit(data, data, epochs=3, verbose=0, callbacks=[callback]).history[
        "learning_rate"
    ]
    return rates


def test_a_schedule_is_called_at_each_epoch() -> None:
    np.testing.assert_allclose([0.005, 0.0025, 0.00125], fitted(lambda epoch, rate: rate / 2))
    np.testing.assert_allclose([1.0, 0.5, 1 / 3], fitted(lambda epoch: 1 / (epoch + 1)))


def test_a_schedule_returns_numbers() -> None:
    with pytest.raises(ArgumentValueError, match="must return a number, not 'a'"):
        fitted(lambda epoch: "a")
    with pytest.raises(ArgumentValueError, match="a function of an epoch, not 0.1"):
        LearningRateScheduler(0.1)  # type: ignore[arg-type]


def test_an_error_in_a_schedule_propagates() -> None:
    def schedule(epoch: int, rate: float = 0.5) -> Any:
        return rate * {}  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand"):
        fitted(schedule)
