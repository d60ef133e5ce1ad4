"""Data given as arrays: made of what users have, cut in two, and counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import nest
from runtime.core.dtypes import float32, float64
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.errors import ArgumentValueError, ShapeError
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor


def as_arrays(value: Any) -> Any:
    """Return a structure with arrays for tensors, lists of numbers and what has `__array__`.

    Numbers with 64 bits behind the point become float32, as layers compute. Tensors of a graph
    that is recorded stay tensors.

    >>> as_arrays({"a": [[1.0], [2.0]]})["a"].dtype
    dtype('float32')
    """
    if value is None:
        return None
    if isinstance(value, dict):
        return {key: as_arrays(each) for key, each in value.items()}
    if isinstance(value, tuple) or (isinstance(value, list) and _holds_arrays(value)):
        return type(value)(as_arrays(each) for each in value)
    return _array(value)


def _holds_arrays(value: list[Any]) -> bool:
    return any(hasattr(each, "shape") and each.shape != () for each in value)


def _array(value: Any) -> Any:
    if isinstance(value, (str, bytes)):
        raise ArgumentValueError(f"data comes as arrays of items, not as the text {value!r:.40}")
    found: Any
    if isinstance(value, SymbolicTensor):
        return cast(value, float32) if value.dtype == float64 else value
    if isinstance(value, EagerTensor):
        found = value.numpy()
    elif hasattr(value, "__array__"):
        found = np.asarray(value)
    else:
        tensor = to_tensor(value)
        if isinstance(tensor, SymbolicTensor):
            return _array(tensor)
        found = np.asarray(tensor)
    if found.dtype.kind not in "biufcO":
        found = np.asarray(to_tensor(value))
    return found.astype(np.float32) if found.dtype == np.float64 else found


def number_of_items(parts: Any) -> int:
    """Return the length of all arrays of a structure, -1 where only a run of a graph tells it.

    Raises:
        ShapeError: the lengths differ, or an array is a number.
        ArgumentValueError: there is nothing in them.
    """
    sizes = []
    for path, array in nest.flatten_with_paths(parts):
        if array is None:
            raise ArgumentValueError(f"there is no data: {_name(path)} is None")
        dims = array.shape.dims if isinstance(array, SymbolicTensor) else array.shape
        if dims == ():
            raise ShapeError(f"data comes as arrays of items: {_name(path)} is one number")
        if dims and dims[0] is not None:
            sizes.append((_name(path), dims[0]))
    if len({size for _, size in sizes}) > 1:
        told = ", ".join(f"{size} in {name}" for name, size in sizes)
        raise ShapeError(f"all arrays need the same number of items, not {told}")
    if not nest.flatten(parts) or (sizes and sizes[0][1] == 0):
        raise ArgumentValueError("there is no data: the arrays are empty")
    return sizes[0][1] if sizes else -1


def _name(path: str) -> str:
    first, rest = path[:3], path[3:]
    names = {"[0]": "x", "[1]": "y", "[2]": "sample_weight"}
    return f"{names.get(first, first)}{rest}"


def split(parts: Any, share: float) -> tuple[Any, Any]:
    """Return structures of the first part of arrays, and of the last `share` of them.

    >>> split((np.arange(4),), 0.25)
    ((array([0, 1, 2]),), (array([3]),))
    """
    if not isinstance(share, float) or not 0 < share < 1:
        raise ArgumentValueError(f"validation_split lies between 0 and 1, is {share!r}")
    arrays = as_arrays(parts)
    given = [each for each in nest.flatten(arrays) if each is not None]
    number = number_of_items(tuple(given))
    at = int(np.floor(number * (1 - share)))
    if at == 0 or at == number:
        raise ArgumentValueError(
            f"validation_split={share} of {number} items leaves nothing on one side"
        )

    def part(rows: slice) -> Any:
        return nest.map_structure(lambda a: None if a is None else a[rows], arrays)

    return part(slice(at)), part(slice(at, None))
