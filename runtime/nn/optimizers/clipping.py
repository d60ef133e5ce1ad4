"""Gradients that are made smaller where they are large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import add_n, clip_by_value, maximum, multiply
from runtime.ops.elementwise.unary import sqrt, square


def clipped(
    gradients: Sequence[Any], norm: float | None, global_norm: float | None, value: float | None
) -> list[Any]:
    """Return gradients, each of a norm of at most `norm`, or all together of `global_norm`.

    Args:
        value: the largest an element may be; used if there is no norm.

    >>> [g.numpy().tolist() for g in clipped([to_tensor([3.0, -4.0])], 5.0, None, None)]
    [[3.0, -4.0]]
    """
    if norm is not None:
        return [_scaled(each, sqrt(_squares(each)), norm) for each in gradients]
    if global_norm is not None:
        together = sqrt(add_n([cast(_squares(each), "float32") for each in gradients]))
        return [_scaled(each, together, global_norm) for each in gradients]
    if value is not None:
        return [clip_by_value(each, -value, value) for each in gradients]
    return list(gradients)


def _squares(gradient: Any) -> Any:
    return reduce_sum(square(gradient))


def _scaled(gradient: Any, found: Any, wanted: float) -> Any:
    most = to_tensor(wanted, found.dtype)
    return multiply(gradient, cast(most / maximum(found, most), gradient.dtype))
