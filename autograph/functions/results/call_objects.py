"""The objects of one call of a graph, by the identity of the trace's objects that they replace.

`self.head = self.tail = node` creates one object for both places, whichever is written first.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Sequence
from typing import Any

from autograph.backends.graph.objects.object_contents import contents_of, put_contents
from autograph.backends.graph.values.container_identity import NEW
from autograph.operators.user_classes import is_a, mro_of, own_attributes

ObjectsById = dict[int, Any]
Allocate = Callable[[], object]
MakeContainer = Callable[[Any, ObjectsById], Any]
_IN_C = type(object.__new__)


class CallObjects(dict[int, Any]):
    """The objects of one call, by the identity of the trace's objects that they replace.

    Args:
        known: objects that exist already.
        of: the objects of the whole call, if these are those of a part of it.

    Attributes:
        outer_by_number: the identities, in the trace, of the containers from outside, by number.
            A container with another number is new. If empty, no container is looked up.
        written: the identities, in the trace, of the containers that calls write into.
        is_left: whether Python numbers stay Python numbers, as they do in state.
    """

    # Not `self` in a whole call: a reference cycle would keep its containers alive.
    _part_of: CallObjects | None = None
    _filled: Sequence[tuple[Any, MakeContainer]] = ()
    written: Collection[int] = ()
    is_left = False
    outer_by_number: Sequence[int] = ()

    def __init__(self, known: ObjectsById | None = None, of: ObjectsById | None = None) -> None:
        if known is None and of is None:
            return  # the usual case
        super().__init__({**(of or {}), **(known or {})})
        if isinstance(of, CallObjects):
            self._part_of, self.outer_by_number = of.whole, of.outer_by_number

    @property
    def whole(self) -> CallObjects:
        """The objects of the whole call."""
        return self if self._part_of is None else self._part_of

    def find(
        self, number: int, begin: Allocate, make: MakeContainer, is_passed_on: bool = False
    ) -> object | None:
        """Return the container with an allocation number.

        None for `NEW`, the number of a container without aliases; if no container is looked up; and
        for a container from outside that the call has not found.

        Args:
            number: the number: negative if `fill` has to set the contents of the container to those
                of `make`; positive for a stand-in that the run has not changed, whose contents only
                a new container gets.
            begin: creates an empty container, if the call has not created it yet.
            make: creates a container with the final contents from the outputs of the graph.
            is_passed_on: whether another write of the call sets the contents.
        """
        if number == NEW or not self.outer_by_number:
            return None
        made, is_unchanged, number = self.whole, number > 0, abs(number)
        is_outer = number < len(self.outer_by_number)
        # `id()` is never negative.
        identity = self.outer_by_number[number] if is_outer else -number
        if not is_outer and identity not in made:
            made[identity] = begin()
        found = made.get(identity)
        if found is None or (is_unchanged and is_outer):
            return found
        # Unchanged stand-ins come first, so that a change of the container wins.
        if not (is_passed_on and identity in made.written):
            this = (found, make)
            made._filled = [this, *made._filled] if is_unchanged else [*made._filled, this]
        return found

    def fill(self, arrays: Any) -> None:
        """Set the final contents of the containers that were found by number."""
        if not self._filled:
            return
        holders = [(found, make(arrays, self)) for found, make in self._filled]
        for found, holder in holders:
            put_contents(found, contents_of(holder) or {})


def allocator(like: Any) -> Callable[[], Any]:
    """Return a function that creates empty objects of the class of `like`.

    It skips the class's `__new__` and `__init__`.
    """
    kind = type(like)
    own = (each for each in mro_of(kind) if type(own_attributes(each).get("__new__")) is _IN_C)
    base: Any = next(own, object)
    if kind is deque:
        length = like.maxlen
        return lambda: deque(maxlen=length)
    if not is_a(like, (defaultdict,)):
        return lambda: base.__new__(kind)
    factory = like.default_factory

    def begin() -> Any:
        new = base.__new__(kind)
        new.default_factory = factory
        return new

    return begin
