"""Disjoint sets (union-find) of slots or other hashable objects."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Element = TypeVar("Element", bound=Hashable)


class DisjointSets(Generic[Element]):
    """Disjoint sets; each element is alone in its set until a union.

    >>> sets = DisjointSets[str]()
    >>> sets.find("y")
    'y'
    >>> sets.union("x", "y")
    >>> sets.find("y")
    'x'
    """

    def __init__(self) -> None:
        self._parents: dict[Element, Element] = {}

    def find(self, element: Element) -> Element:
        """Return the representative of an element's set."""
        root = element
        while (parent := self._parents.get(root, root)) != root:
            root = parent
        while element != root:  # Later look-ups take one step.
            self._parents[element], element = root, self._parents[element]
        return root

    @property
    def unions(self) -> int:
        """The number of unions of two different sets."""
        return len(self._parents)

    def union(self, one: Element, other: Element) -> None:
        """Merge the sets of two elements; the representative of `one` stands for both."""
        first, second = self.find(one), self.find(other)
        if first != second:
            self._parents[second] = first
