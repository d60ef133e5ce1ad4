"""`truncatemod`, `realdiv`, `rint` and `nextafter`."""

from __future__ import annotations

import numpy as np

from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DivisionByZeroError
from runtime.ops import infer
from runtime.ops.convert import binary, unary
from runtime.ops.elementwise.arithmetic import DIVIDE, truncatediv
from runtime.ops.elementwise.unary import ROUND
from runtime.ops.gradient_rules import two_inputs
from runtime.ops.op import define


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


def rint(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the nearest integers of floats, with ties to even.

    >>> rint([0.5, 1.5])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([0., 2.], dtype=float32)>
    """
    return unary(ROUND, x)


def nextafter(x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """Return the next float after x1 in the direction of x2, x1 itself if they are equal.

    >>> nextafter(1.0, 2.0) - 1.0
    <rt.Tensor: shape=(), dtype=float32, numpy=1.1920929e-07>
    """
    return binary(NEXTAFTER, x1, x2)
