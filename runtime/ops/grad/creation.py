"""Gradients of ops that fill tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.convert import constant_tensor
from runtime.ops.gradient_rules import call, sum_to_like
from runtime.ops.infer import axis_of


def fill(dys: Any, outputs: Any, inputs: Any, *, shape: Any) -> tuple[Any, ...]:
    """Sum the gradient, since all elements are the one value."""
    return _total(dys[0]), *(None for _ in inputs[1:])


def linspace(dys: Any, outputs: Any, inputs: Any, *, num: int, axis: int) -> tuple[Any, Any]:
    """Weight the gradient of each element by its fractions of the start and of the stop."""
    dy = dys[0]
    first, second = (
        sum_to_like(call("reduce_sum", dy * part, axis=(axis,), keepdims=False), end)
        for part, end in zip(_fractions(outputs[0], num, axis), inputs, strict=True)
    )
    return first, second


def _fractions(y: Any, num: int, axis: int) -> tuple[Any, Any]:
    """Return the fractions of the start and the stop in each element, broadcastable to `y`."""
    if y.shape.rank is None and axis >= 0:
        ones = call("ones_like", y, dtype=y.dtype)
        steps = call("cumsum", ones, axis=axis, exclusive=True, reverse=False)
        share = steps / max(num - 1, 1)
        return ones - share, share
    behind = -axis - 1 if axis < 0 else y.shape.rank - axis_of(axis, y.shape.rank) - 1
    rising, falling = np.linspace(0.0, 1.0, num), np.linspace(1.0, 0.0, num)
    first, second = (
        constant_tensor(each.astype(y.dtype.np_dtype).reshape(num, *(1,) * behind))
        for each in (falling, rising)
    )
    return first, second


def one_hot(dys: Any, outputs: Any, inputs: Any, **attrs: Any) -> tuple[None, Any, Any]:
    """Sum the gradient over the elements with `on_value`, and over those with `off_value`."""
    (indices, *values), dy = inputs, dys[0]
    one, zero = (constant_tensor(np.array(k, dy.dtype.np_dtype)) for k in (1, 0))
    pairs = zip(values, ((one, zero), (zero, one)), strict=True)
    on, off = (
        sum_to_like(_total(dy * call("one_hot", indices, *marks, **attrs)), value)
        for value, marks in pairs
    )
    return None, on, off


def _total(x: Any) -> Any:
    return call("reduce_sum", x, axis=None, keepdims=False)
