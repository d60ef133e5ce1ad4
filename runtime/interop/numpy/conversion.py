"""Converts arguments of NumPy functions to tensors with NumPy's dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType, as_dtype
from runtime.core.tensor import Tensor
from runtime.ops.arrays import concatenation
from runtime.ops.containers.dynamic_items import holds_dynamic_items
from runtime.ops.convert import adopting, holds_tensors, is_weak, strong_cast, to_tensor

_NUMBERS = (bool, int, float, complex)
# A Python number for each kind of dtype.
SAMPLE_NUMBERS = {"b": True, "i": 1, "u": 1, "f": 1.0, "c": 1j}
# The type of several results: a tuple, or a list before NumPy 2.
RESULT_CONTAINER: Any = type(np.meshgrid([0]))


def numpy_dtype(dtype: Any) -> DType:
    """Return the dtype that NumPy takes `dtype` for, such as int64 for `int`.

    >>> numpy_dtype(int), numpy_dtype("float32")
    (rt.int64, rt.float32)
    """
    return dtype if isinstance(dtype, DType) else as_dtype(np.dtype(dtype))


def promoted(*values: Any) -> list[Tensor]:
    """Return values as tensors of NumPy's common dtype; Python numbers adapt as literals do.

    Raises:
        OverflowError: a Python number does not fit the dtype of the others, as in NumPy.
    """
    arrays = [value if isinstance(value, _NUMBERS) else as_array(value) for value in values]
    known = [value for value in arrays if not isinstance(value, _NUMBERS)]
    dtypes = [to_tensor(value).dtype.np_dtype for value in known]
    numbers = [value for value in arrays if isinstance(value, _NUMBERS)]
    target = as_dtype(np.result_type(*dtypes, *numbers))
    return [adapted(value, target) for value in arrays]


def adapted(value: Any, dtype: DType) -> Tensor:
    """Return a Python number or a tensor in a dtype.

    Raises:
        OverflowError: the number does not fit.
    """
    if isinstance(value, _NUMBERS):
        return to_tensor(np.array(value, dtype.np_dtype))
    tensor = to_tensor(value)
    return adopting(tensor, dtype) if is_weak(tensor) is True else strong_cast(tensor, dtype)


def as_array(value: Any) -> Any:
    """Return a tensor as it is, and lists as one array or tensor, with NumPy's dtype.

    NumPy treats Python numbers in lists as int64 and float64; weak tensors, which stand for such
    numbers, are treated the same.
    """
    if isinstance(value, Tensor):
        return value
    if not holds_tensors(value):
        return np.asarray(value)
    if holds_dynamic_items(value):
        return to_tensor(value)
    parts = [to_tensor(as_array(each)) for each in value]
    dtypes = [_own_dtype(each) for each in parts]
    if any(dtype.kind not in "biufc" for dtype in dtypes):
        return to_tensor(value)
    target = as_dtype(np.result_type(*dtypes))
    return concatenation.stack([strong_cast(each, target) for each in parts])


def _own_dtype(tensor: Tensor) -> np.dtype[Any]:
    """Return a tensor's dtype for NumPy: int64 or float64 if it stands for a Python number."""
    number = SAMPLE_NUMBERS.get(tensor.dtype.kind) if is_weak(tensor) else None
    return tensor.dtype.np_dtype if number is None else np.asarray(number).dtype


def tensor_of(value: Any) -> Tensor:
    """Return the argument of an array parameter as a tensor, with NumPy's dtype."""
    return to_tensor(as_array(value))
