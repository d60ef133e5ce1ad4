"""`saturate_cast`: casts that clamp to the limits of the target dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType, as_dtype
from runtime.core.tensor import Array, Tensor
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.elementwise.arithmetic import clip_by_value
from runtime.ops.elementwise.comparison import greater, less
from runtime.ops.elementwise.complex_numbers import real
from runtime.ops.elementwise.selection import where


def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Convert every element, clipped to the limits of the target dtype.

    Complex numbers are reduced to their real parts; casts to a complex dtype clip nothing.

    >>> print(saturate_cast([300.0, -5.0], "uint8"))
    rt.Tensor([255   0], shape=(2,), dtype=uint8)
    """
    target, tensor = as_dtype(dtype), to_tensor(value)
    if tensor.dtype.is_complex and not target.is_complex:
        tensor = real(tensor)
    if target.is_complex:
        return strong_cast(tensor, target)
    low, high = (
        np.array(pick(getattr(tensor.dtype, end), getattr(target, end)), tensor.dtype.np_dtype)
        for end, pick in (("min", max), ("max", min))
    )
    if not (tensor.dtype.is_floating and target.is_integer):
        return strong_cast(clip_by_value(tensor, low, high), target)
    low, high = (np.nextafter(x, x.dtype.type(0)) if _beyond(x, target) else x for x in (low, high))
    result = strong_cast(clip_by_value(tensor, low, high), target)
    for outside, reached, limit in ((less, low, target.min), (greater, high, target.max)):
        if int(reached) != limit:
            result = where(outside(tensor, reached), np.array(limit, target.np_dtype), result)
    return result


def _beyond(limit: Array, target: DType) -> bool:
    """Return whether a limit, rounded to a float dtype, exceeds the limit of the target."""
    return not target.min <= int(limit) <= target.max
