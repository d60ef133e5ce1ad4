"""The variables of a loop, and the bools that tell whether one has a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NoReturn

import jax.numpy as jnp

from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined
from autograph.errors import LoopMismatch
from autograph.jax.aliases import check_aliases
from autograph.jax.frame_variables import ContainerItem, FrameVariable, marked
from autograph.jax.growing_lists import PreallocatedList
from autograph.jax.heap import Contents, Heap, HeapObject
from autograph.jax.internals import is_same_operation
from autograph.jax.location import location, variable_of
from autograph.jax.loops.carried_values import CarriedValue, Flag, NeedsFlag, RetraceLoop
from autograph.jax.optional_values import (
    TracedOptional,
    are_opposite,
    derive,
    is_possibly_bound,
    operand_of_not,
    partly_bound,
)
from autograph.jax.pytrees import is_placeholder, is_same
from autograph.operators.state import State

# Values whose use may depend on a condition.
_STAND_INS = (TracedOptional, PossiblyUnbound, PreallocatedList)
NO_VALUE = "has no value if no iteration sets it: give it one before the loop"


class LoopVariables:
    """The variables of a loop, and the parts of containers that it changes.

    Args:
        adds_flags: whether variables may be None before or after an iteration.

    Attributes:
        state: the variables.
        functions: the parts of the loop, which are looked for changes.
        before: the values of the variables before the loop.
        entered: the values of the variables when the latest iteration began.
        heap: the containers from before the loop.
        carried_values: those of the variables.
        parts: the carried values of what containers contain, by the container and the key.
        held_lists: of variables that stand for lists in containers: the container, and its key.
        iterated: the lists that the loop iterates over.
    """

    def __init__(
        self,
        state: State,
        functions: Sequence[Callable[..., object] | None],
        adds_flags: bool,
    ) -> None:
        self.state, self.functions, self._adds_flags = state, functions, adds_flags
        self.where = location()
        check_aliases(functions)
        self.before = state.get()
        self.heap = Heap(functions, dict(zip(state.names, self.before)))
        self.carried_values = [self._carried_value(*each) for each in zip(state.names, self.before)]
        for variable in self.carried_values:
            self._add_flag(variable)
        self.parts: dict[tuple[int, Any], CarriedValue] = {}
        self.entered: tuple[object, ...] = ()
        self.held_lists: dict[int, tuple[object, Any]] = {}
        self.iterated: list[object] = []
        self._sharing: list[FrameVariable | ContainerItem] = []
        self._shared: list[HeapObject] = []

    def _carried_value(self, name: str, start: object) -> CarriedValue:
        return CarriedValue(name, start, self.heap.keeps, self._adds_flags)

    @property
    def all_carried_values(self) -> dict[Any, CarriedValue]:
        """The carried values of variables by their number, and of parts by container and key."""
        carried_values: dict[Any, CarriedValue] = dict(enumerate(self.carried_values))
        carried_values.update(self.parts)
        return carried_values

    def is_part(self, at: int, key: object) -> bool:
        """Return whether the loop carries an item or attribute of a container."""
        place = self.heap.objects[at]
        is_list = self._holds_list(place.owner, key)
        return is_list or (at, key) in self.parts or place in self._shared

    def _holds_list(self, owner: object, key: object) -> bool:
        """Return whether an item or attribute is a list that a variable stands for."""
        items = (each for each in self._sharing if isinstance(each, ContainerItem))
        held = [*self.held_lists.values(), *((each.place.owner, each.key) for each in items)]
        return any(each is owner and key == k for each, k in held)

    def add_part(self, at: int, key: Any, end: Any) -> None:
        """Carry an item or attribute of a container, which an iteration has changed."""
        place = self.heap.objects[at]
        start = place.before[key]
        if not is_possibly_bound(start) and (is_placeholder(start) or is_placeholder(end)):
            self.refuse_key(place, key)
        part = self.parts[at, key] = self._carried_value(place.part(key), start)
        self._add_flag(part)

    def contents(self, values: Iterator[Any], variables: Sequence[Any]) -> dict[int, Contents]:
        """Return the contents of the containers that the loop changes.

        Args:
            values: the carried values.
            variables: the values of the variables.
        """
        contents = {at: dict(self.heap.objects[at].before) for at, _ in self.parts}
        for (at, key), part in self.parts.items():
            contents[at][key] = self.entered_bound(part, part.built(values), variables)
        return contents

    def has(self, owner: object) -> bool:
        """Return whether a list is from before this loop, or is the Appender of one."""
        is_held = any(each.owner is owner for each in self.heap.objects)
        return is_held or self.is_variable(owner)

    def is_variable(self, owner: object) -> bool:
        """Return whether a variable holds a list before the loop, or when an iteration begins."""
        return any(value is owner for value in (*self.before, *self.entered))

    def add(self, owner: object, name: str) -> int:
        """Make the place that contains a list, such as `d['k']`, a variable of the loop."""
        held = [
            (at, key)
            for at, each in enumerate(self.heap.objects)
            for key, value in each.before.items()
            if value is owner
        ]
        if not held:
            self._refuse_list(owner, name)
        at, key = held[0]
        place, inner = self.heap.objects[at], self.state

        def put(values: tuple[object, ...]) -> None:
            inner.set(values[:-1])
            place.write({**place.read(), key: values[-1]})

        def get() -> tuple[object, ...]:
            return (*inner.get(), place.read()[key])

        self.state = State(get, put, (*inner.names, place.part(key)), inner.nouts)
        self.before = (*self.before, owner)
        self.carried_values.append(self._carried_value(place.part(key), owner))
        self.held_lists[len(self.carried_values) - 1] = place.owner, key
        return len(self.carried_values) - 1

    def _refuse_list(self, owner: object, name: str) -> NoReturn:
        """Refuse a list that grows, and that no variable, item or attribute holds."""
        method = self.heap.methods.get(id(owner))
        if method is not None:
            variable = variable_of(owner)
            remedy = f"write `{variable}.{method}(...)`"
            if variable is None:
                remedy = f"give the list a name, as `found`, and write `found.{method}(...)`"
            raise LoopMismatch(
                f"'{name}' is the method {method} of a list that grows in this loop: {remedy}",
                self.where,
            )
        raise LoopMismatch(
            f"'{name}' grows in this loop, and is a global variable, or in a tuple: append to a "
            "list that one variable, item or attribute holds",
            self.where,
        )

    def share(self, at: int, others: Sequence[FrameVariable | ContainerItem]) -> None:
        """Let other places have the value of a variable, from now on."""
        inner = self.state
        variables = [each for each in others if isinstance(each, FrameVariable)]
        variables = [each for each in variables if each not in self._sharing]
        items = [each for each in others if isinstance(each, ContainerItem)]
        items = [each for each in items if not self._holds_list(each.place.owner, each.key)]
        others = [*variables, *items]
        self._sharing += others
        with marked(variables) as mark:
            self._shared += [each for each in self.heap.objects if each.read().get("") is mark]

        def put(values: tuple[object, ...]) -> None:
            inner.set(values)
            for each in others:
                each.assign(values[at])

        if others:
            self.state = State(inner.get, put, inner.names, inner.nouts)

    def set_known(self, name: str, value: object) -> None:
        """Give a variable a value that is known after the loop."""
        values = list(self.state.get())
        values[self.state.names.index(name)] = value
        self.state.set(tuple(values))

    def holds_entry(self, value: object) -> str | None:
        """Return the name of the variable that has a value since the iteration began."""
        for variable, entered in zip(self.carried_values, self.entered):
            if entered is value:
                return variable.name
        return None

    def has_stand_ins(self) -> bool:
        """Return whether a condition may tell the value of a variable or container in a loop."""
        held = (value for each in self.heap.objects for value in each.before.values())
        return any(isinstance(each, _STAND_INS) for each in (*self.entered, *held))

    def has_changed(self) -> bool:
        """Return whether code has changed a variable or container since `enter`."""
        now = self.state.get()
        if any(a is not b for a, b in zip(now, self.entered)):
            return True
        return any(
            not self.is_part(at, key)
            for at, held in self.heap.changes().items()
            for key in held
            if held[key] is not self.heap.objects[at].before.get(key)
        )

    # -- variables without a value -----------------------------------------------------------------

    def _add_flag(self, variable: CarriedValue) -> None:
        """Carry the value of a variable that is there where a bool from before tells so."""
        if is_possibly_bound(variable.start):
            with suppress(RetraceLoop):
                variable.make_flagged(variable.start, self.flags_of(variable, variable.start))

    def flags_of(self, variable: CarriedValue, end: Any) -> list[Flag]:
        """Return the bools that may tell whether a variable has a value."""
        is_known = isinstance(end, PossiblyUnbound) and not is_possibly_bound(end)
        if is_known or is_placeholder(end) and not isinstance(end, PossiblyUnbound):
            return []
        if is_possibly_bound(variable.start):
            defined = variable.start.defined
            carried_values = list(enumerate(self.carried_values))
            same = [Flag(k) for k, each in carried_values if each.start is defined]
            same.append(Flag(None, defined))
            opposite = [k for k, each in carried_values if are_opposite(each.start, defined)]
            return [*same, *(Flag(k, holds=False) for k in opposite)]
        if type(variable.start) is not Undefined:
            return []
        return [
            Flag(k, holds=not each.start)
            for k, each in enumerate(self.carried_values)
            if type(each.start) is bool and each.forms
        ]

    def entered_bound(self, variable: CarriedValue, value: Any, values: Sequence[Any]) -> Any:
        """Return the value in or after an iteration of a variable without one before the loop."""
        flag = variable.flag
        if flag is None:
            is_read = type(variable.start) is Undefined and not variable.is_made
            return self._unbound_before(variable) if is_read and value is variable.start else value
        defined = flag.constant if flag.variable is None else values[flag.variable]
        if not flag.holds:
            known, defined = defined, jnp.logical_not(defined)
            derive(defined, "not", known)
        return partly_bound(variable.name, NO_VALUE, self.where, defined, value)

    def _unbound_before(self, variable: CarriedValue) -> object:
        def refuse(read: PossiblyUnbound) -> None:
            raise NeedsFlag(
                f"'{variable.name}' has no value in the first iteration of this loop: give it one "
                "before the loop",
                location(),
            )

        return PossiblyUnbound(variable.name, False, None, "undefined", refuse)

    def outgoing(self, variable: CarriedValue, end: Any, ends: Sequence[Any]) -> list[Any]:
        """Return the values to carry after an iteration for a variable."""
        return (
            variable.outgoing(end)
            if variable.flag is None
            else self._bound_part(variable, end, ends)
        )

    def _bound_part(self, variable: CarriedValue, end: Any, ends: Sequence[Any]) -> list[Any]:
        """Return the carried values of a variable that has a value where a bool is true.

        Raises:
            RetraceLoop: the bool does not tell.
        """
        flag = variable.flag
        assert flag is not None
        told = flag.constant if flag.variable is None else ends[flag.variable]
        is_bound = end.defined if isinstance(end, PossiblyUnbound) else not is_placeholder(end)
        if not (_are_same(is_bound, told) if flag.holds else are_opposite(is_bound, told)):
            variable.drop_flag()
        return variable.outgoing_bound(end)

    def refuse_missing(self, variable: CarriedValue) -> None:
        """Refuse a variable that some iterations give a value, and others do not."""
        raise LoopMismatch(
            f"'{variable.name}' gets its first value in some iterations of this loop only: give it "
            "one before the loop",
            self.where,
        )

    def refuse_key(self, place: HeapObject, key: object) -> NoReturn:
        """Refuse an item or attribute that is there before or after an iteration only."""
        raise LoopMismatch(
            f"{place.part(key)} is new or gone after an iteration of this loop: give it a "
            "value before the loop",
            self.where,
        )


def _are_same(one: Any, other: Any) -> bool:
    if is_same(one, other) or is_same_operation(one, other):
        return True
    negated = operand_of_not(one)
    return negated is not None and are_opposite(negated, other)
