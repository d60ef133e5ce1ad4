"""The identity of a container that is one object on one path and another object on the other.

    if full: self.items = []      a new list on one path, the old one on the other: the trace
    self.items.append(x)          has a third list, with the contents of the one of the path

Where Python keeps the old list and changes its items, a call must do the same. So the graph carries
an allocation number beside the contents of such a container: the number of a container from outside
of the function, or of a new one.

    if full: self.head = self.tail = [x]     one new list in two places, on this path only

Such a new list has a number of its own; all other new containers have the number 0.

The stand-in in the trace starts with the contents of the container that it stands for. Once the
stand-in changes, its number is negative: at its end, the call writes the contents to the container.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import runtime as rt
from autograph.backends.graph.arrays.staged_array import is_array
from autograph.backends.graph.objects.object_contents import contents_of
from autograph.backends.graph.values.container_snapshot import without_contents
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.value_scope import is_available_here, parts_in
from autograph.backends.possibly_unbound import PossiblyUnbound
from runtime.core.context import current_recorder
from runtime.graph.graph import Graph
from runtime.graph.region_ops import COND, WHILE
from runtime.ops.effects.run_counters import new_number

if TYPE_CHECKING:
    from autograph.backends.graph.state.object_paths import WatchedObject

# Ops whose outputs are elements of their inputs.
_PASSED_ON = frozenset(("gather", "identity", "select", "stack"))
# The number of a new container that is left in one place only.
NEW = 0


class NumberedContainer:
    """A stand-in that the trace makes for a container, with the number of that container."""

    HOLDS_FOR_TRACE = True

    __slots__ = ("value", "number", "_then")

    def __init__(self, value: object, number: rt.Tensor) -> None:
        self.value, self.number = value, number
        self._then = _parts(value)

    def is_changed(self, contents: object = None) -> bool:
        """Return whether the contents, or a copy of them at an earlier moment, have changed."""
        now = [*map(without_contents, _parts(self.value if contents is None else contents))]
        return len(now) != len(self._then) or not all(map(operator.is_, now, self._then))

    def number_with(self, contents: object) -> rt.Tensor:
        """Return the number with some contents: negative if these have changed."""
        return rt.negative(rt.abs(self.number)) if self.is_changed(contents) else self.number


def _parts(value: object) -> Sequence[object]:
    record = record_of(value)
    return tuple(rt.nest.children(value) or () if record is None else record.values)


class Identities:
    """The container identities of one trace.

    Args:
        containers: lists, dicts and objects from before the trace.
        reach: the objects that the function can reach, before the trace and during it.

    Attributes:
        options: the containers by number; the first one, None, stands for a new container.
        first_new: the least number of the containers that a call creates and leaves in several
            places.
        used: the numbers that occur in the graph.
        passed_on: the identities of stand-ins whose changes proxies pass on to the containers that
            they stand for.
    """

    HOLDS_FOR_TRACE = True

    # Before Python 3.11, a `__dict__` would be the referrer of the containers, not this object.
    __slots__ = (
        "reach",
        "options",
        "first_new",
        "used",
        "passed_on",
        "_numbers",
        "_recorded",
        "_entered",
    )

    def __init__(self, containers: Iterable[object], reach: list[WatchedObject]) -> None:
        self.reach = reach
        self.options: list[object] = [None, *containers]
        self.first_new = len(self.options)
        self.used, self.passed_on = set[int](), set[int]()
        self._numbers = {id(each): at for at, each in enumerate(self.options) if at != NEW}
        self._recorded: dict[int, NumberedContainer] = {}

    @property
    def outer(self) -> tuple[int, ...]:
        """The identities of the containers from outside, by number; the first is that of None."""
        return tuple(map(id, self.options[: self.first_new]))

    def __enter__(self) -> Identities:
        self._entered = _IDENTITIES.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _IDENTITIES.reset(self._entered)

    def is_numbered(self, value: object) -> bool:
        """Return whether a container has, or may have, a number of its own."""
        return id(value) in self._numbers or id(value) in self._recorded

    def give_number(self, value: object, iteration: Graph | None) -> None:
        """Give a new container a number that tells it from all other new ones.

        Args:
            value: the container.
            iteration: the graph that makes one each time it runs, if one call makes several.
        """
        if is_array(value) or self.is_numbered(value):
            return  # A call leaves a tensor of its own in each place of an array.
        if iteration is None:
            self._numbers[id(value)] = len(self.options)
            self.options.append(value)
        else:
            with iteration.recording():
                self.record(value, new_number())

    def number_of(self, value: object, contents: object = None) -> Any:
        """Return the number of a container: an int, or a tensor.

        Args:
            value: the container.
            contents: a copy of it at an earlier moment, such as the end of a path; None for now.
        """
        if isinstance(value, (OptionalValue, PossiblyUnbound)):
            value = value.value
        if isinstance(value, OneOfObjects):
            numbers = [rt.convert_to_tensor(self.number_of(option)) for option in value.options]
            return rt.gather(rt.stack(numbers), value.index)
        if (noted := self._recorded.get(id(value))) is not None:
            return noted.number_with(contents)
        number = self._numbers.get(id(value), NEW)
        self.used.add(number)
        return number

    def number_at_end(self, value: object) -> tuple[int, Any]:
        """Return the position in the order of creation, and the number, at the end of the trace.

        Of two containers with one number, the contents of the later one are the final ones.
        """
        number = self.number_of(value)
        if self.is_original(value):
            return -1, -number
        return list(self._recorded).index(id(value)), number

    def is_passed_on(self, value: object) -> bool:
        """Return whether a container is from outside, or proxies pass its changes on to one."""
        return self.is_outer(value) or id(value) in self.passed_on

    def containers_to_write(self) -> list[object]:
        """Return the containers whose contents a call writes to other containers at its end.

        These are new containers in several places, and changed stand-ins.
        """
        made = filter(is_available_here, self.options[self.first_new :])
        return [*made, *self.changed_in(current_recorder())]

    def changed_in(self, graph: object) -> list[object]:
        """Return the changed stand-ins of a graph, without those of its regions.

        A region may have changed them, too.
        """
        noted = (e for e in self._recorded.values() if getattr(e.number, "graph", None) is graph)
        return [each.value for each in noted if each.is_changed() or may_be_negative(each.number)]

    def has_own_number(self, value: object) -> bool:
        """Return whether a container is a stand-in, or a numbered one that a call creates."""
        number = self._numbers.get(id(value), NEW)
        return id(value) in self._recorded or number >= self.first_new

    def has_numbers_here(self, value: object) -> bool:
        """Return whether the recorded graph knows the numbers of all containers in a value."""
        noted = filter(None, (self._recorded.get(id(each)) for each in parts_in(value)))
        return all(is_available_here(each.number) for each in noted)

    def is_outer(self, value: object) -> bool:
        """Return whether a container is from before the trace."""
        return NEW < self._numbers.get(id(value), NEW) < self.first_new

    def is_original(self, value: object) -> bool:
        """Return whether a container is numbered itself, and no stand-in for a numbered one."""
        return id(value) in self._numbers

    def stored_outside(self) -> set[int]:
        """Return the identities of containers that the trace has put into objects from outside."""
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

    def record(self, value: object, number: rt.Tensor) -> None:
        """Record that a value is a stand-in for the container with a number."""
        self._recorded[id(value)] = NumberedContainer(value, number)


def may_be_negative(number: rt.Tensor) -> bool:
    """Return whether a number is negative in some runs, because the contents have changed."""
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


def current_identities() -> Identities | None:
    """Return the container identities of the current trace; None if nothing is tracked."""
    return _IDENTITIES.get()


def is_numbered(value: object) -> bool:
    """Return whether the identity of a container matters, so that it has an allocation number.

    It is from before the call, or is left in several places.

    >>> is_numbered([])
    False
    """
    known = _IDENTITIES.get()
    return known is not None and known.is_numbered(value)


def is_usable_here(value: object) -> bool:
    """Return whether the recorded graph may use all tensors and numbers in an object."""
    known = _IDENTITIES.get()
    return is_available_here(value) and (known is None or known.has_numbers_here(value))


def give_number(value: object, iteration: Graph | None) -> None:
    """Give a new container a number that tells it from all other new ones; see `Identities`."""
    known = _IDENTITIES.get()
    if known is not None:
        known.give_number(value, iteration)


def number_of(value: object, contents: object = None) -> rt.Tensor:
    """Return the number of a container, as a tensor; see `Identities`."""
    known = _IDENTITIES.get()
    return rt.convert_to_tensor(NEW if known is None else known.number_of(value, contents))


def record_number(value: object, number: rt.Tensor) -> None:
    """Record that a value is a stand-in for the container with a number."""
    known = _IDENTITIES.get()
    if known is not None:
        known.record(value, number)


def stored_outside() -> set[int]:
    """Return the identities of the containers that the trace has put into objects from outside."""
    known = _IDENTITIES.get()
    return set() if known is None else known.stored_outside()
