"""The lists that grow in a loop: items that a scan stacks, or an array of a fixed capacity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jax
import jax.numpy as jnp
from jax.tree_util import tree_map, tree_unflatten

from autograph.errors import ContainerMutationError, LoopMismatch, UnknownLengthError
from autograph.jax.aliases import ReadableContainers, cells_of
from autograph.jax.growing_lists import (
    Appender,
    ListAppends,
    PreallocatedList,
    StackedList,
    room_of,
)
from autograph.jax.heap import HeapObject
from autograph.jax.iterables import length_changed
from autograph.jax.location import STACKS
from autograph.jax.loops.loop_variables import LoopVariables

# Lists that hold their items as rows of arrays.
OF_ROWS = (StackedList, PreallocatedList)


class LoopLists:
    """The lists that grow in a loop.

    Args:
        bound: the most iterations, if it is known.
        runs_all: whether each iteration of the bound runs.
        is_once: whether the statement is none of Python's loops.

    Attributes:
        growing: the lists that only grow: in an iteration the variable has an Appender, or a
            PreallocatedList.
        rooms: those that are a PreallocatedList.
    """

    def __init__(
        self, variables: LoopVariables, bound: int | None, runs_all: bool, is_once: bool
    ) -> None:
        self._variables, self.bound = variables, bound
        self.runs_all, self.is_once = runs_all, is_once
        self.growing: dict[int, ListAppends | None] = {}
        self.rooms: dict[int, PreallocatedList] = {}
        self._needed: dict[int, int] = {}

    def grows(self, place: HeapObject, now: Mapping[Any, Any]) -> bool:
        """Note a list that an iteration appends to; refuse other changes of a container's keys."""
        before = place.before
        only_appended = isinstance(place.owner, OF_ROWS) or (
            isinstance(place.owner, list)
            and all(key in now and now[key] is value for key, value in before.items())
        )
        if not only_appended and not isinstance(place.owner, list):
            self._variables.refuse_key(place, next(iter(now.keys() ^ before.keys())))
        values = enumerate(self._variables.before)
        at = next((k for k, value in values if value is place.owner), None)
        if at is None:
            at = self._variables.add(place.owner, place.name)
        if self.is_outer(place.owner):
            raise self.needs_room(place.name, place.owner)
        self._refuse_other_names(at)
        self.growing[at] = None
        is_exact = only_appended and self.runs_all and not isinstance(place.owner, PreallocatedList)
        if self.bound is None or not is_exact:
            self._room_for(at)
        return True

    def added(self, at: int, end: Any) -> None:
        """Take the value of a variable that an iteration makes of its list by `+`."""
        growth, entered = self.growing[at], self._variables.entered[at]
        if growth is None and isinstance(end, Appender) and end.origin is entered:
            if self.bound is None or not self.runs_all:
                raise self.needs_room(end.name, end.origin)
        elif growth is not None and isinstance(end, PreallocatedList) and end.growth is growth:
            room = self.rooms[at]
            room.buffer, room.length = end.buffer, end.length
        else:
            self._refuse_list(self._variables.carried_values[at].name)

    def fresh(self, at: int) -> object:
        """Return the value of the variable of a list at the start of an iteration."""
        if self.growing[at] is None:
            return Appender(self._variables.carried_values[at].name)
        return self.rooms[at]

    def grows_here(self, value: Any) -> bool:
        """Return whether a value is a list that grows in this loop, now or earlier."""
        if isinstance(value, Appender):
            return any(value.origin is each for each in self._variables.entered)
        return isinstance(value, PreallocatedList) and value.growth in self.growing.values()

    def is_outer(self, owner: object) -> bool:
        """Return whether a list is from before a loop further out."""
        return any(each.has(owner) for each in STACKS.loops if each is not self._variables)

    def is_outer_tuple(self, value: object) -> bool:
        """Return whether a value is a tuple in a loop within another one."""
        # Tuples that are equal may be one object, so it tells no variable.
        return isinstance(value, tuple) and len(STACKS.loops) > 1

    def refuse_version(self, name: str, value: Any) -> None:
        """Refuse a variable that references a growing list as it is in one iteration."""
        grown = value.name if isinstance(value, Appender) else value.growth.name
        raise LoopMismatch(
            f"'{name}' keeps the items that '{grown}' has in one iteration of this loop, and JAX "
            f"has those after the last one alone: keep their number, as in `{name} = len({grown})`",
            self._variables.where,
        )

    def _refuse_list(self, name: str) -> None:
        raise LoopMismatch(
            f"'{name}' changes its length in this loop other than by append: use an array and "
            "`x[i] = v`, or append only",
            self._variables.where,
        )

    def _refuse_other_names(self, at: int) -> None:
        """Refuse a list that code reads under another name, which keeps the items from before."""
        name = self._variables.carried_values[at].name
        if any(each is self._variables.before[at] for each in self._variables.iterated):
            raise length_changed(name)
        places: list[tuple[object, object]] = [
            (cell, "") for cell in cells_of(self._variables.functions, name)
        ]
        places += [self._variables.held_lists[at]] if at in self._variables.held_lists else []
        names = ReadableContainers().other_names(self._variables.before[at], name, places)
        other, variables = names
        if other is not None:
            here = "this `if`" if self.is_once else "this loop"
            raise ContainerMutationError(
                f"'{name}' grows in {here}, and {other} is another name of the same list, "
                "which JAX cannot make grow: use one of them alone from here on, as after "
                f"`{name} = f({name})` of a function that returns it, or copy the list before, by "
                "list(...)",
                self._variables.where,
            )
        self._variables.share(at, variables)

    def needs_room(self, name: str, owner: object) -> UnknownLengthError:
        """Return the error that makes a loop give a list a capacity."""
        return UnknownLengthError(
            f"'{name}' grows in this loop by a number of items that only a run knows",
            self._variables.where,
            owner,
        )

    @staticmethod
    def without_bound(name: str) -> str:
        """Return the message for a list in a loop without a bound."""
        return (
            f"'{name}' grows in a loop whose number of iterations only a run knows: say how many "
            "there are at most, with autograph.set_loop_options(maximum_iterations=...) in the "
            "loop, or use an array"
        )

    # -- lists of a fixed capacity -----------------------------------------------------------------

    def give_room(self, error: UnknownLengthError) -> None:
        """Give a list a capacity, unless a loop further out has done so."""
        owner = error.owner
        outer = STACKS.loops[: STACKS.loops.index(self._variables)]
        if any(each.has(owner) for each in outer):
            raise error
        has_room = isinstance(owner, PreallocatedList) and owner.growth is not None
        if has_room or not self._variables.has(owner):
            raise error
        if not self._variables.is_variable(owner):
            name = next(each.name for each in self._variables.heap.objects if each.owner is owner)
            self._variables.add(owner, name)
        values = self._variables.entered if isinstance(owner, Appender) else self._variables.before
        self._room_for(next(at for at, value in enumerate(values) if value is owner))

    def _room_for(self, at: int) -> None:
        name = self._variables.carried_values[at].name
        if self.bound is None:
            raise LoopMismatch(self.without_bound(name), self._variables.where)
        if not isinstance(self._variables.before[at], tuple):
            self._refuse_other_names(at)
        growth = self.growing[at] = ListAppends(name)
        growth.begin(self._variables.before[at])
        self.rooms[at] = PreallocatedList(None, _length_of(self._variables.before[at]), growth)

    def values(self) -> list[Any]:
        """Return the items and lengths to carry."""
        found: list[Any] = []
        for room in self.rooms.values():
            found += jax.tree_util.tree_leaves(room.buffer)
            found.append(room.length)
        return found

    def fill(self, room: PreallocatedList, values: Iterator[Any]) -> None:
        """Put carried items and a carried length into a list."""
        growth = room.growth
        assert growth is not None
        growth.most = 0
        leaves, structure = jax.tree_util.tree_flatten(room.buffer)
        if room.buffer is not None:
            room.buffer = tree_unflatten(structure, [next(values) for _ in leaves])
        length = next(values)
        room.length = 0 if growth.forms is None and growth.is_empty else length

    def rooms_changed(self) -> bool:
        """Note how many items the traced iteration asks for; return whether a list has less."""
        changed = False
        for at, room in self.rooms.items():
            growth = room.growth
            assert growth is not None and self.bound is not None
            if growth.forms is None and growth.is_empty:
                growth.is_empty, changed = False, True
                continue
            needed = room_of(self._variables.before[at]) + growth.most * self.bound
            if room.buffer is None or room.room != needed:
                self._needed[at], changed = needed, True
        return changed

    def empty_rooms(self) -> None:
        """Put the items from before the loop into the buffers."""
        for at, room in self.rooms.items():
            room.length = _length_of(self._variables.before[at])
            if at in self._needed:
                assert room.growth is not None
                room.buffer = room.growth.buffer(self._needed[at], self._variables.before[at])


def _length_of(items: Any) -> Any:
    return items.length if isinstance(items, PreallocatedList) else len(items)


def stacked_list(items: Any, rows: list[Any]) -> StackedList:
    """Return a list of the items from before the loop and those of each iteration."""
    iterations = jax.tree_util.tree_leaves(rows[0])[0].shape[0]

    def merged(*leaves: Any) -> Any:
        if len(leaves) == 1:
            return leaves[0]
        return jnp.stack(leaves, 1).reshape(iterations * len(leaves), *leaves[0].shape[1:])

    stacked = tree_map(merged, *rows)
    if len(items):
        is_stacked = isinstance(items, StackedList)
        first = items.stacked if is_stacked else tree_map(lambda *each: jnp.stack(each), *items)
        stacked = tree_map(
            lambda a, b: jnp.concatenate([a, b.astype(jnp.result_type(a, b))]), first, stacked
        )
    return StackedList(stacked)
