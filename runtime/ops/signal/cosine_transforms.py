"""Cosine transforms of real signals, and features for speech recognition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.argument_checks import choice
from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError, UnimplementedError
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import concat, reverse
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.complex_numbers import complex, real
from runtime.ops.signal.transforms import extended, irfft, rfft

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}


def dct(
    input: TensorLike,
    type: int = 2,
    n: TensorLike | None = None,
    axis: AxisLike = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the discrete cosine transform along the last axis.

    Args:
        input: float32 or float64, of which the last dimension is known.
        type: 1, 2, 3 or 4.
        n: the number of elements to transform: the input is truncated or padded with zeros.
        norm: "ortho" for a transform that keeps the norm of vectors, for types 2, 3 and 4.

    Raises:
        DTypeError: the elements are not such floats.
        ShapeError: the last dimension is not known, or 0, or 1 for type 1.
        ArgumentValueError: there is no such type or norm; type 1 has none.
        UnimplementedError: `axis` is not -1.

    >>> print(dct([1.0, 1.0]))
    rt.Tensor([4. 0.], shape=(2,), dtype=float32)
    """
    x, kind = to_tensor(input), _kind(type, axis)
    scaled = choice(norm, "norm", (None, "ortho")) == "ortho"
    if x.dtype.name not in ("float32", "float64"):
        raise DTypeError(f"dct works on float32 and float64 tensors, not on {x.dtype.name}")
    x = _of_length(x, n)
    if kind == 1:
        return _first(x, scaled)
    return {2: _second, 3: _third, 4: _fourth}[kind](x, scaled)


def idct(
    input: TensorLike,
    type: int = 2,
    n: TensorLike | None = None,
    axis: AxisLike = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the inverse discrete cosine transform; up to a factor unless `norm="ortho"`.

    >>> idct(dct([1.0, 3.0], norm="ortho"), norm="ortho").numpy().round(3).tolist()
    [1.0, 3.0]
    """
    return dct(input, _INVERSE[_kind(type, axis)], n, axis, norm)


def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: TensorLike, name: str | None = None
) -> Tensor:
    """Return the mel-frequency cepstral coefficients of spectra in mel: a scaled `dct`.

    >>> mfccs_from_log_mel_spectrograms([[0.0, 0.0, 0.0]]).shape
    TensorShape([1, 3])
    """
    x = to_tensor(log_mel_spectrograms)
    found = dct(x)
    return found * (1 / math.sqrt(2 * _size(x)))


def _kind(type: Any, axis: Any) -> int:
    if static_int(axis, "axis") != -1:
        raise UnimplementedError("axis must be -1: use rt.transpose to move another axis there")
    kind = static_int(type, "type")
    if kind not in _INVERSE:
        raise ArgumentValueError(f"type must be 1, 2, 3 or 4, not {kind}")
    return kind


def _of_length(x: Tensor, n: Any) -> Tensor:
    if n is None:
        _size(x)
        return x
    length = static_int(n, "n")
    if not 1 <= length < 2**31:
        raise ArgumentValueError(f"n must be at least 1 and fit int32, not {length}")
    cut = x[..., :length]
    size = _size(cut)
    return extended(cut, length - size)


def _size(x: Tensor) -> int:
    size = x.shape[-1] if x.shape.rank else None
    if size is None:
        raise ShapeError(f"the last dimension of {x} must be known: write rt.ensure_shape")
    if size == 0:
        raise ShapeError(f"a cosine transform needs one element or more, and {x} has none")
    return size


def _first(x: Tensor, scaled: bool) -> Tensor:
    if scaled:
        raise ArgumentValueError("norm must be None for a cosine transform of type 1")
    if _size(x) < 2:
        raise ShapeError("a cosine transform of type 1 needs 2 elements or more")
    return real(rfft(concat([x, reverse(x, [-1])[..., 1:-1]], -1)))


def _second(x: Tensor, scaled: bool) -> Tensor:
    size = _size(x)
    turns = 2 * np.exp(-0.5j * np.pi * np.arange(size) / size)
    whole = rfft(x, [2 * size])[..., :size]
    found = real(whole * turns.astype(whole.dtype.np_dtype))
    return found * _factors(x, 0.5 / math.sqrt(size), math.sqrt(0.5 / size)) if scaled else found


def _third(x: Tensor, scaled: bool) -> Tensor:
    size = _size(x)
    root = math.sqrt(size)
    x = x * (_factors(x, root, root * math.sqrt(0.5)) if scaled else float(size))
    turns = np.exp(0.5j * np.pi * np.arange(size) / size)
    spectrum = complex(x, zeros_like(x))
    return 2 * irfft(spectrum * turns.astype(spectrum.dtype.np_dtype), [2 * size])[..., :size]


def _fourth(x: Tensor, scaled: bool) -> Tensor:
    size = _size(x)
    found = _second(extended(x, size), False)[..., 1::2]
    return found * math.sqrt(0.5 / size) if scaled else found


def _factors(x: Tensor, first: float, others: float) -> Any:
    values = np.full(_size(x), others, x.dtype.np_dtype)
    values[0] = first
    return values
