"""Python's number builtins and number methods on tensors: `int`, `round`, `pow`, `bit_length`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import numpy as np

from runtime.core.context import caller_origin
from runtime.core.dtypes import DType, bool_, int32, int64, string
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, SymbolicTensor, Tensor
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    IntegerOverflowError,
    MissingMethodError,
    refusing,
)
from runtime.ops import infer
from runtime.ops.convert import NUMPYS, is_weak, matched, strong_cast, to_tensor
from runtime.ops.op import apply, define


def _int_kernel(x: Array, *, dtype: DType) -> Array:
    if np.isnan(x).any():
        raise ArgumentValueError("cannot convert float NaN to integer")
    if np.isinf(x).any():
        raise IntegerOverflowError("cannot convert float infinity to integer")
    whole, limits = np.trunc(x.astype(np.float64)), np.iinfo(dtype.np_dtype)
    # 2**63 - 1 is not a float, 2**63 is.
    if (whole < limits.min).any() or (whole >= float(limits.max) + 1).any():
        raise refusing(
            IntegerOverflowError(f"int({x}) does not fit {dtype.name}: write rt.cast(x, rt.int64)")
        )
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
    """Return numbers truncated to ints as `int` does: int64 for float64 and wide ints, else int32.

    Args:
        x: a tensor of bools, ints or floats.

    Raises:
        InvalidArgumentError: for NaN (also a ValueError).
        IntegerOverflowError: for infinity, or a number that does not fit (also an OverflowError).

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
    """Return `pow(base, exponent, modulus)` of ints; the power itself never overflows.

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


# -- methods of Python's numbers -------------------------------------------------------------------


_LIKE: Mapping[str, object] = {"b": True, "i": 1, "u": 1, "f": 1.0, "c": 1j, "O": ""}
_REAL = "biuf"
_METHODS: Mapping[str, DType] = {
    "is_integer": bool_,
    "bit_length": int32,
    "bit_count": int32,
    "hex": string,
}
_PARTS = ("real", "imag", "numerator", "denominator")


def stands_for_real(value: object) -> bool:
    """Return whether a value is a symbolic scalar that represents a Python bool, int or float.

    >>> stands_for_real(1.0)
    False
    """
    return is_weak(value) and value.dtype.kind in _REAL and value.shape.rank == 0  # type: ignore[attr-defined]


def like_of(value: SymbolicTensor) -> object:
    """Return a number of the type, Python's or NumPy's, that a scalar represents."""
    if value.weak == NUMPYS:
        return value.dtype.np_dtype.type(1)
    return _LIKE.get(value.dtype.kind, value)


def of_number(number: SymbolicTensor, attribute: str) -> Any:
    """Return an attribute of Python's numbers for a scalar that represents one.

    Args:
        number: a scalar that represents a bool, an int or a float.
        attribute: its name.

    Raises:
        AttributeError: Python's numbers have no such attribute.
        MissingMethodError: its result cannot be a tensor.
    """
    like = like_of(number)
    if not hasattr(like, attribute):
        raise AttributeError(f"{type(like).__name__!r} object has no attribute {attribute!r}")
    itself: Any = number
    if attribute in _PARTS:
        return getattr(like, attribute) if attribute in ("imag", "denominator") else +itself
    if attribute == "conjugate":
        return lambda: +itself
    if attribute in _METHODS:
        return _method(number, attribute)
    held = ", ".join(each for each in (*_METHODS, "conjugate", *_PARTS) if hasattr(like, each))
    raise MissingMethodError(
        f"this {type(like).__name__} is known only when the graph runs, and has no {attribute!r} "
        f"then: it has its operators and {held}",
        caller_origin(),
    )


def _method(number: SymbolicTensor, name: str) -> Callable[[], Tensor]:
    def method() -> Tensor:
        result: SymbolicTensor = apply(NUMBER_METHOD, [number], method=name)
        result.weak = True
        return result

    return method


def _kernel(number: Array, *, method: Annotated[str, _METHODS]) -> Any:
    result = getattr(number.item(), method)()
    return (
        result.encode() if isinstance(result, str) else np.array(result, _METHODS[method].np_dtype)
    )


def _infer(number: TensorSpec, *, method: Annotated[str, _METHODS]) -> TensorSpec:
    infer.check_scalar(number, "a number of Python's")
    if not hasattr(_LIKE[number.dtype.kind], method):
        raise DTypeError(f"numbers of {number.dtype.name} have no {method!r}")
    return TensorSpec((), _METHODS[method])


NUMBER_METHOD = define(
    "number_method",
    _kernel,
    _infer,
    kinds="biuf",
)
