"""Variants: scalar arrays, each around one object of the runtime that nodes pass on."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import variant
from runtime.spec import TensorSpec

VARIANT = TensorSpec((), variant)


def boxed(value: object) -> np.ndarray[Any, Any]:
    """Return the array that holds `value`: a record, so that NumPy looks for no elements in it.

    >>> boxed([1, 2]).shape, unboxed(boxed([1, 2]))
    ((), [1, 2])
    """
    array = np.empty((), variant.np_dtype)
    array[()] = (value,)
    return array


def unboxed(array: np.ndarray[Any, Any]) -> Any:
    """Return the object a variant's array holds."""
    return array.item()[0]
