"""The aliases of a loop: containers that each iteration makes anew, and that may be one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from autograph.jax.aliases import (
    AliasPair,
    Named,
    Path,
    PossibleAlias,
    ReadableContainers,
    aliases_of,
    mutable_parts,
    record_aliases,
)
from autograph.jax.growing_lists import Appender
from autograph.jax.heap import Contents
from autograph.jax.location import STACKS
from autograph.jax.loops.carried_values import CarriedValue
from autograph.jax.loops.loop_lists import LoopLists
from autograph.jax.loops.loop_variables import LoopVariables


class _CarriedContainer(NamedTuple):
    """A container that each iteration makes anew: its carried value, and the path in that."""

    carried_value: object
    path: Path


class LoopAliases:
    """The containers of an iteration that may be the same object.

    Attributes:
        outer: the aliases before the loop.
    """

    def __init__(self, variables: LoopVariables, lists: LoopLists) -> None:
        self._variables, self._lists = variables, lists
        self.outer = STACKS.pairs
        # The aliases that an iteration has when it begins.
        self.found: dict[object, PossibleAlias] = {}

    def copies(self, ends: Sequence[Any] | None) -> list[tuple[_CarriedContainer, Any]]:
        """Return the containers of which an iteration gets copies.

        Args:
            ends: the values of the variables after an iteration; None before the first one.
        """
        values: dict[Any, Any] = dict(enumerate(self._variables.before if ends is None else ends))
        for (at, key), part in self._variables.parts.items():
            place = self._variables.heap.objects[at]
            values[at, key] = part.start if ends is None else place.read()[key]
        for at, growth in self._lists.growing.items():
            is_stacked = growth is None and isinstance(values[at], Appender)
            values[at] = values[at].items if is_stacked else ()
        return [
            (_CarriedContainer(key, path), part)
            for key, carried_value in self._variables.all_carried_values.items()
            if carried_value.structure is not None or key in self._lists.growing
            for path, part in self._copied_parts(key, carried_value, values[key]).items()
        ]

    def _copied_parts(self, key: Any, carried_value: CarriedValue, value: Any) -> dict[Path, Any]:
        # Items of a list that grows are copied in any case.
        return mutable_parts(
            value, None if key in self._lists.growing else carried_value.kept_in(value)
        )

    def record(self, copies: list[tuple[_CarriedContainer, Any]], pairs: list[AliasPair]) -> bool:
        """Note the aliases of an iteration; return whether there are new ones."""
        names = {id(place.owner): place.name for place in self._variables.heap.objects}
        paired = [each.owner for pair in self.outer for each in (pair.one, pair.other)]
        persisting = [*paired, *self._lists.rooms.values()]

        def same(value: Any) -> Named | None:
            is_same = self._variables.heap.holds(value) or any(value is each for each in persisting)
            return Named(names.get(id(value), ""), value) if is_same else None

        count = len(self.found)
        for alias in aliases_of(copies, pairs, same):
            if self._is_item(alias.one):
                alias = PossibleAlias(alias.other, alias.one)
            if not self._is_item(alias.one):
                alias = alias._replace(only_first=alias.only_first or self._is_item(alias.other))
                self.found.setdefault(alias.key(), alias)
        return len(self.found) > count

    def _is_item(self, end: object) -> bool:
        return isinstance(end, _CarriedContainer) and end.carried_value in self._lists.growing

    def put(self, values: Sequence[Any], contents: Mapping[int, Contents]) -> None:
        """Record the aliases of the containers that an iteration, or the loop, has made."""
        carried_values = self._variables.all_carried_values

        def made(end: Any) -> Named | None:
            if not isinstance(end, _CarriedContainer):
                return end
            key: Any = end.carried_value
            value = contents[key[0]][key[1]] if isinstance(key, tuple) else values[key]
            # An item of a list has no name; its list has.
            part = value if self._is_item(end) else mutable_parts(value).get(end.path)
            return None if part is None else Named(carried_values[key].name, part)

        STACKS.pairs = [pair.renewed() for pair in self.outer]
        if not self.found:
            return
        reach = ReadableContainers()
        paired = {id(each.owner) for pair in self.outer for each in (pair.one, pair.other)}

        def is_read(end: Any, named: Named | None) -> bool:
            if named is None:
                return False
            is_known = isinstance(end, _CarriedContainer) or id(named.value) in paired
            return reach.may_hold(named.value) if is_known else reach.holds(named.value)

        for one, other, only_first in self.found.values():
            ends = made(one), made(other)
            if is_read(one, ends[0]) and is_read(other, ends[1]):
                record_aliases([PossibleAlias(*ends, only_first)], self._variables.where)
