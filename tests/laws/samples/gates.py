"""Inputs for the gates of recurrent cells and their gradients."""

from __future__ import annotations

import numpy as np

from tests.laws.op_samples import case, f


def numbers(*shape: int, start: float = 0.3) -> np.ndarray:
    return f(np.sin(start + 1.3 * np.arange(np.prod(shape))).reshape(shape))


STATE = numbers(2, 3, start=0.7)
LSTM_SUMS, LSTM_GATES = numbers(2, 12), (numbers(2, 12) + 1) / 2
GRU_SUMS, GRU_GATES = numbers(2, 9), (numbers(2, 9) + 1) / 2

SAMPLES = [
    case("lstm_gates", LSTM_SUMS, LSTM_SUMS[::-1].copy(), STATE),
    case("lstm_gates", LSTM_SUMS[0], LSTM_SUMS[1], STATE[0]),
    case("lstm_gates_grad", STATE, STATE[::-1].copy(), LSTM_GATES, STATE / 2, STATE + 1),
    case("gru_gates", GRU_SUMS, GRU_SUMS[::-1].copy(), STATE),
    case("gru_gates", GRU_SUMS[0], GRU_SUMS[1], STATE[0]),
    case("gru_gates_grad", STATE, GRU_GATES, GRU_SUMS, STATE + 1),
]
