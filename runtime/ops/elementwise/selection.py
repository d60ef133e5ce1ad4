"""Selection by a condition (`where`), and the positions where a condition is true."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import bool_, int64
from runtime.core.lazy_imports import lazy_import
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError
from runtime.ops import infer
from runtime.ops.convert import matched, to_tensor, weakly
from runtime.ops.gradient_rules import sum_to_like
from runtime.ops.op import apply, define

with_name = lazy_import("runtime.diagnostics.operand_names:with_name")

# Integer dtypes by size in bytes.
BITS: dict[int, type[np.signedinteger[Any]]] = {
    1: np.int8,
    2: np.int16,
    4: np.int32,
    8: np.int64,
}
# The number of elements processed at a time, which stay in the cache.
_BLOCK = 1 << 14


def chosen(mask: Array, x: Array, y: Array) -> Array:
    """Return `x` where a mask holds and `y` elsewhere.

    Args:
        mask: bools, with one axis or more.
        x, y: of one dtype, and each either of the shape of the mask or a scalar.

    >>> chosen(np.array([True, False]), np.array([1.0, 2.0]), np.array(0.0))
    array([1., 0.])
    """
    bits = BITS[x.dtype.itemsize]
    out = np.empty(mask.shape, x.dtype)
    flat, flags = out.reshape(-1).view(bits), mask.reshape(-1)
    ones, others = (each.reshape(-1).view(bits) for each in (x, y))
    for at in range(0, flat.size, _BLOCK):
        part = slice(at, at + _BLOCK)
        result, held = flat[part], _wide(flags[part], bits)
        one, other = (each if each.size == 1 else each[part] for each in (ones, others))
        np.bitwise_xor(one, other, out=result)
        np.bitwise_and(result, held, out=result)
        np.bitwise_xor(result, other, out=result)
    return out


def masked(x: Array, mask: Array) -> Array:
    """Return elements where a mask of the same shape holds, and zeros elsewhere.

    >>> masked(np.array([1.0, np.nan]), np.array([True, False]))
    array([1., 0.])
    """
    bits = BITS[x.dtype.itemsize]
    return (np.ascontiguousarray(x).view(bits) & _wide(mask, bits)).view(x.dtype)


def _wide(mask: Array, bits: type[np.signedinteger[Any]]) -> Array:
    """Return integers with all bits set where a mask holds."""
    return np.negative(mask.view(np.int8)).astype(bits)


# -- ops -------------------------------------------------------------------------------------------


# The least number of elements for which selection by bits is faster.
MANY = 4096


def _select_infer(condition: TensorSpec, x: TensorSpec, y: TensorSpec) -> TensorSpec:
    chosen = infer.broadcast(x, y)
    return TensorSpec(condition.shape.broadcast(chosen.shape), x.dtype)


def _select_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[Any, ...]:
    (condition, x, y), dy = inputs, dys[0]
    zero = to_tensor(0, dy.dtype)
    dx, other = where(condition, dy, zero), where(condition, zero, dy)
    return None, sum_to_like(dx, x), sum_to_like(other, y)


def _select_kernel(condition: Array, x: Array, y: Array) -> Array:
    shape = condition.shape
    is_plain = x.dtype == y.dtype and x.dtype.kind in "iuf" and x.dtype.itemsize in BITS
    fits = all(each.ndim == 0 or each.shape == shape for each in (x, y))
    if condition.size < MANY or not (is_plain and fits):
        return np.where(condition, x, y)
    return chosen(condition, x, y)


def _nonzero_kernel(condition: Array) -> Array:
    return np.argwhere(condition != b"" if condition.dtype.kind == "O" else condition)


def _nonzero_infer(condition: TensorSpec) -> TensorSpec:
    return TensorSpec((None, condition.shape.rank), int64)


SELECT = define(
    "select",
    _select_kernel,
    _select_infer,
    kinds="b",
    grad=_select_grad,
    tensorflow_name="SelectV2",
)
NONZERO = define("nonzero", _nonzero_kernel, _nonzero_infer, tensorflow_name="Where")


def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return x where the condition holds and y elsewhere; all three broadcast.

    Without x and y: the indices (int64, one row each) of the elements that are true.

    >>> print(where([True, False], [1, 2], 0))
    rt.Tensor([1 0], shape=(2,), dtype=int32)
    >>> print(where([0, 5, 7]))
    rt.Tensor(
    [[1]
     [2]], shape=(2, 1), dtype=int64)
    """
    test = to_tensor(condition)
    if x is None and y is None:
        found: Tensor = apply(NONZERO, (test,))
        return found
    if x is None or y is None:
        raise ArgumentValueError("where: give both x and y, or neither")
    if test.dtype is not bool_:
        words = with_name(condition, "x != 0", "where")
        raise DTypeError(
            f"the condition of where must be bool, not {test.dtype.name}: write {words}"
        )
    (first, second), weak = matched((x, y), "where")
    return weakly(apply(SELECT, (test, first, second)), weak)
