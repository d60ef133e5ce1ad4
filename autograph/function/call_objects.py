"""Objects that one call of a graph creates, and containers that it uses in their place.

`self.head = self.tail = node` makes one object, whichever place is written first.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Sequence
from typing import Any

from autograph.backends.graph.program.object_contents import contents_of, is_a, put_contents
from autograph.backends.graph.values.container_identity import NEW
from autograph.operators.user_classes import mro_of, own_attributes

ObjectsById = dict[int, Any]
Allocate = Callable[[], object]
MakeContainer = Callable[[Any, ObjectsById], Any]
_IN_C = type(object.__new__)


class CallObjects(dict[int, Any]):
    """The objects, by the identity of the trace's objects that they replace.

    Args:
        known: the existing objects.
        of: the objects that these are a part of, if any.

    Attributes:
        numbered: the identities, in the trace, of the containers from outside, by number;
            containers with other numbers are made. If empty, no container is searched.
        written: the identities, in the trace, of the containers that calls write into.
        is_left: whether Python numbers stay Python numbers, as they do outside of the function.
    """

    # Never the object itself: a cycle would outlive the call, with its containers.
    _part_of: CallObjects | None = None
    _filled: Sequence[tuple[Any, MakeContainer]] = ()
    written: Collection[int] = ()
    is_left = False
    numbered: Sequence[int] = ()

    def __init__(self, known: ObjectsById | None = None, of: ObjectsById | None = None) -> None:
        if known is None and of is None:
            return  # as most calls need it
        super().__init__({**(of or {}), **(known or {})})
        if isinstance(of, CallObjects):
            self._part_of, self.numbered = of.whole, of.numbered

    @property
    def whole(self) -> CallObjects:
        """All objects of the call."""
        return self if self._part_of is None else self._part_of

    def find(
        self, number: int, begin: Allocate, make: MakeContainer, is_passed_on: bool = False
    ) -> object | None:
        """Return the container that has a number; None if it is any new one.

        Args:
            number: the number; negative if the container gets the contents that `make` gives, else
                it has these unless something else changes it.
            begin: makes an empty container, if the call has not made it yet.
            make: makes such a container from the outputs of a graph.
            is_passed_on: whether writes of calls to the container come after that.
        """
        if number == NEW or not self.numbered:
            return None
        made, is_copy, number = self.whole, number > 0, abs(number)
        is_outer = number < len(self.numbered)
        # No object has an identity like this.
        identity = self.numbered[number] if is_outer else -number
        if not is_outer and identity not in made:
            made[identity] = begin()
        found = made.get(identity)
        if found is None or (is_copy and is_outer):
            return found
        # Copies come first: a copy is filled before a change of its container.
        if not (is_passed_on and identity in made.written):
            this = (found, make)
            made._filled = [this, *made._filled] if is_copy else [*made._filled, this]
        return found

    def fill(self, arrays: Any) -> None:
        """Fill the found containers with their final contents."""
        if not self._filled:
            return
        holders = [(found, make(arrays, self)) for found, make in self._filled]
        for found, holder in holders:
            put_contents(found, contents_of(holder) or {})


def allocator(like: Any) -> Callable[[], Any]:
    """Return a maker of objects of another one's class that skips its `__new__` and `__init__`."""
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
