"""Wraps result arrays as tensors, with a view only if the array object is used elsewhere.

    (array,) = run(arrays)
    tensor = new_tensor(EagerTensor)
    tensor._array = array if references(array) <= ALONE else array.view()

Tapes identify tensors by their arrays, so each tensor has an array object of its own. Python counts
the references to an array: a result that was just computed has only that of its variable. The
counts are measured, since another Python implementation may count differently.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import Array, EagerTensor


def _unknown(array: object) -> int:
    """Return the largest count where references are not counted: any array may be shared."""
    return sys.maxsize


references: Callable[[Any], int] = getattr(sys, "getrefcount", _unknown)
new_tensor: Callable[[Any], Any] = object.__new__


def _seen_alone() -> int:
    """Return the count for an array that only one variable refers to."""
    (array,) = [np.empty(0)]
    return references(array)


def _seen_in_list(array: Array) -> int:
    """Return the count for an array that is in a list, and is passed as an item of the list."""
    return references(array)


def _seen_given(array: Array) -> int:
    """Return the count for an array passed without another reference; Python 3.10 holds one."""
    return references(array)


_LIST = [np.empty(0)]
ALONE = min(_seen_alone(), sys.maxsize - 1)
_GIVEN = min(_seen_given(np.empty(0)), sys.maxsize - 1)
_IN_LIST = min(_seen_in_list(_LIST[0]), sys.maxsize - 1)


def tensor_of_item(array: Array) -> EagerTensor:
    """Return the tensor of an array that is passed as an item of a list or tuple.

    >>> arrays = [np.zeros(2), np.zeros(2)]
    >>> first = tensor_of_item(arrays[0])
    >>> first._array is arrays[0], tensor_of_item(arrays[0])._array is arrays[0]
    (True, False)
    """
    tensor: EagerTensor = new_tensor(EagerTensor)
    tensor._array = array if references(array) <= _IN_LIST else array.view()
    return tensor


def tensors_of(arrays: Sequence[Array]) -> list[EagerTensor]:
    """Return the tensors of arrays in a list or tuple that the caller does not use any more.

    >>> [each.shape for each in tensors_of([np.zeros(2), np.zeros(())])]
    [TensorShape([2]), TensorShape([])]
    """
    tensors = []
    for array in arrays:
        tensor = new_tensor(EagerTensor)
        tensor._array = array if references(array) <= _IN_LIST else array.view()
        tensors.append(tensor)
    return tensors


def tensor_of(array: Array) -> EagerTensor:
    """Return the tensor of an array, without a view if the caller holds no reference to it.

    >>> kept = np.zeros(2)
    >>> tensor_of(kept)._array is kept
    False
    """
    tensor: EagerTensor = new_tensor(EagerTensor)
    tensor._array = array if references(array) <= _GIVEN else array.view()
    return tensor
