"""Loops: `while` becomes `lax.while_loop`, `for` over a known number of items `lax.scan`.

    for x in xs:               lax.scan(lambda s, x: (s + x, None), s, xs)
        s += x

The variables that a turn changes are carried. Their forms are those before the loop; if a turn
leaves another form, the loop is traced again with the join of both, as JAX does it for weak types.
A loop that may end early, or has `maximum_iterations`, is a scan whose later turns do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, NamedTuple, NoReturn

import jax
import jax.numpy as jnp
from jax import lax
from jax.tree_util import tree_map, tree_unflatten

from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined, UndefinedReturnValue
from autograph.errors import ContainerMutationError, LoopMismatch, StagingError, UnknownLengthError
from autograph.jax.aliases import (
    AliasPair,
    Named,
    Path,
    PossibleAlias,
    ReadableContainers,
    aliases_of,
    cells_of,
    check_aliases,
    mutable_parts,
    note_aliases,
)
from autograph.jax.arrays import Form, blank, fitted, form_of, is_array, joined
from autograph.jax.growing_lists import (
    Appender,
    Growth,
    RoomyList,
    StackedList,
    check_item,
    grown_list,
    is_grown_from,
    room_of,
    rows_in,
)
from autograph.jax.heap import Contents, Heap, HeapObject, is_users_object, text_of_new_object
from autograph.jax.internals import (
    SymbolicDimension,
    is_concrete,
    is_same_operation,
)
from autograph.jax.iterables import Later, TracedIterable, length_changed, may_be_empty
from autograph.jax.location import STACKS, location, nested
from autograph.jax.loop_results import loop_results
from autograph.jax.operations import is_traced
from autograph.jax.optional_values import (
    OptionalValue,
    are_opposite,
    derive,
    facts,
    learn,
    optional_structure,
    partly_bound,
    settled,
)
from autograph.jax.paths import (
    flattened,
    is_placeholder,
    is_possibly_bound,
    is_same,
    on_path,
    recorded,
    truth,
)
from autograph.jax.raised_errors import uncertain
from autograph.operators.state import State

Run = Callable[[], object]
# The bound of loops that have none of their own.
MAXIMUM_ITERATIONS: ContextVar[int | None] = ContextVar("maximum_iterations", default=None)
# Values that stay the same objects while their contents change.
_CONTAINERS = (list, dict, set, Appender, RoomyList, StackedList)
_OF_ROWS = (StackedList, RoomyList)
# Values whose use may depend on a condition.
_STAND_INS = (OptionalValue, PossiblyUnbound, RoomyList)
_NO_ITERATION = "has no value if the loop has no iteration: give it one before the loop"
_NO_VALUE = "has no value if no iteration sets it: give it one before the loop"
# The most traces of one loop: each joins a form, or finds a container that is changed.
_MOST_TRACES = 12


@contextmanager
def _within(loop: TracedLoop) -> Iterator[None]:
    STACKS.loops.append(loop)
    try:
        yield
    finally:
        STACKS.loops.pop()


class _Again(Exception):
    """The plan of a loop has changed: it is traced again."""


class _NeedsFlag(LoopMismatch):
    """A variable is None before or after a turn of a loop without flags."""


class _Flag(NamedTuple):
    """A bool that may tell whether a variable has a value.

    Attributes:
        slot: the number of the variable that has the bool; None if it is `constant`.
        constant: a bool that the loop does not change.
        holds: what the bool is where there is a value.
    """

    slot: int | None
    constant: Any = None
    holds: bool = True


class _Carried(NamedTuple):
    """A container that is made anew in each iteration: of which slot, and where in its value."""

    slot: object
    path: Path


class _Slot:
    """A variable, or a part of a container, of a loop.

    Attributes:
        name: its source text.
        start: its value before the loop.
        structure, leaves: of the value that is carried: a form, or a known value, for each leaf.
        init: for each leaf with a form, its value before the loop; None for a blank one.
        is_made: whether a turn gives it its first value.
        is_rebound: whether a turn gives it another container, so that each turn has a copy.
        is_optional: whether it has a flag beside the value, since it may be None.
        is_given: whether no traced turn leaves None in it.
        keeps_inner: whether containers within it that were there before stay the same objects.
        flag: the bool that tells whether the variable has a value; None if it has one, or if none
            tells.
        flags: other bools that may tell; None before they are looked for.
    """

    def __init__(
        self, name: str, start: Any, is_kept: Callable[[Any], bool], adds_flag: bool
    ) -> None:
        self.name, self.start, self._is_kept, self._adds_flag = name, start, is_kept, adds_flag
        self.is_made = self.is_rebound = self.is_optional = False
        self.is_given = True
        self.keeps_inner = True
        self.flag: _Flag | None = None
        self.flags: list[_Flag] | None = None
        # A container stays the same object; its contents are parts of their own.
        self.is_reference = isinstance(start, _CONTAINERS) or is_users_object(start)
        self.flatten()

    def flatten(self) -> None:
        """Find what is carried, from the value before the loop."""
        start = self.start
        leaves: list[Any] = []
        if is_placeholder(start) or self.is_reference:
            self.structure: Any = None
        else:
            leaves, self.structure = flattened(start, self.kept_in(start))
        alone = self.structure is not None and self.structure == flattened(0)[1]
        # A number inside of a container is carried only once a turn changes it.
        self.leaves = [
            form_of(leaf) if isinstance(leaf, jax.Array) or (alone and is_array(leaf)) else leaf
            for leaf in leaves
        ]
        self.init: list[Any] = list(leaves)
        self.is_optional = type(start) is OptionalValue

    def kept_in(self, value: object) -> Callable[[Any], bool]:
        """Return a function that says which containers within a value stay the same objects."""
        return lambda each: self.keeps_inner and each is not value and self._is_kept(each)

    def _rebind(self, keeps_inner: bool) -> NoReturn:
        """Carry copies of the value, which a turn makes anew."""
        self.is_reference, self.is_rebound, self.structure = False, True, None
        self.is_made = False  # The next trace makes it again.
        self.keeps_inner = keeps_inner
        raise _Again

    @property
    def forms(self) -> list[Form]:
        """The forms of what is carried."""
        return [leaf for leaf in self.leaves if isinstance(leaf, Form)]

    def initial(self) -> list[Any]:
        """Return the values to carry before the first turn."""
        return [
            blank(leaf) if value is None else fitted(value, leaf)
            for leaf, value in zip(self.leaves, self.init)
            if isinstance(leaf, Form)
        ]

    def built(self, values: Iterator[Any]) -> Any:
        """Return the value for carried leaves, which it takes from an iterator."""
        if self.structure is None or not (self.forms or self.is_rebound or self.is_made):
            return self.start
        leaves = [next(values) if isinstance(leaf, Form) else leaf for leaf in self.leaves]
        return tree_unflatten(self.structure, leaves)

    def outgoing(self, end: Any) -> list[Any]:
        """Return the values to carry after a turn.

        Raises:
            _Again: they have another form than the slot, which has the join now.
            LoopMismatch: there is no join.
        """
        if self.is_reference and end is not self.start:
            self._rebind(keeps_inner=True)
        is_new = end is not self.start
        if is_new and not self.is_rebound and mutable_parts(end, self.kept_in(end)):
            self._rebind(keeps_inner=True)
        if self.structure is None or end is self.start and not self.forms:
            return []
        end = self._with_flag(settled(end))
        leaves, structure = flattened(end, self.kept_in(end))
        if structure != self.structure:
            self._add_flag(end)
            if self.keeps_inner and any(map(self._is_kept, (*self.leaves, *leaves))):
                self._rebind(keeps_inner=False)
            self._refuse_structure(end)
        changed, carried = False, []
        for at, (known, leaf) in enumerate(zip(self.leaves, leaves)):
            if not isinstance(known, Form):
                if known is leaf:
                    continue
                if self.keeps_inner and (self._is_kept(known) or self._is_kept(leaf)):
                    self._rebind(keeps_inner=False)
                if is_same(known, leaf):
                    continue
                if is_users_object(leaf):
                    self._refuse_object(leaf)
                if not is_array(known) or not is_array(leaf):
                    self._refuse(repr(known), _text(leaf))
                known = self.leaves[at] = form_of(self.init[at])
                changed = True
            form = joined(known, form_of(leaf)) if is_array(leaf) else None
            if form is None:
                if is_users_object(leaf):
                    self._refuse_object(leaf)
                self._refuse(str(known), _text(leaf))
            if form != known:
                self.leaves[at], changed = form, True
            carried.append(leaf)
        if changed:
            raise _Again
        return [fitted(leaf, form) for leaf, form in zip(carried, self.forms)]

    def _with_flag(self, end: Any) -> Any:
        """Return the value after a turn as an optional one, if the slot has a flag."""
        is_optional = type(end) is OptionalValue
        self.is_given = not is_optional and end is not None
        if not self.is_optional or is_optional:
            return end
        if end is not None:
            return OptionalValue(False, end)
        leaves = [blank(leaf) if isinstance(leaf, Form) else leaf for leaf in self.leaves]
        found = tree_unflatten(self.structure, leaves)
        return OptionalValue(True, found.value)

    def _add_flag(self, end: Any) -> None:
        """Carry a flag beside a value that is None before or after a turn.

        Raises:
            _Again: there is a flag now.
            _NeedsFlag: the first iteration, on its own, may give the value.
        """
        if self.is_optional:
            return
        is_made, is_none = self.is_made, self.structure == flattened(None)[1]
        if not is_none and end is not None and type(end) is not OptionalValue:
            return
        if not self._adds_flag:
            raise _NeedsFlag("a variable may be None", location())
        if is_none:
            self.make(end.value if type(end) is OptionalValue else end)
        self.is_made, self.is_optional = is_made, True
        self.structure = optional_structure(self.structure)
        self.leaves = [form_of(True), *self.leaves]
        self.init = [None if is_made else is_none, *self.init]
        raise _Again

    def make(self, end: Any) -> None:
        """Give the slot the form of the value that a turn left in it."""
        leaves, self.structure = flattened(end, self.kept_in(end))
        self.is_made = True
        self.leaves = [form_of(leaf) if is_array(leaf) else leaf for leaf in leaves]
        self.init = [None] * len(leaves)

    def make_flagged(self, end: Any, flags: list[_Flag]) -> None:
        """Carry a value that is there on some paths only, if one of some bools tells where.

        Raises:
            _Again: a bool has been found that may tell.
        """
        value = end.value if isinstance(end, PossiblyUnbound) else end
        self.flags = flags
        if not flags or mutable_parts(value) or is_users_object(value):
            self.flags = []
            return
        self.flag = flags.pop(0)
        self.make(value)
        self.is_made = False
        if is_possibly_bound(self.start):
            self.init = flattened(self.start.value)[0]
        raise _Again

    def drop_flag(self) -> NoReturn:
        """Try another bool, since this one does not tell whether there is a value."""
        assert self.flags is not None
        self.flag = self.flags.pop(0) if self.flags else None
        if self.flag is None:
            self.structure, self.leaves, self.init = None, [], []
        raise _Again

    def outgoing_bound(self, end: Any) -> list[Any]:
        """Return the values to carry after a turn for a variable with a flag."""
        if isinstance(end, PossiblyUnbound):
            end = end.value
        elif is_placeholder(end):
            return [blank(form) for form in self.forms]
        return self.outgoing(end)

    def _refuse_structure(self, end: Any) -> None:
        one, other = map(_kind, (self.start, end))
        if one == other:
            one, other = f"{one} ({self.structure})", f"{other} ({flattened(end)[1]})"
        self._refuse(one, other)

    def _refuse_object(self, value: Any) -> NoReturn:
        raise LoopMismatch(f"'{self._shown}' {text_of_new_object(value)}", location())

    @property
    def _shown(self) -> str:
        return "the result of the function" if self.name.startswith("retval_") else self.name

    def _refuse(self, one: str, other: str) -> None:
        shown = self._shown
        if "<function" in one or "<function" in other:
            raise LoopMismatch(
                f"'{shown}' is another function after an iteration of this loop: define it before "
                "the loop or after it, with a parameter for the values of an iteration",
                location(),
            )
        raise LoopMismatch(
            f"'{shown}' is {one} before an iteration of this loop, and {other} after it: a loop of "
            "JAX keeps structure, shape and dtype, so start with a value of the same",
            location(),
        )


def _has_more_rows(place: HeapObject, now: Mapping[Any, Any]) -> bool:
    """Return whether a turn has appended to a list that holds its items as rows."""
    if not isinstance(place.owner, _OF_ROWS):
        return False
    key = "stacked" if isinstance(place.owner, StackedList) else "buffer"
    return rows_in(now[key]) != rows_in(place.before[key])


def _is_longer(end: Any, start: RoomyList) -> bool:
    """Return whether a list has more room than another one, of which an addition has made it."""
    return isinstance(end, RoomyList) and rows_in(end.buffer) != rows_in(start.buffer)


def _are_same(one: Any, other: Any) -> bool:
    return is_same(one, other) or is_same_operation(one, other)


def _length_of(items: Any) -> Any:
    return items.length if isinstance(items, RoomyList) else len(items)


def _kind(value: object) -> str:
    if isinstance(value, OptionalValue):
        return f"None or {_kind(value.value)}"
    if value is None or is_array(value):
        return _text(value)
    return f"a {type(value).__name__}"


def _text(value: Any) -> str:
    return str(form_of(value)) if is_array(value) else repr(value)


class TracedLoop:
    """One loop.

    Args:
        state: its variables.
        functions: its parts, which are looked for changes.
        bound: the most turns, if it is known.
        runs: whether it has at least one turn in any case.
        adds_flags: whether variables may be None before or after a turn.
    """

    def __init__(
        self,
        state: State,
        functions: Sequence[Callable[..., object] | None],
        bound: int | None,
        runs: bool,
        adds_flags: bool = True,
    ) -> None:
        self._state, self._bound, self._runs = state, bound, runs
        self._adds_flags = adds_flags
        self._where = location()
        check_aliases(functions)
        self._before = state.get()
        self.functions = functions
        self._heap = Heap(functions, dict(zip(state.names, self._before)))
        self._slots = [self._slot(*each) for each in zip(state.names, self._before)]
        for slot in self._slots:
            if is_possibly_bound(slot.start):
                with suppress(_Again):
                    slot.make_flagged(slot.start, self._flags_of(slot, slot.start))
        self._parts: dict[tuple[int, Any], _Slot] = {}
        # Lists that only grow: the variable has an Appender, or a RoomyList, in a turn.
        self._growing: dict[int, Growth | None] = {}
        self._rooms: dict[int, RoomyList] = {}
        self._needed: dict[int, int] = {}
        # The lists that it iterates over.
        self.iterated: list[object] = []
        self._entered: tuple[object, ...] = ()
        # The values and the changed contents at the end of the latest traced turn.
        self._last: tuple[Sequence[object], dict[int, Contents]] = (), {}
        # The aliases before the loop, and those that an iteration has when it begins.
        self._outer = STACKS.pairs
        self._aliases: dict[object, PossibleAlias] = {}
        # Of variables that stand for lists in containers: the container, and its key.
        self._held_lists: dict[int, tuple[object, Any]] = {}

    def _slot(self, name: str, start: object) -> _Slot:
        return _Slot(name, start, self._heap.keeps, self._adds_flags)

    def trace(self, record: Callable[[TracedLoop], tuple[Any, Any]]) -> None:
        """Record the loop, and leave its results in the state.

        Args:
            record: calls a loop of JAX with `carry`, `enter` and `leave`; it returns the carried
                values and the stacked items of growing lists.
        """
        code = getattr(self.functions[0], "__code__", self.functions[0])
        lists = [place.owner for place in self._heap.objects]
        grown = {
            each.growth: each.growth.most
            for each in lists
            if isinstance(each, RoomyList) and each.growth is not None
        }
        with nested(code, self._where), _within(self):
            for _ in range(_MOST_TRACES):
                for slot in self._all_slots.values():
                    if slot.is_rebound and slot.structure is None:
                        slot.flatten()
                self._note_aliases(self._copies(None), self._outer)
                try:
                    with uncertain():
                        carry, stacked = record(self)
                    turns = {growth: growth.most - most for growth, most in grown.items()}
                    break
                except _Again:
                    continue
                except UnknownLengthError as error:
                    self._give_room(error)
                finally:
                    STACKS.pairs = self._outer
                    self._heap.restore()
                    self._state.set(self._before)
                    for growth, most in grown.items():
                        growth.most = most
            else:
                raise LoopMismatch(
                    "the variables of this loop have another form after each iteration",
                    self._where,
                )
        for growth, more in turns.items():
            if more and self._bound is None:
                raise LoopMismatch(self._without_bound(growth.name), self._where)
            growth.most += more * (self._bound or 0)
            growth.is_exact &= not more or self._runs_all
        self._finish(carry, stacked)

    # -- one turn ----------------------------------------------------------------------------------

    def carry(self) -> list[Any]:
        """Return the values that are carried into the first turn."""
        self._empty_rooms()
        found = [value for slot in self._slots for value in slot.initial()]
        found += [value for slot in self._parts.values() for value in slot.initial()]
        return [*found, *self._room_values()]

    def enter(self, carry: Sequence[Any], first: bool = False) -> None:
        """Put carried values into the variables and containers."""
        values = iter(carry)
        entered: list[object] = []
        for at, slot in enumerate(self._slots):
            value = slot.built(values)
            if slot.is_made:
                value = slot.start
            if at in self._growing:
                value = self._fresh(at)
            entered.append(value)
        for at, slot in enumerate(self._slots):
            entered[at] = self._entered_bound(slot, entered[at], entered)
        contents = {at: dict(self._heap.objects[at].before) for at, _ in self._parts}
        for (at, key), slot in self._parts.items():
            contents[at][key] = slot.built(values)
        for at, held in contents.items():
            self._heap.objects[at].write(held)
        for room in self._rooms.values():
            self._fill(room, values)
        self._entered = tuple(entered)
        self._state.set(self._entered)
        self._put_aliases(entered, contents)

    def leave(self) -> tuple[list[Any], list[Any]]:
        """Return what a turn carries on, and the items that it appends to growing lists.

        Raises:
            _Again: the loop has to be traced again, with other forms.
            LoopMismatch: a value has no form that holds it before and after a turn.
        """
        check_aliases()
        ends = self._state.get()
        self._find_changes()
        carried: list[Any] = []
        again = False
        for at, (slot, end) in enumerate(zip(self._slots, ends)):
            if at in self._growing:
                if end is not self._entered[at]:
                    self._added(at, end)
                continue
            if end is not slot.start and self._grows_here(end):
                self._refuse_version(slot.name, end)
            if self.is_once and not isinstance(slot.start, (list, *_OF_ROWS)):
                carried += slot.initial()
                continue
            if is_grown_from(slot.start, end) and not self._is_outer_tuple(slot.start):
                if self._is_outer(slot.start):
                    raise self._needs_room(slot.name, slot.start)
                self._growing[at] = None  # The next trace shows whether it is an addition.
                again = True
                continue
            if isinstance(slot.start, RoomyList) and _is_longer(end, slot.start):
                raise self._needs_room(slot.name, slot.start)
            origin = grown_list(slot.start, end)
            if isinstance(origin, Appender):
                raise self._needs_room(slot.name, origin)
            if is_placeholder(slot.start) and not slot.is_made and slot.flag is None:
                is_result = isinstance(slot.start, UndefinedReturnValue)
                if not is_placeholder(end) and (is_result or self._runs):
                    slot.make(end)
                    again = True
                elif not is_result and end is not self._entered[at] and slot.flags is None:
                    try:
                        slot.make_flagged(end, self._flags_of(slot, end))
                    except _Again:
                        again = True
                continue
            if slot.is_made and is_placeholder(end):
                self._refuse_missing(slot)
            try:
                carried += (
                    slot.outgoing(end) if slot.flag is None else self._bound_part(slot, end, ends)
                )
            except _Again:
                again = True
        for (at, key), slot in self._parts.items():
            try:
                carried += slot.outgoing(self._heap.objects[at].read()[key])
            except _Again:
                again = True
        self._last = ends, self._heap.changes()
        again = self._note_aliases(self._copies(ends), STACKS.pairs) or again
        if again or self._rooms_changed():
            raise _Again
        carried += self._room_values()
        stacked = [
            list(ends[at].items)  # type: ignore[attr-defined]
            for at, growth in self._growing.items()
            if growth is None
        ]
        for at, growth in self._growing.items():
            for item in ends[at].items if growth is None else ():  # type: ignore[attr-defined]
                check_item(self._slots[at].name, item, self._where)
        return carried, stacked

    # -- variables without a value -----------------------------------------------------------------

    def _flags_of(self, slot: _Slot, end: Any) -> list[_Flag]:
        """Return the bools that may tell whether a variable has a value."""
        is_known = isinstance(end, PossiblyUnbound) and not is_possibly_bound(end)
        if is_known or is_placeholder(end) and not isinstance(end, PossiblyUnbound):
            return []
        if is_possibly_bound(slot.start):
            defined = slot.start.defined
            slots = list(enumerate(self._slots))
            same = [_Flag(k) for k, each in slots if each.start is defined]
            same.append(_Flag(None, defined))
            opposite = [k for k, each in slots if are_opposite(each.start, defined)]
            return [*same, *(_Flag(k, holds=False) for k in opposite)]
        if type(slot.start) is not Undefined:
            return []
        return [
            _Flag(k, holds=not each.start)
            for k, each in enumerate(self._slots)
            if type(each.start) is bool and each.forms
        ]

    def _entered_bound(self, slot: _Slot, value: Any, values: Sequence[Any]) -> Any:
        """Return what a variable without a value before the loop has in a turn, or after it."""
        flag = slot.flag
        if flag is None:
            is_read = type(slot.start) is Undefined and not slot.is_made
            return self._unbound_before(slot) if is_read and value is slot.start else value
        defined = flag.constant if flag.slot is None else values[flag.slot]
        if not flag.holds:
            known, defined = defined, jnp.logical_not(defined)
            derive(defined, "not", known)
        return partly_bound(slot.name, _NO_VALUE, self._where, defined, value)

    def _unbound_before(self, slot: _Slot) -> object:
        def refuse(read: PossiblyUnbound) -> None:
            raise _NeedsFlag(
                f"'{slot.name}' has no value in the first iteration of this loop: give it one "
                "before the loop",
                location(),
            )

        return PossiblyUnbound(slot.name, False, None, "undefined", refuse)

    def _bound_part(self, slot: _Slot, end: Any, ends: Sequence[Any]) -> list[Any]:
        """Return what a turn carries of a variable that has a value where a bool tells so.

        Raises:
            _Again: the bool does not tell.
        """
        flag = slot.flag
        assert flag is not None
        told = flag.constant if flag.slot is None else ends[flag.slot]
        is_bound = end.defined if isinstance(end, PossiblyUnbound) else not is_placeholder(end)
        if not (_are_same(is_bound, told) if flag.holds else are_opposite(is_bound, told)):
            slot.drop_flag()
        return slot.outgoing_bound(end)

    def _grows_here(self, value: Any) -> bool:
        """Return whether a value is a list that grows in this loop, now or earlier in a turn."""
        if isinstance(value, Appender):
            return any(value.origin is each for each in self._entered)
        return isinstance(value, RoomyList) and value.growth in self._growing.values()

    def _refuse_version(self, name: str, value: Any) -> None:
        grown = value.name if isinstance(value, Appender) else value.growth.name
        raise LoopMismatch(
            f"'{name}' keeps the items that '{grown}' has in one iteration of this loop, and JAX "
            f"has those after the last one alone: keep their number, as in `{name} = len({grown})`",
            self._where,
        )

    def _refuse_missing(self, slot: _Slot) -> None:
        raise LoopMismatch(
            f"'{slot.name}' gets its first value in some iterations of this loop only: give it one "
            "before the loop",
            self._where,
        )

    def _find_changes(self) -> None:
        """Make parts of the containers that a turn has changed in place."""
        found = False
        for at, now in self._heap.changes().items():
            place = self._heap.objects[at]
            if isinstance(place.owner, Appender):
                raise self._needs_room(place.name, place.owner)
            if now.keys() != place.before.keys() or _has_more_rows(place, now):
                found = self._grows(place, now) or found
                continue
            for key, value in now.items():
                is_list = any(
                    owner is place.owner and key == k for owner, k in self._held_lists.values()
                )
                is_part = is_list or (at, key) in self._parts
                if value is not place.before[key] and not is_part and not self.is_once:
                    if is_placeholder(place.before[key]) or is_placeholder(value):
                        self._refuse_key(place, key)
                    self._parts[at, key] = self._slot(place.part(key), place.before[key])
                    found = True
        if found:
            raise _Again

    # -- aliases -----------------------------------------------------------------------------------

    @property
    def _all_slots(self) -> dict[Any, _Slot]:
        """The slots of variables by their number, and of parts by container and key."""
        slots: dict[Any, _Slot] = dict(enumerate(self._slots))
        slots.update(self._parts)
        return slots

    def _copies(self, ends: Sequence[Any] | None) -> list[tuple[_Carried, Any]]:
        """Return the containers of which an iteration gets copies.

        Args:
            ends: the values of the variables after an iteration; None before the first one.
        """
        values: dict[Any, Any] = dict(enumerate(self._before if ends is None else ends))
        for (at, key), slot in self._parts.items():
            values[at, key] = slot.start if ends is None else self._heap.objects[at].read()[key]
        for at, growth in self._growing.items():
            is_stacked = growth is None and isinstance(values[at], Appender)
            values[at] = values[at].items if is_stacked else ()
        return [
            (_Carried(key, path), part)
            for key, slot in self._all_slots.items()
            if slot.structure is not None or key in self._growing
            for path, part in self._copied_parts(key, slot, values[key]).items()
        ]

    def _copied_parts(self, key: Any, slot: _Slot, value: Any) -> dict[Path, Any]:
        # Items of a list that grows are copied in any case.
        return mutable_parts(value, None if key in self._growing else slot.kept_in(value))

    def _note_aliases(self, copies: list[tuple[_Carried, Any]], pairs: list[AliasPair]) -> bool:
        """Note the aliases of an iteration; return whether there are new ones."""
        names = {id(place.owner): place.name for place in self._heap.objects}
        paired = [each.owner for pair in self._outer for each in (pair.one, pair.other)]
        persisting = [*paired, *self._rooms.values()]

        def same(value: Any) -> Named | None:
            is_same = self._heap.holds(value) or any(value is each for each in persisting)
            return Named(names.get(id(value), ""), value) if is_same else None

        count = len(self._aliases)
        for alias in aliases_of(copies, pairs, same):
            if self._is_item(alias.one):
                alias = PossibleAlias(alias.other, alias.one)
            if not self._is_item(alias.one):
                alias = alias._replace(only_first=alias.only_first or self._is_item(alias.other))
                self._aliases.setdefault(alias.key(), alias)
        return len(self._aliases) > count

    def _is_item(self, end: object) -> bool:
        return isinstance(end, _Carried) and end.slot in self._growing

    def _put_aliases(self, values: Sequence[Any], contents: Mapping[int, Contents]) -> None:
        """Record the aliases of the containers that an iteration, or the loop, has made."""
        slots = self._all_slots

        def made(end: Any) -> Named | None:
            if not isinstance(end, _Carried):
                return end
            key: Any = end.slot
            value = contents[key[0]][key[1]] if isinstance(key, tuple) else values[key]
            # An item of a list has no name; its list has.
            part = value if self._is_item(end) else mutable_parts(value).get(end.path)
            return None if part is None else Named(slots[key].name, part)

        STACKS.pairs = [pair.renewed() for pair in self._outer]
        if not self._aliases:
            return
        reach = ReadableContainers()
        paired = {id(each.owner) for pair in self._outer for each in (pair.one, pair.other)}

        def is_read(end: Any, named: Named | None) -> bool:
            if named is None:
                return False
            is_known = isinstance(end, _Carried) or id(named.value) in paired
            return reach.may_hold(named.value) if is_known else reach.holds(named.value)

        for one, other, only_first in self._aliases.values():
            ends = made(one), made(other)
            if is_read(one, ends[0]) and is_read(other, ends[1]):
                note_aliases([PossibleAlias(*ends, only_first)], self._where)

    # -- lists that grow ---------------------------------------------------------------------------

    def _needs_room(self, name: str, owner: object) -> UnknownLengthError:
        return UnknownLengthError(
            f"'{name}' grows in this loop by a number of items that only a run knows",
            self._where,
            owner,
        )

    def _is_outer(self, owner: object) -> bool:
        """Return whether a list is from before a loop further out."""
        return any(each.has(owner) for each in STACKS.loops if each is not self)

    def _is_outer_tuple(self, value: object) -> bool:
        # Tuples that are equal may be one object, so it tells no variable.
        return isinstance(value, tuple) and len(STACKS.loops) > 1

    def _added(self, at: int, end: Any) -> None:
        """Take the value of a variable that a turn makes of its list by `+`."""
        growth = self._growing[at]
        if growth is None and isinstance(end, Appender) and end.origin is self._entered[at]:
            if self._bound is None or not self._runs_all:
                raise self._needs_room(end.name, end.origin)
        elif growth is not None and isinstance(end, RoomyList) and end.growth is growth:
            room = self._rooms[at]
            room.buffer, room.length = end.buffer, end.length
        else:
            self._refuse_list(self._slots[at].name)

    def _grows(self, place: HeapObject, now: Mapping[Any, Any]) -> bool:
        """Note a list that a turn appends to; refuse any other change of a container's keys."""
        before = place.before
        only_appended = isinstance(place.owner, _OF_ROWS) or (
            isinstance(place.owner, list)
            and all(key in now and now[key] is value for key, value in before.items())
        )
        if not only_appended and not isinstance(place.owner, list):
            self._refuse_key(place, next(iter(now.keys() ^ before.keys())))
        at = next((k for k, value in enumerate(self._before) if value is place.owner), None)
        if at is None:
            at = self._add_variable(place.owner, place.name)
        if self._is_outer(place.owner):
            raise self._needs_room(place.name, place.owner)
        self._refuse_other_names(at)
        self._growing[at] = None
        is_exact = only_appended and self._runs_all and not isinstance(place.owner, RoomyList)
        if self._bound is None or not is_exact:
            self._room_for(at)
        return True

    def _refuse_key(self, place: HeapObject, key: object) -> NoReturn:
        raise LoopMismatch(
            f"{place.part(key)} is new or gone after an iteration of this loop: give it a "
            "value before the loop",
            self._where,
        )

    def _add_variable(self, owner: object, name: str) -> int:
        """Make the place that holds a list, such as `d['k']`, a variable of the loop."""
        held = [
            (at, key)
            for at, each in enumerate(self._heap.objects)
            for key, value in each.before.items()
            if value is owner
        ]
        if len(held) != 1:
            raise LoopMismatch(
                f"'{name}' grows in this loop, and is "
                f"{'in several places' if held else 'a global variable, or in a tuple'}: append to "
                "a list that one variable, item or attribute holds",
                self._where,
            )
        ((at, key),) = held
        place, inner = self._heap.objects[at], self._state

        def put(values: tuple[object, ...]) -> None:
            inner.set(values[:-1])
            place.write({**place.read(), key: values[-1]})

        def get() -> tuple[object, ...]:
            return (*inner.get(), place.read()[key])

        self._state = State(get, put, (*inner.names, place.part(key)), inner.nouts)
        self._before = (*self._before, owner)
        self._slots.append(self._slot(place.part(key), owner))
        self._held_lists[len(self._slots) - 1] = place.owner, key
        return len(self._slots) - 1

    # Whether each turn of the bound runs; set by the kind of the loop.
    _runs_all = True
    # True for statements other than loops: their results need no form from before.
    is_once = False

    def _refuse_list(self, name: str) -> None:
        raise LoopMismatch(
            f"'{name}' changes its length in this loop other than by append: use an array and "
            "`x[i] = v`, or append only",
            self._where,
        )

    def _fresh(self, at: int) -> object:
        if self._growing[at] is None:
            return Appender(self._slots[at].name)
        return self._rooms[at]

    def has(self, owner: object) -> bool:
        """Return whether a list is from before this loop, or is the Appender of one."""
        is_held = any(each.owner is owner for each in self._heap.objects)
        return is_held or self._is_variable(owner)

    def _is_variable(self, owner: object) -> bool:
        return any(value is owner for value in (*self._before, *self._entered))

    def _give_room(self, error: UnknownLengthError) -> None:
        """Give a list room, unless a loop further out has it."""
        owner = error.owner
        outer = STACKS.loops[: STACKS.loops.index(self)]
        if any(each.has(owner) for each in outer):
            raise error
        has_room = isinstance(owner, RoomyList) and owner.growth is not None
        if has_room or not self.has(owner):
            raise error
        if not self._is_variable(owner):
            name = next(each.name for each in self._heap.objects if each.owner is owner)
            self._add_variable(owner, name)
        values = self._entered if isinstance(owner, Appender) else self._before
        self._room_for(next(at for at, value in enumerate(values) if value is owner))

    def _room_for(self, at: int) -> None:
        name = self._slots[at].name
        if self._bound is None:
            raise LoopMismatch(self._without_bound(name), self._where)
        if not isinstance(self._before[at], tuple):
            self._refuse_other_names(at)
        growth = self._growing[at] = Growth(name)
        growth.begin(self._before[at])
        self._rooms[at] = RoomyList(None, _length_of(self._before[at]), growth)

    def _refuse_other_names(self, at: int) -> None:
        """Refuse a list that code reads under another name, which keeps the items from before."""
        name = self._slots[at].name
        if any(each is self._before[at] for each in self.iterated):
            raise length_changed(name)
        places: list[tuple[object, object]] = [
            (cell, "") for cell in cells_of(self.functions, name)
        ]
        places += [self._held_lists[at]] if at in self._held_lists else []
        other = ReadableContainers().other_name(self._before[at], name, places)
        if other is not None:
            here = "this `if`" if self.is_once else "this loop"
            raise ContainerMutationError(
                f"'{name}' grows in {here}, and {other} is another name of the same list, "
                "which JAX cannot make grow: use one of them alone from here on, as after "
                f"`{name} = f({name})` of a function that returns it, or copy the list before, by "
                "list(...)",
                self._where,
            )

    @staticmethod
    def _without_bound(name: str) -> str:
        return (
            f"'{name}' grows in a loop whose number of iterations only a run knows: say how many "
            "there are at most, with autograph.set_loop_options(maximum_iterations=...) in the "
            "loop, or use an array"
        )

    def _room_values(self) -> list[Any]:
        found: list[Any] = []
        for room in self._rooms.values():
            found += jax.tree_util.tree_leaves(room.buffer)
            found.append(room.length)
        return found

    def _fill(self, room: RoomyList, values: Iterator[Any]) -> None:
        growth = room.growth
        assert growth is not None
        growth.most = 0
        leaves, structure = jax.tree_util.tree_flatten(room.buffer)
        if room.buffer is not None:
            room.buffer = tree_unflatten(structure, [next(values) for _ in leaves])
        length = next(values)
        room.length = 0 if growth.forms is None and growth.is_empty else length

    def _rooms_changed(self) -> bool:
        """Note how many items the traced turn asks for; return whether one has less room."""
        changed = False
        for at, room in self._rooms.items():
            growth = room.growth
            assert growth is not None and self._bound is not None
            if growth.forms is None and growth.is_empty:
                growth.is_empty, changed = False, True
                continue
            needed = room_of(self._before[at]) + growth.most * self._bound
            if room.buffer is None or room.room != needed:
                self._needed[at], changed = needed, True
        return changed

    def _empty_rooms(self) -> None:
        """Put the items from before the loop into the rooms."""
        for at, room in self._rooms.items():
            room.length = _length_of(self._before[at])
            if at in self._needed:
                assert room.growth is not None
                room.buffer = room.growth.buffer(self._needed[at], self._before[at])

    # -- the end -----------------------------------------------------------------------------------

    def _finish(self, carry: Any, stacked: Any) -> None:
        values = iter(carry)
        ends, changes = self._last
        results: list[object] = []
        lists = iter(stacked)
        for at, slot in enumerate(self._slots):
            value = slot.built(values)
            if slot.is_optional and slot.is_given and self._runs:
                value = value.value
            if at in self._growing:
                value = None  # below
            elif is_placeholder(slot.start) and not slot.is_made and slot.flag is None:
                value = self._unbound(slot)
            if self.is_once and at not in self._growing:
                value = ends[at]
            results.append(value)
        for at, slot in enumerate(self._slots):
            if slot.flag is not None:
                results[at] = self._entered_bound(slot, results[at], results)
        contents = {at: dict(self._heap.objects[at].before) for at, _ in self._parts}
        for (at, key), slot in self._parts.items():
            contents[at][key] = slot.built(values)
        contents.update(changes if self.is_once else {})
        for at, held in contents.items():
            self._heap.objects[at].write(held)
        for room in self._rooms.values():
            self._fill(room, values)
        for at, growth in self._growing.items():
            if growth is None:
                results[at] = self._stacked(self._before[at], next(lists))
            else:
                room = self._rooms[at]
                room.growth = None
                is_known = growth.is_exact and self._runs_all and room.buffer is not None
                is_known = is_known and not isinstance(self._before[at], RoomyList)
                results[at] = StackedList(room.buffer) if is_known else room
        self._state.set(tuple(results))
        self._put_aliases(results, contents)

    def _unbound(self, slot: _Slot) -> object:
        if isinstance(slot.start, UndefinedReturnValue):
            return slot.start
        end = self._last[0][self._slots.index(slot)]
        why = _NO_VALUE if isinstance(end, PossiblyUnbound) else _NO_ITERATION
        return partly_bound(slot.name, why, self._where)

    @staticmethod
    def _stacked(items: Any, rows: list[Any]) -> StackedList:
        """Return a list of the items from before the loop and those of each turn."""
        turns = jax.tree_util.tree_leaves(rows[0])[0].shape[0]

        def merged(*leaves: Any) -> Any:
            if len(leaves) == 1:
                return leaves[0]
            return jnp.stack(leaves, 1).reshape(turns * len(leaves), *leaves[0].shape[1:])

        stacked = tree_map(merged, *rows)
        if len(items):
            is_stacked = isinstance(items, StackedList)
            first = items.stacked if is_stacked else tree_map(lambda *each: jnp.stack(each), *items)
            stacked = tree_map(
                lambda a, b: jnp.concatenate([a, b.astype(jnp.result_type(a, b))]), first, stacked
            )
        return StackedList(stacked)

    def unbounded(self, carry: Sequence[Any]) -> list[Any]:
        """Return the results of a loop that has no reverse gradient."""
        return loop_results(carry, self._where)

    def set_known(self, name: str, value: object) -> None:
        """Give a variable a value that is known after the loop."""
        values = list(self._state.get())
        values[self._state.names.index(name)] = value
        self._state.set(tuple(values))

    def holds_entry(self, value: object) -> str | None:
        """Return the name of the variable that has a value since the turn began."""
        for slot, entered in zip(self._slots, self._entered):
            if entered is value:
                return slot.name
        return None

    def has_stand_ins(self) -> bool:
        """Return whether a condition may tell what a variable or container holds in a turn."""
        held = (value for each in self._heap.objects for value in each.before.values())
        return any(isinstance(each, _STAND_INS) for each in (*self._entered, *held))

    def has_changed(self) -> bool:
        """Return whether code has changed a variable or container since `enter`."""
        now = self._state.get()
        if any(a is not b for a, b in zip(now, self._entered)):
            return True
        return any(
            (at, key) not in self._parts
            for at, held in self._heap.changes().items()
            for key in held
            if held[key] is not self._heap.objects[at].before.get(key)
        )


