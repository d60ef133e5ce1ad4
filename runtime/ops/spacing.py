"""Numbers evenly spaced, as many as a tensor says when the graph runs."""

from __future__ import annotations

from typing import Any

from runtime.ops.arguments import static_int
from runtime.ops.arithmetic import add, divide, maximum, multiply, subtract
from runtime.ops.comparison import equal
from runtime.ops.constant import cast
from runtime.ops.creation import range as numbers
from runtime.ops.debugging import assert_non_negative
from runtime.ops.selection import where
from runtime.ops.shape import expand_dims, reshape
from runtime.tensor import Tensor


def spaced(first: Tensor, last: Tensor, num: Any, axis: Any) -> Tensor:
    """Return what `linspace` does, for two tensors of one dtype and a number that is not known yet.

    >>> from runtime.ops.convert import to_tensor
    >>> print(spaced(to_tensor(0.0), to_tensor(1.0), to_tensor(3), 0))
    rt.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    count: Any = cast(num, "int32")
    assert_non_negative(count, message="linspace: num must be 0 or more")
    rank = first.ndim
    at = static_int(axis, "axis") % (rank + 1)
    places: Any = reshape(numbers(count), [1] * at + [-1] + [1] * (rank - at))
    start, stop = expand_dims(first, at), expand_dims(last, at)
    steps = cast(maximum(subtract(count, 1), 1), first.dtype)
    step = divide(subtract(stop, start), steps)
    found = add(start, multiply(cast(places, first.dtype), step))
    is_last = (count > 1) & equal(places, subtract(count, 1))
    result: Tensor = where(is_last, stop, found)
    return result
