"""Windows, the factors of the elements of a frame of a signal, and weights of mel spectra."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.argument_checks import flag, number
from runtime.core.dtypes import DTypeLike, as_dtype, float32
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops.arguments import static_int
from runtime.ops.convert import constant_tensor

# The largest window length, as in TensorFlow.
_LONGEST = 2**31 - 1


def hann_window(
    window_length: TensorLike,
    periodic: bool = True,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """Return the Hann window: one period of a raised cosine, from 0 to 1 and back.

    Args:
        window_length: the number of elements, 0 or more.
        periodic: whether an even window omits the last element, with which the next one begins.
        dtype: a float dtype.

    >>> print(hann_window(4))
    rt.Tensor([0.  0.5 1.  0.5], shape=(4,), dtype=float32)
    """
    return _of_dtype(_raised_cosine(window_length, periodic, 0.5), dtype)


def hamming_window(
    window_length: TensorLike,
    periodic: bool = True,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """Return the Hamming window: a raised cosine that begins at 0.08; see `hann_window`.

    >>> print(hamming_window(4))
    rt.Tensor([0.08 0.54 1.   0.54], shape=(4,), dtype=float32)
    """
    return _of_dtype(_raised_cosine(window_length, periodic, 0.54), dtype)


def vorbis_window(
    window_length: TensorLike, dtype: DTypeLike = float32, name: str | None = None
) -> Tensor:
    """Return the Vorbis window, whose squares add up to 1 where two halves overlap.

    >>> print(vorbis_window(2))
    rt.Tensor([0.70710677 0.70710677], shape=(2,), dtype=float32)
    """
    length = _length(window_length)
    places = np.arange(length) + 0.5
    arch = np.sin(np.pi / max(length, 1) * places) ** 2
    return _of_dtype(np.sin(np.pi / 2 * arch), dtype)


def kaiser_window(
    window_length: TensorLike,
    beta: TensorLike = 12.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """Return the Kaiser window; it is narrower for larger `beta`.

    >>> kaiser_window(3).numpy().round(5).tolist()
    [4.999999873689376e-05, 1.0, 4.999999873689376e-05]
    """
    return _of_dtype(_kaiser(_length(window_length), beta), dtype)


def kaiser_bessel_derived_window(
    window_length: TensorLike,
    beta: TensorLike = 12.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """Return the MDCT window based on `kaiser_window`, of an even length.

    >>> kaiser_bessel_derived_window(2).numpy().round(4).tolist()
    [0.707099974155426, 0.707099974155426]
    """
    half = _length(window_length) // 2
    sums = np.cumsum(_kaiser(half + 1, beta))
    rising = np.sqrt(sums[:-1] / sums[-1])
    return _of_dtype(np.concatenate([rising, rising[::-1]]), dtype)


def linear_to_mel_weight_matrix(
    num_mel_bins: TensorLike = 20,
    num_spectrogram_bins: TensorLike = 129,
    sample_rate: TensorLike = 8000,
    lower_edge_hertz: TensorLike = 125.0,
    upper_edge_hertz: TensorLike = 3800.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """Return the matrix that converts spectra from hertz to mel: `spectrum @ matrix`.

    Returns:
        Numbers of shape (num_spectrogram_bins, num_mel_bins): each column is a triangle.

    Raises:
        ArgumentValueError: the edges are in the wrong order, or above half of the sample rate.

    >>> linear_to_mel_weight_matrix(4, 5, 8000, 125.0, 3800.0).shape
    TensorShape([5, 4])
    """
    bins, rows = _length(num_mel_bins), _length(num_spectrogram_bins)
    hertz = (sample_rate, lower_edge_hertz, upper_edge_hertz)
    rate, low, high = (number(each, "a frequency") for each in hertz)
    if bins < 1 or rate <= 0 or not 0 <= low < high <= rate / 2:
        raise ArgumentValueError(
            f"{bins} mel bins from {low} to {high} hertz: the edges must lie from 0 to {rate / 2}"
        )
    spectrum = _mel(np.linspace(0.0, rate / 2, rows)[1:])[:, None]
    edges = np.linspace(_mel(low), _mel(high), bins + 2)
    lower, center, upper = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (spectrum - lower) / (center - lower), (upper - spectrum) / (upper - center)
    weights = np.maximum(0.0, np.minimum(rising, falling))
    return _of_dtype(np.pad(weights, [[1, 0], [0, 0]]), dtype)


def _kaiser(length: int, beta: Any) -> Array:
    with np.errstate(all="ignore"):
        found = np.kaiser(length, number(beta, "beta"))
    if not (np.isfinite(found).all() and found.any()):
        raise ArgumentValueError(f"kaiser_window gives no finite values for beta={beta}")
    return found


def _mel(hertz: Any) -> Any:
    return 1127.0 * np.log1p(hertz / 700.0)


def _raised_cosine(window_length: Any, periodic: bool, middle: float) -> Array:
    length = _length(window_length)
    if length == 1:
        return np.ones(1)
    turn = length - 1 + (1 - length % 2) * flag(periodic, "periodic")
    return middle - (1 - middle) * np.cos(2 * math.pi * np.arange(length) / max(turn, 1))


def _length(value: Any) -> int:
    length = static_int(value, "the length of a window")
    if length < 0:
        raise ArgumentValueError(f"the length of a window must be 0 or more, not {length}")
    if length > _LONGEST:
        raise ArgumentValueError(f"the length of a window must be at most {_LONGEST}, not {length}")
    return length


def _of_dtype(values: Array, dtype: Any) -> Tensor:
    wanted = as_dtype(dtype)
    if not wanted.is_floating:
        raise DTypeError(f"dtype of a window must be a float dtype, not {wanted.name}")
    return constant_tensor(values.astype(wanted.np_dtype))
