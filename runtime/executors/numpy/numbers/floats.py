"""Python expressions for floats: `float`, and NumPy's float32.

Python's floats are the machine's, but Python raises for a division by 0; the kernel computes that
case. Functions such as exp are the same NumPy functions that the kernels call.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime.core.dtypes import bool_, float64
from runtime.executors.numpy.numbers.expression import (
    COMPARISON,
    PRODUCT,
    SUM,
    Expression,
    binary,
    called,
    chosen,
)
from runtime.executors.numpy.numbers.integers import (
    COMPARISONS,
    Form,
    absolute,
    infix,
    negative,
    relu_grad,
    same,
    squared,
    squared_difference,
    total,
)
from runtime.executors.numpy.numbers.number_op import NumberOp
from runtime.ops.elementwise import quotient_kernels

# Functions of Python's `math` that return a float or a bool for any numbers.
_MATH = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh degrees erf erfc exp exp2 expm1 "
    "fabs fmod gamma hypot isfinite isinf isnan ldexp lgamma log log10 log1p log2 pow radians "
    "remainder sin sinh sqrt tan tanh ulp".split()
)


def _is_single(call: NumberOp) -> bool:
    return call.dtype.name == "float32"


def _kernel_function(call: NumberOp, function: Any, *operands: Expression) -> Expression:
    """Return the call of a NumPy function on numbers, converted to a number."""
    name = function.__name__
    result = call.function(function, name, *operands)
    return result if _is_single(call) or call.dtype is bool_ else called("float", result)


def by_ufunc(call: NumberOp) -> Expression | None:
    """Return the expression of a kernel that is a single ufunc on floats; None for any other."""
    kernel = call.op.kernel
    if not isinstance(kernel, np.ufunc) or call.dtype.name not in ("float32", "float64", "bool"):
        return None
    return _kernel_function(call, kernel, *call.operands)


def _quotient(call: NumberOp, x: Expression, symbol: str, y: Expression) -> Expression:
    """Return a division that raises no error for a divisor of 0."""
    quotient = binary(x, symbol, y, PRODUCT)
    if _is_single(call) or _is_not_zero(y):
        return quotient
    call.twice.update(range(len(call.operands)))
    return chosen(y, quotient, call.by_kernel(*call.operands))


def _is_not_zero(y: Expression) -> bool:
    try:
        return float(y.text) != 0
    except ValueError:
        return False


def _divided(symbol: str) -> Form:
    return lambda call: _quotient(call, call[0], symbol, call[1])


def _reciprocal(call: NumberOp) -> Expression:
    return _quotient(call, call.number(1), "/", call[0])


def _root(call: NumberOp, x: Expression) -> Expression:
    """Return the square root; NumPy computes that of a negative number, which is nan."""
    if _is_single(call):
        return call.function(np.sqrt, "sqrt", x)
    call.twice.add(0)
    root = call.function(math.sqrt, "math_sqrt", x)
    exact = binary(x, ">=", Expression("0.0"), COMPARISON)
    return chosen(exact, root, called("float", call.function(np.sqrt, "sqrt", x)))


def _reciprocal_root(call: NumberOp) -> Expression:
    if _is_single(call):
        return binary(call.number(1), "/", call.function(np.sqrt, "sqrt", call[0]), PRODUCT)
    x = call.repeated(0)
    root = binary(call.number(1), "/", call.function(math.sqrt, "math_sqrt", x), PRODUCT)
    return chosen(binary(x, ">", Expression("0.0"), COMPARISON), root, call.by_kernel(x))


def _larger(symbol: str) -> Form:
    """Return the form of the larger, or smaller, number; the kernel chooses between equal ones."""

    def form(call: NumberOp) -> Expression | None:
        x, y = call.repeated(0), call.repeated(1)
        rest = by_ufunc(call)
        if rest is None:
            return None
        of_y = chosen(binary(y, symbol, x, COMPARISON), y, rest)
        return chosen(binary(x, symbol, y, COMPARISON), x, of_y)

    return form


def _sign(call: NumberOp) -> Expression:
    x, zero = call.repeated(0), call.number(0)
    tests = [binary(x, symbol, zero, COMPARISON) for symbol in (">", "<", "==")]
    values = [call.number(1), call.number(-1), zero]
    result = x
    for test, value in zip(reversed(tests), reversed(values)):
        result = chosen(test, value, result)
    return result


def _unless_zero(symbol: str) -> Form:
    """Return the form of a product or quotient that is 0 if the right operand is 0."""

    def form(call: NumberOp) -> Expression:
        y = call.repeated(1)
        return chosen(y, binary(call[0], symbol, y, PRODUCT), call.number(0))

    return form


def _is_nan(call: NumberOp) -> Expression:
    x = call.repeated(0)
    return binary(x, "!=", x, COMPARISON)


def _is_finite(call: NumberOp) -> Expression:
    x = call.repeated(0)
    dtype = call.node.inputs[0].dtype
    return binary(binary(x, "-", x, SUM), "==", call.number(0, dtype), COMPARISON)


def _is_inf(call: NumberOp) -> Expression:
    infinity = call.number(math.inf, call.node.inputs[0].dtype)
    return binary(called("abs", call[0]), "==", infinity, COMPARISON)


def _python_quotient(call: NumberOp) -> Expression:
    y = call.repeated(1)
    quotient = binary(call[0], "/", y, PRODUCT)
    if _is_not_zero(y):
        return quotient
    return chosen(y, quotient, call.by_kernel(call.repeated(0), y, fails=True))


def _operand(call: NumberOp) -> Expression:
    """Return a right operand, with Python's error for a divisor of 0, and for any shift."""
    if call.node.attrs["symbol"] in ("<<", ">>"):
        return call.by_kernel(call[0], fails=True)
    y = call.repeated(0)
    return y if _is_not_zero(y) else chosen(y, y, call.by_kernel(y, fails=True))


