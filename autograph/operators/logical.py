"""`and`, `or`, `not` and chained comparisons as generated code calls them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from autograph.backends.protocol import Backends, Thunk

COMPARISONS: Mapping[str, Callable[[Any, Any], object]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda item, container: item in container,
    "not in": lambda item, container: item not in container,
}


class Logical:
    """Expressions that decide; operands are thunks, so no more is evaluated than in Python."""

    def __init__(self, backends: Backends) -> None:
        self._of = backends.of

    def and_(self, *operands: Thunk) -> object:
        """Return the first false operand, else the last one."""
        last = len(operands) - 1
        for position, operand in enumerate(operands):
            value = operand()
            if position == last:
                return value
            backend = self._of(value)
            if backend is not None:
                return backend.logical_and(value, operands[position + 1 :])
            if not value:
                return value
        return True

    def or_(self, *operands: Thunk) -> object:
        """Return the first true operand, else the last one."""
        last = len(operands) - 1
        for position, operand in enumerate(operands):
            value = operand()
            if position == last:
                return value
            backend = self._of(value)
            if backend is not None:
                return backend.logical_or(value, operands[position + 1 :])
            if value:
                return value
        return False

    def not_(self, value: object) -> object:
        """Return `not value`."""
        backend = self._of(value)
        if backend is not None:
            return backend.logical_not(value)
        return not value

    def compare(self, left: object, *rest: object) -> object:
        """Return `left < a() <= b() ...` for `rest = ('<', a, '<=', b, ...)`.

        Every operand is evaluated once, and none after a comparison that fails.
        """
        for position in range(0, len(rest), 2):
            symbol, operand = rest[position], rest[position + 1]
            right = operand()  # type: ignore[operator]
            value = COMPARISONS[symbol](left, right)  # type: ignore[index]
            later = rest[position + 2 :]
            if not later:
                return value
            backend = self._of(value)
            if backend is not None:
                return backend.logical_and(value, (self._comparison(right, later),))
            if not value:
                return value
            left = right
        return True

    def _comparison(self, left: object, rest: tuple[object, ...]) -> Thunk:
        return lambda: self.compare(left, *rest)
