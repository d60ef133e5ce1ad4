"""Numbers as Python's own builtins make them: `int`, `round` with digits, `pow` with a modulus.

Where NumPy rounds, wraps or gives NaN without a word, these do what Python does for one number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType, int32, int64
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import ArgumentValueError, DTypeError, InvalidArgumentError
from runtime.ops import infer
from runtime.ops.convert import matched, strong_cast, to_tensor
from runtime.ops.op import apply, define


class IntOverflowError(InvalidArgumentError, OverflowError):
    """A number that is no int, or one too large for the dtype it would get."""


def _int_kernel(x: Array, *, dtype: DType) -> Array:
    if np.isnan(x).any():
        raise ArgumentValueError("cannot convert float NaN to integer")
    if np.isinf(x).any():
        raise IntOverflowError("cannot convert float infinity to integer")
    whole, limits = np.trunc(x.astype(np.float64)), np.iinfo(dtype.np_dtype)
    # The largest int of 64 bits is no float; the one after it is.
    if (whole < limits.min).any() or (whole >= float(limits.max) + 1).any():
        raise IntOverflowError(f"int({x}) does not fit {dtype.name}: write rt.cast(x, rt.int64)")
    return whole.astype(dtype.np_dtype)


def _round_kernel(x: Array, digits: Array) -> Array:
    rounded = np.frompyfunc(lambda value: round(value, digits.item()), 1, 1)(x.astype(object))
    return np.asarray(rounded).astype(x.dtype)


def _round_infer(x: TensorSpec, digits: TensorSpec) -> TensorSpec:
    infer.check_integer(digits, "the number of digits")
    infer.check_scalar(digits, "the number of digits")
    return x


def _power_kernel(base: Array, exponent: Array, modulus: Array) -> Array:
    if not np.all(modulus):
        raise ArgumentValueError("pow() 3rd argument cannot be 0")
    try:
        power = np.frompyfunc(pow, 3, 1)(*(x.astype(object) for x in (base, exponent, modulus)))
    except ValueError:
        raise ArgumentValueError("base is not invertible for the given modulus") from None
    return np.asarray(power).astype(base.dtype)


PYTHON_INT = define(
    "python_int", _int_kernel, lambda x, *, dtype: TensorSpec(x.shape, dtype), kinds="f"
)
PYTHON_ROUND = define("python_round", _round_kernel, _round_infer, kinds="iuf")
POWER_MODULO = define("power_modulo", _power_kernel, infer.broadcast, kinds="iu")


def python_int(x: Any) -> Tensor:
    """Return numbers cut to ints as `int` does: int64 for float64 and wide ints, else int32.

    Args:
        x: a tensor of bools, ints or floats.

    Raises:
        InvalidArgumentError: for NaN (also a ValueError).
        IntOverflowError: for infinity, or what does not fit (also an OverflowError).

    >>> print(python_int(-2.5))
    rt.Tensor(-2, shape=(), dtype=int32)
    """
    tensor = to_tensor(x)
    wide = tensor.dtype.size > 4 or tensor.dtype.name == "uint32"
    target = int64 if wide else int32
    if not tensor.dtype.is_floating:
        return strong_cast(tensor, target)
    result: Tensor = apply(PYTHON_INT, (tensor,), dtype=target)
    return result


def python_round(x: Any, digits: Any) -> Tensor:
    """Return numbers rounded to `digits` decimal places, ties to even digits, in their dtype.

    >>> print(python_round(17, -1), python_round(0.125, 2))
    rt.Tensor(20, shape=(), dtype=int32) rt.Tensor(0.12, shape=(), dtype=float32)
    """
    result: Tensor = apply(PYTHON_ROUND, (to_tensor(x), to_tensor(digits)))
    return result


def power_modulo(base: Any, exponent: Any, modulus: Any) -> Tensor:
    """Return `pow(base, exponent, modulus)` of ints, without the power itself ever overflowing.

    Raises:
        DTypeError: for floats.
        InvalidArgumentError: for a modulus of 0, or a base without an inverse (also ValueErrors).

    >>> print(power_modulo(7, 100, 13))
    rt.Tensor(9, shape=(), dtype=int32)
    """
    tensors = matched((base, exponent, modulus), "power_modulo")[0]
    if not tensors[0].dtype.is_integer:
        raise DTypeError("pow() with a third argument takes ints only")
    result: Tensor = apply(POWER_MODULO, tensors)
    return result
