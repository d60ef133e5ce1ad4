"""Comparisons, elementwise with broadcasting; the result is bool."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import bool_
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.ops import infer
from runtime.ops.convert import compared
from runtime.ops.op import Op, define


def _comparison_op(name: str, kernel: Any, tensorflow_name: str) -> Op:
    """Declare an op that compares values; `otherwise` is the result for incompatible shapes."""

    def bools(x: Array, y: Array, *, otherwise: bool | None = None) -> Array:
        if otherwise is not None and not _fit(x, y):
            return np.asarray(otherwise)
        # NumPy compares Python bytes to an object array.
        return np.asarray(kernel(x, y), np.bool_)

    return define(name, bools, _whether_infer, kinds="biufcO", tensorflow_name=tensorflow_name)


def _fit(x: Array, y: Array) -> bool:
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return True


def _whether_infer(x: TensorSpec, y: TensorSpec, *, otherwise: bool | None = None) -> TensorSpec:
    if otherwise is None or 0 in (x.shape.rank, y.shape.rank):
        return infer.broadcast_bool(x, y)
    try:
        found = infer.broadcast_bool(x, y)
    except ShapeError:
        return TensorSpec((), bool_)
    # The result is a scalar if the shapes do not broadcast at run time.
    return found if _surely_broadcast(x.shape.dims, y.shape.dims) else TensorSpec(None, bool_)


def _ordering_op(name: str, kernel: Any, tensorflow_name: str) -> Op:
    return define(name, kernel, infer.broadcast_bool, kinds="iuf", tensorflow_name=tensorflow_name)


EQUAL = _comparison_op("equal", np.equal, "Equal")
NOT_EQUAL = _comparison_op("not_equal", np.not_equal, "NotEqual")
LESS = _ordering_op("less", np.less, "Less")
LESS_EQUAL = _ordering_op("less_equal", np.less_equal, "LessEqual")
GREATER = _ordering_op("greater", np.greater, "Greater")
GREATER_EQUAL = _ordering_op("greater_equal", np.greater_equal, "GreaterEqual")


def equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x == y, element by element; ShapeError when the shapes do not broadcast.

    >>> equal([1, 2], 2)
    <rt.Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    return compared(EQUAL, x, y)


def not_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x != y, element by element; ShapeError when the shapes do not broadcast.

    >>> not_equal("a", "b")
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    return compared(NOT_EQUAL, x, y)


def equality(op: Op, x: Any, y: Any) -> Tensor:
    """Return the result of Python's == or !=: a bool if the shapes do not broadcast at run time.

    Raises:
        ShapeError: the shapes are known not to broadcast.

    >>> equality(EQUAL, [1, 2], 2)
    <rt.Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    return compared(op, x, y, _otherwise)


def _otherwise(op: Op, x: Tensor, y: Tensor) -> dict[str, bool]:
    """Return the attribute for operands whose shapes may not broadcast at run time."""
    known = 0 in (x.shape.rank, y.shape.rank) or _surely_broadcast(x.shape.dims, y.shape.dims)
    return {} if known else {"otherwise": op is NOT_EQUAL}


def _surely_broadcast(a: Dims, b: Dims) -> bool:
    if a is None or b is None:
        return False
    return all(1 in (m, n) or None not in (m, n) for m, n in zip(a[::-1], b[::-1], strict=False))


def less(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x < y.

    >>> less(1, [0, 2])
    <rt.Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    return compared(LESS, x, y)


def less_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x <= y.

    >>> less_equal(2, 2)
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    return compared(LESS_EQUAL, x, y)


def greater(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x > y.

    >>> greater(2.5, 2)
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    return compared(GREATER, x, y)


def greater_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return x >= y.

    >>> greater_equal(2, 3)
    <rt.Tensor: shape=(), dtype=bool, numpy=False>
    """
    return compared(GREATER_EQUAL, x, y)
