"""Arithmetic of two or more operands, elementwise with broadcasting."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from runtime.core.argument_checks import listed
from runtime.core.dtypes import DType, float32, float64
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DivisionByZeroError
from runtime.ops import infer
from runtime.ops.convert import (
    binary,
    is_weak,
    matched,
    stands_for_number,
    strong_cast,
    to_tensor,
    weakly,
)
from runtime.ops.elementwise import quotient_kernels
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import log
from runtime.ops.gradient_rules import call, conjugate, no_gradient, sum_to_like, two_inputs
from runtime.ops.op import Op, apply, define
from runtime.ops.python.arithmetic import PYTHON_DIVIDE, as_operand, python_power


def _floor_divide(x: Array, y: Array) -> Array:
    _check_divisor(y)
    return quotient_kernels.floor_quotient(x, y)


def _floor_mod(x: Array, y: Array) -> Array:
    _check_divisor(y)
    return quotient_kernels.floor_remainder(x, y)


def _truncate_divide(x: Array, y: Array) -> Array:
    _check_divisor(y)
    if x.dtype.kind == "f":
        return np.trunc(x / y)
    return quotient_kernels.cut_quotient(x, y)


def _check_divisor(y: Array) -> None:
    if y.dtype.kind in "iu" and not y.all():
        raise DivisionByZeroError("integer division by zero")


def _divide_no_nan(x: Array, y: Array) -> Array:
    return np.where(y == 0, np.zeros((), x.dtype), x / y)


def _multiply_no_nan(x: Array, y: Array) -> Array:
    return np.where(y == 0, np.zeros((), x.dtype), x * y)


def _xlogy(x: Array, y: Array) -> Array:
    return np.where(x == 0, np.zeros((), x.dtype), x * np.log(y))


def _power(x: Array, y: Array) -> Array:
    if y.dtype.kind == "i" and (y < 0).any():
        raise ArgumentValueError("integers to negative integer powers: cast to float first")
    return quotient_kernels.power(x, y)


def _clip(x: Array, low: Array, high: Array) -> Array:
    return np.maximum(np.minimum(x, high), low)


def _squared_difference(x: Array, y: Array) -> Array:
    difference = np.asarray(x - y)
    if difference.dtype.kind == "c":
        return difference * np.conj(difference)
    return np.multiply(difference, difference, out=difference)


def _add_n(*arrays: Array) -> Array:
    infer.check_same_shape(*arrays)
    return reduce(np.add, arrays)


def _pairwise(
    name: str, kernel: Any, kinds: str, tensorflow_name: str, dx: Any = None, dy: Any = None
) -> Op:
    """Declare an op of two operands."""
    grad: Any = no_gradient if dx is None else two_inputs(dx, dy)
    return define(
        name, kernel, infer.broadcast, kinds=kinds, grad=grad, tensorflow_name=tensorflow_name
    )


def _chosen(dz: Any, z: Any, x: Any) -> Any:
    """Return the gradient of `x` in a maximum or minimum: dz where `x` was chosen."""
    # `==` is not used: its result for shapes that do not broadcast has an unknown shape.
    return dz * strong_cast(call("equal", z, x), dz.dtype)


def _pow_dy(dz: Any, z: Any, x: Any, y: Any) -> Any:
    has_logarithm = x != 0 if x.dtype.is_complex else x > 0
    return dz * z * log(where(has_logarithm, x, to_tensor(1, x.dtype)))


def _clip_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Tensor, ...]:
    (x, low, high), dz = inputs, dys[0]
    zero = to_tensor(0, dz.dtype)
    places = ((x >= low) & (x <= high), x < low, x > high)
    parts = (where(place, dz, zero) for place in places)
    return tuple(sum_to_like(part, operand) for part, operand in zip(parts, inputs))


# The columns: name, kernel, kinds, other names, and the gradients dx and dy of (dz, z, x, y).
# fmt: off
ADD = _pairwise(
    "add", np.add, "iufcO", "AddV2", dx=lambda dz, z, x, y: dz, dy=lambda dz, z, x, y: dz)
SUBTRACT = _pairwise(
    "subtract", np.subtract, "iufc", "Sub",
    dx=lambda dz, z, x, y: dz, dy=lambda dz, z, x, y: -dz)
MULTIPLY = _pairwise(
    "multiply", np.multiply, "iufc", "Mul",
    dx=lambda dz, z, x, y: dz * y, dy=lambda dz, z, x, y: dz * x)
DIVIDE = _pairwise(
    "divide", np.true_divide, "fc", "RealDiv",
    dx=lambda dz, z, x, y: dz / y, dy=lambda dz, z, x, y: -dz * z / y)
DIVIDE_NO_NAN = _pairwise(
    "divide_no_nan", _divide_no_nan, "fc", "DivNoNan",
    dx=lambda dz, z, x, y: divide_no_nan(dz, y), dy=lambda dz, z, x, y: -divide_no_nan(dz * z, y))
MULTIPLY_NO_NAN = _pairwise(
    "multiply_no_nan", _multiply_no_nan, "fc", "MulNoNan",
    dx=lambda dz, z, x, y: multiply_no_nan(dz, y), dy=lambda dz, z, x, y: multiply_no_nan(x, dz))
FLOORDIV = _pairwise("floordiv", _floor_divide, "iuf", "FloorDiv")
FLOORMOD = _pairwise(
    "floormod", _floor_mod, "iuf", "FloorMod",
    dx=lambda dz, z, x, y: dz, dy=lambda dz, z, x, y: -dz * (x // y))
TRUNCATEDIV = _pairwise("truncatediv", _truncate_divide, "iuf", "TruncateDiv")
POW = _pairwise(
    "pow", _power, "iufc", "Pow", dx=lambda dz, z, x, y: dz * y * pow(x, y - 1), dy=_pow_dy)
MAXIMUM = _pairwise(
    "maximum", np.maximum, "iuf", "Maximum",
    dx=lambda dz, z, x, y: _chosen(dz, z, x), dy=lambda dz, z, x, y: dz - _chosen(dz, z, x))
MINIMUM = _pairwise(
    "minimum", np.minimum, "iuf", "Minimum",
    dx=lambda dz, z, x, y: _chosen(dz, z, x), dy=lambda dz, z, x, y: dz - _chosen(dz, z, x))
ATAN2 = _pairwise(
    "atan2", np.arctan2, "f", "Atan2",
    dx=lambda dz, z, x, y: dz * y / (x * x + y * y),
    dy=lambda dz, z, x, y: -dz * x / (x * x + y * y))
XLOGY = _pairwise(
    "xlogy", _xlogy, "fc", "Xlogy",
    dx=lambda dz, z, x, y: dz * xlogy(strong_cast(x != 0, x.dtype), y),
    dy=lambda dz, z, x, y: dz * where(x == 0, x, x / y))
SQUARED_DIFFERENCE = _pairwise(
    "squared_difference", _squared_difference, "iufc", "SquaredDifference",
    # This function has no complex derivative, so the conjugation for holomorphic ops is undone.
    dx=lambda dz, z, x, y: dz * 2 * conjugate(x - y),
    dy=lambda dz, z, x, y: dz * 2 * conjugate(y - x))
CLIP_BY_VALUE = define(
    "clip_by_value", _clip, infer.broadcast, kinds="iuf", grad=_clip_grad,
    tensorflow_name="ClipByValue")
ADD_N = define(
    "add_n", _add_n, infer.alike, kinds="iufc", tensorflow_name="AddN",
    grad=lambda dys, outputs, inputs: tuple(sum_to_like(dys[0], x) for x in inputs))
# fmt: on


def add(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x + y; strings are joined.

    >>> add([1, 2], 10)
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([11, 12], dtype=int32)>
    """
    return binary(ADD, x, y)


