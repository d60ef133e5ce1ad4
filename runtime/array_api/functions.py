"""NumPy functions of tensors: computed by NumPy eagerly, recorded as ops in a graph."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from runtime.core.context import current_watchers
from runtime.core.dtypes import DType, as_dtype
from runtime.core.tensor import DEVICE, EagerTensor, SymbolicTensor
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    OpError,
    SymbolicTensorError,
    UnimplementedError,
)
from runtime.interop.numpy.functions import FUNCTIONS
from runtime.interop.numpy.protocol import recorded_call
from runtime.ops.convert import is_tensor_like, to_tensor
from runtime.state.variable import Variable

_NUMBERS = "biufcV"
_ERRORS = (TypeError, ValueError, IndexError, np.linalg.LinAlgError, OverflowError)


def wrapped(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a NumPy function that takes and returns tensors.

    Raises (the one returned):
        DTypeError, ArgumentValueError: NumPy rejects the arguments.
        SymbolicTensorError: a tensor of a graph is given, and there is no op for the function.

    >>> wrapped(np.add, "add")(EagerTensor(np.array([1, 2])), 3)
    <rt.Tensor: shape=(2,), dtype=int64, numpy=array([4, 5])>
    """

    @wraps(function, assigned=("__doc__",), updated=())
    def call(*args: Any, **options: Any) -> Any:
        check_device(options.pop("device", None))
        given = [_given(each) for each in args]
        named = {key: _given(each) for key, each in options.items()}
        if any(map(_is_symbolic, (*given, *named.values()))):
            return recorded_call(function, tuple(given), named)
        if current_watchers() and any(map(_is_watched, (*given, *named.values()))):
            return _differentiable(function, name, given, named)
        return result(_numbers_of(function, name, given, named))

    call.__name__ = call.__qualname__ = name
    return call


def _numbers_of(function: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
    try:
        with np.errstate(all="ignore"):
            return function(*map(_array, given), **{k: _array(v) for k, v in named.items()})
    except OpError:
        raise
    except _ERRORS as error:
        kind = DTypeError if isinstance(error, TypeError) else ArgumentValueError
        raise kind(f"{name}: {error}") from None


def _differentiable(function: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
    """Compute with ops, which tapes record; results without floats need none.

    Raises:
        UnimplementedError: there is no op for the function.
    """
    found = result(_numbers_of(function, name, given, named))
    if not any(map(_has_gradients, found if isinstance(found, (tuple, list)) else (found,))):
        return found
    reason: Exception | None = None
    if isinstance(function, np.ufunc) or function in FUNCTIONS:
        try:
            return recorded_call(function, tuple(given), named)
        except SymbolicTensorError as error:
            reason = error
    raise UnimplementedError(
        f"{name} of the array API has no op that a tape could note, or none with these "
        "arguments: use ops of rt, or call it inside of tape.stop_recording()"
    ) from reason


def _has_gradients(value: Any) -> bool:
    return isinstance(value, EagerTensor) and value.dtype.kind in "fc"


def _is_watched(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_watched, value))
    if not isinstance(value, EagerTensor):
        return False
    return any(watcher.watches(value) for watcher in current_watchers() if watcher.records_in(None))


def result(found: Any) -> Any:
    """Return NumPy's results as tensors, dtypes and tuples of these."""
    # Some NumPy functions return Python numbers.
    if isinstance(found, (np.ndarray, np.generic, bool, int, float, complex)):
        array = np.array(found)
        if array.dtype.kind not in _NUMBERS:
            raise DTypeError(
                f"the array API has numbers and truth values only, no {array.dtype.name}"
            )
        return EagerTensor(array)
    if isinstance(found, np.dtype):
        return as_dtype(found)
    if isinstance(found, tuple) and hasattr(found, "_fields"):
        return type(found)(*map(result, found))
    if isinstance(found, (tuple, list)):
        return type(found)(map(result, found))
    return found


def check_device(device: Any) -> None:
    """Raise ArgumentValueError for a device there is not."""
    if device not in (None, "cpu", DEVICE):
        raise ArgumentValueError(f"there is one device, '{DEVICE}', not {device!r}")


def _given(value: Any) -> Any:
    """Return an argument, with tensor-like values converted to tensors."""
    if isinstance(value, Variable):
        return value.read_value()
    if isinstance(value, (list, tuple)):
        return type(value)([_given(each) for each in value])
    return value


def _is_symbolic(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_symbolic, value))
    return isinstance(value, SymbolicTensor)


def _array(value: Any) -> Any:
    if isinstance(value, DType):
        return value.np_dtype
    if isinstance(value, EagerTensor):
        return value._array
    if isinstance(value, (list, tuple)):
        return type(value)([_array(each) for each in value])
    return to_tensor(value)._array if is_tensor_like(value) else value  # type: ignore[attr-defined]