def _power(call: NumberOp) -> Expression:
    """Return a power; NumPy's own is right unless the exponent is a half."""
    exponent = call.node.inputs[1].node
    is_other = exponent.op.name == "constant" and exponent.attrs["value"].array != 0.5
    function = np.power if is_other else quotient_kernels.power_of_number
    return _kernel_function(call, function, *call.operands)


def python_math(call: NumberOp) -> Expression | None:
    """Return a call of a function of Python's `math`."""
    function = str(call.node.attrs["function"])
    of_floats = call.dtype is float64 or call.dtype is bool_
    if function not in _MATH or not of_floats or not hasattr(math, function):
        return None
    name = call.name(getattr(math, function), f"math_{function}")
    return called(name, *call.operands, fails=True)


FLOAT: Mapping[str, Form] = {
    **COMPARISONS,
    "add": infix("+", SUM),
    "add_n": total,
    "subtract": infix("-", SUM),
    "multiply": infix("*", PRODUCT),
    "divide": _divided("/"),
    "floordiv": _divided("//"),
    "floormod": _divided("%"),
    "divide_no_nan": _unless_zero("/"),
    "multiply_no_nan": _unless_zero("*"),
    "pow": _power,
    "negative": negative,
    "abs": absolute,
    "square": squared,
    "squared_difference": squared_difference,
    "reciprocal": _reciprocal,
    "sqrt": lambda call: _root(call, call.repeated(0)),
    "rsqrt": _reciprocal_root,
    "maximum": _larger(">"),
    "minimum": _larger("<"),
    "sign": _sign,
    "relu_grad": relu_grad,
    "is_nan": _is_nan,
    "is_inf": _is_inf,
    "is_finite": _is_finite,
    "identity": same,
    "stop_gradient": same,
    "python_divide": _python_quotient,
    "python_operand": _operand,
    "zeros_like": lambda call: call.number(0),
    "ones_like": lambda call: call.number(1),
}
