"""Checks of arguments that are not tensors: flags, names, numbers, functions, lists and paths.

A check raises an error with the argument's name and value, or returns the converted argument.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    OutOfMemoryError,
    SymbolicTensorError,
    with_article,
)

_LONGEST = 60


def flag(value: Any, what: str) -> bool:
    """Return a boolean argument; 0 and 1 count as in Python, and None as False.

    Raises:
        DTypeError: it is not a boolean.
        SymbolicTensorError: it is a tensor that has no value while tracing.

    >>> flag(True, "keepdims"), flag(0, "keepdims"), flag(None, "keepdims")
    (True, False, False)
    """
    if value is None or isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    if isinstance(value, (EagerTensor, np.ndarray)) and np.ndim(value) == 0:
        return flag(np.asarray(value).item(), what)
    _refuse_symbolic(value, what)
    raise DTypeError(f"{what} must be True or False, not {shown(value)}")


def choice(value: Any, what: str, names: Sequence[Any]) -> Any:
    """Return an argument that must be one of some names.

    Raises:
        ArgumentValueError: it is not one of them.

    >>> choice("SAME", "padding", ("SAME", "VALID"))
    'SAME'
    """
    if (value is None or isinstance(value, str)) and value in names:
        return value
    told = ", ".join(repr(name) for name in names)
    raise ArgumentValueError(f"{what} must be one of {told}, not {shown(value)}")


def plain_text(value: Any, what: str, by_default: str | None = None) -> str:
    """Return an argument that must be a Python string.

    Args:
        by_default: the value for None.

    Raises:
        DTypeError: it is not a string.

    >>> plain_text("ij,jk", "the equation"), plain_text(None, "message", "")
    ('ij,jk', '')
    """
    if isinstance(value, str):
        return value
    if value is None and by_default is not None:
        return by_default
    raise DTypeError(f"{what} must be a string, not {shown(value)}")


def number(value: Any, what: str) -> Any:
    """Return an argument that must be a real number: a Python number, or a scalar tensor.

    Raises:
        DTypeError: it is not, for example because it is a tensor of several elements.
        SymbolicTensorError: it is a symbolic tensor of unknown rank.

    >>> number(0.5, "alpha"), number(np.float32(2), "alpha")
    (0.5, 2.0)
    """
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (np.generic, np.ndarray)):
        if np.ndim(value) == 0 and value.dtype.kind in "biuf":
            return value.item()
    if isinstance(value, Tensor) and value.dtype.kind in "iuf":
        if value.shape.rank is None:
            raise SymbolicTensorError(
                f"{what} must be one number: the rank of {value} must be known"
            )
        if value.shape.rank == 0:
            return value
    raise DTypeError(f"{what} must be a number, not {shown(value)}")


def function(value: Any, what: str) -> Callable[..., Any]:
    """Return an argument that must be callable; DTypeError if it is not.

    >>> function(len, "fn") is len
    True
    """
    if callable(value):
        return value
    raise DTypeError(f"{what} must be a function, not {shown(value)}")


def listed(value: Any, what: str) -> list[Any]:
    """Return the items of an argument that must be a list, a tuple or another sequence.

    Raises:
        DTypeError: it is a single value, a string or a dict.
        OutOfMemoryError: memory is too small for its items.

    >>> listed((1, 2), "sizes")
    [1, 2]
    """
    is_row = isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))
    if isinstance(value, (np.ndarray, Tensor)):
        is_row = len(value.shape) > 0
    if not is_row:
        raise DTypeError(f"{what} must be a list, not {shown(value)}")
    try:
        return list(value)
    except MemoryError:
        raise OutOfMemoryError(f"{what} has more items than memory can hold") from None


def dict_argument(value: Any, what: str) -> Mapping[Any, Any]:
    """Return an argument that must be a dict, or an empty one for None; DTypeError for others.

    >>> dict_argument({"loss": 0.5}, "logs"), dict_argument(None, "logs")
    ({'loss': 0.5}, {})
    """
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return value
    raise DTypeError(f"{what} must be a dict, not {shown(value)}")


def utf8(text: str, errors: str = "strict") -> bytes:
    """Return a text as bytes of a tensor; ArgumentValueError if UTF-8 cannot encode it.

    Args:
        errors: "surrogateescape" for a text that was decoded from bytes this way.

    >>> utf8("é")
    b'\\xc3\\xa9'
    """
    try:
        return text.encode(errors=errors)
    except UnicodeEncodeError as error:
        place = f"{ascii(text[error.start])} at {error.start}"
        raise ArgumentValueError(
            f"the text {_cut(ascii(text))} holds half of a character ({place}), which UTF-8 cannot "
            "write: read it with errors='replace', or write the whole character"
        ) from None


def file_path(value: Any, what: str) -> str:
    """Return a path as a string; DTypeError or ArgumentValueError if it is not a path.

    >>> file_path("model/weights", "file_prefix")
    'model/weights'
    """
    found = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(found, str):
        raise DTypeError(f"{what} must be a path, not {shown(value)}")
    if "\0" in found:
        raise ArgumentValueError(f"{what} {found!r} must not hold a zero byte")
    try:
        os.fsencode(found)
    except UnicodeEncodeError as error:
        raise ArgumentValueError(
            f"{what} {ascii(found)} is not a valid path: {error.reason}"
        ) from None
    return found


def unavailable(value: Any, what: str, instead: str, *nothing: Any) -> None:
    """Refuse an argument of TensorFlow that is not supported, unless its value has no effect.

    Args:
        value: the value of the argument.
        what: the function and the argument, such as `zeros: layout`.
        instead: the advice that ends the message.
        nothing: values without an effect, besides None.

    Raises:
        ArgumentValueError: the value has an effect.

    >>> unavailable(None, "zeros: layout", "omit it")
    >>> unavailable("x", "zeros: layout", "omit it")
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: zeros: layout is not supported, and 'x' was given: omit it
    """
    if value is None or any(type(value) is type(each) and value == each for each in nothing):
        return
    raise ArgumentValueError(f"{what} is not supported, and {shown(value)} was given: {instead}")


def _refuse_symbolic(value: Any, what: str) -> None:
    if isinstance(value, SymbolicTensor):
        raise SymbolicTensorError(f"{what} must be known while tracing, and {value} is not")


def shown(value: Any) -> str:
    """Return the text of a value for a message, shortened if it is long.

    >>> shown("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."
    """
    if isinstance(value, type):
        return f"the class {value.__name__}"
    try:
        return _cut(" ".join(repr(value).split()))
    except RecursionError:
        return f"a {type(value).__name__} that nests thousands of levels deep"
    except ValueError:  # of an int, whose digits Python would take long to write
        return f"{with_article(type(value).__name__)} with thousands of digits"


def call_advice(value: Any) -> str:
    """Return advice to make an object of a class that is given in its place; "" for others.

    >>> call_advice(dict)
    ': write dict()'
    """
    return f": write {value.__name__}()" if isinstance(value, type) else ""


def _cut(written: str) -> str:
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 3]}..."