def with_room(run: Run, functions: Sequence[Run], state: State) -> None:
    """Record a statement on whose paths a list has several lengths, as a loop of one iteration.

    Args:
        run: records the statement.
        functions: the parts of the statement.
    """
    loop = TracedLoop(state, functions, 1, True)
    loop.is_once = True

    def record(_: TracedLoop) -> tuple[Any, Any]:
        loop.enter(loop.carry())
        run()
        return loop.leave()

    loop.trace(record)


def staged_while(
    test: Run,
    body: Run,
    state: State,
    first: object,
    most: int | None,
    negated: Callable[[object], object],
    tested: Callable[[object], object],
) -> None:
    """Record a `while`.

    Args:
        first: the result of the first test.
        most: the most iterations; None without a bound.
        negated: returns the operand of the `not` that gave a value; None for other values.
        tested: returns the value whose truth is that of a value, as the length of a list.
    """
    what = "the condition of this `while`"
    loop = TracedLoop(state, (body, test), most, False)
    loop._runs_all = False
    known: list[str | None] = [None]
    tests_change: list[bool] = [False]

    def condition(carry: Any) -> Any:
        loop.enter(carry)
        found = tested(test())
        operand = negated(found)
        known[0] = None if operand is None else loop.holds_entry(operand)
        if loop.has_changed():
            tests_change[0] = True
            raise _Again
        return truth(found, what)

    def learn_test(holds: bool) -> None:
        """Learn what the test tells of values that are there on some paths only."""
        if loop.has_stand_ins() and not tests_change[0] and not recorded(test)[1].effects:
            learn(tested(test()), holds)

    def turn(carry: Any) -> Any:
        loop.enter(carry)
        with on_path(lambda: condition_again(carry)), facts():
            learn_test(True)
            body()
        return loop.leave()[0]

    def condition_again(carry: Any) -> Any:
        held = state.get()
        try:
            return condition(carry)
        finally:
            state.set(held)

    def turn_and_test(carry: Any) -> Any:
        *values, proceed = carry
        loop.enter(values)
        with on_path(lambda: proceed):
            body()
            proceed_next = truth(tested(test()), what)
        return [*loop.leave()[0], proceed_next]

    def record(_: TracedLoop) -> tuple[Any, Any]:
        if tests_change[0]:
            start = [*loop.carry(), truth(first, what)]
            if most is None:
                carry = loop.unbounded(
                    lax.while_loop(lambda carry: carry[-1], turn_and_test, start)
                )
            else:
                carry = _masked(lambda carry: carry[-1], turn_and_test, start, most)
            return carry[:-1], []
        if most is None:
            return loop.unbounded(lax.while_loop(condition, turn, loop.carry())), []
        return _masked(condition, turn, loop.carry(), most), []

    loop.trace(record)
    if most is None:
        learn_test(False)
        if known[0] is not None:
            loop.set_known(known[0], True)


