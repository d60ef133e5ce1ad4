"""Effects of calling a graph: writes to state, and the objects for its results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.backends.graph.program.object_contents import is_a
from autograph.function.call_objects import CallObjects
from autograph.function.guards import AnyGuard
from autograph.function.object_templates import Arrays, Maker, NumberedContainer
from autograph.function.result_structure import ResultStructure
from autograph.function.state_fast_key import Put, setter_of
from autograph.function.state_places import ABSENT, StatePlace, put


@dataclass(frozen=True, slots=True)
class Write:
    """The write of a graph call to one place.

    Attributes:
        place: the place.
        make: computes the new value; for a list that grows, the items to append.
        extends: whether the place is such a list.
    """

    place: StatePlace
    make: Maker
    extends: bool = False

    def put(self, owner: Any, value: Any) -> None:
        """Write a new value to the place of its owner."""
        if self.extends:
            (list if is_a(owner, (list,)) else deque).extend(owner, value)
        else:
            put(owner, self.place.key, value)

    def quick_put(self, owner: Any) -> Put:
        """Return a faster `put` for owners of the class of `owner`."""
        quick = None if self.extends else setter_of(owner, self.place.key)
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
    """A container from outside that a call may store in a place, as the same object.

    Attributes:
        identity: the identity of the container in the trace.
        finder: returns the container of the call.
    """

    identity: int
    finder: Callable[[], object]


@dataclass(frozen=True, slots=True)
class PreservedContainers:
    """The containers that keep their identity wherever calls put them.

    Attributes:
        outer: the containers from outside.
        numbered: the identities of the containers in the trace, by number; none if calls need none.
        identified: the containers that are one of these or a new one, as the run decides.
        written: the identities of containers from outside that calls write into.
    """

    outer: Sequence[OuterContainer] = ()
    numbered: Sequence[int] = ()
    identified: Sequence[NumberedContainer] = ()
    written: Collection[int] = ()

    @property
    def matter(self) -> bool:
        """Return whether there are containers to find."""
        return bool(self.outer or self.numbered or self.identified)

    def find(self, arrays: Arrays, made: CallObjects) -> None:
        """Use the call's containers in place of those of the trace."""
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
        structure: builds the results.
        writes: the writes outside of the function.
        unwritten: places on paths not traced, which some calls write.
        containers: the containers that keep their identity.
        guards: guards on the state that the trace has read, if requested.
    """

    structure: ResultStructure
    writes: list[Write]
    unwritten: list[StatePlace]
    containers: PreservedContainers
    guards: tuple[AnyGuard, ...] = ()

    @property
    def has_effects(self) -> bool:
        """Return whether calls have effects besides their result."""
        containers = self.containers
        return bool(self.writes or self.unwritten or containers.outer or containers.numbered)
