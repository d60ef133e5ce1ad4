"""Fast paths of Python's operators on eager tensors.

The common case is a tensor with another tensor of its dtype, a Python number or a NumPy array,
while nothing is recorded and no tape is open. All other cases, and all errors, go the general way,
which raises the error messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.array_ownership import new_tensor
from runtime.core.context import current_recorder, current_watchers
from runtime.core.device_tensor import DeviceTensor
from runtime.core.errstate import ignore_warnings, restore_warnings
from runtime.core.tensor import EagerTensor
from runtime.ops.literals import SAFE_KINDS, SAFE_NUMBER
from runtime.ops.op import Op

Operator = Callable[[Any, Any], Any]
Kernel = Callable[[Any, Any], Any]

_ARRAY = np.ndarray
_as_array = np.asarray
_new_array = np.array


def operator_at_once(op: Op, general: Operator, kernel: Kernel | None = None) -> Operator:
    """Return an operator for the tensor on the left.

    Args:
        op: elementwise, of two operands of one dtype; its results are arrays of their own.
        general: the operator for all other operands.
        kernel: replaces the op's kernel for operands of one shape.
    """
    compute: Any = kernel or op.kernel
    kinds, is_alike = frozenset(op.kinds or "") - {"O"}, kernel is not None

    def operator(self: Any, other: Any) -> Any:
        x = self._array
        y = other._array if type(other) is EagerTensor else _beside(x.dtype, other)
        dtype = x.dtype
        if (
            y is not None
            and dtype is y.dtype
            and dtype.kind in kinds
            and not (is_alike and x.shape != y.shape)
            and current_recorder() is None
            and not current_watchers()
        ):
            result = _computed(compute, x, y)
            if result is not None:
                return result
        return general(self, other)

    return operator


def reflected_at_once(op: Op, general: Operator) -> Operator:
    """Return an operator for a tensor on the right of a Python number or a NumPy array."""
    compute: Any = op.kernel
    kinds = frozenset(op.kinds or "") - {"O"}

    def reflected(self: Any, other: Any) -> Any:
        x = self._array
        y = _beside(x.dtype, other)
        if (
            y is not None
            and x.dtype is y.dtype
            and x.dtype.kind in kinds
            and current_recorder() is None
            and not current_watchers()
        ):
            result = _computed(compute, y, x)
            if result is not None:
                return result
        return general(self, other)

    return reflected


def _beside(dtype: Any, value: Any) -> Any:
    """Return an operand beside a tensor as an array; None for values that need the general way.

    The array is not stored, so one of NumPy's need not be copied.
    """
    kind = type(value)
    if kind is _ARRAY:
        return value
    if (kind, dtype.kind) not in SAFE_KINDS:
        return value._array if kind is DeviceTensor else None
    if dtype.kind == "f" and not -SAFE_NUMBER < value < SAFE_NUMBER:
        return None
    try:
        return _new_array(value, dtype)
    except OverflowError:
        return None


def _computed(compute: Kernel, x: Any, y: Any) -> EagerTensor | None:
    """Return the result as a tensor; None if the general operator has to raise an error."""
    token = ignore_warnings()
    try:
        result = compute(x, y)
    except Exception:
        return None
    finally:
        restore_warnings(token)
    tensor: EagerTensor = new_tensor(EagerTensor)
    tensor._array = result if type(result) is _ARRAY else _as_array(result)
    return tensor


def item_at_once(general: Operator) -> Operator:
    """Return `x[key]` for a tensor and a key of ints and slices of ints."""

    def item(self: Any, key: Any) -> Any:
        if _is_plain(key) and current_recorder() is None and not current_watchers():
            try:
                # With an ellipsis at the end, an index always returns an array.
                found = self._array[(*key, ...) if type(key) is tuple else (key, ...)]
            except (IndexError, ValueError):
                return general(self, key)
            tensor: EagerTensor = new_tensor(EagerTensor)
            tensor._array = found
            return tensor
        return general(self, key)

    return item


def _is_plain(key: Any) -> bool:
    """Return whether a key is an int, a slice of ints, or a tuple of them."""
    kind = type(key)
    if kind is int:
        return True
    if kind is slice:
        return _PARTS.issuperset((type(key.start), type(key.stop), type(key.step)))
    return kind is tuple and all(type(each) in _ITEMS and _is_plain(each) for each in key)


_PARTS = frozenset((int, type(None)))
_ITEMS = (int, slice)
