"""Complex numbers: `complex`, `real`, `imag`, `conj` and `angle`.

Gradients are TensorFlow's: dL/dx + i dL/dy for z = x + iy and a real loss L.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType, complex64, complex128, float32, float64
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.ops import infer
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.convert import compared, to_tensor
from runtime.ops.elementwise.selection import where
from runtime.ops.gradient_rules import one_input, sum_to_like
from runtime.ops.op import Op, apply, define

_COMPLEX: dict[DType, DType] = {float32: complex64, float64: complex128}


def _complex_dtype(dtype: DType) -> DType:
    if dtype not in _COMPLEX:
        raise DTypeError(
            f"the parts of complex numbers must be float32 or float64, not {dtype.name}"
        )
    return _COMPLEX[dtype]


def _complex_kernel(x: Array, y: Array) -> Array:
    _complex_infer(TensorSpec.of_array(x), TensorSpec.of_array(y))
    # Set part by part, since x + 1j * y would be NaN for infinite parts.
    result = np.empty(np.broadcast_shapes(x.shape, y.shape), np.result_type(x, np.complex64))
    result.real, result.imag = x, y
    return result


def _complex_infer(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    both = infer.broadcast(x, y)
    return both.with_dtype(_complex_dtype(x.dtype))


def _complex_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Tensor, Tensor]:
    x, y = inputs
    return sum_to_like(real(dys[0]), x), sum_to_like(imag(dys[0]), y)


def _part(z: TensorSpec) -> TensorSpec:
    return TensorSpec(z.shape, z.dtype.real_dtype)


def _as_real(dy: Tensor) -> Tensor:
    return complex(dy, to_tensor(0, dy.dtype))


def _as_imaginary(dy: Tensor) -> Tensor:
    return complex(to_tensor(0, dy.dtype), dy)


def _angle_rule(dy: Any, y: Any, z: Any) -> Any:
    x, y = real(z), imag(z)
    share = dy / (x * x + y * y)
    return complex(-y * share, x * share)


def _takes(name: str, kernel: Any, tensorflow_name: str, grad: Any) -> Op:
    grad = one_input(grad)
    return define(name, kernel, _part, kinds="c", grad=grad, tensorflow_name=tensorflow_name)


COMPLEX = define(
    "complex",
    _complex_kernel,
    _complex_infer,
    kinds="f",
    grad=_complex_grad,
    tensorflow_name="Complex",
)
REAL = _takes("real", np.real, "Real", grad=lambda dy, y, z: _as_real(dy))
IMAG = _takes("imag", np.imag, "Imag", grad=lambda dy, y, z: _as_imaginary(dy))
ANGLE = _takes("angle", np.angle, "Angle", grad=_angle_rule)
CONJ = define(
    "conj",
    np.conj,
    infer.same,
    kinds="c",
    grad=one_input(lambda dy, y, z: conj(dy)),
    tensorflow_name="Conj",
)


def complex(real: TensorLike, imag: TensorLike, name: str | None = None) -> Tensor:
    """Return complex numbers from two parts: complex64 for float32, complex128 for float64.

    Args:
        real, imag: floats of one dtype; their shapes broadcast.

    Raises:
        DTypeError: a part is neither float32 nor float64, or the two differ.

    >>> complex(1.5, -2.0)
    <rt.Tensor: shape=(), dtype=complex64, numpy=(1.5-2j)>
    """
    return compared(COMPLEX, real, imag)


def real(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the real part; real numbers unchanged.

    >>> real(to_tensor([1 + 2j]))
    <rt.Tensor: shape=(1,), dtype=float64, numpy=array([1.])>
    """
    tensor = _number(input, "real")
    return _taken(REAL, tensor) if tensor.dtype.is_complex else tensor


def imag(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the imaginary part; 0 of real numbers.

    >>> imag(to_tensor([1 + 2j]))
    <rt.Tensor: shape=(1,), dtype=float64, numpy=array([2.])>
    """
    tensor = _number(input, "imag")
    return _taken(IMAG, tensor) if tensor.dtype.is_complex else zeros_like(tensor)


def conj(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the complex conjugate; real numbers unchanged.

    >>> conj(to_tensor([1 + 2j]))
    <rt.Tensor: shape=(1,), dtype=complex128, numpy=array([1.-2.j])>
    """
    tensor = _number(x, "conj")
    return _taken(CONJ, tensor) if tensor.dtype.is_complex else tensor


def angle(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle in radians from the positive real axis; 0 or pi of real numbers.

    >>> angle(to_tensor([2j, -1]))
    <rt.Tensor: shape=(2,), dtype=float64, numpy=array([1.57079633, 3.14159265])>
    """
    tensor = _number(input, "angle")
    if tensor.dtype.is_complex:
        return _taken(ANGLE, tensor)
    if not tensor.dtype.is_floating:
        raise DTypeError(f"angle takes floats and complex numbers, not {tensor.dtype.name}")
    return where(tensor < 0, to_tensor(np.pi, tensor.dtype), zeros_like(tensor))


def _number(value: Any, what: str) -> Any:
    tensor = to_tensor(value)
    if not tensor.dtype.is_numeric:
        raise DTypeError(f"{what} must be numbers, not {tensor.dtype.name}")
    return tensor


def _taken(op: Op, tensor: Tensor) -> Tensor:
    result: Tensor = apply(op, (tensor,))
    return result
