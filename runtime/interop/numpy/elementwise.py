"""NumPy's elementwise functions that are compositions of ops."""

from __future__ import annotations

import math
from typing import Any

from runtime.core.dtypes import DType, float64
from runtime.core.tensor import Tensor
from runtime.interop.numpy.conversion import promoted
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise import logic
from runtime.ops.elementwise import unary as elementwise
from runtime.ops.elementwise.arithmetic import maximum, multiply, subtract
from runtime.ops.elementwise.arithmetic import pow as pow_
from runtime.ops.elementwise.comparison import equal
from runtime.ops.elementwise.complex_numbers import conj
from runtime.ops.elementwise.selection import where


def log2(x: Any) -> Tensor:
    """Return the logarithms to base 2.

    >>> log2([8.0])
    <rt.Tensor: shape=(1,), dtype=float32, numpy=array([3.], dtype=float32)>
    """
    return multiply(elementwise.log(x), 1 / math.log(2))


def log10(x: Any) -> Tensor:
    """Return the logarithms to base 10.

    >>> log10([1.0])
    <rt.Tensor: shape=(1,), dtype=float32, numpy=array([0.], dtype=float32)>
    """
    return multiply(elementwise.log(x), 1 / math.log(10))


def deg2rad(x: Any) -> Tensor:
    """Return angles in degrees as radians.

    >>> round(float(deg2rad(180.0)), 4)
    3.1416
    """
    return multiply(x, math.pi / 180)


def rad2deg(x: Any) -> Tensor:
    """Return angles in radians as degrees.

    >>> round(float(rad2deg(math.pi)), 4)
    180.0
    """
    return multiply(x, 180 / math.pi)


def cbrt(x: Any) -> Tensor:
    """Return the cube roots.

    >>> round(float(cbrt(-8.0)), 4)
    -2.0
    """
    return multiply(elementwise.sign(x), pow_(elementwise.abs(x), 1 / 3))


def trunc(x: Any) -> Tensor:
    """Return each number without its fractional part.

    >>> trunc([-1.5, 1.5])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([-1.,  1.], dtype=float32)>
    """
    return multiply(elementwise.sign(x), elementwise.floor(elementwise.abs(x)))


def hypot(x: Any, y: Any) -> Tensor:
    """Return sqrt(x * x + y * y).

    >>> float(hypot(3.0, 4.0))
    5.0
    """
    x, y = _floats(x, y)
    # Scaled by the larger one, so that no square overflows.
    size, other = elementwise.abs(x), elementwise.abs(y)
    largest: Any = maximum(size, other)
    unit = where(equal(largest, zeros_like(largest)), largest + 1, largest)
    total: Any = elementwise.square(size / unit) + elementwise.square(other / unit)
    return multiply(unit, elementwise.sqrt(total))


def logaddexp(x: Any, y: Any) -> Tensor:
    """Return log(exp(x) + exp(y)).

    >>> round(float(logaddexp(0.0, 0.0)), 4)
    0.6931
    """
    x, y = _floats(x, y)
    largest: Any = maximum(x, y)
    safe = where(elementwise.is_finite(largest), largest, zeros_like(largest))
    shares: Any = elementwise.exp(subtract(x, safe)) + elementwise.exp(subtract(y, safe))
    result: Tensor = elementwise.log(shares) + safe
    return result


def vecdot(x: Any, y: Any) -> Tensor:
    """Return the sums over the last axis of the products of x's conjugates and y.

    >>> vecdot([1, 2], [3, 4])
    <rt.Tensor: shape=(), dtype=int32, numpy=11>
    """
    return reduce_sum(multiply(conj(x), y), -1)


def left_shift(x: Any, y: Any) -> Tensor:
    """Return x shifted left by y bits; 0 where y is out of range.

    >>> left_shift([1, 1], [3, 40])
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([8, 0], dtype=int32)>
    """
    shifted = logic.left_shift(x, y)
    return where(_is_in_range(y, shifted.dtype), shifted, zeros_like(shifted))


def right_shift(x: Any, y: Any) -> Tensor:
    """Return x shifted right by y bits; 0 or -1, by its sign, where y is out of range.

    >>> right_shift([8, -8], [1, 40])
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([ 4, -1], dtype=int32)>
    """
    shifted: Any = logic.right_shift(x, y)
    sign = logic.right_shift(to_tensor(x, shifted.dtype), 8 * shifted.dtype.size - 1)
    return where(_is_in_range(y, shifted.dtype), shifted, sign)


def _is_in_range(count: Any, dtype: DType) -> Any:
    count = to_tensor(count)
    return (count >= 0) & (count < 8 * dtype.size)


def _floats(*values: Any) -> list[Tensor]:
    """Return numbers as floats, in the dtype in which NumPy computes."""
    tensors = promoted(*values)
    return [x if x.dtype.is_floating else strong_cast(x, float64) for x in tensors]
