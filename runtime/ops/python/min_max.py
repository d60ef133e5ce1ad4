"""Python's `max`, `min` and `sorted` on numbers, with Python's treatment of NaN and ties.

Python selects the first of equal items, and a NaN only if it comes first, since comparisons with
NaN are false.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.dtypes import int32
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.convert import to_tensor
from runtime.ops.op import apply, define


def empty_words(name: str) -> str:
    """Return the message of this Python version for `max` or `min` of no items.

    >>> "empty" in empty_words("max")
    True
    """
    return _WORDS[name]


def _words_of(choose: Any) -> str:
    try:
        choose(())
    except ValueError as error:
        return str(error)
    raise AssertionError("nothing has an extreme")


_WORDS = {"max": _words_of(max), "min": _words_of(min)}


def _extreme_kernel(x: Array, *columns: Array, largest: bool) -> Array:
    if not len(x):
        raise ArgumentValueError(empty_words("max" if largest else "min"))
    if columns or x.dtype.kind in "bO":
        rows = _rows(x, *columns)
        return np.array((max if largest else min)(range(len(x)), key=rows.__getitem__), np.int32)
    if x.dtype.kind == "f" and np.isnan(x).any():
        if np.isnan(x[0]):
            return np.array(0, np.int32)
        x = np.where(np.isnan(x), x[0], x)
    place = np.argmax(x) if largest else np.argmin(x)
    return np.array(place, np.int32)


def _order_kernel(*columns: Array, descending: bool) -> Array:
    rows = _rows(*columns)
    return np.array(sorted(range(len(rows)), key=rows.__getitem__, reverse=descending), np.int32)


def _rows(*columns: Array) -> list[Any]:
    """Return the items that Python compares: elements of a vector, or tuples from several."""
    if len(columns) == 1:
        return list(columns[0].tolist())
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _vector_infer(*columns: TensorSpec) -> TensorSpec:
    for x in columns:
        if x.shape.rank not in (1, None):
            raise ShapeError(f"compares the elements of a vector, not of shape {x.shape}")
        if not x.shape.is_compatible_with(columns[0].shape):
            raise ShapeError(f"the vectors have different shapes, {columns[0].shape} and {x.shape}")
        if x.dtype.kind not in "biufO":
            raise DTypeError(f"{x.dtype.name} values have no order")
    return columns[0]


def _extreme_infer(*columns: TensorSpec, largest: bool) -> TensorSpec:
    _vector_infer(*columns)
    return TensorSpec((), int32)


def _order_infer(*columns: TensorSpec, descending: bool) -> TensorSpec:
    return TensorSpec(_vector_infer(*columns).shape, int32)


EXTREME = define("first_extreme", _extreme_kernel, _extreme_infer, kinds="biufO")
ORDER = define("python_order", _order_kernel, _order_infer, kinds="biufO")


def first_extreme(*columns: Any, largest: bool = True) -> Tensor:
    """Return the int32 index of the element of a vector that `max` (or `min`) chooses.

    Of several vectors, tuples of their elements are compared.

    Raises:
        InvalidArgumentError: for an empty vector, with Python's message (also a ValueError).

    >>> print(first_extreme([1.0, float("nan"), 3.0, 3.0]))
    rt.Tensor(2, shape=(), dtype=int32)
    """
    result: Tensor = apply(
        EXTREME, tuple(map(to_tensor, columns)), largest=flag(largest, "largest")
    )
    return result


def python_order(*columns: Any, descending: bool = False) -> Tensor:
    """Return the int32 indices that sort a vector as `sorted` does, which is stable.

    Several vectors are sorted as tuples of their elements.

    >>> print(python_order([1, 0, 1], [3, 2, 1]))
    rt.Tensor([1 2 0], shape=(3,), dtype=int32)
    >>> print(python_order([2, 3, 1, 2], descending=True))
    rt.Tensor([1 0 3 2], shape=(4,), dtype=int32)
    """
    result: Tensor = apply(
        ORDER, tuple(map(to_tensor, columns)), descending=flag(descending, "descending")
    )
    return result
