"""The slots that a statement may write: variables it names, and places it is seen to change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.backends.graph.objects.object_contents import (
    entry_of,
    is_list,
    items_in,
    put_entry,
    put_items,
)
from autograph.backends.graph.source.staging_log import log_places
from autograph.backends.graph.state.iterator_invalidation import refuse_changed_while_iterated
from autograph.backends.graph.values.container_snapshot import (
    ItemsValue,
    with_contents,
    without_contents,
)
from autograph.backends.graph.values.dynamic_items import DynamicItems, is_staged
from autograph.backends.undefined import StoredElsewhere, Undefined
from autograph.operators.state import State

NO_ALIASES: Mapping[str, str] = {}
# The key of an entry for all items of a list.
WHOLE = object()


@dataclass(slots=True, eq=False, repr=False)
class StateEntry:
    """One place inside a list, dict or object: `l[0]`, `d['k']`, `o.x`, or all items of a list."""

    HOLDS_FOR_TRACE = True

    name: str
    owner: Any
    key: object

    @property
    def is_whole(self) -> bool:
        """Return whether this stands for all items of a list."""
        return self.key is WHOLE

    def read(self) -> object:
        """Return the current value."""
        if self.is_whole:
            return ItemsValue(items_in(self.owner))
        return entry_of(self.owner, self.key)

    def write(self, value: object) -> None:
        """Put `value` there."""
        if self.is_whole:
            put_items(self.owner, value)  # type: ignore[arg-type]
        else:
            put_entry(self.owner, self.key, value)


class InitialSlots(list[object]):
    """The values of a statement's slots at the start of one of its bodies."""


