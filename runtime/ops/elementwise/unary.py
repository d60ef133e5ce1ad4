"""Elementwise ops of one operand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.dtypes import bool_
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import infer
from runtime.ops.convert import strong_cast, to_tensor, unary
from runtime.ops.gradient_rules import call, holomorphic, one_input
from runtime.ops.neural import activation_kernels
from runtime.ops.op import Op, apply, define


def _abs_infer(x: TensorSpec) -> TensorSpec:
    return TensorSpec(x.shape, x.dtype.real_dtype)


def _function(
    name: str,
    kernel: Any,
    kinds: str,
    tensorflow_name: str,
    grad: Any = None,
    inferred: Any = infer.same,
) -> Op:
    grad = None if grad is None else one_input(grad)
    if grad is not None and name not in ("abs", "sign"):
        grad = holomorphic(grad)
    return define(name, kernel, inferred, kinds=kinds, grad=grad, tensorflow_name=tensorflow_name)


def _flat(dy: Tensor, y: Tensor, x: Tensor) -> None:
    """Return None, which stands for zeros: the function is piecewise constant."""


def _no_nan(gradient: Any, dy: Any) -> Any:
    return call("multiply_no_nan", gradient, dy)


def _sign_rule(dy: Any, y: Any, x: Any) -> Any:
    """Return the gradient of a sign: 0 for real numbers; a complex sign rotates with its number."""
    if not x.dtype.is_complex:
        return call("zeros_like", x, dtype=x.dtype)
    # The component of dy perpendicular to y, divided by the length of x.
    along = call("real", call("conj", y) * dy)
    length = strong_cast(call("abs", x), x.dtype)
    return call("divide_no_nan", dy - y * strong_cast(along, x.dtype), length)


_to_bool = infer.same_shape(bool_)

NEGATIVE = _function("negative", np.negative, "iufc", "Neg", grad=lambda dy, y, x: -dy)
ABS = _function(
    "abs",
    np.abs,
    "iufc",
    "Abs",
    grad=lambda dy, y, x: strong_cast(dy, x.dtype) * sign(x),
    inferred=_abs_infer,
)
SIGN = _function("sign", activation_kernels.sign_of, "iufc", "Sign", grad=_sign_rule)
FLOOR = _function("floor", np.floor, "f", "Floor", grad=_flat)
CEIL = _function("ceil", np.ceil, "f", "Ceil", grad=_flat)
ROUND = _function("round", np.rint, "f", "Round", grad=_flat)
SQUARE = _function("square", np.square, "iufc", "Square", grad=lambda dy, y, x: dy * 2 * x)
# As in TensorFlow, a zero gradient stays zero even where the derivative is infinite, so that a root
# that `rt.where` does not select does no harm.
SQRT = _function("sqrt", np.sqrt, "fc", "Sqrt", grad=lambda dy, y, x: _no_nan(0.5 / y, dy))
RSQRT = _function(
    "rsqrt",
    activation_kernels.rsqrt,
    "fc",
    "Rsqrt",
    grad=lambda dy, y, x: _no_nan(-0.5 * y / x, dy),
)
RECIPROCAL = _function(
    "reciprocal",
    lambda x: 1 / x,
    "fc",
    "Reciprocal",
    grad=lambda dy, y, x: _no_nan(-y * y, dy),
)
EXP = _function("exp", np.exp, "fc", "Exp", grad=lambda dy, y, x: dy * y)
EXPM1 = _function("expm1", np.expm1, "fc", "Expm1", grad=lambda dy, y, x: dy * (y + 1))
LOG = _function("log", np.log, "fc", "Log", grad=lambda dy, y, x: dy / x)
LOG1P = _function("log1p", np.log1p, "fc", "Log1p", grad=lambda dy, y, x: dy / (x + 1))
SIN = _function("sin", np.sin, "fc", "Sin", grad=lambda dy, y, x: dy * cos(x))
COS = _function("cos", np.cos, "fc", "Cos", grad=lambda dy, y, x: -dy * sin(x))
TAN = _function("tan", np.tan, "fc", "Tan", grad=lambda dy, y, x: dy * (y * y + 1))
ASIN = _function("asin", np.arcsin, "fc", "Asin", grad=lambda dy, y, x: dy * rsqrt(1 - x * x))
ACOS = _function("acos", np.arccos, "fc", "Acos", grad=lambda dy, y, x: -dy * rsqrt(1 - x * x))
ATAN = _function("atan", np.arctan, "fc", "Atan", grad=lambda dy, y, x: dy / (x * x + 1))
SINH = _function("sinh", np.sinh, "fc", "Sinh", grad=lambda dy, y, x: dy * cosh(x))
COSH = _function("cosh", np.cosh, "fc", "Cosh", grad=lambda dy, y, x: dy * sinh(x))
TANH = _function("tanh", np.tanh, "fc", "Tanh", grad=lambda dy, y, x: dy * (1 - y * y))
SIGMOID = _function(
    "sigmoid",
    activation_kernels.sigmoid,
    "f",
    "Sigmoid",
    grad=lambda dy, y, x: dy * y * (1 - y),
)
ERF = _function(
    "erf",
    activation_kernels.erf,
    "f",
    "Erf",
    grad=lambda dy, y, x: dy * exp(-x * x) * (2 / math.sqrt(math.pi)),
)
IS_NAN = _function("is_nan", np.isnan, "f", "IsNan", grad=_flat, inferred=_to_bool)
IS_INF = _function("is_inf", np.isinf, "f", "IsInf", grad=_flat, inferred=_to_bool)
IS_FINITE = _function("is_finite", np.isfinite, "f", "IsFinite", grad=_flat, inferred=_to_bool)


def negative(x: TensorLike, name: str | None = None) -> Tensor:
    """Return -x.

    >>> negative([1, -2])
    <rt.Tensor: shape=(2,), dtype=int32, numpy=array([-1,  2], dtype=int32)>
    """
    return unary(NEGATIVE, x)


def abs(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the absolute value; for complex numbers it is real.

    >>> abs(-3)
    <rt.Tensor: shape=(), dtype=int32, numpy=3>
    """
    return unary(ABS, x)


