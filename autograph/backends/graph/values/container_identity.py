"""The identity of a container that is one object on one path and another object on the other.

    if full: self.items = []      the list there was on one path, a new one on the other: in the
    self.items.append(x)          trace it is a third one, that holds what the one taken holds

A call must leave the list there was, with other items, where Python does. So beside what such a
container holds, the graph carries which one it is: one from outside of the function, or a new one.

    if full: self.head = self.tail = [x]     a new one in two places is one, on that path alone

Such a new one has a number of its own; of all others it is enough that they are new.

What is made anew in the trace holds at first what the container does which it is. Once it is
changed its number is negative: the container is to hold that when the call ends.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import runtime as rt
from autograph.backends.graph.program.arrays import is_array
from autograph.backends.graph.program.object_contents import contents_of
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.path_scope import is_known_here, parts_in
from autograph.backends.possibly_unbound import PossiblyUnbound
from runtime.core.context import current_recorder
from runtime.graph.graph import Graph
from runtime.graph.region_ops import COND, WHILE
from runtime.ops.effects.run_counters import new_number

if TYPE_CHECKING:
    from autograph.backends.graph.state.object_paths import WatchedObject

# Operations whose outcome is one of what they are given.
_PASSED_ON = frozenset(("gather", "identity", "select", "stack"))
# The number of a container that calls make, where no other place has the same one.
NEW = 0


class NumberedContainer:
    """A container that is made anew in the trace, and the number of the one it was made of."""

    HOLDS_FOR_TRACE = True

    __slots__ = ("value", "number", "_then")

    def __init__(self, value: object, number: rt.Tensor) -> None:
        self.value, self.number = value, number
        self._then = _parts(value)

    def is_changed(self) -> bool:
        """Return whether the container no longer holds what it did."""
        now = _parts(self.value)
        return len(now) != len(self._then) or not all(map(operator.is_, now, self._then))

    def number_now(self) -> rt.Tensor:
        """Return the number, negative if what the container holds has changed."""
        return rt.negative(rt.abs(self.number)) if self.is_changed() else self.number


def _parts(value: object) -> Sequence[object]:
    record = record_of(value)
    return tuple(rt.nest.children(value) or () if record is None else record.values)


class Identities:
    """The container identities of one trace.

    Args:
        containers: lists, dicts and objects that were there before the trace.
        reach: what the function can reach, before it is traced and while it is.

    Attributes:
        options: the containers, by their numbers; None for a new one.
        first_made: the least number of a container that calls make and leave in several places.
        used: the numbers that are in the graph.
        passed_on: the identities of those made anew of which all changes are passed on, in the
            graph, to what they stand for: where that is changed otherwise, it holds the last word.
    """

    HOLDS_FOR_TRACE = True

    # With a dictionary, before Python 3.11, what holds the containers would not be this object.
    __slots__ = (
        "reach",
        "options",
        "first_made",
        "used",
        "passed_on",
        "_numbers",
        "_noted",
        "_entered",
    )

    def __init__(self, containers: Iterable[object], reach: list[WatchedObject]) -> None:
        self.reach = reach
        self.options: list[object] = [None, *containers]
        self.first_made = len(self.options)
        self.used, self.passed_on = set[int](), set[int]()
        self._numbers = {id(each): at for at, each in enumerate(self.options) if at != NEW}
        self._noted: dict[int, NumberedContainer] = {}

    @property
    def outer(self) -> tuple[int, ...]:
        """The identities of those from outside, by their numbers; None has the first."""
        return tuple(map(id, self.options[: self.first_made]))

    def __enter__(self) -> Identities:
        self._entered = _IDENTITIES.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _IDENTITIES.reset(self._entered)

    def is_numbered(self, value: object) -> bool:
        """Return whether a container is one that has a number of its own, or may be."""
        return id(value) in self._numbers or id(value) in self._noted

    def give_number(self, value: object, turn: Graph | None) -> None:
        """Tell a container that calls make from all others that they make.

        Args:
            value: the container.
            turn: the graph that makes one each time it runs, where calls make more than one.
        """
        if is_array(value) or self.is_numbered(value):
            return  # What a call gives for an array is a tensor of its own in each place.
        if turn is None:
            self._numbers[id(value)] = len(self.options)
            self.options.append(value)
        else:
            with turn.recording():
                self.note(value, new_number())

    def number_of(self, value: object) -> Any:
        """Return the number of the container that a value is: an int, or a tensor."""
        if isinstance(value, (OptionalValue, PossiblyUnbound)):
            value = value.value
        if isinstance(value, OneOfObjects):
            numbers = [rt.convert_to_tensor(self.number_of(option)) for option in value.options]
            return rt.gather(rt.stack(numbers), value.index)
        if (noted := self._noted.get(id(value))) is not None:
            return noted.number_now()
        number = self._numbers.get(id(value), NEW)
        self.used.add(number)
        return number

    def number_at_end(self, value: object) -> tuple[int, Any]:
        """Return the number of a container when the function is traced, and which one it is.

        What was made later comes later. One that calls make, and nothing in the trace stands for,
        is to hold what it holds then, unless what stands for it holds something else.
        """
        number = self.number_of(value)
        if self.is_original(value):
            return -1, -number
        return list(self._noted).index(id(value)), number

    def is_passed_on(self, value: object) -> bool:
        """Return whether what is done to a container is done to the one that a call finds."""
        return self.is_outer(value) or id(value) in self.passed_on

    def left_somewhere(self) -> list[object]:
        """Return the containers that hold, when the trace ends, what others are to hold.

        These are what calls make and leave in several places, and what stands for a container and
        was changed.
        """
        made = filter(is_known_here, self.options[self.first_made :])
        return [*made, *self.changed_in(current_recorder())]

    def changed_in(self, graph: object) -> list[object]:
        """Return the values of changed containers that are in a graph, but in no region of it.

        It may have been changed in a region, too.
        """
        noted = (e for e in self._noted.values() if getattr(e.number, "graph", None) is graph)
        return [each.value for each in noted if each.is_changed() or may_be_negative(each.number)]

    def is_told_apart(self, value: object) -> bool:
        """Return whether a container is one that calls make, or may make, and has a number."""
        number = self._numbers.get(id(value), NEW)
        return id(value) in self._noted or number >= self.first_made

    def has_numbers_here(self, value: object) -> bool:
        """Return whether what is recorded now knows which container everything in a value is."""
        noted = filter(None, (self._noted.get(id(each)) for each in parts_in(value)))
        return all(is_known_here(each.number) for each in noted)

    def is_outer(self, value: object) -> bool:
        """Return whether a container was there before the trace."""
        return NEW < self._numbers.get(id(value), NEW) < self.first_made

    def is_original(self, value: object) -> bool:
        """Return whether a container is, in all runs, the one that its number stands for."""
        return id(value) in self._numbers

    def left_outside(self) -> set[int]:
        """Return the identities of the containers that something from outside has come to hold."""
        # New containers are inside parts that were not there before.
        waiting = [
            part
            for each in self.reach
            for key, part in (contents_of(each.value) or {}).items()
            if part is not each.contents.get(key)
        ]
        found = set[int]()
        while waiting:
            value = waiting.pop()
            children = rt.nest.children(value)
            if id(value) not in found and (children or record_of(value) is not None):
                found.add(id(value))
                waiting.extend(children or (contents_of(value) or {}).values())
        return found

    def note(self, value: object, number: rt.Tensor) -> None:
        """Note which container one is that is made anew."""
        self._noted[id(value)] = NumberedContainer(value, number)


def may_be_negative(number: rt.Tensor) -> bool:
    """Return whether a number says in some runs that what the container holds was changed."""
    waiting, seen = [number], set[int]()
    while waiting:
        each = waiting.pop()
        if not isinstance(each, rt.SymbolicTensor) or id(each) in seen:
            continue
        seen.add(id(each))
        node = each.node
        if node.op.name == "negative":
            return True
        if node.op is COND or node.op is WHILE:
            # The first region of a loop is its test.
            regions = node.regions[1:] if node.op is WHILE else node.regions
            waiting += [region.outputs[each.index] for region in regions]
        elif node.op.name in _PASSED_ON:
            waiting += node.inputs
    return False


_IDENTITIES: ContextVar[Identities | None] = ContextVar("identities", default=None)


def identities() -> Identities | None:
    """Return the identities that the current trace knows; None if nothing is outside of it."""
    return _IDENTITIES.get()


def is_numbered(value: object) -> bool:
    """Return whether it matters which container one is, in some runs at least.

    It was there before the function was called, or is left in several places.

    >>> is_numbered([])
    False
    """
    known = _IDENTITIES.get()
    return known is not None and known.is_numbered(value)


def is_usable_here(value: object) -> bool:
    """Return whether what is recorded now may use an object, with all that says which one it is."""
    known = _IDENTITIES.get()
    return is_known_here(value) and (known is None or known.has_numbers_here(value))


def give_number(value: object, turn: Graph | None) -> None:
    """Tell a container that calls make from all others that they make; see `Identities`."""
    known = _IDENTITIES.get()
    if known is not None:
        known.give_number(value, turn)


def number_of(value: object) -> rt.Tensor:
    """Return the number of the container that a value is."""
    known = _IDENTITIES.get()
    return rt.convert_to_tensor(NEW if known is None else known.number_of(value))


def note_number(value: object, number: rt.Tensor) -> None:
    """Note which container one is that is made anew."""
    known = _IDENTITIES.get()
    if known is not None:
        known.note(value, number)


def left_outside() -> set[int]:
    """Return the identities of the containers that something from outside holds by now."""
    known = _IDENTITIES.get()
    return set() if known is None else known.left_outside()
