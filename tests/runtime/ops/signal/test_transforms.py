"""Fourier transforms against NumPy; gradients recorded with TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError
from runtime.executors import run

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2, 4, 5, 6))
Z = X + 1j * RNG.normal(size=X.shape)
signal = rt.signal


def test_transforms_against_numpy() -> None:
    for count, there, back in (
        (1, signal.fft, signal.ifft),
        (2, signal.fft2d, signal.ifft2d),
        (3, signal.fft3d, signal.ifft3d),
    ):
        axes = tuple(range(-count, 0))
        np.testing.assert_allclose(there(Z).numpy(), np.fft.fftn(Z, axes=axes), atol=1e-12)
        np.testing.assert_allclose(back(Z).numpy(), np.fft.ifftn(Z, axes=axes), atol=1e-12)
    assert "complex64" == signal.fft(Z.astype(np.complex64)).dtype.name


@pytest.mark.parametrize("length", [None, 4, 6, 7, 9])
def test_transforms_of_real_numbers_against_numpy(length: int | None) -> None:
    given = None if length is None else [length]
    np.testing.assert_allclose(signal.rfft(X, given).numpy(), np.fft.rfft(X, length), atol=1e-12)
    np.testing.assert_allclose(signal.irfft(Z, given).numpy(), np.fft.irfft(Z, length), atol=1e-12)
    sizes = None if length is None else (3, length)
    found = signal.rfft2d(X, sizes).numpy()
    np.testing.assert_allclose(found, np.fft.rfft2(X, sizes), atol=1e-12)
    found = signal.irfft2d(Z, sizes).numpy()
    np.testing.assert_allclose(found, np.fft.irfft2(Z, sizes), atol=1e-12)


def test_sizes_may_be_dynamic() -> None:
    graph = rt.Graph("signal")
    x = graph.add_input(rt.TensorSpec((None, None), "float64"), "x")
    with graph.recording():
        graph.set_outputs([signal.rfft(x), signal.rfft(x, [9]), signal.fftshift(x)])
    half, longer, turned = run(graph, [X[0, 0]])
    np.testing.assert_allclose(half, np.fft.rfft(X[0, 0]), atol=1e-12)
    np.testing.assert_allclose(longer, np.fft.rfft(X[0, 0], 9), atol=1e-12)
    np.testing.assert_array_equal(turned, np.fft.fftshift(X[0, 0]))


def test_orders_of_frequencies_against_numpy() -> None:
    for axes in (None, 1, (0, -1)):
        there = signal.fftshift(X, axes)
        np.testing.assert_array_equal(there.numpy(), np.fft.fftshift(X, axes))
        np.testing.assert_array_equal(signal.ifftshift(there, axes).numpy(), X)


RECORDED: list[tuple[Any, Any, Any]] = [
    (
        lambda x: rt.abs(signal.rfft(x)) ** 2 * [1.0, 2.0, 3.0],
        [1.0, 2.0, 3.0, 5.0],
        [-4.0, 28.0, 12.0, 52.0],
    ),
    (
        lambda x: rt.abs(signal.rfft(x, fft_length=[5])) ** 2 * [1.0, 2.0, 3.0],
        [1.0, 2.0, 3.0, 5.0],
        [13.708203315734863, 20.618032455444336, 25.291797637939453, 57.0],
    ),
    (
        lambda z: signal.irfft(z) * [1.0, 2.0, 3.0, 4.0],
        [1 + 1j, 2 + 0j, 3],
        [2.5, -1 + 1j, -0.5],
    ),
    (lambda z: rt.abs(signal.fft(z)) ** 2, [1 + 1j, 2 + 0j, 3], [6 + 6j, 12, 18]),
]


@pytest.mark.parametrize("function, at, expected", RECORDED)
def test_gradients_agree_with_tensorflow(function: Any, at: Any, expected: Any) -> None:
    x = rt.constant(at)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: signal.fft([1.0, 2.0]), "not on float32"),
        (lambda: signal.rfft([1, 2]), "not on int32"),
        (lambda: signal.rfft(1.0), "rank 1 or more"),
        (lambda: signal.rfft(np.zeros((2, 0))), "must not be empty"),
        (lambda: signal.fft2d([1j]), "out of range"),
        (lambda: signal.rfft([1.0], fft_length=4), "a vector of 1"),
        (lambda: signal.rfft([1.0], fft_length=[0]), "1 or more"),
        (lambda: signal.irfft([1j]), "give fft_length"),
        (lambda: signal.rfft2d([1.0], fft_length=[2, 2]), "fft_length has 2 sizes"),
    ],
)
def test_invalid_signals_are_refused(call: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        call()
    with pytest.raises(DTypeError, match="must be integers"):
        signal.rfft([1.0], fft_length=[1.5])
