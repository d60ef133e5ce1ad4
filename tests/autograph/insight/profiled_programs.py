"""Functions to profile, by line."""

from __future__ import annotations

from typing import Any

import autograph as ag
import runtime as rt

calls = rt.Variable(0)
log: list[str] = []


@ag.function
def looped(n: Any) -> Any:
    """Count in a loop with a choice of which one path is never taken."""
    i = 0
    while i < n:
        if i > 1000:
            i = i + 2
        else:
            i = i + 1
    return i


@ag.function
def squared(x: Any) -> Any:
    """Be called by `nested`."""
    return x * x


@ag.function
def nested(x: Any) -> Any:
    """Call a Function in a loop."""
    for _ in rt.range(3):
        x = squared(x)
    return x


@ag.function
def counted(x: Any) -> Any:
    """Change a variable."""
    calls.assign_add(1)
    return x + 1


@ag.function
def caught(x: Any) -> Any:
    """Raise from within a branch in a loop, and catch that."""
    total = 0
    for i in rt.range(3):
        try:
            if x > i:
                raise ValueError("too large")
            total += 1
        except ValueError:
            total += 10
    return total


@ag.function
def down(n: Any) -> Any:
    """Call itself."""
    if n > 0:
        return down(n - 1) + 1
    return n


def failing(x: Any) -> Any:
    """Raise an error for a value that is not positive."""
    rt.debugging.assert_positive(x)
    return x


def bound(x: Any) -> Any:
    """Leave something in a list outside."""
    log.append("called")
    return x