def _masked(condition: Any, turn: Any, start: Any, most: int) -> Any:
    """Return the result of a scan whose turns do nothing once a condition fails."""

    def step(carry: Any, _: None) -> tuple[Any, None]:
        return lax.cond(condition(carry), turn, lambda values: values, carry), None

    return lax.scan(step, start, None, length=most)[0]


def staged_for(
    items: TracedIterable,
    extra_test: Run | None,
    body: Callable[[Any], object],
    state: State,
    most: int | None,
    begins: Any = None,
) -> None:
    """Record a `for` over items; `extra_test` fails after a `break` or `return`.

    Args:
        begins: whether there is a first iteration; None if there is one for any item.
    """
    if not items.is_bounded:
        bounds = [each for each in (most, items.most) if each is not None]
        return _unbounded(items, extra_test, body, state, min(bounds, default=None))
    if may_be_empty(items.length):
        return _unbounded(items, extra_test, body, state, most, begins)
    length = items.length if most is None else min(most, items.length)
    try:
        return _bounded(items, length, extra_test, body, state, begins, begins is not None)
    except LoopMismatch as mismatch:
        # A mismatch that remains is not tried again by each loop further out.
        if begins is not None or vars(mismatch).get("is_tried"):
            raise
        # A variable may get its form in the first iteration, as `total` with `total = 0` before.
        # One that was None may be None no more.
        start, pairs = state.get(), STACKS.pairs
        heap = Heap((body, extra_test), dict(zip(state.names, start)))
        try:
            body(items.item(tree_map(lambda each: each[0], items.rows())))
            begins = None if extra_test is None else extra_test()
            if begins is None or is_traced(begins) or begins:
                later = Later(items)
                if may_be_empty(later.length):
                    _unbounded(later, extra_test, body, state, most, begins)
                else:
                    _bounded(later, length - 1, extra_test, body, state, begins)
        except Exception as error:
            heap.restore()
            state.set(start)
            STACKS.pairs = pairs
            vars(mismatch)["is_tried"] = True
            raise error if isinstance(mismatch, _NeedsFlag) else mismatch from None
    return None


