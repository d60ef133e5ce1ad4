"""Items read from a list at an index known only at run time, and written back when changed.

row = rows[i]              row is a copy in the trace
row.append(1)              the copy is changed
len(rows[j])               before rows is read, row is written back to where it was read
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import runtime as rt
from autograph.backends.graph.aliases.invalidation import (
    has_items_of,
    record_shared,
    record_write_back,
    sharing,
)
from autograph.backends.graph.aliases.proxies import (
    Proxy,
    ids_of,
    is_beginning,
    record_proxy,
)
from autograph.backends.graph.objects.object_contents import contents_of, put_contents
from autograph.backends.graph.source.source_location import SourceLocation, user_location
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    PoppedItem,
    alias_state,
    as_member,
    mutable_parts_by_spec,
)
from autograph.backends.graph.state.speculation import refuse_at_run_time
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.truth import length_of
from autograph.backends.graph.values.value_spec import ValueSpec
from autograph.errors import ContainerMutationError
from autograph.operators.call_listeners import is_within
from runtime.core.context import current_recorder


class ElementSource(NamedTuple):
    """The list and the index that an item was read from.

    Attributes:
        owner: the list or dict.
        key: the index or key.
        put: assigns a value there.
        read: returns the value there, without a record of the read.
        then: the owner's items at the read, from whose end a negative index counts.
    """

    owner: Any
    key: Any
    put: Callable[[object], None]
    read: Callable[[], object]
    then: list[Any] | None = None


def are_same_items(one: Sequence[object], other: Sequence[object]) -> bool:
    """Return whether two lists contain the very same items."""
    return len(one) == len(other) and all(map(operator.is_, one, other))


class ElementRef(Proxy):
    """An item read from a list or dict by an index.

    Args:
        place: the place it was read from.
        value: the item.
        parts: its mutable parts, with their contents at the read.

    Attributes:
        reads: the number of `loop_reads` before it: a change of the item may follow at once.
    """

    HOLDS_FOR_TRACE = True

    __slots__ = ("place", "owner", "reads")

    def __init__(self, place: ElementSource, value: object, parts: Sequence[AliasMember]) -> None:
        super().__init__(value, parts, (place.owner,))
        self.place, self.owner = place, place.owner
        aliases = alias_state()
        self.reads = 0 if aliases is None else len(aliases.loop_reads)

    def accepts(self, now: tuple[object, ...], then: tuple[object, ...]) -> bool:
        """Return whether the item is still in its place; items may have been appended."""
        return is_beginning(then, now)

    def write_back(self) -> None:
        """Write the changed item back to its list, and read the list's other element refs again."""
        aliases = alias_state()
        assert aliases is not None, "an element ref is made only in a trace"
        before, parts, others = (
            list(rt.nest.children(self.owner) or ()),
            self.parts,
            self._others(aliases.proxies),
        )
        for other in others:
            if other.is_changed():
                self._check_apart(other)
        self.parts, count, as_long = [], len(aliases.copied), self._as_long([self, *others])
        self.place.put(self.value)
        for then in as_long:
            then[:] = self.owner
        # `put` has just copied this item into the list: `record_write_back` must not take that for
        # another copy of it.
        own = {*ids_of(parts)}
        for copied in aliases.copied[count:]:
            copied.members = [part for part in copied.members if id(part.value) not in own]
        values = [other.value for other in others]
        record_write_back(self.owner, self.value, before, values, reads=self.reads)
        self.parts = parts
        self.mark_written_back(current_recorder())
        for other in others:
            if not other.is_changed():
                other.read_again()
            other.record_owner_contents(current_recorder())

    def _as_long(self, picks: Sequence[ElementRef]) -> list[list[Any]]:
        """Return the `then` of picks that still equals the items of the list, for an update."""
        here = (each.place.then for each in picks if each.graph is current_recorder())
        return [then for then in here if then is not None and are_same_items(then, self.owner)]

    def may_be_in(self, read_object: object) -> bool:
        """Return whether an object that is read may hold the item."""
        return has_items_of(read_object, self.owner)

    def refresh(self) -> None:
        """Record the current contents of items that were written back."""
        refresh(self.parts)

    def _others(self, picks: Sequence[Proxy]) -> list[ElementRef]:
        """Return the other element refs of the list that can be read again after a write-back."""
        return [
            each
            for each in picks
            if isinstance(each, ElementRef)
            and each.owner is self.owner
            and each is not self
            and each.graph is current_recorder()
            and len(each.parts) == 1
            and each.is_in_place()
        ]

    def _check_apart(self, other: ElementRef) -> None:
        """Record a check that two changed items are not the same item."""
        refuse_at_run_time(
            rt.not_equal(*(_from_start(each.place) for each in (self, other))),
            ContainerMutationError,
            "one item of a list is changed under two names, which were picked out of it before: "
            "pick the second one after the first has been changed",
        )

    def read_again(self) -> None:
        """Update the item from the place where it was picked."""
        (part,) = self.parts
        put_contents(part.value, contents_of(self.place.read()) or {})
        self.parts = [as_member(part.value)]
        refresh(self.parts)


