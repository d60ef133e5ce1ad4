"""The methods of Python's strings, for strings that a run computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import numpy as np

from runtime.core.context import caller_origin
from runtime.core.dtypes import DType, bool_, int32, string
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, SymbolicTensor, Tensor
from runtime.errors import ArgumentValueError, DTypeError, MissingMethodError
from runtime.ops import infer
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define
from runtime.ops.python.formatting import python_value

_TEXTS = (
    "capitalize casefold center expandtabs ljust lower lstrip removeprefix removesuffix replace "
    "rjust rstrip strip swapcase title upper zfill __mul__"
)
_NUMBERS = "count find index rfind rindex __len__"
_TRUTHS = (
    "endswith startswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric "
    "isspace istitle isupper __contains__ __lt__ __le__ __gt__ __ge__"
)
RESULTS: Mapping[str, DType] = {
    **dict.fromkeys(_TEXTS.split(), string),
    **dict.fromkeys(_NUMBERS.split(), int32),
    **dict.fromkeys(_TRUTHS.split(), bool_),
}


def text_method(text: Any, method: str, *arguments: Any) -> Tensor:
    """Return the result of a method of `str` for a scalar string.

    Args:
        text: a scalar string.
        method: its name.
        arguments: its arguments, in order: strings and ints.

    Returns:
        A scalar string, int32 or bool; a recorded one represents a Python value.

    >>> print(text_method("tensor", "replace", "t", "c"))
    rt.Tensor(b'censor', shape=(), dtype=string)
    """
    tensors = [to_tensor(value) for value in (text, *arguments)]
    result: Tensor = apply(TEXT_METHOD, tensors, method=method)
    if isinstance(result, SymbolicTensor):
        result.weak = True
    return result


def methods_of_text(text: SymbolicTensor | str, name: str) -> Callable[..., Tensor]:
    """Return a method of Python's strings for a tensor that represents one.

    Raises:
        MissingMethodError: if strings have no such method, or its result cannot be a tensor.
    """
    if name not in RESULTS or name.startswith("__"):
        held = ", ".join(method for method in RESULTS if not method.startswith("_"))
        raise MissingMethodError(
            f"this text is known only when the graph runs, and has no {name!r} then: it has "
            f"len(s), s[i], s[i:j], `in` and the methods {held}",
            caller_origin(),
        )

    def method(*arguments: Any) -> Tensor:
        return text_method(text, name, *arguments)

    return method


def _kernel(text: Array, *arguments: Array, method: Annotated[str, RESULTS]) -> Any:
    try:
        result = getattr(python_value(text), method)(*map(python_value, arguments))
    except TypeError as error:
        raise DTypeError(str(error)) from None
    except ValueError as error:
        raise ArgumentValueError(str(error)) from None
    if isinstance(result, str):
        return result.encode("utf-8", "surrogateescape")
    return np.array(result, RESULTS[method].np_dtype)


def _infer(*specs: TensorSpec, method: Annotated[str, RESULTS]) -> TensorSpec:
    for spec in specs:
        infer.check_scalar(spec, "the argument of a string method")
    return TensorSpec((), RESULTS[method])


TEXT_METHOD = define(
    "text_method",
    _kernel,
    _infer,
    kinds="O",
)
