"""Short keys of calls, for those whose arguments say at a glance what they count by.

    f(rt.constant([1., 2.]), 3)    ->    (dtype('float32'), (2,), int, 3)

A call with such a key that has been looked up once takes one look-up in a dict from then on. The
arguments are tensors, NumPy values, numbers, texts and None; for all others there is `trace_key`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from autograph.function.trace_key import Arrays, Key
from runtime.dtypes import ALL
from runtime.tensor import EagerTensor

_LITERALS = frozenset((int, bool, str, bytes, type(None)))
# Those whose arrays become tensors as they are.
_NATIVE = frozenset(dtype.np_dtype for dtype in ALL if dtype.kind != "O")
_SCALARS = frozenset(dtype.type for dtype in _NATIVE)
_ARRAY = np.ndarray
_new_array = np.array


def quick_key(values: Iterable[Any], arrays: Arrays) -> Key | None:
    """Return the short key of a call; None where there is none.

    Args:
        values: one per parameter.
        arrays: the arrays of the tensors among them are appended here, those of NumPy copied.

    >>> quick_key((3, "sum"), []), quick_key(([],), [])
    ((<class 'int'>, 3, <class 'str'>, 'sum'), None)
    """
    key: list[Any] = []
    add = key.append
    for value in values:
        kind = type(value)
        if kind is EagerTensor:
            array = value._array
            arrays.append(array)
            add(array.dtype)
            add(array.shape)
        elif kind in _LITERALS:
            add(kind)
            add(value)
        elif kind is float:
            # -0.0 is not 0.0, and nan equals nan.
            add(float)
            add(value if value and value == value else value.hex())
        elif (kind is _ARRAY and value.dtype in _NATIVE) or kind in _SCALARS:
            array = _new_array(value)
            arrays.append(array)
            add(array.dtype)
            add(array.shape)
        else:
            return None
    return tuple(key)


def fit_as_they_are(given: Sequence[Any], fitted: Sequence[Any]) -> bool:
    """Tell whether the arrays of a call came as a trace takes them, each of them.

    >>> fit_as_they_are([np.zeros(2)], [np.zeros(2)]), fit_as_they_are([], [np.zeros(2)])
    (True, False)
    """
    return len(given) == len(fitted) and all(
        isinstance(taken, np.ndarray) and came.dtype == taken.dtype and came.shape == taken.shape
        for came, taken in zip(given, fitted)
    )
