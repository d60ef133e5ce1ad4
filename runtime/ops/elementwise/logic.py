"""Logic of bools and bitwise logic of integers, elementwise with broadcasting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.dtypes import bool_
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.ops import infer
from runtime.ops.convert import binary, compared, is_weak, matched, to_tensor, unary, weakly
from runtime.ops.op import Op, apply, define
from runtime.ops.python.arithmetic import as_operand

LOGICAL_AND = define(
    "logical_and",
    np.logical_and,
    infer.broadcast,
    kinds="b",
    tensorflow_name="LogicalAnd",
)
LOGICAL_OR = define(
    "logical_or",
    np.logical_or,
    infer.broadcast,
    kinds="b",
    tensorflow_name="LogicalOr",
)
LOGICAL_XOR = define(
    "logical_xor",
    np.logical_xor,
    infer.broadcast,
    kinds="b",
    tensorflow_name="NotEqual",
)
LOGICAL_NOT = define(
    "logical_not",
    np.logical_not,
    infer.same,
    kinds="b",
    tensorflow_name="LogicalNot",
)
BITWISE_AND = define(
    "bitwise_and",
    np.bitwise_and,
    infer.broadcast,
    kinds="iu",
    tensorflow_name="BitwiseAnd",
)
BITWISE_OR = define(
    "bitwise_or",
    np.bitwise_or,
    infer.broadcast,
    kinds="iu",
    tensorflow_name="BitwiseOr",
)
BITWISE_XOR = define(
    "bitwise_xor",
    np.bitwise_xor,
    infer.broadcast,
    kinds="iu",
    tensorflow_name="BitwiseXor",
)
INVERT = define("invert", np.invert, infer.same, kinds="iu", tensorflow_name="Invert")


def _shift_kernel(shift: np.ufunc) -> Callable[[Array, Array], Array]:
    """Return a kernel that shifts bits; the count is clipped from 0 to the number of bits less 1.

    Beyond these limits the results of C and NumPy depend on the machine.
    """

    def kernel(x: Array, y: Array) -> Array:
        moved: Array = shift(x, np.clip(y, 0, 8 * x.dtype.itemsize - 1))
        return moved

    return kernel


LEFT_SHIFT = define(
    "left_shift",
    _shift_kernel(np.left_shift),
    infer.broadcast,
    kinds="iu",
    tensorflow_name="LeftShift",
)
RIGHT_SHIFT = define(
    "right_shift",
    _shift_kernel(np.right_shift),
    infer.broadcast,
    kinds="iu",
    tensorflow_name="RightShift",
)


def logical_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x and y, both bool.

    >>> logical_and([True, False], True)
    <rt.Tensor: shape=(2,), dtype=bool, numpy=array([ True, False])>
    """
    return compared(LOGICAL_AND, x, y)


def logical_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x or y, both bool.

    >>> logical_or(False, True)
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    return compared(LOGICAL_OR, x, y)


def logical_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return whether exactly one of two bools is true.

    >>> logical_xor(True, True)
    <rt.Tensor: shape=(), dtype=bool, numpy=False>
    """
    return compared(LOGICAL_XOR, x, y)


def logical_not(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the negation of every bool.

    >>> logical_not([True, False])
    <rt.Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    result: Tensor = apply(LOGICAL_NOT, (to_tensor(x),))
    return result


def bitwise_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the bits set in both integers.

    >>> bitwise_and(6, 3)
    <rt.Tensor: shape=(), dtype=int32, numpy=2>
    """
    return binary(BITWISE_AND, x, y)


def bitwise_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the bits set in either integer.

    >>> bitwise_or(6, 3)
    <rt.Tensor: shape=(), dtype=int32, numpy=7>
    """
    return binary(BITWISE_OR, x, y)


def bitwise_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return the bits in which two integers differ.

    >>> bitwise_xor(6, 3)
    <rt.Tensor: shape=(), dtype=int32, numpy=5>
    """
    return binary(BITWISE_XOR, x, y)


def invert(x: TensorLike, name: str | None = None) -> Tensor:
    """Return every integer with its bits flipped.

    >>> invert(5)
    <rt.Tensor: shape=(), dtype=int32, numpy=-6>
    """
    return unary(INVERT, x)


def left_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x with its bits moved up by y.

    >>> left_shift(1, 4)
    <rt.Tensor: shape=(), dtype=int32, numpy=16>
    """
    return _shifted(LEFT_SHIFT, x, y, "<<")


def right_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x with its bits moved down by y, keeping the sign.

    >>> right_shift(-8, 1)
    <rt.Tensor: shape=(), dtype=int32, numpy=-4>
    """
    return _shifted(RIGHT_SHIFT, x, y, ">>")


def _shifted(op: Op, x: Any, y: Any, symbol: str) -> Tensor:
    if not (is_weak(y) and y.dtype.is_integer):
        return binary(op, x, y)
    inputs, weak = matched((x, y), op.name, arithmetic=True)
    count = as_operand(inputs[1], symbol) if weak else inputs[1]
    return weakly(apply(op, [inputs[0], count]), weak)


def and_operator(x: Any, y: Any) -> Tensor:
    """Return the result of `x & y`: logical for bools, bitwise for integers."""
    return _by_dtype(LOGICAL_AND, BITWISE_AND, x, y)


def or_operator(x: Any, y: Any) -> Tensor:
    """Return the result of `x | y`: logical for bools, bitwise for integers."""
    return _by_dtype(LOGICAL_OR, BITWISE_OR, x, y)


def xor_operator(x: Any, y: Any) -> Tensor:
    """Return the result of `x ^ y`: logical for bools, bitwise for integers."""
    return _by_dtype(LOGICAL_XOR, BITWISE_XOR, x, y)


def not_operator(x: Any) -> Tensor:
    """Return the result of `~x`: logical for bools, bitwise for integers."""
    tensor = to_tensor(x)
    return logical_not(tensor) if tensor.dtype is bool_ else unary(INVERT, tensor)


def _by_dtype(logical: Any, bitwise: Any, x: Any, y: Any) -> Tensor:
    inputs, _ = matched((x, y), bitwise.name)
    if inputs[0].dtype is bool_:
        return compared(logical, inputs[0], inputs[1])
    return binary(bitwise, *inputs)
