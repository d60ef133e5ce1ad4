"""A cache of facts about code objects, each kept as long as its code object lives."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Generic, TypeVar
from weakref import ref

from runtime.core.weak_tables import weakref_removing

T = TypeVar("T")


class PerCodeCache(Generic[T]):
    """A cache keyed by the identity of code objects.

    Comparing or hashing code objects visits all code inside them, and equal code objects may be of
    different modules.

    >>> names = PerCodeCache()
    >>> code = (lambda x: x).__code__
    >>> names.get(code, lambda: code.co_varnames), names.get(code, lambda: "not asked again")
    (('x',), ('x',))
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[ref[CodeType], T]] = {}

    def __contains__(self, code: CodeType) -> bool:
        """Return whether a code object has a cached value."""
        found = self._known.get(id(code))
        return found is not None and found[0]() is code

    def get(self, code: CodeType, make: Callable[[], T]) -> T:
        """Return the cached value of a code object, computed at the first call."""
        found = self._known.get(id(code))
        if found is None or found[0]() is not code:
            identity = id(code)
            found = weakref_removing(code, self._known, identity), make()
            self._known[identity] = found
        return found[1]
