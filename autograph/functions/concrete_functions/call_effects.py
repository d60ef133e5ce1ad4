"""Effects of calling a graph: its result, its writes to state, the containers that it finds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from autograph.functions.results.call_objects import CallObjects
from autograph.functions.results.object_templates import Arrays, ContainerLookup, Maker
from autograph.functions.results.result_structure import ResultStructure
from autograph.functions.state.guards import AnyGuard
from autograph.functions.state.place_access import Put, setter_of
from autograph.functions.state.places import ABSENT, StatePlace, put
from autograph.operators.user_classes import is_a


class Write(NamedTuple):
    """A write of each call to one place.

    Attributes:
        place: the place.
        make: returns the new value; if `extends`, the items to append.
        extends: whether the place is a list or deque to which calls only append.
    """

    place: StatePlace
    make: Maker
    extends: bool = False

    def put(self, owner: Any, value: Any) -> None:
        """Write a new value to the place in `owner`."""
        if self.extends:
            (list if is_a(owner, (list,)) else deque).extend(owner, value)
        else:
            put(owner, self.place.key, value)

    def fast_put(self, owner: Any) -> Put:
        """Return a faster `put` for owners of the class of `owner`."""
        setter = None if self.extends else setter_of(owner, self.place.key)
        if setter is None:
            return self.put
        write = setter

        def put(owner: Any, value: Any) -> None:
            if value is ABSENT:
                self.put(owner, value)
            else:
                write(owner, value)

        return put


class OuterContainer(NamedTuple):
    """A container from outside of the function that a call may put in a place or return.

    Attributes:
        identity: the identity of the container in the trace.
        finder: returns the container that a call uses instead.
    """

    identity: int
    finder: Callable[[], object]


class PreservedContainers(NamedTuple):
    """The containers that keep their identity wherever calls put them.

    Attributes:
        outer: the containers from outside of the function that calls put somewhere.
        outer_by_number: the identities, in the trace, of the containers from outside, by their
            allocation numbers; empty if no call needs them.
        lookups: the look-ups of containers by the numbers that a run gives them.
        written: the identities of the containers from outside that calls write into.
    """

    outer: Sequence[OuterContainer] = ()
    outer_by_number: Sequence[int] = ()
    lookups: Sequence[ContainerLookup] = ()
    written: Collection[int] = ()

    @property
    def any_to_find(self) -> bool:
        """True if calls have to find containers."""
        return bool(self.outer or self.outer_by_number or self.lookups)

    def find(self, arrays: Arrays, made: CallObjects) -> None:
        """Enter the containers of a call in `made`, under the identities of the trace."""
        for outer in self.outer:
            if (found := outer.finder()) is not None:
                made[outer.identity] = found
        made.outer_by_number, made.written = self.outer_by_number, self.written
        for each in self.lookups:
            each.find(arrays, made)


class CallEffects(NamedTuple):
    """The effects of calling a graph.

    Attributes:
        structure: builds the result.
        writes: the writes to state outside of the function.
        unwritten: the places that code writes on paths which the trace has not taken.
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
        return bool(self.writes or self.unwritten or containers.outer or containers.outer_by_number)
