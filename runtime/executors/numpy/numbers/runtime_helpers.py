"""Run-time helpers for scalar ops that no Python expression computes exactly."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from runtime.core.dtypes import DType
from runtime.executors.numpy.numbers.representation import LIMITS, array_of, number_of
from runtime.ops.op import Op, run_kernel
from runtime.ops.python.exact_integers import exact

# Exact functions on Python ints, for ops whose results may not fit their dtype.
_EXACTLY: Mapping[str, Callable[..., int]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "negative": operator.neg,
    "abs": abs,
}


@cache
def wrap_of(name: str) -> Callable[[int], int]:
    """Return a function that wraps any int to the number of an integer dtype with its low bits.

    >>> wrap_of("int8")(130), wrap_of("uint8")(-1)
    (-126, 255)
    """
    low, high = LIMITS[name]
    modulus = high - low + 1

    def wrap(number: int) -> int:
        return (number - low) % modulus + low

    wrap.__name__ = f"wrap_{name}"
    return wrap


def by_kernel(op: Op, attrs: Mapping[str, Any], dtypes: tuple[DType, ...]) -> Callable[..., Any]:
    """Return a function on numbers that runs an op's kernel; `dtypes` are those of its operands.

    The function raises the errors of the kernel.

    >>> from runtime.core.dtypes import int32
    >>> from runtime.ops.op import REGISTRY
    >>> by_kernel(REGISTRY["floordiv"], {}, (int32, int32))(-7, 2)
    -4
    """

    def compute(*numbers: Any) -> Any:
        arrays = [array_of(number, dtype) for number, dtype in zip(numbers, dtypes, strict=True)]
        return number_of(run_kernel(op, arrays, attrs)[0])

    compute.__name__ = op.name
    return compute


def checked(op: Op, attrs: Mapping[str, Any], dtypes: tuple[DType, ...]) -> Callable[..., int]:
    """Return a function that computes an op on Python ints, and raises if the result does not fit.

    The function raises the errors of the kernel.

    >>> from runtime.core.dtypes import int8
    >>> from runtime.ops.op import REGISTRY
    >>> checked(REGISTRY["add"], {}, (int8, int8))(100, 27)
    127
    """
    refuse = by_kernel(exact(op), attrs, dtypes)
    plain, (low, high) = _EXACTLY.get(op.name), LIMITS[dtypes[0].name]
    if plain is None:
        return refuse

    def compute(*numbers: int) -> Any:
        result = plain(*numbers)
        return result if low <= result <= high else refuse(*numbers)

    compute.__name__ = f"checked_{op.name}"
    return compute
