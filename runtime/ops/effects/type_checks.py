"""Assertions on dtypes and iterables, checked while tracing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.core.argument_checks import plain_text
from runtime.core.dtypes import DType, as_dtype, float32
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops.convert import is_tensor_like, to_tensor


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise a TypeError (DTypeError) unless x has an integer dtype.

    >>> assert_integer(1.0)
    Traceback (most recent call last):
    runtime.errors.DTypeError: expected integers, found float32
    """
    found = to_tensor(x).dtype
    if not found.is_integer:
        raise DTypeError(f"{_head(message)}expected integers, found {found.name}")


def assert_type(
    tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None
) -> None:
    """Raise a TypeError (DTypeError) unless a tensor has a dtype.

    >>> assert_type([1, 2], "int32")
    >>> assert_type([1, 2], "float32")
    Traceback (most recent call last):
    runtime.errors.DTypeError: the tensor must be float32, but is int32
    """
    found, wanted = to_tensor(tensor).dtype, as_dtype(tf_type)
    if found is not wanted:
        raise DTypeError(f"{_head(message)}the tensor must be {wanted.name}, but is {found.name}")


def assert_proper_iterable(values: Any) -> None:
    """Raise a TypeError (DTypeError) unless `values` is an iterable of items.

    Tensors, arrays and strings are iterable, but are usually passed by mistake.

    >>> assert_proper_iterable([1, 2])
    """
    odd = isinstance(values, (str, bytes, np.ndarray)) or is_tensor_like(values)
    if odd or not isinstance(values, Iterable):
        word = type(values).__name__
        raise DTypeError(f"expected a list or another iterable of items, found a {word}")


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> DType:
    """Return the common float dtype of tensors, float32 if there are none; else raise ValueError.

    >>> assert_same_float_dtype([[1.0], [2.0]])
    rt.float32
    """
    found = None if dtype is None else as_dtype(dtype)
    if tensors is not None and not isinstance(tensors, (list, tuple)):
        raise ArgumentValueError(f"tensors is a list of tensors, not {tensors!r}")
    for tensor in tensors or ():
        own = to_tensor(tensor).dtype
        if found is not None and own is not found:
            raise ArgumentValueError(f"the tensors must all be {found.name}, but one is {own.name}")
        found = own
    found = float32 if found is None else found
    if not found.is_floating:
        raise ArgumentValueError(f"Expected floating point type, got {found.name}")
    return found


def is_numeric_tensor(tensor: Any) -> bool:
    """Return whether this is a tensor of numbers.

    >>> is_numeric_tensor(to_tensor(1.0)), is_numeric_tensor(1.0), is_numeric_tensor(to_tensor("a"))
    (True, False, False)
    """
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric


def _head(message: str | None) -> str:
    return "" if message is None else f"{plain_text(message, 'message')}. "
