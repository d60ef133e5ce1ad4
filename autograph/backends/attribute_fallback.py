"""Fallbacks for attributes that an object does not hold: its class, `__getattr__`, properties.

For an attribute of a class, its bases are the fallback.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any


class AttributeFallback:
    """The code of a class that computes an attribute which an object does not hold.

    Attributes:
        owner: the object.
        name: the attribute.
    """

    __slots__ = ("owner", "name", "_found")

    def __init__(self, owner: Any, name: str, found: Any) -> None:
        self.owner, self.name, self._found = owner, name, found

    @property
    def is_kept(self) -> bool:
        """Return whether the object caches the value of the code."""
        return type(self._found) is cached_property

    def with_default(self, take: Callable[[object], object], default: object) -> AttributeFallback:
        """Return a fallback with the result `take(value)`, or `default` without a value."""

        def give(owner: Any, name: str) -> object:
            try:
                return take(self())
            except AttributeError:
                return default

        return AttributeFallback(self.owner, self.name, give)

    def __call__(self) -> object:
        """Return the value that the code computes."""
        if self.is_kept:
            return self._found.func(self.owner)
        return self._found(self.owner, self.name)


def answering(owner: Any, name: str) -> AttributeFallback | None:
    """Return the fallback for an attribute which an object does not hold, if there is one.

    >>> class Pair:
    ...     @cached_property
    ...     def total(self):
    ...         return 3
    >>> answering(Pair(), "total")(), answering(Pair(), "size")
    (3, None)
    """
    if is_given_by_class(owner, name):
        return AttributeFallback(owner, name, _given_now)
    for found in _in_classes(type(owner), name):
        return AttributeFallback(owner, name, found) if type(found) is cached_property else None
    for found in _in_classes(type(owner), "__getattr__"):
        return AttributeFallback(owner, name, found)
    return None


def is_given_by_class(owner: Any, name: str) -> bool:
    """Return whether an attribute that an object does not hold is a value of its class.

    >>> class A:
    ...     size = 1
    ...     def area(self):
    ...         return self.size**2
    >>> is_given_by_class(A(), "size"), is_given_by_class(A(), "area")
    (True, False)
    >>> is_given_by_class(type("B", (A,), {}), "size"), is_given_by_class(A, "size")
    (True, False)
    """
    found = _given(owner, name)
    return bool(found) and next(_in_classes(type(found[0]), "__get__"), None) is None


def _given(owner: Any, name: str) -> list[Any]:
    if issubclass(type(owner), type):
        return [found for at, found in _held_by_classes(owner, name) if at is not owner]
    return list(_in_classes(type(owner), name))


def _given_now(owner: Any, name: str) -> Any:
    value = _given(owner, name)[0]
    # An optional one has the base classes as its fallback.
    return value.read() if hasattr(type(value), "otherwise") else value


def _in_classes(kind: type, name: str) -> Iterator[Any]:
    yield from (found for _, found in _held_by_classes(kind, name))


def _held_by_classes(kind: type, name: str) -> Iterator[tuple[type, Any]]:
    # This reads the type itself, without a metaclass of the user's.
    for each in type.__dict__["__mro__"].__get__(kind):
        own = type.__dict__["__dict__"].__get__(each)
        if name in own:
            yield each, own[name]
