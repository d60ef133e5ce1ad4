"""Infinite ranges: the remaining numbers of `itertools.count(start, step)`, as a loop of the graph.

The number is a variable of the loop, which a tensor ends. Python's own iteration would not end
while tracing.
"""

from __future__ import annotations

import ast
import gc
from itertools import count
from typing import Any

import runtime as rt
from autograph.backends.graph.values.iterables import StagedIterable, as_weak

_LIMITS = (-(2**31), 2**31 - 1)


class CountRange(StagedIterable):
    """`count(start, step)`, of which both may be tensors.

    Args:
        start, step: Python ints or scalar integer tensors.
    """

    def __init__(self, start: Any, step: Any) -> None:
        self.start, self.step = start, step

    def first(self) -> rt.Tensor:
        """Return the first number; a Python number becomes a weak tensor."""
        return self.start if isinstance(self.start, rt.Tensor) else as_weak(rt.constant(self.start))

    def after(self, number: rt.Tensor) -> rt.Tensor:
        """Return the number after another one."""
        return rt.add(number, self.step)

    def __repr__(self) -> str:
        return f"count({self.start}, {self.step})"


def count_range(items: object) -> CountRange | None:
    """Return the remaining numbers of an `itertools.count` of ints; None for any other iterator.

    >>> count_range(count(3, 4))
    count(3, 4)
    >>> count_range(count(0.5)) is None
    True
    """
    if type(items) is not count:
        return None
    parts: list[Any] = [each for each in gc.get_referents(items) if isinstance(each, rt.Tensor)]
    if not parts:
        return _of_ints(repr(items))
    others = [each for each in gc.get_referents(items) if type(each) is int]
    start, step = (*parts, *others)[:2] if len(parts) + len(others) == 2 else (None, None)
    return CountRange(start, step) if _is_whole(start) and _is_whole(step) else None


def _of_ints(text: str) -> CountRange | None:
    """Return the range of `count(3, 4)` from its `repr`, the only access to its numbers."""
    try:
        numbers = [ast.literal_eval(each) for each in text[len("count(") : -1].split(", ")]
    except (ValueError, SyntaxError):
        return None
    start, step = (*numbers, 1)[:2]
    return CountRange(start, step) if _is_whole(start) and _is_whole(step) else None


def _is_whole(value: Any) -> bool:
    if isinstance(value, rt.Tensor):
        return value.dtype.is_integer and value.shape.rank == 0
    return type(value) is int and _LIMITS[0] <= value <= _LIMITS[1]
