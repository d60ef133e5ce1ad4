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

    Calls raise a DTypeError or an ArgumentValueError where NumPy rejects the arguments, and a
    SymbolicTensorError for a tensor of a graph if there is no op for the function, and an
    UnimplementedError for a tensor that a tape watches.

    >>> wrapped(np.add, "add")(EagerTensor(np.array([1, 2])), 3)
    <rt.Tensor: shape=(2,), dtype=int64, numpy=array([4, 5])>
    """

    @wraps(function, assigned=("__doc__",), updated=())
    def call(*args: Any, **options: Any) -> Any:
        check_device(options.pop("device", None))
        given = [_read_variables(each) for each in args]
        named = {key: _read_variables(each) for key, each in options.items()}
        if any(map(_is_symbolic, (*given, *named.values()))):
            return recorded_call(function, tuple(given), named)
        if current_watchers() and any(map(_is_watched, (*given, *named.values()))):
            return _call_ops(function, name, given, named)
        return as_tensors(_call_numpy(function, name, given, named))

    call.__name__ = call.__qualname__ = name
    return call


def _call_numpy(function: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
    try:
        with np.errstate(all="ignore"):
            return function(*map(_to_numpy, given), **{k: _to_numpy(v) for k, v in named.items()})
    except OpError:
        raise
    except _ERRORS as error:
        kind = DTypeError if isinstance(error, TypeError) else ArgumentValueError
        raise kind(f"{name}: {error}") from None


def _call_ops(function: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
    """Compute with ops, which tapes record, unless the results have no gradients.

    Raises:
        UnimplementedError: there is no op for the function.
    """
    found = as_tensors(_call_numpy(function, name, given, named))
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


def as_tensors(found: Any) -> Any:
    """Return NumPy's results as tensors, dtypes, and tuples or lists of these."""
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
        return type(found)(*map(as_tensors, found))
    if isinstance(found, (tuple, list)):
        return type(found)(map(as_tensors, found))
    return found


def check_device(device: Any) -> None:
    """Raise ArgumentValueError for any device but the only one."""
    if device not in (None, "cpu", DEVICE):
        raise ArgumentValueError(f"device must be '{DEVICE}', not {device!r}")


def _read_variables(value: Any) -> Any:
    """Return an argument with the current values of Variables."""
    if isinstance(value, Variable):
        return value.read_value()
    if isinstance(value, (list, tuple)):
        return type(value)([_read_variables(each) for each in value])
    return value


def _is_symbolic(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_symbolic, value))
    return isinstance(value, SymbolicTensor)


def _to_numpy(value: Any) -> Any:
    if isinstance(value, DType):
        return value.np_dtype
    if isinstance(value, EagerTensor):
        return value._array
    if isinstance(value, (list, tuple)):
        return type(value)([_to_numpy(each) for each in value])
    return to_tensor(value)._array if is_tensor_like(value) else value  # type: ignore[attr-defined]
