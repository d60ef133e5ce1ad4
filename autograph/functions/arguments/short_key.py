"""Short keys of calls with common arguments.

    f(rt.constant([1., 2.]), 3)    ->    (dtype('float32'), (2,), int, 3)

After one full look-up, a call with such a key takes one look-up in a dict. Tensors, NumPy values of
native dtypes, Python numbers other than complex ones, texts, None and variables have short keys,
also in plain lists, tuples and dicts with texts as keys; all other arguments take the key of
`trace_key`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from autograph.functions.arguments.trace_key import Arrays, Key
from runtime.core.device_tensor import (
    DeviceTensor,
    ToDevice,
    held_array,
    is_device_array,
)
from runtime.core.mesh import host_array
from runtime.core.tensor import EagerTensor
from runtime.ops.literals import NATIVE
from runtime.state.variable import Variable

# The bytes from which on an engine gets no copy of a NumPy array.
_LARGE = 1 << 14
_LITERALS = frozenset((int, bool, str, bytes, type(None)))
_SCALARS = frozenset(dtype.type for dtype in NATIVE)
_ARRAY = np.ndarray
_new_array = np.array


def short_key(
    values: Iterable[Any],
    arrays: Arrays,
    seen: list[int] | None = None,
    to_device: ToDevice | None = None,
) -> Key | None:
    """Return the short key of a call; None if it takes the full key.

    Args:
        values: one per parameter.
        arrays: a list to which the arrays of the tensors, copies of NumPy's arrays, and the
            variables are appended.
        seen: the identities of the lists, dicts and variables so far. Only the full key shows that
            one occurs twice, or contains itself.
        to_device: for an engine, whose arrays tensors may hold: copies an array to its device. It
            may get the memory of a NumPy argument itself, for the time of the call.

    >>> short_key((3, "sum"), []), short_key(([len],), [])
    ((<class 'int'>, 3, <class 'str'>, 'sum'), None)
    """
    key: list[Any] = []  # appending to a tuple would copy it
    for value in values:
        kind = type(value)
        if kind is EagerTensor or kind is DeviceTensor:
            array = value._array if to_device is None else held_array(value, to_device)
            arrays.append(array)
            key += (array.dtype, array.shape)
        elif kind is float:
            # -0.0 is not 0.0, and nan equals nan.
            key += (kind, value if value and value == value else value.hex())
        elif kind in _LITERALS:
            key += (kind, value)
        elif (kind is _ARRAY and value.dtype in NATIVE) or kind in _SCALARS:
            if to_device is None or value.nbytes < _LARGE:
                array = _new_array(value)
            else:
                # The engine has done with it when the call ends.
                array = value.view()
                array.flags.writeable = False
            arrays.append(array)
            key += (array.dtype, array.shape)
        else:
            if seen is None:
                seen = []
            inside = _inside(kind, value, arrays, seen, to_device)
            if inside is None:
                return None
            key += inside
    return tuple(key)


def _inside(
    kind: type, value: Any, arrays: Arrays, seen: list[int], to_device: ToDevice | None
) -> Key | None:
    """Return the parts that a container or variable adds to a key; None if it has no short key.

    `np.dtype(int) == int`, so the part after a type must never equal a shape.
    """
    values, names = value, ()
    if kind is not tuple:
        if kind is not list and kind is not dict and kind is not Variable:
            if not is_device_array(value):
                return None
            arrays.append(value if to_device is not None else host_array(value))
            return value.dtype, value.shape
        if id(value) in seen:
            return None
        seen.append(id(value))
        if kind is Variable:
            arrays.append(value)
            return Variable, value.dtype, value.shape.dims, value.trainable
        if kind is dict:
            if not all(type(name) is str for name in value):
                return None
            values, names = [value[name] for name in sorted(value)], value
    try:
        parts = short_key(values, arrays, seen, to_device)
    except RecursionError:
        return None
    return None if parts is None else (kind, len(values), *parts, *names)


def fit_unchanged(given: Sequence[Any], fitted: Sequence[Any]) -> bool:
    """Return whether the arrays of a call fit a trace without a cast.

    >>> fit_unchanged([np.zeros(2)], [np.zeros(2)]), fit_unchanged([], [np.zeros(2)])
    (True, False)
    """
    return len(given) == len(fitted) and all(map(_is_like, given, fitted))


def _is_like(given: Any, fitted: Any) -> bool:
    if isinstance(fitted, Variable):
        return given is fitted
    if not isinstance(given, np.ndarray):
        return False
    return given.dtype == fitted.dtype and given.shape == fitted.shape
