"""Bounds of integers: of the counter of a loop, by its test, and of sums and products of it.

    for i in range(20):                  0 <= i <= 19
        rows = x[i * 100 : i * 100 + 100]    0 <= i * 100 <= 1900: always 100 rows, and no check

A check that cannot fail is no part of a program: if none is left, a call waits for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from runtime.passes.constants import constant_of

# The least and the largest value.
Interval: TypeAlias = tuple[int, int]


class _Noted(NamedTuple):
    value: Any  # An identity is free again once its value is gone.
    interval: Interval


class Bounds:
    """The intervals of traced integers, while JAX traces a program.

    >>> bounds = Bounds()
    >>> bounds.of(np.array([3, 5])), bounds.of(np.array(2.5))
    ((3, 5), None)
    """

    def __init__(self) -> None:
        self._noted: dict[int, _Noted] = {}
        self._ends: dict[int, tuple[Any, Any]] = {}

    def of(self, value: Any) -> Interval | None:
        """Return the interval of a value; None if it is not known."""
        if isinstance(value, (np.ndarray, np.generic)):
            is_integer = value.dtype.kind in "iu" and value.size
            return (int(np.min(value)), int(np.max(value))) if is_integer else None
        found = self._noted.get(id(value))
        return None if found is None else found.interval

    def note(self, value: Any, interval: Interval) -> None:
        """Remember the interval of a value."""
        self._noted[id(value)] = _Noted(value, interval)

    def note_below(self, value: Any, size: Any) -> None:
        """Remember that a value, which is not negative, is below a size that is a symbol."""
        self._ends[id(value)] = value, size

    def are_inside(self, value: Any, low: int, high: Any) -> bool:
        """Return whether all elements of a value are known to be at least `low`, below `high`.

        A size that is a symbol, as in a file, is above a value only if that was noted.
        """
        if not isinstance(high, int):
            end = self._ends.get(id(value))
            return end is not None and bool(end[1] == high)
        found = self.of(value)
        return found is not None and low <= found[0] and found[1] < high

    def result(self, node: Any, operands: Sequence[Any]) -> Interval | None:
        """Return the exact interval of a sum, difference or product; None if it is not known."""
        compute = _EXACT.get(node.op.name)
        if compute is None:
            return None
        x, y = map(self.of, operands)
        return None if x is None or y is None else compute(x, y)

    def fits(self, node: Any, operands: Sequence[Any]) -> bool:
        """Return whether the result of a node always fits its dtype."""
        return _fits(self.result(node, operands), operands[0].dtype)

    def record_results(self, node: Any, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """Remember the interval of the result of a node, if it follows from its operands."""
        name = node.op.name
        if name not in _FOLLOWED or not hasattr(results[0], "shape"):
            return
        found = self.result(node, operands) if name in _EXACT else self.of(operands[0])
        if found is not None and _fits(found, results[0].dtype):
            self.note(results[0], found)
        if name in _EQUAL and id(operands[0]) in self._ends:
            self.note_below(results[0], self._ends[id(operands[0])][1])


def _fits(interval: Interval | None, dtype: Any) -> bool:
    if interval is None or dtype.kind not in "iu":
        return False
    limits = np.iinfo(dtype)
    return bool(limits.min <= interval[0] and interval[1] <= limits.max)


def _product(x: Interval, y: Interval) -> Interval:
    ends = [a * b for a in x for b in y]
    return min(ends), max(ends)


_EXACT: dict[str, Callable[[Interval, Interval], Interval]] = {
    "add": lambda x, y: (x[0] + y[0], x[1] + y[1]),
    "subtract": lambda x, y: (x[0] - y[1], x[1] - y[0]),
    "multiply": _product,
}
# Ops whose result has only elements of the first operand, and those above.
_FOLLOWED = frozenset(("gather", "cast", "exact_cast", "identity", *_EXACT))
_EQUAL = frozenset(("cast", "exact_cast", "identity"))


# -- counters of loops -----------------------------------------------------------------------------


class Counter(NamedTuple):
    """A loop variable that only grows, as long as it is below a limit.

    Attributes:
        at: the number of the loop variable.
        limit: the limit, as a tensor of the test.
        is_reached: whether there is an iteration with the limit itself.
        step: what an iteration adds.
    """

    at: int
    limit: Any
    is_reached: bool
    step: int

    def note(self, bounds: Bounds, value: Any, first: int, limit: Interval | None) -> None:
        """Note its interval in an iteration, unless it may grow beyond its dtype.

        Args:
            bounds: notes it.
            value: the traced loop variable.
            first: the least value before the loop.
            limit: the interval of the limit; None if it is not known.
        """
        most = int(np.iinfo(value.dtype).max)
        last = (most if limit is None else limit[1]) - (not self.is_reached)
        if last + self.step <= most:
            bounds.note(value, (first, max(first, last)))


def counters(test: Any, body: Any) -> Iterator[Counter]:
    """Yield the counters of a loop."""
    for tensor in _parts_of_test(test.outputs[0]):
        if tensor.node.op.name not in ("less", "less_equal"):
            continue
        value, limit = tensor.node.inputs
        for at, each in enumerate(test.parameters[: len(body.outputs)]):
            step = _step(body, at) if each is value else 0
            if step > 0:
                yield Counter(at, limit, tensor.node.op.name == "less_equal", step)


def _parts_of_test(tensor: Any) -> Iterator[Any]:
    """Yield the comparisons that are all true if a test is true."""
    if tensor.node.op.name == "logical_and":
        for each in tensor.node.inputs:
            yield from _parts_of_test(each)
    else:
        yield tensor


def _step(body: Any, at: int) -> int:
    """Return the constant that an iteration adds to a loop variable; 0 if it does not."""
    node, counter = body.outputs[at].node, body.parameters[at]
    if node.op.name != "add" or not any(each is counter for each in node.inputs):
        return 0
    steps = [constant_of(each) for each in node.inputs if each is not counter]
    if len(steps) != 1 or steps[0] is None or steps[0].ndim or steps[0].dtype.kind not in "iu":
        return 0
    return int(steps[0])