def _bounded(
    items: TracedIterable,
    length: int,
    extra_test: Run | None,
    body: Any,
    state: State,
    begins: Any,
    adds_flags: bool = True,
) -> None:
    if length == 0:
        return
    loop = TracedLoop(state, (body, extra_test), length, begins is None, adds_flags)
    loop._runs_all = extra_test is None
    rows = items.rows()
    if length != items.length:
        rows = tree_map(lambda each: each[:length], rows)

    def turn(carry: Any, row: Any) -> tuple[Any, Any]:
        loop.enter(carry)
        body(items.item(row))
        return loop.leave()

    def guarded(carry: Any, row: Any) -> tuple[Any, Any]:
        *values, proceed = carry

        def run(values: Any) -> Any:
            loop.enter(values)
            with on_path(lambda: proceed):
                body(items.item(row))
                more = truth(extra_test(), "the condition of this loop")  # type: ignore[misc]
            return [*loop.leave()[0], more]

        return lax.cond(proceed, run, lambda values: [*values, jnp.bool_(False)], values), []

    def record(_: TracedLoop) -> tuple[Any, Any]:
        if extra_test is None:
            return lax.scan(turn, loop.carry(), rows)
        first = jnp.bool_(True) if begins is None else truth(begins, "the condition of this loop")
        carry, _none = lax.scan(guarded, [*loop.carry(), first], rows)
        return carry[:-1], []

    loop.trace(record)


