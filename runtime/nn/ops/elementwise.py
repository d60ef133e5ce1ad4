"""Element-wise functions of `keras.ops`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.dtypes import as_dtype
from runtime.core.lazy_imports import own_names
from runtime.core.tensor import Tensor, TensorLike
from runtime.nn.ops.numpy_functions import of_numpy
from runtime.ops.arguments import static_int
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.constant import cast
from runtime.ops.convert import matched, to_tensor
from runtime.ops.elementwise.arithmetic import (
    add,
    maximum,
    minimum,
    multiply,
    pow,
    subtract,
    truncatediv,
)
from runtime.ops.elementwise.arithmetic import divide as quotient
from runtime.ops.elementwise.comparison import equal, greater, less, not_equal
from runtime.ops.elementwise.complex_numbers import imag
from runtime.ops.elementwise.logic import logical_and, logical_not, logical_or
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import (
    abs,
    ceil,
    exp,
    floor,
    is_inf,
    is_nan,
    log,
    log1p,
    negative,
    sign,
    sin,
    sqrt,
    square,
)


def divide(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return quotients as floats; integers give float32, not TensorFlow's float64.

    >>> print(divide(1, 2))
    rt.Tensor(0.5, shape=(), dtype=float32)
    """
    known = [to_tensor(each).dtype for each in (x1, x2) if not isinstance(each, (int, float))]
    floats = [each.np_dtype for each in known if not (each.is_integer or each.is_bool)]
    dtype = as_dtype(np.result_type(*floats)) if floats else as_dtype("float32")
    return quotient(cast(to_tensor(x1), dtype), cast(to_tensor(x2), dtype))


def rounded(x: TensorLike, decimals: int = 0) -> Tensor:
    """Return numbers rounded to a number of decimals; halves go to the even digit.

    >>> [round(float(each), 1) for each in rounded([0.25, 1.5], 1)]
    [0.2, 1.5]
    """
    return of_numpy("round")(x, static_int(decimals, "decimals"))


_LOG_2 = math.log(2.0)


def floating(x: TensorLike) -> Tensor:
    """Return a tensor of floats: whole numbers and bools become float32.

    >>> floating([1, 2]).dtype
    rt.float32
    """
    tensor: Any = to_tensor(x)
    whole = tensor.dtype.is_integer or tensor.dtype.is_bool
    return cast(tensor, "float32") if whole else tensor


def _both(x1: Any, x2: Any, name: str) -> Any:
    inputs, _ = matched((x1, x2), name, arithmetic=True)
    return inputs


def cbrt(x: TensorLike) -> Tensor:
    """Return cube roots, also of negative numbers.

    >>> cbrt([-8.0, 27.0]).numpy().round(4).tolist()
    [-2.0, 3.0]
    """
    values = floating(x)
    return multiply(sign(values), pow(abs(values), 1.0 / 3.0))


def deg2rad(x: TensorLike) -> Tensor:
    """Return angles in radians, converted from degrees.

    >>> round(float(deg2rad(180.0)), 4)
    3.1416
    """
    return multiply(floating(x), math.pi / 180.0)


def rad2deg(x: TensorLike) -> Tensor:
    """Return angles in degrees, converted from radians.

    >>> round(float(rad2deg(3.14159265)), 2)
    180.0
    """
    return multiply(floating(x), 180.0 / math.pi)


def exp2(x: TensorLike) -> Tensor:
    """Return 2 to the power of each number.

    >>> float(exp2(3))
    8.0
    """
    return exp(multiply(floating(x), _LOG_2))


def log2(x: TensorLike) -> Tensor:
    """Return logarithms with base 2.

    >>> float(log2(8))
    3.0
    """
    return quotient(log(floating(x)), _LOG_2)


def log10(x: TensorLike) -> Tensor:
    """Return logarithms with base 10.

    >>> round(float(log10(1000)), 5)
    3.0
    """
    return quotient(log(floating(x)), math.log(10.0))


