"""The methods of Python's numbers, for a number that is computed when the graph runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import numpy as np

from runtime.core.context import caller_origin
from runtime.core.dtypes import DType, bool_, int32, string
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, SymbolicTensor, Tensor
from runtime.errors import DTypeError, MissingMethodError
from runtime.ops import infer
from runtime.ops.convert import NUMPYS, is_weak
from runtime.ops.op import apply, define

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
    """Tell whether a value is a symbolic scalar that stands for a bool, int or float of Python's.

    >>> stands_for_real(1.0)
    False
    """
    return is_weak(value) and value.dtype.kind in _REAL and value.shape.rank == 0  # type: ignore[attr-defined]


def like_of(value: SymbolicTensor) -> object:
    """Return a value of the type that a scalar stands for: one of Python's, or of NumPy's."""
    if value.weak == NUMPYS:
        return value.dtype.np_dtype.type(1)
    return _LIKE.get(value.dtype.kind, value)


def of_number(number: SymbolicTensor, attribute: str) -> Any:
    """Return an attribute of a number, which a symbolic tensor itself does not have.

    Args:
        number: a scalar that stands for a bool, an int or a float.
        attribute: its name.

    Raises:
        AttributeError: as Python has it, where its numbers have no such attribute.
        MissingMethodError: where they have one, of which the result could be no tensor.
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
