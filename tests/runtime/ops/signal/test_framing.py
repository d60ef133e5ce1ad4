"""Frames of signals and their transforms, against TensorFlow's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import InvalidArgumentError

SIGNAL = np.arange(8.0, dtype=np.float32)
SHAPES = [None, (None,), (8,)]


@pytest.mark.parametrize("shape", SHAPES)
def test_frames(shape: Any) -> None:
    @ag.function(input_signature=[rt.TensorSpec(shape, rt.float32)])
    def framed(x: rt.Tensor) -> Any:
        return rt.signal.frame(x, 3, 3), rt.signal.frame(x, 3, 3, pad_end=True, pad_value=9)

    whole, padded = framed(SIGNAL)
    assert whole.numpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert padded.numpy().tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 9]]


def test_frames_along_another_axis() -> None:
    found = rt.signal.frame([[1, 2], [3, 4], [5, 6], [7, 8]], 3, 2, axis=0)
    assert found.numpy().tolist() == [[[1, 2], [3, 4], [5, 6]]]
    assert rt.signal.frame([1.0, 2.0, 3.0], 9, 2).shape == (0, 9)


@pytest.mark.parametrize(
    "step, expected", [(1, [1, 5, 4]), (2, [1, 2, 3, 4]), (3, [1, 2, 0, 3, 4])]
)
def test_overlap_and_add(step: int, expected: list[int]) -> None:
    assert rt.signal.overlap_and_add([[1, 2], [3, 4]], step).numpy().tolist() == expected
    both = rt.signal.overlap_and_add([[[1, 2], [3, 4]]] * 2, step).numpy().tolist()
    assert both == [expected, expected]


@pytest.mark.parametrize("shape", SHAPES)
def test_short_time_transforms_agree_with_tensorflow(shape: Any) -> None:
    @ag.function(input_signature=[rt.TensorSpec(shape, rt.float32)])
    def there_and_back(x: rt.Tensor) -> Any:
        transformed = rt.signal.stft(x, 4, 2)
        window = rt.signal.inverse_stft_window_fn(2)
        return transformed, rt.signal.inverse_stft(transformed, 4, 2, window_fn=window)

    transformed, back = there_and_back(SIGNAL)
    expected = [[4, -2 + 1j, 0], [8, -4 + 1j, 0], [12, -6 + 1j, 0]]
    np.testing.assert_allclose(transformed, expected, atol=1e-5)
    np.testing.assert_allclose(back[2:-2], SIGNAL[2:-2], atol=1e-5)


def test_signals_have_gradients() -> None:
    x = rt.constant(SIGNAL)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = rt.reduce_sum(rt.signal.frame(x, 3, 2))
    assert tape.gradient(y, x).numpy().tolist() == [1, 1, 2, 1, 2, 1, 1, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: rt.signal.frame(1.0, 2, 1),
        lambda: rt.signal.frame([1.0], 0, 1),
        lambda: rt.signal.frame([1.0], 1, 1.5),
        lambda: rt.signal.frame([1.0], 1, 1, axis=3),
        lambda: rt.signal.overlap_and_add([1.0], 1),
        lambda: rt.signal.stft([1, 2, 3], 2, 1),
    ],
)
def test_invalid_arguments_are_refused(wrong: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        wrong()
