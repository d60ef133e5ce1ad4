"""Ops on integers that represent Python ints and therefore must not wrap around.

A weak integer tensor represents a Python int, which is unbounded: a result that does not fit its
dtype is an error, not another number. Other integers wrap around, as in NumPy. `exact_cast` of
`runtime.ops.convert` is the cast of a Python int to the dtype of the tensor beside it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from runtime.core.tensor import Array
from runtime.errors import IntegerOverflowError, refusing
from runtime.ops.op import Op

# The largest shift that is computed: beyond the bits of any dtype, but fast.
_MOST_BITS = 128


def _power(x: int, y: int) -> int:
    bits = x.bit_length() * y
    return x**y if bits <= _MOST_BITS or x in (-1, 0, 1) else 1 << _MOST_BITS


def _shift(x: int, y: int) -> int:
    return x << min(y, _MOST_BITS)


_COMPUTED: dict[str, tuple[str, Callable[..., int]]] = {
    "add": ("{} + {}", operator.add),
    "subtract": ("{} - {}", operator.sub),
    "multiply": ("{} * {}", operator.mul),
    "floordiv": ("{} // {}", operator.floordiv),
    "pow": ("{} ** {}", _power),
    "left_shift": ("{} << {}", _shift),
    "negative": ("-{}", operator.neg),
    "abs": ("abs({})", abs),
}


EXACT = frozenset(_COMPUTED)
"""The ops that raise if a result which stands for a Python int does not fit its dtype."""


@cache
def exact(op: Op) -> Op:
    """Return `op` with a kernel that refuses scalar results which its dtype cannot hold.

    Ops whose results cannot exceed the dtype of their operands are returned unchanged.

    >>> import autograph.runtime as rt
    >>> from runtime.ops.op import REGISTRY
    >>> big = np.array(2**31 - 1, np.int32)
    >>> exact(REGISTRY["add"]).kernel(big, np.array(1, np.int32))
    Traceback (most recent call last):
        ...
    runtime.errors.IntegerOverflowError: 2147483647 + 1 does not fit into int32, which a Python \
number becomes that changes in a graph: begin with rt.constant(..., rt.int64)
    """
    if op.name not in _COMPUTED:
        return op
    text, compute = _COMPUTED[op.name]
    kernel: Any = op.kernel

    def checked(*arrays: Array, **attrs: Any) -> Array:
        if any(each.ndim for each in arrays):
            return kernel(*arrays, **attrs)
        numbers, dtype = [int(each) for each in arrays], arrays[0].dtype
        if op.name in ("floordiv", "pow", "left_shift") and numbers[1] <= 0:
            return kernel(*arrays, **attrs)
        value, limits = compute(*numbers), np.iinfo(dtype)
        if limits.min <= value <= limits.max:
            return np.array(value, dtype)
        raise refusing(
            IntegerOverflowError(
                f"{text.format(*numbers)} does not fit into {dtype.name}, which a Python number "
                f"becomes that changes in a graph: {wider_start(dtype)}"
            )
        )

    return replace(op, kernel=checked)


def wider_start(dtype: np.dtype[Any]) -> str:
    """Return advice for a number that leaves the range of a dtype.

    >>> wider_start(np.dtype("int32"))
    'begin with rt.constant(..., rt.int64)'
    """
    if dtype.itemsize < 8:
        return "begin with rt.constant(..., rt.int64)"
    return "begin with rt.constant(..., rt.float64), which rounds"
