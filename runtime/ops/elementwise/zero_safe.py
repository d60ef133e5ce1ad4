"""Products and quotients that are 0 if one factor is 0, such as `xdivy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.ops import infer
from runtime.ops.convert import binary, strong_cast, to_tensor
from runtime.ops.elementwise.arithmetic import divide_no_nan
from runtime.ops.gradient_rules import two_inputs
from runtime.ops.op import define


def _xdivy(x: Array, y: Array) -> Array:
    return np.where(x == 0, np.zeros((), x.dtype), x / y)


def _xlog1py(x: Array, y: Array) -> Array:
    return np.where(x == 0, np.zeros((), x.dtype), x * np.log1p(y))


def _is_something(x: Any) -> Any:
    return strong_cast(x != to_tensor(0, x.dtype), x.dtype)


XDIVY = define(
    "xdivy",
    _xdivy,
    infer.broadcast,
    kinds="fc",
    grad=two_inputs(
        lambda dz, z, x, y: dz * xdivy(_is_something(x), y),
        lambda dz, z, x, y: dz * xdivy(-x, y * y),
    ),
    tensorflow_name="Xdivy",
)
XLOG1PY = define(
    "xlog1py",
    _xlog1py,
    infer.broadcast,
    kinds="fc",
    grad=two_inputs(
        lambda dz, z, x, y: dz * xlog1py(_is_something(x), y),
        lambda dz, z, x, y: dz * xdivy(x, y + 1),
    ),
    tensorflow_name="Xlog1py",
)


def xdivy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x / y for floats and complex numbers, 0 where x is 0 even if y is, too.

    >>> xdivy([0.0, 3.0], [0.0, 2.0])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([0. , 1.5], dtype=float32)>
    """
    return binary(XDIVY, x, y)


def xlog1py(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x * log(1 + y) for floats and complex numbers, 0 where x is 0.

    >>> xlog1py(0.0, -1.0)
    <rt.Tensor: shape=(), dtype=float32, numpy=0.0>
    """
    return binary(XLOG1PY, x, y)


def reciprocal_no_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Return 1 / x for floats and complex numbers, 0 where x is 0.

    >>> reciprocal_no_nan([2.0, 0.0])
    <rt.Tensor: shape=(2,), dtype=float32, numpy=array([0.5, 0. ], dtype=float32)>
    """
    tensor = to_tensor(x)
    if tensor.dtype.kind not in "fc":
        raise DTypeError(f"reciprocal_no_nan works on floats, not on {tensor.dtype.name}")
    return divide_no_nan(to_tensor(1, tensor.dtype), tensor)