def logaddexp(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the logarithm of the sum of the exponentials of two numbers.

    >>> round(float(logaddexp(0.0, 0.0)), 4)
    0.6931
    """
    first, second = _both(floating(x1), floating(x2), "logaddexp")
    apart = negative(abs(subtract(first, second)))
    found = add(maximum(first, second), log1p(exp(apart)))
    # The difference of two equal infinities is NaN.
    return where(equal(first, second), add(first, _LOG_2), found)


def logaddexp2(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the logarithm with base 2 of the sum of 2 to the powers of two numbers.

    >>> float(logaddexp2(0.0, 0.0))
    1.0
    """
    first, second = (multiply(floating(each), _LOG_2) for each in (x1, x2))
    return quotient(logaddexp(first, second), _LOG_2)


def hypot(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return `sqrt(x1 ** 2 + x2 ** 2)`.

    >>> float(hypot(3.0, 4.0))
    5.0
    """
    first, second = _both(floating(x1), floating(x2), "hypot")
    return sqrt(add(square(first), square(second)))


def heaviside(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return 0 for negative numbers, 1 for positive ones, and `x2` for 0.

    >>> heaviside([-1.0, 0.0, 2.0], 0.5).numpy().tolist()
    [0.0, 0.5, 1.0]
    """
    values, at_zero = _both(floating(x1), floating(x2), "heaviside")
    found = cast(greater(values, zeros_like(values)), values.dtype)
    return where(equal(values, zeros_like(values)), at_zero, found)


def sinc(x: TensorLike) -> Tensor:
    """Return sin(pi x) / (pi x), 1 for 0.

    >>> float(sinc(0.0))
    1.0
    """
    angles = multiply(floating(x), math.pi)
    is_zero = equal(angles, zeros_like(angles))
    safe = where(is_zero, ones_like(angles), angles)
    return where(is_zero, ones_like(angles), quotient(sin(safe), safe))


def trunc(x: TensorLike) -> Tensor:
    """Return numbers without their fractions.

    >>> trunc([-1.5, 1.5]).numpy().tolist()
    [-1.0, 1.0]
    """
    values: Any = to_tensor(x)
    if not values.dtype.is_floating:
        return values
    return where(less(values, zeros_like(values)), ceil(values), floor(values))


def fmod(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the remainder of a division whose quotient is rounded towards 0.

    >>> fmod([-3.0, 3.0], 2.0).numpy().tolist()
    [-1.0, 1.0]
    """
    first, second = _both(x1, x2, "fmod")
    if first.dtype.is_integer:
        return subtract(first, multiply(truncatediv(first, second), second))
    return subtract(first, multiply(trunc(quotient(first, second)), second))


def fabs(x: TensorLike) -> Tensor:
    """Return numbers without their sign, as floats.

    >>> float(fabs(-2))
    2.0
    """
    return abs(floating(x))


def fmax(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the larger of two numbers; if one is NaN, the other.

    >>> fmax([1.0, float("nan")], 2.0).numpy().tolist()
    [2.0, 2.0]
    """
    first, second = _both(x1, x2, "fmax")
    return _of_numbers(first, second, maximum)


def fmin(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return the smaller of two numbers; if one is NaN, the other.

    >>> fmin([1.0, float("nan")], 2.0).numpy().tolist()
    [1.0, 2.0]
    """
    first, second = _both(x1, x2, "fmin")
    return _of_numbers(first, second, minimum)


def _of_numbers(first: Any, second: Any, function: Any) -> Any:
    if not first.dtype.is_floating:
        return function(first, second)
    found = where(is_nan(second), first, function(first, second))
    return where(is_nan(first), second, found)


def isposinf(x: TensorLike) -> Tensor:
    """Return whether each number is positive infinity.

    >>> isposinf([1.0, float("inf"), float("-inf")]).numpy().tolist()
    [False, True, False]
    """
    values = floating(x)
    return logical_and(is_inf(values), greater(values, zeros_like(values)))


def isneginf(x: TensorLike) -> Tensor:
    """Return whether each number is negative infinity.

    >>> isneginf([1.0, float("inf"), float("-inf")]).numpy().tolist()
    [False, False, True]
    """
    values = floating(x)
    return logical_and(is_inf(values), less(values, zeros_like(values)))


def signbit(x: TensorLike) -> Tensor:
    """Return whether the sign of each number is negative, also of -0.0.

    >>> signbit([-1.0, 0.0, -0.0]).numpy().tolist()
    [True, False, True]
    """
    values = floating(x)
    is_zero = equal(values, zeros_like(values))
    inverse = quotient(ones_like(values), where(is_zero, values, ones_like(values)))
    return logical_or(less(values, zeros_like(values)), isneginf(inverse))


def nan_to_num(
    x: TensorLike,
    nan: float = 0.0,
    posinf: TensorLike | None = None,
    neginf: TensorLike | None = None,
) -> Tensor:
    """Return numbers with NaN and infinities replaced.

    Args:
        posinf, neginf: replace infinities; by default the extremes of the dtype.

    >>> nan_to_num([float("nan"), 1.0], nan=5.0).numpy().tolist()
    [5.0, 1.0]
    """
    values: Any = to_tensor(x)
    if not values.dtype.is_floating:
        return values
    high = values.dtype.max if posinf is None else posinf
    low = values.dtype.min if neginf is None else neginf
    found = where(is_nan(values), cast(nan, values.dtype), values)
    found = where(isposinf(values), cast(high, values.dtype), found)
    return where(isneginf(values), cast(low, values.dtype), found)


def isin(
    x1: TensorLike, x2: TensorLike, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    """Return whether each element of `x1` is in `x2`.

    >>> isin([1, 2, 3], [2, 5]).numpy().tolist()
    [False, True, False]
    """
    first, second = _both(x1, x2, "isin")
    same = equal(expand_dims(first, -1), reshape(second, [-1]))
    found = reduce_sum(cast(same, "int32"), -1) > 0
    return logical_not(found) if flag(invert, "invert") else found


def isreal(x: TensorLike) -> Tensor:
    """Return whether the imaginary part of each number is 0.

    >>> isreal([1.0, 2.0]).numpy().tolist()
    [True, True]
    """
    values: Any = to_tensor(x)
    if not values.dtype.is_complex:
        return equal(zeros_like(floating(values)), 0.0)
    return logical_not(not_equal(imag(values), 0.0))


allclose = of_numpy("allclose")
isclose = of_numpy("isclose")


__dir__ = own_names(__name__, "allclose", "isclose")
