"""The functions the benchmark converts, traces and calls."""

from __future__ import annotations

from typing import Any


def twelve_lines(n: Any) -> Any:
    """A loop with a conditional, a `continue` and a `break`: twelve lines with this head."""
    total = 0
    i = 0
    while i < n:
        i = i + 1
        if i % 3 == 0:
            continue
        total = total + i * i
        if total > 100000:
            break
    return total


def one_operation(x: Any) -> Any:
    """The smallest thing to stage: what remains is the cost of a call."""
    return x + 1


# The text of a function of its own for every cold conversion, so that no cache can know it.
COLD_SOURCE = """
def cold_{number}(n):
    total = {number}
    i = 0
    while i < n:
        i = i + 1
        if i % 3 == 0:
            continue
        total = total + i * i
        if total > 100000:
            break
    return total
"""
