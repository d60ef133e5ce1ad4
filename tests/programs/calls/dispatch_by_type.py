"""A function of `functools.singledispatch` calls the one for its argument's type, converted."""

from __future__ import annotations

import functools
from typing import Any


@functools.singledispatch
def size(x: Any) -> Any:
    if x > 0:
        return x
    return -x


@size.register
def _(x: str) -> int:
    return len(x)


def dispatch_by_type(x: int, text: str) -> Any:
    return size(x) + size(text)


CASES = [(3, "ab"), (-4, ""), (0, "a")]
STAGES = ("cond",)