def _unbounded(
    items: TracedIterable,
    extra_test: Run | None,
    body: Any,
    state: State,
    most: int | None,
    begins: Any = None,
) -> None:
    loop = TracedLoop(state, (body, extra_test), most, False)
    loop._runs_all = False
    is_open = isinstance(items.length, SymbolicDimension)
    length = jnp.asarray(items.length) if is_open else items.length

    def condition(carry: Any) -> Any:
        more = carry[0] < length
        return more if extra_test is None else jnp.logical_and(more, carry[1])

    def turn(carry: Any) -> Any:
        index, proceed, *values = carry
        loop.enter(values)
        with on_path(lambda: condition(carry)):
            body(items.at(index))
            if extra_test is not None:
                proceed = truth(extra_test(), "the condition of this loop")
        return [index + 1, proceed, *loop.leave()[0]]

    def record(_: TracedLoop) -> tuple[Any, Any]:
        first = jnp.bool_(True) if begins is None else truth(begins, "the condition of this loop")
        start = [0, first, *loop.carry()] if extra_test else [0, 0, *loop.carry()]
        if most is None:
            carry = loop.unbounded(lax.while_loop(condition, turn, start))
        else:
            carry = _masked(condition, turn, start, most)
        return carry[2:], []

    loop.trace(record)


def bound_of(opts: Mapping[str, object]) -> int | None:
    """Return the option `maximum_iterations` of a loop.

    Raises:
        StagingError: it is not a number that the trace knows.
    """
    most: Any = opts.get("maximum_iterations", MAXIMUM_ITERATIONS.get())
    if most is None:
        return None
    if not is_concrete(most):
        raise StagingError(
            "maximum_iterations is a number that only a run knows: the length of a scan is known "
            "while tracing, so give a Python number",
            location(),
        )
    return max(int(most), 0)
