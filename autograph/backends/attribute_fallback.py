"""Fallbacks for attributes that an object does not store: its class, `__getattr__`, properties.

For an attribute of a class, its bases are the fallback.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any


class AttributeFallback:
    """The code of a class that computes an attribute which an object does not store.

    Attributes:
        owner: the object.
        name: the attribute.
    """

    __slots__ = ("owner", "name", "_compute")

    def __init__(self, owner: Any, name: str, found: Any) -> None:
        self.owner, self.name, self._compute = owner, name, found

    @property
    def is_cached(self) -> bool:
        """Return whether the object stores the computed value, as with `cached_property`."""
        return type(self._compute) is cached_property

    def with_default(self, take: Callable[[object], object], default: object) -> AttributeFallback:
        """Return a fallback that gives `take(value)`, or `default` where this one has no value."""

        def give(owner: Any, name: str) -> object:
            try:
                return take(self())
            except AttributeError:
                return default

        return AttributeFallback(self.owner, self.name, give)

    def __call__(self) -> object:
        """Return the value that the code computes."""
        if self.is_cached:
            return self._compute.func(self.owner)
        return self._compute(self.owner, self.name)


def fallback_of(owner: Any, name: str) -> AttributeFallback | None:
    """Return the fallback for an attribute which an object does not store, if there is one.

    >>> class Pair:
    ...     @cached_property
    ...     def total(self):
    ...         return 3
    >>> fallback_of(Pair(), "total")(), fallback_of(Pair(), "size")
    (3, None)
    """
    if is_class_attribute(owner, name):
        return AttributeFallback(owner, name, _class_value)
    for found in _in_classes(type(owner), name):
        return AttributeFallback(owner, name, found) if type(found) is cached_property else None
    for found in _in_classes(type(owner), "__getattr__"):
        return AttributeFallback(owner, name, found)
    return None


def is_class_attribute(owner: Any, name: str) -> bool:
    """Return whether an attribute that an object does not store is a plain value of its class.

    >>> class A:
    ...     size = 1
    ...     def area(self):
    ...         return self.size**2
    >>> is_class_attribute(A(), "size"), is_class_attribute(A(), "area")
    (True, False)
    >>> is_class_attribute(type("B", (A,), {}), "size"), is_class_attribute(A, "size")
    (True, False)
    """
    found = _class_values(owner, name)
    return bool(found) and next(_in_classes(type(found[0]), "__get__"), None) is None


def _class_values(owner: Any, name: str) -> list[Any]:
    if issubclass(type(owner), type):
        return [found for at, found in _class_entries(owner, name) if at is not owner]
    return list(_in_classes(type(owner), name))


def _class_value(owner: Any, name: str) -> Any:
    value = _class_values(owner, name)[0]
    # A possibly unbound value has the base classes as its fallback.
    return value.read() if hasattr(type(value), "fallback") else value


def _in_classes(kind: type, name: str) -> Iterator[Any]:
    yield from (found for _, found in _class_entries(kind, name))


def _class_entries(kind: type, name: str) -> Iterator[tuple[type, Any]]:
    # This reads the type itself, without a metaclass of the user's.
    for each in type.__dict__["__mro__"].__get__(kind):
        own = type.__dict__["__dict__"].__get__(each)
        if name in own:
            yield each, own[name]
