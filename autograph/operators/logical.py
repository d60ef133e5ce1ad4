"""`and`, `or`, `not` and chained comparisons as generated code calls them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from autograph.backends.protocol import Backends, Thunk
from autograph.operators.chunking import chunks_of
from autograph.operators.comparisons import Comparisons, IdentityComparison
from autograph.operators.special_methods import SpecialMethodOperators

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


class LogicalOperators:
    """The operators for `and`, `or`, `not` and comparisons.

    Operands are thunks, so that only those are evaluated that Python evaluates.
    """

    def __init__(self, backends: Backends) -> None:
        self._of = backends.of
        self._truth_value = SpecialMethodOperators(backends).truth_value
        identity = IdentityComparison(backends)
        self._symbols = {
            **COMPARISONS,
            **Comparisons(backends).by_symbol(),
            "is": identity.same,
            "is not": identity.differ,
        }

    def and_(self, first: Thunk, *rest: Thunk) -> object:
        """Return the first false operand, else the last one."""
        return self.and_rest(first(), *rest)

    def and_rest(self, value: object, *rest: Thunk) -> object:
        """Return `value and rest[0]() and ...`."""
        for position, operand in enumerate(rest):
            truth = self._truth_value(value)
            backend = self._of(truth)
            if backend is not None:
                first, *others = chunks_of(rest[position:])
                value = backend.logical_and(value, partial(self.and_, *first), truth)
                return self.and_rest(value, *[partial(self.and_, *run) for run in others])
            if not truth:
                return value
            value = operand()
        return value

    def or_(self, first: Thunk, *rest: Thunk) -> object:
        """Return the first true operand, else the last one."""
        return self.or_rest(first(), *rest)

    def or_rest(self, value: object, *rest: Thunk) -> object:
        """Return `value or rest[0]() or ...`."""
        for position, operand in enumerate(rest):
            truth = self._truth_value(value)
            backend = self._of(truth)
            if backend is not None:
                first, *others = chunks_of(rest[position:])
                value = backend.logical_or(value, partial(self.or_, *first), truth)
                return self.or_rest(value, *[partial(self.or_, *run) for run in others])
            if truth:
                return value
            value = operand()
        return value

    def not_(self, value: object) -> object:
        """Return `not value`."""
        value = self._truth_value(value)
        backend = self._of(value)
        if backend is not None:
            return backend.logical_not(value)
        return not value

    def compare(self, left: object, *rest: object) -> object:
        """Return `left < a() <= b() ...` for `rest = ('<', a, '<=', b, ...)`.

        Every operand is evaluated once, and none after a comparison that fails.
        """
        symbol, operand = rest[:2]
        right = operand()  # type: ignore[operator]
        value = self._symbols[symbol](left, right)  # type: ignore[index]
        return self.compare_rest(value, right, *rest[2:])

    def compare_rest(self, value: object, left: object, *rest: object) -> object:
        """Return `value and left < a() ...`: `value` is the result of the comparisons before."""
        if not rest:
            return value
        backend = self._of(value)
        if backend is not None:
            return backend.logical_and(value, lambda: self.compare(left, *rest), value)
        return self.compare(left, *rest) if value else value
