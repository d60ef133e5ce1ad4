"""Copies of the containers in an exception, with the contents they have when it is raised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import nest


class CopiedContainer:
    """A container and a copy of it."""

    HOLDS_FOR_TRACE = True

    __slots__ = ("value", "copy")

    def __init__(self, value: object, copy: object) -> None:
        self.value, self.copy = value, copy


class ContainerCopies:
    """Copies of the containers in some values.

    Attributes:
        copies: by the identity of a container, the container and its copy.
        kept: containers that are not copied.
    """

    def __init__(self) -> None:
        self.copies: dict[int, CopiedContainer] = {}
        self.kept: list[object] = []
        self._originals: dict[int, CopiedContainer] = {}

    def note(self, copy: Any, original: object) -> Any:
        """Record a copy, which may still be empty, with its original; return the copy."""
        copied = CopiedContainer(original, copy)
        self.copies[id(original)] = self._originals[id(copy)] = copied
        return copy

    def original(self, copy: object) -> object:
        """Return the original of a copy; any other object itself."""
        copied = self._originals.get(id(copy))
        return copy if copied is None else copied.value

    def take(self, value: Any) -> Any:
        """Return a value with copies of its containers in their current state."""
        return _TAKE[-1](value, self)


def _take(value: Any, snapshot: ContainerCopies) -> Any:
    """Take a snapshot of nested structures only."""
    children = nest.children(value)
    if children is None:
        return value
    if id(value) in snapshot.copies:
        return snapshot.copies[id(value)].copy
    parts = [_take(child, snapshot) for child in children]
    if isinstance(value, tuple) and all(a is b for a, b in zip(parts, children)):
        return value
    return snapshot.note(nest.rebuild(value, parts), value)


# The last function in it is used.
_TAKE: list[Callable[[Any, ContainerCopies], Any]] = [_take]


def snapshot_function(
    take: Callable[[Any, ContainerCopies], Any],
) -> Callable[[Any, ContainerCopies], Any]:
    """Set the function that takes snapshots, such as one that copies all mutable objects."""
    _TAKE.append(take)
    return take
