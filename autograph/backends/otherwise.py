"""What gives an attribute that an object does not hold: `__getattr__`, or a cached property.

What a class does not hold, the classes that it inherits from may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any


class Otherwise:
    """The code of a class that answers for an attribute which an object does not hold.

    Attributes:
        owner: the object.
        name: the attribute.
    """

    __slots__ = ("owner", "name", "_found")

    def __init__(self, owner: Any, name: str, found: Any) -> None:
        self.owner, self.name, self._found = owner, name, found

    @property
    def is_kept(self) -> bool:
        """Whether the object holds from then on what the code has given."""
        return type(self._found) is cached_property

    def with_default(self, take: Callable[[object], object], default: object) -> Otherwise:
        """Return what gives `take(value)` for the value the code gives, `default` for none."""

        def give(owner: Any, name: str) -> object:
            try:
                return take(self())
            except AttributeError:
                return default

        return Otherwise(self.owner, self.name, give)

    def __call__(self) -> object:
        """Return what the code gives."""
        if self.is_kept:
            return self._found.func(self.owner)
        return self._found(self.owner, self.name)


def answering(owner: Any, name: str) -> Otherwise | None:
    """Return what answers for an attribute that an object does not hold, if anything does.

    >>> class Pair:
    ...     @cached_property
    ...     def total(self):
    ...         return 3
    >>> answering(Pair(), "total")(), answering(Pair(), "size")
    (3, None)
    """
    if issubclass(type(owner), type) and inherited(owner, name):
        return Otherwise(owner, name, _inherited_now)
    for found in _in_classes(type(owner), name):
        return Otherwise(owner, name, found) if type(found) is cached_property else None
    for found in _in_classes(type(owner), "__getattr__"):
        return Otherwise(owner, name, found)
    return None


def inherited(kind: type, name: str) -> list[Any]:
    """Return what the classes hold under a name that a class inherits from, nearest first.

    >>> class A:
    ...     size = 1
    >>> inherited(type("B", (A,), {}), "size"), inherited(A, "size")
    ([1], [])
    """
    return [found for at, found in _held_by_classes(kind, name) if at is not kind]


def _inherited_now(kind: type, name: str) -> Any:
    value = inherited(kind, name)[0]
    return value.read() if hasattr(type(value), "otherwise") else value


def _in_classes(kind: type, name: str) -> Iterator[Any]:
    yield from (found for _, found in _held_by_classes(kind, name))


def _held_by_classes(kind: type, name: str) -> Iterator[tuple[type, Any]]:
    # The type itself is asked, and not a metaclass of the user's.
    for each in type.__dict__["__mro__"].__get__(kind):
        own = type.__dict__["__dict__"].__get__(each)
        if name in own:
            yield each, own[name]
