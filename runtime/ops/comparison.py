"""Comparisons, elementwise with broadcasting; the result is bool."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import infer
from runtime.ops.convert import compared
from runtime.ops.op import Op, define
from runtime.tensor import Array, Tensor


def _compares(name: str, kernel: Any, kinds: str, graphdef: str, onnx: str | None = None) -> Op:
    def bools(x: Array, y: Array) -> Array:
        # Of Python bytes NumPy makes an object array.
        return np.asarray(kernel(x, y), np.bool_)

    lower = {"graphdef": graphdef} | ({"onnx": onnx} if onnx else {})
    return define(
        name, bools if "O" in kinds else kernel, infer.broadcast_bool, kinds=kinds, lower=lower
    )


EQUAL = _compares("equal", np.equal, "biufcO", "Equal", "Equal")
NOT_EQUAL = _compares("not_equal", np.not_equal, "biufcO", "NotEqual")
LESS = _compares("less", np.less, "iuf", "Less", "Less")
LESS_EQUAL = _compares("less_equal", np.less_equal, "iuf", "LessEqual", "LessOrEqual")
GREATER = _compares("greater", np.greater, "iuf", "Greater", "Greater")
GREATER_EQUAL = _compares(
    "greater_equal", np.greater_equal, "iuf", "GreaterEqual", "GreaterOrEqual"
)


def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Return x == y, element by element; ShapeError when the shapes do not broadcast.

    >>> equal([1, 2], 2)
    <rt.Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    return compared(EQUAL, x, y)


def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Return x != y, element by element; ShapeError when the shapes do not broadcast.

    >>> not_equal("a", "b")
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    return compared(NOT_EQUAL, x, y)


def less(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Return x < y.

    >>> less(1, [0, 2])
    <rt.Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    return compared(LESS, x, y)


def less_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Return x <= y.

    >>> less_equal(2, 2)
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    return compared(LESS_EQUAL, x, y)


def greater(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Return x > y.

    >>> greater(2.5, 2)
    <rt.Tensor: shape=(), dtype=bool, numpy=True>
    """
    return compared(GREATER, x, y)


def greater_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Return x >= y.

    >>> greater_equal(2, 3)
    <rt.Tensor: shape=(), dtype=bool, numpy=False>
    """
    return compared(GREATER_EQUAL, x, y)
