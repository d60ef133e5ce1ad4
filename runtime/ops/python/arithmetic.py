"""Python's operators on Python numbers, with Python's errors and rounding.

NumPy divides floats by zero, shifts by negative counts and takes roots of negative numbers; it sums
floats in another order. These ops raise and round as Python does for one number.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import numpy as np

from runtime.core.dtypes import float64
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import (
    ArgumentValueError,
    DivisionByZeroError,
    IntegerOverflowError,
    UnimplementedError,
    refusing,
)
from runtime.ops import infer
from runtime.ops.convert import matched, strong_cast
from runtime.ops.gradient_rules import BROADCAST_LIKE, two_inputs
from runtime.ops.op import REGISTRY, apply, define
from runtime.ops.python.exact_integers import wider_start


def _words(divide: Callable[[float, float], float]) -> str:
    """Return the message of this Python version for a float divided by 0."""
    try:
        return str(divide(1.0, 0.0))
    except ZeroDivisionError as error:
        return str(error)


_BY_ZERO = {
    "/": _words(operator.truediv),
    "//": _words(operator.floordiv),
    "%": _words(operator.mod),
}
_SHIFTS = ("<<", ">>")


def _divide_kernel(x: Array, y: Array, *, ints: bool) -> Array:
    if not y.all():
        raise DivisionByZeroError("division by zero" if ints else _BY_ZERO["/"])
    return np.true_divide(x, y)


def _divide_infer(x: TensorSpec, y: TensorSpec, *, ints: bool) -> TensorSpec:
    return infer.broadcast(x, y)


PYTHON_DIVIDE = define(
    "python_divide",
    _divide_kernel,
    _divide_infer,
    kinds="fc",
    raises=(DivisionByZeroError,),
    grad=two_inputs(lambda dz, z, x, y: dz / y, lambda dz, z, x, y: -dz * z / y),
    tensorflow_name="RealDiv",
)


def _operand_kernel(y: Array, *, symbol: Literal["/", "//", "%", "<<", ">>"]) -> Array:
    if symbol in _SHIFTS and (y < 0).any():
        raise ArgumentValueError("negative shift count")
    if symbol in _BY_ZERO and not y.all():
        raise DivisionByZeroError(_BY_ZERO[symbol])
    return y


PYTHON_OPERAND = define(
    "python_operand",
    _operand_kernel,
    lambda y, *, symbol: y,
    kinds="iuf",
    raises=(DivisionByZeroError, ArgumentValueError),
    grad=lambda dys, outputs, inputs, *, symbol: dys,
)


def as_operand(y: Tensor, symbol: str) -> Tensor:
    """Return a right operand unchanged, after Python's check of it.

    Args:
        y: a float divisor, or an int shift count.
        symbol: the operator: "//", "%", "<<" or ">>".

    Raises:
        DivisionByZeroError: for a divisor of 0 (also a ZeroDivisionError).
        InvalidArgumentError: for a shift by less than 0 (also a ValueError).

    >>> import autograph.runtime as rt
    >>> as_operand(rt.constant(2.0), "%")
    <rt.Tensor: shape=(), dtype=float32, numpy=2.0>
    """
    return apply(PYTHON_OPERAND, [y], symbol=symbol)


def _power_kernel(x: Array, y: Array) -> Array:
    base, exponent = x.item(), y.item()
    try:
        power = base**exponent
    except ZeroDivisionError as error:
        raise DivisionByZeroError(str(error)) from None
    if isinstance(power, complex):
        raise ArgumentValueError(
            f"({base}) ** {exponent} is complex, and this one stands for a float: write "
            "complex(x) ** y"
        )
    return np.array(power, x.dtype)


def _power_infer(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    infer.check_scalar(x, "a number of Python's")
    infer.check_scalar(y, "a number of Python's")
    return infer.broadcast(x, y)


def _power_dy(dz: Any, z: Any, x: Any, y: Any) -> Any:
    logarithm = apply(REGISTRY["log"], [x])
    return dz * apply(REGISTRY["multiply_no_nan"], [logarithm, z])


PYTHON_POWER = define(
    "python_power",
    _power_kernel,
    _power_infer,
    kinds="f",
    raises=(ArithmeticError,),
    grad=two_inputs(
        lambda dz, z, x, y: dz * y * apply(REGISTRY["pow"], [x, y - 1]),
        _power_dy,
    ),
)


def python_power(x: Any, y: Any) -> Tensor:
    """Return x ** y of two Python numbers whose power is a float.

    Args:
        x, y: scalars; ints are taken as float64.

    Raises:
        DivisionByZeroError: for 0 to a negative power (also a ZeroDivisionError).
        OverflowError: if the power is larger than any float.
        InvalidArgumentError: if the power is complex (also a ValueError).

    >>> python_power(2, -1)
    <rt.Tensor: shape=(), dtype=float64, numpy=0.5>
    """
    operands = matched((x, y), "pow", arithmetic=True)[0]
    if operands[0].dtype.is_integer:
        operands = [strong_cast(operand, float64) for operand in operands]
    return apply(PYTHON_POWER, operands)


_FOLDS: Mapping[str, Callable[[list[Any], Any], Any]] = {
    "sum": sum,
    "math.prod": lambda numbers, start: math.prod(numbers, start=start),
}


def _fold_kernel(items: Array, start: Array, *, function: Annotated[str, _FOLDS]) -> Array:
    result = _FOLDS[function](items.tolist(), start.item())
    if items.dtype.kind in "iu":
        limits = np.iinfo(items.dtype)
        if not limits.min <= result <= limits.max:
            raise refusing(
                IntegerOverflowError(
                    f"{function}() is {result}, which does not fit into {items.dtype.name}, "
                    "which Python numbers become that change in a graph: "
                    + wider_start(items.dtype)
                )
            )
    return np.array(result, items.dtype)


def _fold_infer(
    items: TensorSpec, start: TensorSpec, *, function: Annotated[str, _FOLDS]
) -> TensorSpec:
    infer.check_same_dtype(items, start)
    infer.vector_length(items)
    infer.check_scalar(start, "the start")
    return start


def _fold_gradient(dys: Any, outputs: Any, inputs: Any, *, function: str) -> Any:
    if function != "sum":
        raise UnimplementedError(f"{function} has no gradient: multiply the items in a loop")
    return apply(BROADCAST_LIKE, (dys[0], inputs[0])), dys[0]


PYTHON_FOLD = define(
    "python_fold",
    _fold_kernel,
    _fold_infer,
    kinds="iufc",
    raises=(IntegerOverflowError,),
    grad=_fold_gradient,
)


def python_fold(function: str, items: Any, start: Any) -> Tensor:
    """Return `sum(items, start)` or `math.prod(items, start=start)` of Python numbers.

    Items are combined in order, and rounded as in this Python version; ints do not wrap around.

    Args:
        function: "sum" or "math.prod".
        items: a vector.
        start: a scalar.

    Raises:
        IntegerOverflowError: if the result exceeds the dtype of the items.

    >>> python_fold("sum", [1, 2, 3], 0)
    <rt.Tensor: shape=(), dtype=int32, numpy=6>
    """
    operands = matched((items, start), function, arithmetic=True)[0]
    return apply(PYTHON_FOLD, operands, function=function)
