"""How far an iterator has come: a place that statements may change, and carry as they do others."""

from __future__ import annotations

from typing import Any


class Position:
    """How many items have been taken.

    Attributes:
        at: a Python int, or a tensor that stands for one.
    """

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at: Any = 0


class Positioned:
    """An iterator with a position of its own, and perhaps others that it takes from."""

    position: Position

    def positions(self) -> tuple[object, ...]:
        """Return all that changes when an item is taken: positions, and iterators like this."""
        return (self.position,)