def sign(x: TensorLike, name: str | None = None) -> Tensor:
    """Return -1, 0 or 1, in the dtype of x.

    >>> sign([-2.5, 0.0, 9.0])
    <rt.Tensor: shape=(3,), dtype=float32, numpy=array([-1.,  0.,  1.], dtype=float32)>
    """
    return unary(SIGN, x)


def floor(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the largest integers that are not larger; floats only.

    >>> floor(-1.5)
    <rt.Tensor: shape=(), dtype=float32, numpy=-2.0>
    """
    return unary(FLOOR, x)


def ceil(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the smallest integers that are not smaller; floats only.

    >>> ceil(1.2)
    <rt.Tensor: shape=(), dtype=float32, numpy=2.0>
    """
    return unary(CEIL, x)


def round(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the nearest integers, with ties to even; integers are unchanged.

    >>> round([0.5, 1.5, 2.5])
    <rt.Tensor: shape=(3,), dtype=float32, numpy=array([0., 2., 2.], dtype=float32)>
    """
    tensor = to_tensor(x)
    return tensor if tensor.dtype.is_integer else unary(ROUND, tensor)


def square(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x * x.

    >>> square(-3)
    <rt.Tensor: shape=(), dtype=int32, numpy=9>
    """
    return unary(SQUARE, x)


def sqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the square root of floats, nan for negative ones, and of complex numbers.

    >>> sqrt(9.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=3.0>
    """
    return unary(SQRT, x)


def rsqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """Return 1 / sqrt(x) of floats and complex numbers.

    >>> rsqrt(4.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.5>
    """
    return unary(RSQRT, x)


def is_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether each float is NaN.

    >>> is_nan(float("nan"))
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    result: Tensor = apply(IS_NAN, (to_tensor(x),))
    return result


def is_inf(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether each float is infinite.

    >>> is_inf(float("-inf"))
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    result: Tensor = apply(IS_INF, (to_tensor(x),))
    return result


def is_finite(x: TensorLike, name: str | None = None) -> Tensor:
    """Return whether each float is neither infinite nor NaN.

    >>> is_finite(1.0)
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    result: Tensor = apply(IS_FINITE, (to_tensor(x),))
    return result


def reciprocal(x: TensorLike, name: str | None = None) -> Tensor:
    """Return 1 / x of floats and complex numbers.

    >>> reciprocal(4.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.25>
    """
    return unary(RECIPROCAL, x)


def exp(x: TensorLike, name: str | None = None) -> Tensor:
    """Return e to the power of x; floats and complex numbers.

    >>> exp(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return unary(EXP, x)


def expm1(x: TensorLike, name: str | None = None) -> Tensor:
    """Return exp(x) - 1, exact near 0; floats and complex numbers.

    >>> expm1(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(EXPM1, x)


def log(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the natural logarithm; -inf for 0, nan below; floats and complex numbers.

    >>> log(1.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(LOG, x)


def log1p(x: TensorLike, name: str | None = None) -> Tensor:
    """Return log(1 + x), exact near 0; floats and complex numbers.

    >>> log1p(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(LOG1P, x)


def sin(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the sine of an angle in radians; floats and complex numbers.

    >>> sin(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(SIN, x)


def cos(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the cosine of an angle in radians; floats and complex numbers.

    >>> cos(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return unary(COS, x)


def tan(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the tangent of an angle in radians; floats and complex numbers.

    >>> tan(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(TAN, x)


def asin(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle in radians whose sine is x; floats and complex numbers.

    >>> asin(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(ASIN, x)


def acos(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle in radians whose cosine is x; floats and complex numbers.

    >>> acos(1.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(ACOS, x)


def atan(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle in radians whose tangent is x; floats and complex numbers.

    >>> atan(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(ATAN, x)


def sinh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the hyperbolic sine; floats and complex numbers.

    >>> sinh(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(SINH, x)


def cosh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the hyperbolic cosine; floats and complex numbers.

    >>> cosh(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return unary(COSH, x)


def tanh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the hyperbolic tangent; floats and complex numbers.

    >>> tanh(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(TANH, x)


def sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Return 1 / (1 + exp(-x)); floats only.

    >>> sigmoid(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.5>
    """
    return unary(SIGMOID, x)


def erf(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the Gauss error function; floats only.

    >>> erf(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(ERF, x)


def rint(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the nearest integers of floats, with ties to even.

    >>> rint([0.5, 1.5])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([0., 2.], dtype=float32)>
    """
    return unary(ROUND, x)
