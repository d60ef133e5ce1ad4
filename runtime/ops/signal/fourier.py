"""Fourier transforms along axes, of complex and of real numbers.

The gradient of a transform is its adjoint: the inverse without the scale. The transform of real
numbers omits half of the spectrum, and its adjoint accounts for that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType, complex64, complex128, float32, float64, int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.convert import constant_tensor
from runtime.ops.gradient_rules import call
from runtime.ops.op import apply, define

_COMPLEX: dict[DType, DType] = {float32: complex64, float64: complex128}


def _complex_kernel(x: Array, *, axes: tuple[int, ...], inverse: bool) -> Array:
    _complex_infer(TensorSpec.of_array(x), axes=axes, inverse=inverse)
    if not x.size:
        return x.copy()
    function = np.fft.ifftn if inverse else np.fft.fftn
    return np.asarray(function(x, axes=axes)).astype(x.dtype, copy=False)


def _complex_infer(x: TensorSpec, *, axes: tuple[int, ...], inverse: bool) -> TensorSpec:
    infer.checked_axes(x, *axes)
    return x.unnamed()


def _complex_grad(
    dys: Any, outputs: Any, inputs: Any, *, axes: tuple[int, ...], inverse: bool
) -> tuple[Any]:
    dy = dys[0]
    back = apply(FOURIER, (dy,), axes=axes, inverse=not inverse)
    sizes = call("shape", dy, out_type=int32)
    count: Any = None
    for axis in axes:
        size = call("cast", sizes[axis], dtype=dy.dtype)
        count = size if count is None else count * size
    return (back / count if inverse else back * count,)


def _real_kernel(x: Array) -> Array:
    _real_infer(TensorSpec.of_array(x))
    return np.fft.rfft(x).astype(np.result_type(x.dtype, np.complex64), copy=False)


def _real_infer(x: TensorSpec) -> TensorSpec:
    if x.dtype not in _COMPLEX:
        raise DTypeError(f"works on float32 and float64, not on {x.dtype.name}")
    infer.check_rank_at_least(x, 1)
    size = x.shape[-1] if x.shape.rank is not None else None
    if size == 0:
        raise ShapeError("the axis to transform must not be empty")
    found = (
        x.shape
        if x.shape.rank is None
        else x.shape[:-1] + (None if size is None else size // 2 + 1,)
    )
    return TensorSpec(found, _COMPLEX[x.dtype])


def _real_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Any]:
    """Return the gradient: the real part of the inverse, with zeros for the omitted half."""
    x, dy = inputs[0], dys[0]
    known = dy.shape[-1] if dy.shape.rank is not None else None
    count = call("shape", dy, out_type=int32)[-1] if known is None else known
    nothing = call("cast", call("zeros_like", x, dtype=x.dtype), dtype=dy.dtype)[..., count:]
    whole = call("concat", dy, nothing, axis=-1)
    back = apply(FOURIER, (whole,), axes=(-1,), inverse=True)
    size = call("cast", call("shape", x, out_type=int32)[-1], dtype=x.dtype)
    return (call("real", back) * size,)


def _back_kernel(x: Array, *, length: int) -> Array:
    _back_infer(TensorSpec.of_array(x), length=length)
    return np.fft.irfft(x, length).astype(x.real.dtype, copy=False)


def _back_infer(x: TensorSpec, *, length: int) -> TensorSpec:
    infer.check_rank_at_least(x, 1)
    if x.shape.rank is None:
        return TensorSpec(None, x.dtype.real_dtype)
    if x.shape[-1] not in (None, length // 2 + 1):
        raise ShapeError(
            f"{length} real numbers need {length // 2 + 1} complex ones, not {x.shape[-1]}"
        )
    return TensorSpec(x.shape[:-1] + (length,), x.dtype.real_dtype)


def _back_grad(dys: Any, outputs: Any, inputs: Any, *, length: int) -> tuple[Any]:
    """Return the gradient; a frequency that represents two of the full spectrum counts twice."""
    weights = np.full(length // 2 + 1, 2.0 / length)
    weights[0] = 1.0 / length
    if length % 2 == 0:
        weights[-1] = 1.0 / length
    gradient = apply(REAL_FOURIER, (dys[0],))
    shares: Any = constant_tensor(weights.astype(gradient.dtype.np_dtype))
    return (gradient * shares,)


FOURIER = define("fourier", _complex_kernel, _complex_infer, kinds="c", grad=_complex_grad)
REAL_FOURIER = define(
    "real_fourier",
    _real_kernel,
    _real_infer,
    kinds="f",
    grad=_real_grad,
    tensorflow_name="RFFT",
)
REAL_FROM_FOURIER = define(
    "real_from_fourier",
    _back_kernel,
    _back_infer,
    kinds="c",
    grad=_back_grad,
    tensorflow_name="IRFFT",
)
