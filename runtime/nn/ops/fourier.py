"""Fourier transforms of `keras.ops`, on pairs of real and imaginary parts."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import listed
from runtime.core.lazy_imports import own_names
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.nn.ops.elementwise import floating
from runtime.ops.elementwise.complex_numbers import complex as complex_of
from runtime.ops.elementwise.complex_numbers import imag, real
from runtime.ops.signal.transforms import fft as fourier
from runtime.ops.signal.transforms import fft2d, ifft2d
from runtime.ops.signal.transforms import irfft as from_real_fourier
from runtime.ops.signal.transforms import rfft as real_fourier


def fft(x: TensorLike) -> Any:
    """Return the Fourier transform of the last axis; complex numbers are pairs of tensors.

    >>> [each.numpy().tolist() for each in fft(([1.0, 1.0], [0.0, 0.0]))]
    [[2.0, 0.0], [0.0, 0.0]]
    """
    found = fourier(_joined(x))
    return real(found), imag(found)


def fft2(x: TensorLike) -> Any:
    """Return the Fourier transform of the last two axes; see `fft`.

    >>> [each.numpy().tolist() for each in fft2(([[1.0, 2.0]], [[0.0, 0.0]]))]
    [[[3.0, -1.0]], [[0.0, 0.0]]]
    """
    found = fft2d(_joined(x))
    return real(found), imag(found)


def ifft2(x: TensorLike) -> Any:
    """Return the inverse of `fft2`.

    >>> [each.numpy().tolist() for each in ifft2(([[3.0, -1.0]], [[0.0, 0.0]]))]
    [[[1.0, 2.0]], [[0.0, 0.0]]]
    """
    found = ifft2d(_joined(x))
    return real(found), imag(found)


def rfft(x: TensorLike, fft_length: TensorLike | None = None) -> Any:
    """Return the first half of the Fourier transform of real numbers, as a pair of tensors.

    >>> [each.numpy().tolist() for each in rfft([1.0, 1.0])]
    [[2.0, 0.0], [0.0, 0.0]]
    """
    found = real_fourier(floating(x), None if fft_length is None else [fft_length])
    return real(found), imag(found)


def irfft(x: TensorLike, fft_length: TensorLike | None = None) -> Tensor:
    """Return the inverse of `rfft`: real numbers.

    >>> irfft(([2.0, 0.0], [0.0, 0.0])).numpy().tolist()
    [1.0, 1.0]
    """
    return from_real_fourier(_joined(x), None if fft_length is None else [fft_length])


def view_as_complex(x: TensorLike) -> Any:
    """Return complex numbers for pairs along the last axis.

    >>> print(view_as_complex([1.0, 2.0]).numpy())
    (1+2j)
    """
    values = floating(x)
    return complex_of(values[..., 0], values[..., 1])


def _joined(x: Any) -> Any:
    parts = listed(x, "x")
    if len(parts) != 2:
        raise ShapeError(
            f"x must be two tensors, the real and the imaginary part, not {len(parts)}"
        )
    first, second = parts
    return complex_of(floating(first), floating(second))


__dir__ = own_names(__name__)
