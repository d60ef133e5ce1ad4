"""The position of an iterator: a slot that statements may change, carried as variables are."""

from __future__ import annotations

from typing import Any


class IteratorPosition:
    """The position of an iterator.

    Attributes:
        at: the number of items taken so far, an int or a tensor that stands for one; a variant for
            an iterator of a dataset.
    """

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at: Any = 0


class Positioned:
    """An iterator with a position, which may take its items from other such iterators."""

    position: IteratorPosition

    def positions(self) -> tuple[object, ...]:
        """Return the objects that change when an item is taken: positions, and other iterators."""
        return (self.position,)