class StateSlots:
    """The slots of a statement: named variables, then entries of containers.

    A list, dict or object in a variable is written and restored by identity; its contents are
    entries.

    Args:
        state: the variables the statement names.
        count: the number of variables in use after the statement; the rest only need restoring.
        entries: places that the body was seen to change.
        aliases: other names of watched objects, with their main names.
    """

    HOLDS_FOR_TRACE = True

    # Before Python 3.11, a `__dict__` would be the referrer of the values, not this object.
    __slots__ = ("_count", "_entries", "_initial", "_state", "_aliases", "initial", "names")

    def __init__(
        self,
        state: State,
        count: int,
        entries: Sequence[StateEntry] = (),
        aliases: Mapping[str, str] = NO_ALIASES,
    ) -> None:
        self._aliases = aliases
        self._state = state
        self._count = count
        self._entries = tuple(entries)
        self.names = (*state.names[:count], *(e.name for e in entries))
        led = {*self._names_through(entries), *self._names_through_names()}
        # A place `o.d.n` inside of the entry `o.d` is no slot: the object in `o.d` is watched.
        self._initial = tuple(
            StoredElsewhere((), ()) if name in led else value
            for name, value in zip(state.names, state.get())
        )
        before = (*self._initial[:count], *(e.read() for e in entries))
        self.initial = tuple([with_contents(value) for value in before])

    def with_aliases(self, aliases: Mapping[str, str]) -> StateSlots:
        """Return these slots with other names of the objects that they are in."""
        if not any("." in name for name in self._state.names):
            return self  # only a place inside of an object has other names
        return StateSlots(self._state, self._count, self._entries, aliases)

    @property
    def elsewhere(self) -> dict[str, StoredElsewhere]:
        """The names without storage: their assignment runs the user's code."""
        pairs = zip(self.names, self._initial)
        return {name: value for name, value in pairs if isinstance(value, StoredElsewhere)}

    @property
    def roots(self) -> list[tuple[str, object]]:
        """The named variables that have values, with their values."""
        pairs = zip(self._state.names, self._initial)
        return [(n, v) for n, v in pairs if not isinstance(v, (Undefined, StoredElsewhere))]

    def new(self, entries: Iterable[StateEntry]) -> list[StateEntry]:
        """Return the entries that are not slots yet."""
        named = set(self.names[: self._count]).difference(self.elsewhere)
        known = {(id(entry.owner), repr(entry.key)) for entry in self._entries}
        wholes = {id(entry.owner) for entry in self._entries if entry.is_whole}
        found = {(id(e.owner), repr(e.key)): e for e in entries if e.name not in named}
        return [e for at, e in found.items() if at not in known and id(e.owner) not in wholes]

    def pass_through(self, entries: Iterable[StateEntry]) -> bool:
        """Return whether the statement names a place inside of the value of an entry."""
        return bool(self._names_through(entries))

    def _names_through(self, entries: Iterable[StateEntry]) -> list[str]:
        # The name of an entry may begin with its module or function: `m.o.d` is `o.d` in the code.
        parts = [entry.name.split(".") for entry in entries if not entry.is_whole]
        ways = {".".join(each[at:]) for each in parts for at in range(len(each))}
        ends = tuple(way + sign for way in ways for sign in ".[")
        return [
            name
            for name in self.names[: self._count]
            if name.startswith(ends) or self._known(name).startswith(ends)
        ]

    def _names_through_names(self) -> list[str]:
        """Return the named places that are, under another name, inside of another named place."""
        names = [name for name in self.names[: self._count] if "." in name]
        ways = {name: f"{self._known(name)}." for name in names} if self._aliases else {}
        return [
            name
            for name in ways
            if any(
                ways[name].startswith(way) and not name.startswith(f"{other}.") and other != name
                for other, way in ways.items()
            )
        ]

    def _known(self, name: str) -> str:
        """Return the name of a place with the main name of the object that it is in."""
        steps = name.split(".")
        for end in range(len(steps) - 1, 0, -1):
            way = ".".join(steps[:end])
            if (known := self._aliases.get(way, way)) != way:
                return ".".join([known, *steps[end:]])
        return name

    def with_entries(self, entries: Sequence[StateEntry]) -> StateSlots:
        """Return these slots and more entries, read again; a whole list includes its items."""
        if not entries:
            return self
        together = (*self._entries, *entries)
        wholes = {id(entry.owner) for entry in together if entry.is_whole}
        chosen = [e for e in together if e.is_whole or id(e.owner) not in wholes]
        return StateSlots(self._state, self._count, chosen, self._aliases)

    def whole_entries(self) -> list[StateEntry]:
        """Return entries for whole lists, of which single items are slots and are now dynamic."""
        staged = self._staged_owners()
        ones = [entry for entry in self._entries if id(entry.owner) in staged]
        return [StateEntry(f"{e.name.rpartition('[')[0]}[:]", e.owner, WHOLE) for e in ones]

    def _staged_owners(self) -> set[int]:
        """Return the identities of the staged lists of which single items are slots."""
        owners = {id(entry.owner): entry.owner for entry in self._entries if not entry.is_whole}
        return {at for at, owner in owners.items() if is_list(owner) and is_staged(owner)}

    @property
    def initial_variables(self) -> tuple[object, ...]:
        """The values of all variables before the statement."""
        return self._initial

    @property
    def entries(self) -> tuple[StateEntry, ...]:
        """The places that were seen to change."""
        return self._entries

    def are_outside(self, is_outer: Callable[[object], bool]) -> list[bool]:
        """Return for each slot whether it is an attribute, or in a container from outside."""
        named = ["." in name for name in self.names[: self._count]]
        return named + ["." in each.name or is_outer(each.owner) for each in self._entries]

    def write(self, values: Sequence[object], skipped: Collection[int] = ()) -> None:
        """Put `values`, one per slot; variables without a slot get their first value back.

        Args:
            values: the new values.
            skipped: the identities of lists whose single items are not written.
        """
        values = [without_contents(value) for value in values]
        for entry, value in zip(self._entries, values[self._count :]):
            if id(entry.owner) not in skipped or entry.is_whole:
                entry.write(value)
        self._state.set((*values[: self._count], *self._initial[self._count :]))

    def read(self, old: Collection[int] = ()) -> tuple[object, ...]:
        """Return the current values, one per slot; containers are stored with their contents.

        Args:
            old: the identities of containers from before the statement.
        """
        named = map(_as_before, self._initial, self._state.get()[: self._count])
        now = (*named, *(entry.read() for entry in self._entries))
        return tuple([with_contents(value, old) for value in now])

    def write_results(self, values: Sequence[object]) -> None:
        """Put the final values of the statement, one per slot.

        Raises:
            ContainerMutationError: Python is iterating over a list whose items only the graph knows
                from now on.
        """
        pairs = list(zip(self._entries, self.initial[self._count :], values[self._count :]))
        log_places([(entry.name, before, after) for entry, before, after in pairs])
        for entry, before, after in pairs:
            if entry.is_whole and _becomes_staged(before, after):
                refuse_changed_while_iterated(entry.owner, entry.name.removesuffix("[:]"))
        self.write(values)

    def restore(self) -> None:
        """Restore the values from before the statement, except single items of staged lists."""
        self.write(self.initial, self._staged_owners())


def _as_before(before: object, now: object) -> object:
    """Return the value `now`; the placeholder from before, if both mean that there is no value."""
    if isinstance(before, StoredElsewhere):
        return before  # not a place of this statement: assignments to it are watched
    if type(now) is type(before) is Undefined:
        return before
    return now


def _becomes_staged(before: object, after: object) -> bool:
    now = any(type(item) is DynamicItems for item in after)  # type: ignore[attr-defined]
    return now and all(type(item) is not DynamicItems for item in before)  # type: ignore[attr-defined]
