"""Functions composed of a few ops, such as `polyval`, `log_sigmoid` and `zero_fraction`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.dtypes import DTypeLike, as_dtype, float32, int64
from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.reduction import count_nonzero, reduce_all
from runtime.ops.arrays.shape import ensure_shape, of_rank, reshape, size
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise.arithmetic import add_n, multiply
from runtime.ops.elementwise.unary import negative
from runtime.ops.neural.activations import softplus


def scalar_mul(scalar: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return `scalar * x`; the scalar has no dimensions.

    >>> scalar_mul(2, [1, 3])
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([2, 6], dtype=int32)>
    """
    tensor = to_tensor(x)
    factor = to_tensor(scalar, tensor.dtype)
    if factor.shape.rank not in (None, 0):
        raise ShapeError(f"scalar must be a scalar, not of shape {factor.shape}: write scalar * x")
    return multiply(of_rank(factor, 0), tensor)


def accumulate_n(
    inputs: Sequence[TensorLike],
    shape: ShapeLike | None = None,
    tensor_dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the sum of tensors of one dtype and shape.

    >>> accumulate_n([[1, 2], [3, 4]])
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([4, 6], dtype=int32)>
    """
    total = add_n(inputs)
    if tensor_dtype is not None and total.dtype is not as_dtype(tensor_dtype):
        raise DTypeError(
            f"tensor_dtype must be {total.dtype.name}, the dtype of inputs, not "
            f"{as_dtype(tensor_dtype).name}"
        )
    return total if shape is None else ensure_shape(total, shape)


def polyval(coeffs: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return a polynomial at `x`; the coefficient of the highest power comes first.

    Raises:
        InvalidArgumentError: the coefficients are no list.

    >>> polyval([1.0, 2.0, 3.0], 2.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=11.0>
    """
    if not isinstance(coeffs, list):
        raise ArgumentValueError(f"coeffs must be a list of tensors, not {type(coeffs).__name__}")
    tensor: Any = to_tensor(x)
    if not coeffs:
        return zeros_like(tensor)
    total: Any = to_tensor(coeffs[0], tensor.dtype) + zeros_like(tensor)
    for each in coeffs[1:]:
        total = total * tensor + to_tensor(each, tensor.dtype)
    result: Tensor = total
    return result


def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Return log(sigmoid(x)) without overflow; floats only.

    >>> log_sigmoid(-1000.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=-1000.0>
    """
    return negative(softplus(negative(x)))


def zero_fraction(value: TensorLike, name: str | None = None) -> Tensor:
    """Return the fraction of zeros among the elements, a float32; NaN if there are no elements.

    >>> zero_fraction([0, 1, 0, 2])
    <rt.Tensor: shape=(), dtype=float32, numpy=0.5>
    """
    tensor = to_tensor(value)
    whole: Any = size(tensor, int64)
    zeros = whole - count_nonzero(tensor)
    result: Tensor = strong_cast(zeros, float32) / strong_cast(whole, float32)
    return result


def is_non_decreasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether no element is smaller than the one before it.

    >>> is_non_decreasing([1, 1, 2])
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    flat: Any = reshape(x, [-1])
    return reduce_all(flat[1:] >= flat[:-1])


def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether each element is larger than the one before it.

    >>> is_strictly_increasing([1, 1, 2])
    <rt.Tensor: shape=(), dtype=bool, numpy=False>
    """
    flat: Any = reshape(x, [-1])
    return reduce_all(flat[1:] > flat[:-1])
