"""Comparisons and identity tests as generated code calls them.

A backend computes `a is b` of values that it owns, and `a < b` or `a == b` of containers that hold
such values: Python would compare the items itself and test the truth of each result, which may be a
tensor. Compiled code first tests whether Python's own operators apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.protocol import Backend, Backends
from autograph.operators.compared_containers import METHODS, SYMBOLS, common_kind, compared_parts
from autograph.operators.recording_state import RecordingState
from autograph.operators.tracebacks import with_user_frames
from autograph.operators.user_classes import (
    is_equal_to_itself_alone,
    is_made_in_python,
    special_method,
)


class IdentityComparison:
    """Python's `is`, extended to values of backends.

    >>> IdentityComparison(Backends(())).same(None, None)
    True
    """

    def __init__(self, backends: Backends) -> None:
        self._of, self._recording = backends.of, backends.recording

    def same(self, left: object, right: object) -> object:
        """Return `left is right`."""
        if type(left) is PossiblyUnbound:
            left = left.read()
        if type(right) is PossiblyUnbound:
            right = right.read()
        if left is right:
            return True
        if left is None or right is None:
            backend = self._of(left) or self._of(right)
        else:
            backend = self._recording()
        return False if backend is None else backend.call("same", (left, right), {})

    def differ(self, left: object, right: object) -> object:
        """Return `left is not right`."""
        same = self.same(left, right)
        if same is True or same is False:
            return not same
        backend = self._of(same)
        return not same if backend is None else backend.logical_not(same)


# -- comparisons -----------------------------------------------------------------------------------


# A container that is nested deeper than this may contain itself.
_DEEPEST = 50
# The results of `==` and `!=` for objects that are equal only to themselves.
_SAME = {"==": IdentityComparison.same, "!=": IdentityComparison.differ}


class Comparisons:
    """Comparisons, of containers as well that hold values of a backend.

    >>> Comparisons(Backends(())).is_plain(1, 2)
    True
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends
        self._identity = IdentityComparison(backends)
        self._staging = RecordingState(backends).staging

    def is_plain(self, left: object, right: object) -> bool:
        """Return whether Python computes a comparison of two values."""
        kind = type(left)
        if kind is int or kind is float or kind is str:
            return True
        if self._compare_by_identity(left, right):
            return False
        return self.owner(left, right) is None and not self._inverts(left)

    def operators(self, *symbols: str) -> tuple[Callable[[object, object], object], ...]:
        """Return the comparison function of each of these operators."""
        return tuple([with_user_frames(self._operator(symbol)) for symbol in symbols])

    def by_symbol(self) -> Mapping[str, Callable[[object, object], object]]:
        """Return the comparison function of each operator."""
        return {symbol: self._operator(symbol) for symbol in SYMBOLS}

    def owner(self, left: object, right: object) -> Backend | None:
        """Return the backend that compares two containers; None if their own operators do."""
        if self._backends.recorder() is None:
            return None
        backend = self._backends.of_any((left, right))
        if backend is not None:
            return backend if backend.call("compares_parts", (left, right), {}) else None
        if common_kind(type(left), type(right)) is None:
            return None
        return self.inside((left, right))

    def _operator(self, symbol: str) -> Callable[[object, object], object]:
        pythons = SYMBOLS[symbol]

        def compare(left: object, right: object) -> object:
            if symbol in _SAME and self._compare_by_identity(left, right):
                return _SAME[symbol](self._identity, left, right)
            backend = self.owner(left, right)
            if backend is not None:
                return backend.call("compare_containers", (pythons, left, right), {})
            if symbol == "!=" and self._inverts(left):
                equal = left == right
                backend = self._backends.of(equal)
                return not equal if backend is None else backend.logical_not(equal)
            return pythons(left, right)

        return compare

    def _compare_by_identity(self, left: object, right: object) -> bool:
        """Return whether two user objects compare by identity, in a trace."""
        if left is right or type(left) is not type(right) or not is_made_in_python(type(left)):
            return False
        if self._backends.recorder() is None or self._backends.owner(left) is not None:
            return False
        return is_equal_to_itself_alone(type(left))

    def _inverts(self, left: object) -> bool:
        """Return whether Python computes `!=` by the user's `__eq__`, and inverts its result."""
        if not is_made_in_python(type(left)) or self._backends.owner(left) is not None:
            return False
        if special_method(left, "__ne__") or not special_method(left, "__eq__"):
            return False
        return self._staging()

    def inside(self, values: Iterable[Any], depth: int = 0) -> Backend | None:
        """Return the backend that owns one of the values, or one of their compared contents."""
        for value in values:
            backend = self._backends.of(value)
            if backend is None and depth < _DEEPEST and (parts := compared_parts(value)):
                backend = self.inside(parts, depth + 1)
            elif backend is None and depth and special_method(value, *METHODS):
                backend = self._backends.recording()  # Its class may answer with a tensor.
            if backend is not None:
                return backend
        return None