class PoppedRef(ElementRef):
    """An item popped from a list, which other lists and names may still reference."""

    __slots__ = ("picked_at",)

    def __init__(
        self,
        place: ElementSource,
        value: object,
        parts: Sequence[AliasMember],
        picked_at: SourceLocation | None,
    ) -> None:
        super().__init__(place, value, parts)
        self.picked_at = picked_at

    def write_back(self) -> None:
        """Mark other copies of the item as stale: it is in no list to be written back to."""
        record_write_back(
            self.owner, self.value, self.owner, picked_at=self.picked_at, reads=self.reads
        )
        self.mark_written_back(current_recorder())


def record_popped(owner: list[Any], items: DynamicItems, value: object, rest: rt.Tensor) -> None:
    """Record that a value was popped from the dynamic items of a list, which leaves a handle."""
    aliases = alias_state()
    parts = [as_member(each) for each in mutable_parts_by_spec(items.element, value)]
    if aliases is None or not parts:
        return
    before: list[Any] = [items]
    for each in [owner, *sharing(aliases, owner)]:
        if each is not owner:
            record_shared(before, each)
        picked = [t for t in aliases.alias_sets if t.owner is each and not t.name]
        aliases.alias_sets += [
            replace(alias_set, members=list(alias_set.members), owner=before)
            for alias_set in picked
        ]
        aliases.duplicates += [
            replace(d, owner=before) for d in aliases.duplicates if d.owner is each
        ]
    place = ElementSource(before, None, lambda value: None, lambda: None)
    picked_at = user_location()

    def note(value: object, parts: Sequence[AliasMember]) -> None:
        aliases.popped.extend(PoppedItem(p.value, before, owner, rest, inherit) for p in parts)
        record_proxy(PoppedRef(place, value, parts, picked_at))

    def inherit(made: object) -> None:
        note(made, [as_member(made)])

    note(value, parts)


def record_element_ref(place: ElementSource, spec: ValueSpec, value: object) -> None:
    """Record that a value of a spec was picked from a list or dict."""
    aliases = alias_state()
    parts = [as_member(each) for each in mutable_parts_by_spec(spec, value)]
    if aliases is None or not parts:
        return
    record_proxy(ElementRef(place, value, parts))


def is_written_back(owner: object, value: object) -> bool:
    """Return whether the current contents of a picked item have been written back."""
    aliases, recorder = alias_state(), current_recorder()
    picks = (
        (each for each in aliases.proxies if isinstance(each, ElementRef))
        if aliases is not None
        else ()
    )
    return any(
        pick.value is value
        and pick.owner is owner
        and is_within(recorder, pick.graph)
        and pick.is_in_place()
        and not pick.is_changed()
        for pick in picks
    )


def refresh(parts: Sequence[AliasMember]) -> None:
    """Record the current contents of items that were written back."""
    aliases = alias_state()
    ids = set(ids_of(parts))
    for alias_set in aliases.alias_sets if aliases is not None else ():
        if not alias_set.name and id(alias_set.members[0].value) in ids:
            alias_set.members = [as_member(alias_set.members[0].value)]


def _from_start(place: ElementSource) -> Any:
    """Return an index counted from the start of a list; any other key itself."""
    if not isinstance(place.owner, list):
        return place.key
    from_end = rt.add(place.key, length_of(place.owner))
    return rt.where(rt.less(place.key, 0), from_end, place.key)