def subtract(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x - y.

    >>> subtract(1.5, 1)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.5>
    """
    return binary(SUBTRACT, x, y)


def multiply(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x * y, element by element.

    >>> print(multiply([[1], [2]], [3, 4]))
    rt.Tensor(
    [[3 4]
     [6 8]], shape=(2, 2), dtype=int32)
    """
    return binary(MULTIPLY, x, y)


def divide(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y as Python divides: ints give float64 (8 and 16 bit ones float32).

    For two Python numbers it raises ZeroDivisionError as Python does.

    >>> divide(7, 2)
    <rt.Tensor: shape=(), dtype=float64, numpy=3.5>
    """
    inputs, weak = matched((x, y), "divide", arithmetic=True)
    dtype = inputs[0].dtype
    if weak and not _is_known_divisor(y):
        floats = [strong_cast(each, float64) for each in inputs] if dtype.is_integer else inputs
        return weakly(apply(PYTHON_DIVIDE, floats, ints=dtype.is_integer), weak)
    if dtype.is_integer:
        target = float64 if weak else _quotient_dtype(dtype)
        inputs = [strong_cast(operand, target) for operand in inputs]
    return weakly(apply(DIVIDE, inputs), weak)


def _is_known_divisor(y: Any) -> bool:
    """Return whether a divisor is a number that is known to be nonzero."""
    return not isinstance(y, Tensor) and bool(y)


def truediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y; another name of `divide`.

    >>> truediv(1.0, 4)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.25>
    """
    return divide(x, y)


def floordiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x // y, rounded down as in Python; ZeroDivisionError for an int divided by 0.

    It is also raised for a Python float.

    >>> floordiv(-7, 2)
    <rt.Tensor: shape=(), dtype=int32, numpy=-4>
    """
    return _divided(FLOORDIV, x, y, "//")


def floormod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x % y, with the sign of y as in Python; ZeroDivisionError for an int modulo 0.

    It is also raised for a Python float.

    >>> floormod(-7, 3)
    <rt.Tensor: shape=(), dtype=int32, numpy=2>
    """
    return _divided(FLOORMOD, x, y, "%")


def _divided(op: Op, x: Any, y: Any, symbol: str) -> Tensor:
    if not (getattr(y, "weak", False) and any(map(_is_float, (x, y)))):
        return binary(op, x, y)
    inputs, weak = matched((x, y), op.name, arithmetic=True)
    divisor = as_operand(inputs[1], symbol) if weak else inputs[1]
    return weakly(apply(op, [inputs[0], divisor]), weak)


def _is_complex(value: Any) -> bool:
    return value.dtype.is_complex if isinstance(value, Tensor) else isinstance(value, complex)


def _is_float(value: Any) -> bool:
    return value.dtype.is_floating if isinstance(value, Tensor) else isinstance(value, float)


mod = floormod


def truncatediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y rounded towards zero, as C divides.

    >>> truncatediv(-7, 2)
    <rt.Tensor: shape=(), dtype=int32, numpy=-3>
    """
    return binary(TRUNCATEDIV, x, y)


def pow(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x ** y; InvalidArgumentError for an int to a negative power.

    For two Python numbers the errors are Python's; a complex power is an error.

    >>> pow([2, 3], 2)
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([4, 9], dtype=int32)>
    """
    if not (stands_for_number(x) and stands_for_number(y) and (is_weak(x) or is_weak(y))):
        return binary(POW, x, y)
    is_fraction = isinstance(y, int) and y < 0
    if any(map(_is_complex, (x, y))) or not (is_fraction or any(map(_is_float, (x, y)))):
        return binary(POW, x, y)
    return weakly(python_power(x, y), True)


def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y, 0 where y is 0; integers give floats, as with `/`.

    >>> divide_no_nan([3.0, 3.0], [2.0, 0.0])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([1.5, 0. ], dtype=float32)>
    """
    inputs, _ = matched((x, y), "divide_no_nan", arithmetic=True)
    if inputs[0].dtype.is_integer:
        target = _quotient_dtype(inputs[0].dtype)
        inputs = [strong_cast(operand, target) for operand in inputs]
    result: Tensor = apply(DIVIDE_NO_NAN, inputs)
    return result


def multiply_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x * y for floats and complex numbers, 0 where y is 0 even if x is infinite or NaN.

    >>> multiply_no_nan(float("inf"), 0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return binary(MULTIPLY_NO_NAN, x, y)


def xlogy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x * log(y) for floats and complex numbers, 0 where x is 0.

    >>> xlogy(0.0, 0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return binary(XLOGY, x, y)


def atan2(y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle of the point (x, y), in radians.

    >>> atan2(0.0, 1.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return binary(ATAN2, y, x)


def maximum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the larger of x and y.

    >>> maximum([1, 5], 3)
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([3, 5], dtype=int32)>
    """
    return binary(MAXIMUM, x, y)


def minimum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the smaller of x and y.

    >>> minimum([1, 5], 3)
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([1, 3], dtype=int32)>
    """
    return binary(MINIMUM, x, y)


def squared_difference(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return (x - y) ** 2.

    >>> squared_difference(1, 4)
    <rt.Tensor: shape=(), dtype=int32, numpy=9>
    """
    return binary(SQUARED_DIFFERENCE, x, y)


def clip_by_value(
    t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None
) -> Tensor:
    """Return t clipped to two bounds.

    >>> clip_by_value([-2, 0, 9], 0, 5)
    <rt.Tensor: shape=(3,), dtype=int32, numpy=array([0, 0, 5], dtype=int32)>
    """
    inputs, _ = matched((t, clip_value_min, clip_value_max), "clip_by_value")
    result: Tensor = apply(CLIP_BY_VALUE, inputs)
    return result


def add_n(inputs: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """Return the sum of tensors of one dtype and shape; for one tensor the sum of its rows.

    >>> add_n([1, 2, 3])
    <rt.Tensor: shape=(), dtype=int32, numpy=6>
    """
    values = inputs if isinstance(inputs, (list, tuple)) else listed(to_tensor(inputs), "inputs")
    if not values:
        raise ArgumentValueError("add_n needs at least one tensor")
    result: Tensor = apply(ADD_N, matched(values, "add_n")[0])
    return result


def _quotient_dtype(dtype: DType) -> DType:
    return float32 if dtype.size < 4 else float64


def _truncate_mod(x: Array, y: Array) -> Array:
    if y.dtype.kind in "iu" and not y.all():
        raise DivisionByZeroError("integer modulo by zero")
    return np.fmod(x, y)


TRUNCATEMOD = define(
    "truncatemod",
    _truncate_mod,
    infer.broadcast,
    kinds="iuf",
    grad=two_inputs(lambda dz, z, x, y: dz, lambda dz, z, x, y: -dz * truncatediv(x, y)),
    tensorflow_name="TruncateMod",
)
NEXTAFTER = define(
    "nextafter",
    np.nextafter,
    infer.broadcast,
    kinds="f",
    grad=lambda dys, outputs, inputs: (None, None),
    tensorflow_name="NextAfter",
)


def truncatemod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the remainder of x / y rounded towards zero: it has the sign of x, as in C.

    Raises:
        InvalidArgumentError: an int modulo 0 (also a ZeroDivisionError).

    >>> truncatemod([-7, 7], [3, -3])
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([-1,  1], dtype=int32)>
    """
    return binary(TRUNCATEMOD, x, y)


def realdiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y of floats or complex numbers of one dtype.

    Raises:
        DTypeError: for integers; `truediv` converts them to floats.

    >>> realdiv(1.0, 4.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.25>
    """
    return binary(DIVIDE, x, y)


def nextafter(x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """Return the next float after x1 in the direction of x2, x1 itself if they are equal.

    >>> nextafter(1.0, 2.0) - 1.0
    <rt.Tensor: shape=(), dtype=float32, numpy=1.1920929e-07>
    """
    return binary(NEXTAFTER, x1, x2)
