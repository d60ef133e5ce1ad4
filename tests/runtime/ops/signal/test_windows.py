"""Windows of signals, against TensorFlow's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError


@pytest.mark.parametrize(
    "window, expected",
    [
        (lambda: rt.signal.hann_window(5), [0, 0.5, 1, 0.5, 0]),
        (lambda: rt.signal.hann_window(4), [0, 0.5, 1, 0.5]),
        (lambda: rt.signal.hann_window(4, periodic=False), [0, 0.75, 0.75, 0]),
        (lambda: rt.signal.hann_window(1), [1]),
        (lambda: rt.signal.hann_window(0), []),
        (lambda: rt.signal.hamming_window(5), [0.08, 0.54, 1, 0.54, 0.08]),
        (lambda: rt.signal.kaiser_window(5), [5.27734e-05, 0.215673, 1, 0.215673, 5.27734e-05]),
        (lambda: rt.signal.vorbis_window(4), [0.2280144, 0.9736578, 0.9736578, 0.2280144]),
        (
            lambda: rt.signal.kaiser_bessel_derived_window(4),
            [0.00726415, 0.9999736, 0.9999736, 0.00726415],
        ),
    ],
)
def test_windows(window: Any, expected: list[float]) -> None:
    found = window()
    assert found.dtype is rt.float32
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-7)


def test_weights_of_mel() -> None:
    weights = rt.signal.linear_to_mel_weight_matrix(4, 5, 8000.0, 125.0, 3800.0, rt.float64)
    assert weights.dtype is rt.float64
    np.testing.assert_allclose(weights[1], [0, 0.8690782, 0.1309218, 0], atol=1e-6)
    np.testing.assert_allclose(weights[2], [0, 0, 0.505573, 0.494427], atol=1e-6)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: rt.signal.hann_window(-1),
        lambda: rt.signal.hann_window(2.5),
        lambda: rt.signal.hamming_window(4, dtype=rt.int32),
        lambda: rt.signal.linear_to_mel_weight_matrix(upper_edge_hertz=9000.0),
    ],
)
def test_invalid_arguments_are_refused(wrong: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        wrong()
