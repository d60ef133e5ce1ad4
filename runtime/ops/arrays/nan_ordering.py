"""The order of numbers that include NaN, as TensorFlow sorts them.

The place of a NaN after a sort depends on the sequence of comparisons. This sequence is that of the
C++ standard library, by which TensorFlow sorts: up to 16 elements are
sorted by insertion, more elements are first partitioned by pivots.
"""

from __future__ import annotations

import numpy as np

from runtime.core.tensor import Array

# Parts up to this length are sorted by insertion.
_SHORT = 16


def has_nan(x: Array) -> bool:
    """Return whether there is a nan among the elements.

    >>> has_nan(np.array([1.0, np.nan])), has_nan(np.array([1, 2]))
    (True, False)
    """
    return x.dtype.kind not in "biuO" and bool(np.isnan(x).any())


def falling_order(x: Array, axis: int) -> Array:
    """Return the indices that sort elements in descending order along an axis, with nan among them.

    >>> falling_order(np.array([1.0, 2.0, np.nan, 0.0, 5.0]), 0)
    array([4, 1, 0, 2, 3])
    """
    rows = np.moveaxis(x, axis, -1)
    found = np.empty(rows.shape, np.intp)
    for at in np.ndindex(rows.shape[:-1]):
        found[at] = _falling(rows[at].tolist())
    return np.moveaxis(found, -1, axis)


def bisect(row: Array, wanted: Array, side: str) -> Array:
    """Return the indices at which numbers would be inserted into a row, by bisection.

    >>> bisect(np.array([1.0, 2.0, np.nan]), np.array([np.nan, 2.0]), "right")
    array([3, 3])
    """
    first, length = np.zeros(wanted.shape, np.intp), np.full(wanted.shape, len(row))
    while (length > 0).any():
        half = length // 2
        middle = row[np.minimum(first + half, len(row) - 1)]
        later = (middle < wanted if side == "left" else ~(wanted < middle)) & (length > 0)
        first = np.where(later, first + half + 1, first)
        length = np.where(later, length - half - 1, half)
    return first


def _falling(values: list[float]) -> list[int]:
    order = list(range(len(values)))
    pending = [(0, len(order))]
    while pending:
        first, last = pending.pop()
        if last - first > _SHORT:
            cut = _partition(values, order, first, last)
            pending += [(first, cut), (cut, last)]
    for at in range(1, len(order)):
        _insert(values, order, at)
    return _restore_order_of_equals(values, order)


def _insert(values: list[float], order: list[int], at: int) -> None:
    """Insert an element before the elements that follow it in the order."""
    which = order.pop(at)
    value, place = values[which], at
    if at < _SHORT and value > values[order[0]]:
        place = 0
    while place > 0 and value > values[order[place - 1]]:
        place -= 1
    order.insert(place, which)


def _partition(values: list[float], order: list[int], first: int, last: int) -> int:
    """Partition elements by a pivot, and return the start of the second part."""
    _pivot_to(values, order, first, last)
    pivot, low, high = values[order[first]], first + 1, last
    while True:
        while low < last and values[order[low]] > pivot:
            low += 1
        high -= 1
        while high > first and pivot > values[order[high]]:
            high -= 1
        if low >= high:
            return min(low, last - 1)
        order[low], order[high] = order[high], order[low]
        low += 1


def _pivot_to(values: list[float], order: list[int], first: int, last: int) -> None:
    """Swap the median of three elements to the first position."""
    one, two, three = first + 1, first + (last - first) // 2, last - 1
    a, b, c = (values[order[at]] for at in (one, two, three))
    if a > b:
        chosen = two if b > c else three if a > c else one
    else:
        chosen = one if a > c else three if b > c else two
    order[first], order[chosen] = order[chosen], order[first]


def _restore_order_of_equals(values: list[float], order: list[int]) -> list[int]:
    """Restore the original order among equal neighbours."""
    result: list[int] = []
    run: list[int] = []
    for which in order:
        if run and values[which] != values[run[-1]]:
            result += sorted(run)
            run = []
        run.append(which)
    return result + sorted(run)
