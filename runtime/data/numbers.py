"""Number arguments of dataset steps: Python values or tensors."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int64
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError
from runtime.ops.arguments import static_int, static_value
from runtime.ops.convert import is_tensor_like, strong_cast, to_tensor


def whole_number(value: Any, what: str = "range") -> Tensor:
    """Return an integer argument as an int64 scalar."""
    tensor = to_tensor(value)
    if not tensor.dtype.is_integer or tensor.shape.rank not in (None, 0):
        raise DTypeError(
            f"{what} takes whole numbers, not {tensor.dtype.name} of shape {tensor.shape}"
        )
    return strong_cast(tensor, int64)


def number(value: Any, what: str) -> tuple[int | None, tuple[Tensor, ...]]:
    """Return a known number and no tensors, or None and the tensor of the number.

    >>> number(3, "count")
    (3, ())
    """
    if is_tensor_like(value):
        known = static_value(to_tensor(value))
        tensor = whole_number(value, what)
        return (None, (tensor,)) if known is None else (int(known), ())
    if isinstance(value, bool):
        raise DTypeError(f"{what} must be an int, not {value!r}")
    return static_int(value, what), ()


def plain_seed(seed: Any) -> int | None:
    """Return a seed as an int; a tensor must be known while tracing."""
    return None if seed is None else static_int(seed, "seed")
