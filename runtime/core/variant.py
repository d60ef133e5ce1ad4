"""Variants: scalar arrays that each contain one object of the runtime, as values of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import is_variant_array, variant
from runtime.core.spec import TensorSpec

VARIANT = TensorSpec((), variant)


def boxed(value: object) -> np.ndarray[Any, Any]:
    """Return an array that contains `value` in a record, so that NumPy leaves it as one element.

    >>> boxed([1, 2]).shape, unboxed(boxed([1, 2]))
    ((), [1, 2])
    """
    array = np.empty((), variant.np_dtype)
    array[()] = (value,)
    return array


def unboxed(array: np.ndarray[Any, Any]) -> Any:
    """Return the object that a variant's array holds."""
    return array.item()[0]


# The most characters of the text of an array in a repr.
_LONGEST = 4000


def short_repr(array: np.ndarray[Any, Any]) -> str:
    """Return the repr of an array; a long one with fewer items of each axis, or its beginning.

    >>> len(short_repr(np.zeros([9] * 6))) < 4000, short_repr(np.array(b"a" * 9999))[-15:]
    (True, '... (6013 more)')
    """
    text = repr(array[()] if array.ndim == 0 else array)
    for items in (2, 1):
        if len(text) > _LONGEST and array.ndim:
            with np.printoptions(edgeitems=items, threshold=100):
                text = repr(array)
    over = len(text) - _LONGEST
    return text if over <= 0 else f"{text[:_LONGEST]}... ({over} more)"


def array_text(array: np.ndarray[Any, Any], form: Any) -> str:
    """Return the text of a value in the text of a tensor; `form` formats arrays."""
    if is_variant_array(array):
        return str(unboxed(array)) if array.ndim == 0 else f"{array.size} variants"
    if array.ndim == 0:
        if isinstance(array[()], bytes):
            return repr(array[()]) if form is str else str(form(array))
        return str(array[()])
    text: str = form(array)
    return f"\n{text}" if "\n" in text else text
