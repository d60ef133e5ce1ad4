"""The inverses of the hyperbolic functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import infer
from runtime.ops.convert import unary
from runtime.ops.elementwise.complex_numbers import conj
from runtime.ops.elementwise.unary import rsqrt, square
from runtime.ops.gradient_rules import one_input
from runtime.ops.op import Op, define


def _function(name: str, kernel: Any, tensorflow_name: str, grad: Any) -> Op:
    grad = one_input(grad)
    return define(name, kernel, infer.same, kinds="fc", grad=grad, tensorflow_name=tensorflow_name)


ACOSH = _function(
    "acosh",
    np.arccosh,
    "Acosh",
    # Two roots, since the root of x * x - 1 has the wrong sign for some complex x.
    grad=lambda dy, y, x: dy * conj(rsqrt(x - 1) * rsqrt(x + 1)),
)
ASINH = _function(
    "asinh", np.arcsinh, "Asinh", grad=lambda dy, y, x: dy * conj(rsqrt(square(x) + 1))
)  # fmt: skip
ATANH = _function("atanh", np.arctanh, "Atanh", grad=lambda dy, y, x: dy / conj(1 - square(x)))


def acosh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the number whose hyperbolic cosine is x, NaN for x < 1; floats and complex numbers.

    >>> acosh(1.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(ACOSH, x)


def asinh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the number whose hyperbolic sine is x; floats and complex numbers.

    >>> asinh(0.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return unary(ASINH, x)


def atanh(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the number whose hyperbolic tangent is x, from -1 to 1; floats and complex numbers.

    >>> atanh([0.0, 1.0])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([ 0., inf], dtype=float32)>
    """
    return unary(ATANH, x)
