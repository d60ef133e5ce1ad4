"""Tensors from Python and NumPy values, and from tensors of another dtype."""

from __future__ import annotations

import numpy as np

from runtime.core.context import current_recorder
from runtime.core.dtypes import DTypeLike, as_dtype
from runtime.core.shapes import ShapeLike, TensorShape, as_shape
from runtime.core.tensor import Array, SymbolicTensor, Tensor, TensorLike
from runtime.errors import OutOfMemoryError, ShapeError
from runtime.ops.convert import (
    CAST,
    constant_tensor,
    holds_tensors,
    is_tensor_like,
    to_tensor,
)
from runtime.ops.gradient_rules import IDENTITY, STOP_GRADIENT
from runtime.ops.literals import array_of, number_array
from runtime.ops.op import REGISTRY, apply


def constant(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Make a tensor of `value`; int32 and float32 by default for Python numbers.

    Args:
        value: a Python or NumPy value, a nested list, possibly with tensors inside.
        dtype: the dtype, which must be able to hold the value.
        shape: a scalar is repeated to it, a list of as many elements reshaped to it.

    Raises:
        DTypeError, ShapeError: when dtype or shape do not fit the value.

    >>> constant([1.5, 2])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([1.5, 2. ], dtype=float32)>
    >>> print(constant(7, shape=(3,)))
    rt.Tensor([7 7 7], shape=(3,), dtype=int32)
    """
    if dtype is None and shape is None:
        number = number_array(value)
        if number is not None:
            return constant_tensor(number)
    if is_tensor_like(value) or holds_tensors(value):
        tensor = to_tensor(value, dtype)
        return tensor if shape is None else _reshaped(tensor, as_shape(shape))
    array = array_of(value, None if dtype is None else as_dtype(dtype))
    return constant_tensor(array if shape is None else _shaped(array, as_shape(shape)))


def convert_to_tensor(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    dtype_hint: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return `value` as a tensor, unchanged when it is one.

    Args:
        dtype: required; a tensor of another dtype is an error.
        dtype_hint: preferred, where the value allows.

    Raises:
        DTypeError: when the value cannot be of `dtype`.

    >>> x = constant(1)
    >>> convert_to_tensor(x) is x
    True
    >>> convert_to_tensor([x, 2])
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>
    """
    return to_tensor(value, dtype, dtype_hint)


def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Convert every element: floats are truncated towards zero, numbers become bool by `!= 0`.

    Raises:
        DTypeError: between numbers and strings.

    >>> print(cast([1.8, -1.8], "int32"))
    rt.Tensor([ 1 -1], shape=(2,), dtype=int32)
    """
    target, tensor = as_dtype(dtype), to_tensor(x)
    if tensor.dtype is target and not getattr(tensor, "weak", False):
        return tensor
    result: Tensor = apply(CAST, (tensor,), dtype=target)
    return result


def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor of the same value; in a graph the result of another node.

    >>> identity(3)
    <rt.Tensor: shape=(), dtype=int32, numpy=3>
    """
    result: Tensor = apply(IDENTITY, (to_tensor(input),))
    return result


def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the same value, through which no gradient flows.

    >>> stop_gradient(3)
    <rt.Tensor: shape=(), dtype=int32, numpy=3>
    """
    result: Tensor = apply(STOP_GRADIENT, (to_tensor(input),))
    return result


def is_tensor(x: TensorLike) -> bool:
    """Return whether `x` is a tensor or a variable, rather than a Python or NumPy value.

    >>> is_tensor(constant(1)), is_tensor(1)
    (True, False)
    """
    return is_tensor_like(x)


def executing_eagerly() -> bool:
    """Return whether ops are computed at once rather than recorded.

    >>> executing_eagerly()
    True
    """
    return current_recorder() is None


def inside_function() -> bool:
    """Return whether ops are recorded at the moment, as they are while a function is traced.

    >>> inside_function()
    False
    """
    return current_recorder() is not None


def is_symbolic_tensor(tensor: TensorLike) -> bool:
    """Return whether `tensor` belongs to a graph and has no value yet.

    >>> is_symbolic_tensor(constant(1)), is_symbolic_tensor(1)
    (False, False)
    """
    return isinstance(tensor, SymbolicTensor)


def _reshaped(tensor: Tensor, shape: TensorShape) -> Tensor:
    """Return a tensor in another shape: reshaped, or a scalar repeated."""
    if not shape.is_fully_defined():
        raise ShapeError(f"a constant needs a known shape, not {shape}")
    name = "broadcast_to" if tensor.shape.rank == 0 else "reshape"
    result: Tensor = apply(REGISTRY[name], (tensor,), shape=shape.dims)
    return result


def _shaped(array: Array, shape: TensorShape) -> Array:
    if not shape.is_fully_defined():
        raise ShapeError(f"a constant needs a known shape, not {shape}")
    if array.size == 1:
        try:
            return np.full(tuple(shape), array.reshape(())[()], array.dtype)
        except (MemoryError, ValueError):
            raise OutOfMemoryError(f"memory cannot hold a constant of shape {shape}") from None
    if array.size != shape.num_elements():
        raise ShapeError(f"{array.size} values do not fill the shape {shape}")
    return array.reshape(tuple(shape))
