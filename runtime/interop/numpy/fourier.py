"""NumPy's Fourier transforms for symbolic tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import complex64, complex128, float32, float64
from runtime.core.tensor import Tensor
from runtime.errors import SymbolicTensorError
from runtime.interop.numpy.conversion import tensor_of
from runtime.interop.numpy.functions import implements
from runtime.interop.numpy.matrices import moved
from runtime.ops.arguments import static_axes, static_int
from runtime.ops.convert import strong_cast
from runtime.ops.op import apply
from runtime.ops.signal import transforms as signals
from runtime.ops.signal.fourier import FOURIER


def _check_unpadded(n: Any, norm: Any) -> None:
    if n is not None or norm not in (None, "backward"):
        raise SymbolicTensorError("no op takes n or norm: leave them out")


def _transformed(a: Any, axes: Any, inverse: bool) -> Tensor:
    x = tensor_of(a)
    wide = _as_complex(x)
    along = tuple(range(-len(x.shape), 0)) if axes is None else static_axes(axes)
    result: Tensor = apply(FOURIER, (wide,), axes=along, inverse=inverse)
    return result


def _as_complex(x: Tensor) -> Tensor:
    if x.dtype.is_complex:
        return x
    return strong_cast(x, complex64 if x.dtype is float32 else complex128)


@implements(np.fft.fft)
def _fft(a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Tensor:
    _check_unpadded(n, norm)
    return _transformed(a, axis, False)


@implements(np.fft.ifft)
def _ifft(a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Tensor:
    _check_unpadded(n, norm)
    return _transformed(a, axis, True)


@implements(np.fft.fftn)
def _fftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Tensor:
    _check_unpadded(s, norm)
    return _transformed(a, axes, False)


@implements(np.fft.ifftn)
def _ifftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Tensor:
    _check_unpadded(s, norm)
    return _transformed(a, axes, True)


@implements(np.fft.rfft)
def _rfft(a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Tensor:
    _check_unpadded(None, norm)
    x = tensor_of(a)
    wide = x if x.dtype.is_floating else strong_cast(x, float64)
    return moved(signals.rfft(moved(wide, axis, -1), _length(n)), -1, axis)


@implements(np.fft.irfft)
def _irfft(a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Tensor:
    _check_unpadded(None, norm)
    x = tensor_of(a)
    wide = _as_complex(x)
    return moved(signals.irfft(moved(wide, axis, -1), _length(n)), -1, axis)


def _length(n: Any) -> list[int] | None:
    return None if n is None else [static_int(n, "n")]


@implements(np.fft.fftshift)
def _fftshift(x: Any, axes: Any = None) -> Tensor:
    return signals.fftshift(tensor_of(x), axes)


@implements(np.fft.ifftshift)
def _ifftshift(x: Any, axes: Any = None) -> Tensor:
    return signals.ifftshift(tensor_of(x), axes)
