"""Scales and shifts random numbers to a range or distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.shapes import Dims
from runtime.core.tensor import Tensor
from runtime.ops.arguments import dims_argument
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.shape import broadcast_to
from runtime.ops.arrays.shape import shape as shape_of
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add, maximum, multiply, subtract


def within(numbers: Tensor, minval: Any, maxval: Any, dtype: DType) -> Tensor:
    """Return numbers from 0 to 1 scaled to lie between two bounds."""
    low = to_tensor(0 if minval is None else minval, dtype)
    high = to_tensor(1 if maxval is None else maxval, dtype)
    if _is(minval, 0) and (maxval is None or _is(maxval, 1)):
        return numbers
    return add(multiply(numbers, subtract(high, low)), low)


def scaled(numbers: Tensor, mean: Any, stddev: Any, dtype: DType) -> Tensor:
    """Return standard normal numbers with another deviation and mean."""
    middle, width = to_tensor(mean, dtype), to_tensor(stddev, dtype)
    if _is(mean, 0) and _is(stddev, 1):
        return numbers
    return add(multiply(numbers, width), middle)


def positive(numbers: Tensor, dtype: DType) -> Tensor:
    """Return gamma numbers, with the smallest float of the dtype in place of 0."""
    return maximum(numbers, to_tensor(np.finfo(dtype.np_dtype).tiny, dtype))


def broadcast_with(x: Tensor, other: Tensor) -> Tensor:
    """Return a tensor broadcast to the shape that it has together with another."""
    shape = x.shape.broadcast(other.shape)
    if shape == x.shape and shape.is_fully_defined():
        return x
    if shape.is_fully_defined():
        return broadcast_to(x, shape)
    return add(x, multiply(other, to_tensor(0, other.dtype)))


def followed(shape: Any, parameter: Tensor) -> Any:
    """Return a `shape` argument with the dimensions of a parameter appended."""
    target, dims = dims_argument(shape)
    ending: Dims = parameter.shape.dims
    if (
        not dims
        and target is not None
        and parameter.shape.is_fully_defined()
        and ending is not None
    ):
        return (*target, *ending)
    begin = dims[0] if dims else to_tensor(np.array(target, np.int32))
    return concat([to_tensor(begin), shape_of(parameter, begin.dtype)], 0)


def _is(value: Any, number: int) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == number
