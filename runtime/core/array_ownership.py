"""Wraps result arrays as tensors, and copies only where others share the memory.

    (array,) = run(arrays)
    tensor = new_tensor(EagerTensor)
    tensor._array = array if references(array) <= ALONE else array.view()

Tapes tell tensors apart by their arrays, so that each has one of its own. Python counts who refers
to an array: to what was computed a moment ago, only the variable that it is in. The counts are
found by looking, since another Python may count otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import Array, EagerTensor


def _unknown(array: object) -> int:
    """Return the largest count where Python does not count: each array may be another one's."""
    return sys.maxsize


references: Callable[[Any], int] = getattr(sys, "getrefcount", _unknown)
new_tensor: Callable[[Any], Any] = object.__new__


def _seen_alone() -> int:
    """Return the count for an array that only a variable of the function refers to."""
    (array,) = [np.empty(0)]
    return references(array)


def _seen_in_list(array: Array) -> int:
    """Return the count for an array that is in a list, too, given as an item of that."""
    return references(array)


def _seen_given(array: Array) -> int:
    """Return the count for an array that the caller has nowhere: Python 3.10 holds it meanwhile."""
    return references(array)


_LIST = [np.empty(0)]
ALONE = min(_seen_alone(), sys.maxsize - 1)
_GIVEN = min(_seen_given(np.empty(0)), sys.maxsize - 1)
_IN_LIST = min(_seen_in_list(_LIST[0]), sys.maxsize - 1)


def tensor_of_item(array: Array) -> EagerTensor:
    """Return the tensor of an array that is to be given as an item of a list or tuple.

    >>> arrays = [np.zeros(2), np.zeros(2)]
    >>> first = tensor_of_item(arrays[0])
    >>> first._array is arrays[0], tensor_of_item(arrays[0])._array is arrays[0]
    (True, False)
    """
    tensor: EagerTensor = new_tensor(EagerTensor)
    tensor._array = array if references(array) <= _IN_LIST else array.view()
    return tensor


def tensors_of(arrays: Sequence[Array]) -> list[EagerTensor]:
    """Return the tensors of the arrays in a list or tuple that the caller has given away.

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
    """Return the tensor of an array, which it has for itself if the caller has given it away.

    >>> kept = np.zeros(2)
    >>> tensor_of(kept)._array is kept
    False
    """
    tensor: EagerTensor = new_tensor(EagerTensor)
    tensor._array = array if references(array) <= _GIVEN else array.view()
    return tensor
