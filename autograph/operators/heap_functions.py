"""Functions of `heapq` whose Python form differs from the compiled one; this file is converted.

>>> nsmallest(2, [3, 1, 2]), nlargest(1, [3, 1, 2])
([1, 2], [3])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograph.operators.pure_python_modules import pure_python_module

Key = Callable[[Any], Any] | None


def heappop(heap: list[Any]) -> Any:
    """Take the least item."""
    if not heap:
        raise IndexError("index out of range")
    return pure_python_module("heapq").heappop(heap)


def heapreplace(heap: list[Any], item: Any) -> Any:
    """Take the least item and put another one in."""
    if not heap:
        raise IndexError("index out of range")
    return pure_python_module("heapq").heapreplace(heap, item)


def nsmallest(n: int, iterable: Iterable[Any], key: Key = None) -> list[Any]:
    """Return the first `n` of the sorted items, as the library defines it."""
    return sorted(iterable, key=key)[: max(n, 0)]


def nlargest(n: int, iterable: Iterable[Any], key: Key = None) -> list[Any]:
    """Return the last `n` of the sorted items, the last one first."""
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]
