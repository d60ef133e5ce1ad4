"""Effects of calling a graph: writes to state, and the objects for its results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.backends.graph.program.object_contents import is_a
from autograph.function.created_objects import CreatedObjects
from autograph.function.guards import AnyGuard
from autograph.function.result_templates import Arrays, Identified, Maker
from autograph.function.results import Structure
from autograph.function.state_fast_key import Put, putter
from autograph.function.state_places import ABSENT, StatePlace, put


@dataclass(frozen=True, slots=True)
class Write:
    """The write of a graph call to one place.

    Attributes:
        place: the place.
        make: makes its new value; of a list that grows, the items to append.
        extends: whether it is such a list.
    """

    place: StatePlace
    make: Maker
    extends: bool = False

    def put(self, owner: Any, value: Any) -> None:
        """Write a new value, given what has the place."""
        if self.extends:
            (list if is_a(owner, (list,)) else deque).extend(owner, value)
        else:
            put(owner, self.place.key, value)

    def quick_put(self, owner: Any) -> Put:
        """Return a faster `put` for owners of the class of this one."""
        quick = None if self.extends else putter(owner, self.place.key)
        if quick is None:
            return self.put
        write = quick

        def put(owner: Any, value: Any) -> None:
            if value is ABSENT:
                self.put(owner, value)
            else:
                write(owner, value)

        return put


@dataclass(frozen=True, slots=True)
class OuterContainer:
    """A container from outside that a call may store somewhere, as the same object.

    Attributes:
        identity: that of the one there was in the trace.
        finder: gives the one there is.
    """

    identity: int
    finder: Callable[[], object]


@dataclass(frozen=True, slots=True)
class KeptContainers:
    """The containers that calls leave as the objects they are, wherever they put them.

    Attributes:
        outer: those from outside.
        numbered: the identities of those there were in the trace, by their numbers; none if calls
            need none.
        identified: those that are one of these or a new one, by the run.
        written: the identities of those from outside that calls write into.
    """

    outer: Sequence[OuterContainer] = ()
    numbered: Sequence[int] = ()
    identified: Sequence[Identified] = ()
    written: Collection[int] = ()

    @property
    def matter(self) -> bool:
        """Return whether there are containers to find."""
        return bool(self.outer or self.numbered or self.identified)

    def find(self, arrays: Arrays, made: CreatedObjects) -> None:
        """Have those there are used in the place of those of the trace."""
        for outer in self.outer:
            if (found := outer.finder()) is not None:
                made[outer.identity] = found
        made.numbered, made.written = self.numbered, self.written
        for each in self.identified:
            each.find(arrays, made)


@dataclass(frozen=True)
class CallEffects:
    """The effects of calling a graph, besides running it.

    Attributes:
        structure: makes what they return.
        writes: what they write outside of the function.
        unwritten: places that they write which find something else there.
        containers: those that they leave as the objects they are.
        guards: on what the trace has read, where they are asked for.
    """

    structure: Structure
    writes: list[Write]
    unwritten: list[StatePlace]
    containers: KeptContainers
    guards: tuple[AnyGuard, ...] = ()

    @property
    def keeps_something(self) -> bool:
        """Return whether calls do more than return something."""
        containers = self.containers
        return bool(self.writes or self.unwritten or containers.outer or containers.numbered)
