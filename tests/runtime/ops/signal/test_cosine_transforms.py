"""Cosine transforms, against TensorFlow's numbers and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError, UnimplementedError

X = [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "found, expected",
    [
        (lambda: rt.signal.dct(X), [12.0, -3.4641013, 0.0]),
        (lambda: rt.signal.dct(X, type=1), [8.0, -2.0, 0.0]),
        (lambda: rt.signal.dct(X, type=3), [7.4641013, -5.0, 0.5358989]),
        (lambda: rt.signal.dct(X, type=4), [6.3131933, -5.6568537, 3.4847658]),
        (lambda: rt.signal.dct(X, norm="ortho"), [3.4641016, -1.4142134, 0.0]),
        (lambda: rt.signal.dct(X, n=5), [12.0, 4.2532544, -5.6180339, -2.6286555, 3.3819664]),
        (lambda: rt.signal.idct(X), [7.4641013, -5.0, 0.5358989]),
        (lambda: rt.signal.idct(X, norm="ortho"), [3.2163095, -1.8721392, 0.3878816]),
        (
            lambda: rt.signal.mfccs_from_log_mel_spectrograms(X),
            [4.898979, -1.4142136, 0.0],
        ),
    ],
)
def test_transforms_agree_with_tensorflow(found: Any, expected: list[float]) -> None:
    np.testing.assert_allclose(found(), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("type", [2, 3, 4])
def test_the_inverse_restores_the_signal(type: int) -> None:
    there = rt.signal.dct([X, X], type=type, norm="ortho")
    np.testing.assert_allclose(rt.signal.idct(there, type=type, norm="ortho"), [X, X], atol=1e-5)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: rt.signal.dct([1, 2]),
        lambda: rt.signal.dct(1.0),
        lambda: rt.signal.dct(X, type=5),
        lambda: rt.signal.dct(X, norm="other"),
        lambda: rt.signal.dct(X, type=1, norm="ortho"),
        lambda: rt.signal.dct([1.0], type=1),
        lambda: rt.signal.dct(X, n=0),
    ],
)
def test_invalid_arguments_are_refused(wrong: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        wrong()


def test_other_axes_are_refused() -> None:
    with pytest.raises(UnimplementedError, match="axis must be -1"):
        rt.signal.dct(X, axis=0)
