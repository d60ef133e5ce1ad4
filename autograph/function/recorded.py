"""What the calls of a graph do besides running it: to places outside, and for their results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograph.backends.graph.program.contents import is_a
from autograph.function.places import Place, put
from autograph.function.results import Structure
from autograph.function.templates import Arrays, Identified, Made, Maker


@dataclass(frozen=True, slots=True)
class Write:
    """What a call of the graph does to one place.

    Attributes:
        place: the place.
        make: makes its new value; of a list that grows, the items to append.
        extends: whether it is such a list.
    """

    place: Place
    make: Maker
    extends: bool = False

    def apply(self, owner: Any, arrays: Arrays, made: Made) -> None:
        """Write, given what has the place."""
        value = self.make(arrays, made)
        if self.extends:
            (list if is_a(owner, (list,)) else deque).extend(owner, value)
        else:
            put(owner, self.place.key, value)


@dataclass(frozen=True, slots=True)
class Container:
    """A container that a call leaves as the object it is, or makes anew.

    Attributes:
        identified: which it is.
        finders: give the containers it may be; None for a new one.
    """

    identified: Identified
    finders: tuple[Callable[[], object] | None, ...]

    def find(self, arrays: Arrays, made: Made) -> object | None:
        """Return the container that it is in one run, and have it used in its place."""
        find = self.finders[self.identified.chosen(arrays)]
        found = None if find is None else find()
        if found is not None:
            made[self.identified.identity] = found
        return found

    def fill(self, container: object, arrays: Arrays, made: Made) -> None:
        """Let the container hold what it comes to hold."""
        self.identified.fill(container, arrays, made)


@dataclass(frozen=True, slots=True)
class Moved:
    """A container from outside that a call puts elsewhere, as the object it is.

    Attributes:
        identity: that of the one there was in the trace.
        finder: gives the one there is.
    """

    identity: int
    finder: Callable[[], object]

    def find(self, arrays: Arrays, made: Made) -> object | None:
        """Return the container, and have it used in the place of that of the trace."""
        found = self.finder()
        if found is not None:
            made[self.identity] = found
        return found

    def fill(self, container: object, arrays: Arrays, made: Made) -> None:
        """Leave what the container holds."""


@dataclass(frozen=True)
class Recorded:
    """What the calls of a graph have to do besides running it.

    Attributes:
        structure: makes what they return.
        writes: what they write outside of the function.
        unwritten: places that they write which find something else there.
        containers: those that they leave as they are, or make anew.
    """

    structure: Structure
    writes: list[Write]
    unwritten: list[Place]
    containers: list[Container | Moved]
