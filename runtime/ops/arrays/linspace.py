"""`linspace` with a count that is known only at run time."""

from __future__ import annotations

from typing import Any

from runtime.core.tensor import Tensor
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.constant import cast
from runtime.ops.elementwise.arithmetic import add, divide, maximum, multiply, subtract
from runtime.ops.elementwise.comparison import equal, greater
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.elementwise.selection import where


def spaced(first: Tensor, last: Tensor, num: Any, places: Any, axis: int) -> Tensor:
    """Return the result of `linspace` for a number of elements that only a run knows.

    Args:
        places: the numbers from 0 up to `num`.

    >>> from runtime.ops.convert import to_tensor
    >>> print(spaced(to_tensor(0.0), to_tensor(1.0), to_tensor(3), to_tensor([0, 1, 2]), 0))
    rt.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    rank = first.ndim
    at = axis % (rank + 1)
    place: Any = cast(reshape(places, [1] * at + [-1] + [1] * (rank - at)), first.dtype)
    start, stop = expand_dims(first, at), expand_dims(last, at)
    steps = cast(maximum(subtract(num, 1), 1), first.dtype)
    found = add(start, multiply(place, divide(subtract(stop, start), steps)))
    # The last one is `stop` itself; a row of one number has the first.
    is_last = logical_and(greater(place, 0.0), equal(place, steps))
    result: Tensor = where(is_last, stop, found)
    return result
