"""Lists and variables that are stale once an item of a list has changed.

rows[i].append(1)          the row is written back to the graph's rows
first                      a row picked earlier, which may be the same one: stale
others                     made by rows[:] earlier, has a copy of the row: stale
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import origin_ids, possible_aliases
from autograph.backends.graph.aliases.duplicate_items import (
    duplicate_error,
    is_distinct_per_iteration,
    refuse_duplicates,
    was_replaced,
)
from autograph.backends.graph.aliases.item_containers import holds_containers, mutable_parts
from autograph.backends.graph.aliases.list_provenance import (
    are_made_apart,
    flat_sources,
    item_sources,
    may_hold_items_of,
)
from autograph.backends.graph.source.source_location import SourceLocation, user_location
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    AliasSnapshot,
    AliasState,
    WriteBack,
    alias_state,
    invalidated_at,
    is_among,
)
from autograph.backends.graph.values.container_snapshot import with_contents
from autograph.backends.graph.values.dynamic_items import DynamicItems
from runtime.core.lazy_imports import lazy_import
from runtime.graph.graph import Graph

has_joined_twice = lazy_import("autograph.backends.graph.aliases.joined_lists:has_joined_twice")
may_be_picked_twice = lazy_import(
    "autograph.backends.graph.aliases.repeated_insertion:may_be_picked_twice"
)
may_be_put_again = lazy_import(
    "autograph.backends.graph.aliases.repeated_insertion:may_be_put_again"
)

# Pairs of a container and the container that it was made of.
Pairs = Sequence[tuple[object, object]]


def record_shared(first: object, second: object) -> None:
    """Record that items of one list are items of another, too."""
    aliases = alias_state()
    if aliases is not None and any(map(holds_containers, rt.nest.children(first) or ())):
        aliases.shared.append((first, second))


def record_extended(owner: list[Any], by: object) -> None:
    """Record that a list was extended by the items of another, or by its own."""
    aliases = alias_state()
    if aliases is not None and any(map(holds_containers, owner)):
        record_shared(by, owner)


def sharing(aliases: AliasState, owner: object, also: Pairs = ()) -> list[object]:
    """Return the other lists that are known to have items in common with a list.

    A list created for the body of a loop has the items of the list from before the loop.

    Args:
        aliases: the alias state of the trace.
        owner: the list.
        also: lists, each with a list that it was made of in an earlier iteration.
    """
    found, waiting = [owner], [owner]
    pairs = [
        *aliases.shared,
        *((each.made.value, each.first.value) for each in aliases.body_containers),
    ]
    while waiting:
        one = waiting.pop()
        for pair in pairs:
            if any(each is one for each in pair):
                new = [e for e in pair if not any(e is f for f in found)]
                found += new
                waiting += new
        earlier = [e for now, e in also if now is one and not is_among(e, found)]
        found += earlier
        waiting += earlier
    return found[1:]


def record_write_back(
    owner: object,
    value: object,
    before: Sequence[object],
    others: Sequence[object] = (),
    picked_at: SourceLocation | None = None,
    reads: int | None = None,
) -> None:
    """Record the write-back of a changed item, and mark other copies of the item as stale.

    Args:
        owner: the list.
        value: the item.
        before: the list's items before the write-back.
        others: other items picked from the list, which are read again afterwards.
        picked_at: the location where the item was picked, if it is not recorded.
        reads: the number of `loop_reads` when the item was picked; now if it is None.

    Raises:
        ContainerMutationError: one object may be an item of the list twice.
    """
    aliases = alias_state()
    if aliases is None:
        return
    originals = _containers_in(before)
    noted_at = (t.place for t in aliases.alias_sets if t.members[0].value is value)
    picked_at = picked_at or next(noted_at, None)
    if len({id(each) for each in originals}) < len(originals) or _are_alike(aliases, originals):
        raise duplicate_error(picked_at or user_location())
    refuse_duplicates(owner, originals)
    inside = [part.value for part in mutable_parts(value) if part.value is not value]
    if any(is_among(each, originals) for each in inside):
        raise duplicate_error(picked_at)
    reads = len(aliases.loop_reads) if reads is None else reads
    aliases.write_backs.append(WriteBack(owner, picked_at, value, reads))
    own = {*map(id, originals), *(id(each) for each in (value, *others))}
    change = _Change.of(aliases, owner, own)
    if change.has_duplicate:
        raise duplicate_error(picked_at)
    change.record(aliases, originals, picked_at)
    for alias_set in aliases.alias_sets:
        if not alias_set.name and alias_set.members[0].value is value:
            alias_set.members = [AliasMember(value, with_contents(value))]


def has_items_of(read_object: object, owner: object) -> bool:
    """Return whether an object that is read is, or may contain, a container in a list."""
    aliases = alias_state()
    if aliases is None:
        return False
    mine = [*_containers_in(owner), *_copied_into(aliases, owner, set())[0]]
    ids = {id(read_object), *origin_ids(aliases, read_object)}
    ids.update(id(part.value) for _, part in possible_aliases(aliases, read_object))
    if any(id(each) in ids for each in (*mine, *sharing(aliases, owner))):
        return True
    if not isinstance(read_object, list):
        return False
    theirs = [*_containers_in(read_object), *_copied_into(aliases, read_object, set())[0]]
    return any(is_among(each, theirs) for each in mine)


def invalidate_after_loop(before: AliasSnapshot, body: Graph, left: Pairs, started: Pairs) -> None:
    """Mark the containers and lists that a loop made stale by writing changed items back to lists.

    This includes an item that one iteration inserts in another list and a later one may change.

    Args:
        before: the snapshot of the alias state before the body was traced.
        body: the graph of the body.
        left: the variables' containers after the loop, each with its container at the body's end.
        started: the same containers, each with the container from before the loop.

    Raises:
        ContainerMutationError: an iteration inserts an item again, and a later one changes it.
    """
    aliases = alias_state()
    if aliases is None:
        return
    rewritten = aliases.write_backs[before.write_backs :]
    put_since = aliases.copied[before.copied :]
    put = {id(part.value) for copied in put_since for part in copied.members}
    # The values of a variable at the start of the loop, and at the start of a later iteration.
    earlier = [(s, e) for r, s in started for result, e in left if r is result and s is not e]
    for owner, place, *_ in rewritten:
        picks = (t for t in aliases.alias_sets if t.owner is not None)
        picked = [t.members[0].value for t in picks if is_one_list(aliases, owner, t.owner)]
        if any(is_one_list(aliases, owner, each.owner) for each in aliases.duplicates):
            raise duplicate_error(place)
        inside = [part.value for each in picked for part in mutable_parts(each)]
        again = [each for each in put_since if any(is_among(p.value, inside) for p in each.members)]
        if any(may_hold_items_of(_handles_of(owner), [each.handle for each in again])):
            raise duplicate_error(place)
        changed = [each.item for each in rewritten if is_one_list(aliases, owner, each.owner)]
        own = {
            id(each)
            for each in picked
            if id(each) not in put or is_distinct_per_iteration(aliases, each, changed, body)
        }
        change = _Change.of(aliases, owner, own, is_after=True)
        if change.has_duplicate:
            raise duplicate_error(place)
        has_it = [made for made, end in left if is_one_list(aliases, owner, end)]
        lists = [*change.lists, *sharing(aliases, owner, earlier)]
        change.lists = [each for each in lists if not is_among(each, has_it)]
        change.record(aliases, (), place)
    # A later iteration reads after it.
    aliases.write_backs[before.write_backs :] = [
        each._replace(reads=before.loop_reads) for each in rewritten
    ]
    # If no iteration runs, a variable keeps its value, and nothing is stale.
    since = aliases.invalidated.keys() - invalidated_at(before)
    for made, start in started:
        if id(start) in since:
            aliases.stale_in_iterations.setdefault(id(made), (made, set()))[1].add(id(start))


@dataclass(eq=False, repr=False)
class _Change:
    """The other objects that contain, or may be, a changed item of a list.

    Attributes:
        owner: the list.
        own: the identities of the containers that have the change.
        copies: containers of which the list may have copies, and items picked from others.
        lists: other lists that may have the item.
        handles: the list handles that have the change.
        has_duplicate: whether the list may contain one object twice.
    """

    owner: object
    own: set[int]
    copies: list[object]
    lists: list[object]
    handles: list[rt.Tensor]
    has_duplicate: bool

    @classmethod
    def of(
        cls, aliases: AliasState, owner: object, own: set[int], is_after: bool = False
    ) -> _Change:
        """Return the change of a list, with all other objects that may hold items of it.

        Args:
            aliases: the alias state of the trace.
            owner: the list.
            own: the identities of the containers that have the change.
            is_after: whether a loop made the change, and has ended.
        """
        copies, holders = _copied_into(aliases, owner, own, frozenset() if is_after else own)
        picks = [t for t in aliases.alias_sets if t.owner is not None]
        has_duplicate = any(
            is_among(t.members[0].value, copies) and is_one_list(aliases, owner, t.owner)
            for t in picks
            if not was_replaced(aliases, t.members[0].value)
        )
        having = [each for one in (owner, *holders) for each in sharing(aliases, one)]
        # A list of a later iteration may have items of the one that an earlier iteration made.
        has_duplicate = has_duplicate or not is_after and _has_from_a_sharer(aliases, owner)
        copies += _picked_among(aliases, [*_containers_in(owner), *copies], own)
        handles = _handles_of(owner, *_popped_among(aliases, copies))
        has_duplicate = (
            has_duplicate or _is_put_twice(aliases, handles) or may_be_put_again(aliases, handles)
        )
        has_duplicate = has_duplicate or may_be_picked_twice(aliases, owner, handles)
        has_duplicate = has_duplicate or has_joined_twice(aliases, handles)
        return cls(owner, own, copies, [*having, *holders], handles, has_duplicate)

    def record(
        self, aliases: AliasState, before: Sequence[object], place: SourceLocation | None
    ) -> None:
        """Mark all other objects that hold, or may be, the item as stale.

        Args:
            aliases: the alias state of the trace.
            before: the list's items before.
            place: the location of the pick.
        """
        among = (self.owner, *self.lists)
        picks = [(t.members[0].value, t.owner) for t in aliases.alias_sets if t.owner is not None]
        picks += [(each.value, each.before) for each in aliases.popped]
        picked = [value for value, held_by in picks if is_among(held_by, among)]
        picked = [value for value in picked if id(value) not in self.own]
        gone = [*before, *self.copies, *picked]
        _invalidate(aliases, gone, place, holder=self.owner)
        for each in self.lists:
            _invalidate(aliases, [each], place, holder=each)
        aliases.updated_handles.update((id(each), [self.handles]) for each in (*gone, *self.lists))
        self._record_old_handles(aliases, place)

    def _record_old_handles(self, aliases: AliasState, place: SourceLocation | None) -> None:
        """Mark the list handles that have the item as it was before as stale.

        A list that a popped item has left lacks no change of it.
        """
        popped = [
            each
            for each in aliases.popped
            if each.before is self.owner or is_among(each.value, self.copies)
        ]
        changed: list[tuple[object, list[rt.Tensor]]] = [(p.before, [p.rest]) for p in popped]
        if not any(owner is self.owner for owner, _ in changed):
            changed.append((self.owner, _handles_of(self.owner)))
        since: dict[int, list[list[rt.Tensor]]] = {}
        for owner, handles in changed:
            made = {id(each) for each in handles}
            for source in (one for each in _handles_of(owner) for one in flat_sources(each)):
                if made.isdisjoint(map(id, flat_sources(source))):
                    since.setdefault(id(source), []).append(handles)
                    _invalidate(aliases, [source], place, holder=self.owner)
        aliases.updated_handles.update(since)


def _copied_into(
    aliases: AliasState, owner: object, but: Collection[int], own: Collection[int] = ()
) -> tuple[list[object], list[object]]:
    """Return the containers, except those in `but`, of which a list may have a copy.

    The second result is the list of lists that these containers, or those in `own`, were picked
    from.
    """
    copied = [
        each
        for each in aliases.copied
        if any(id(part.value) not in but for part in (*each.members, *each.sources))
    ]
    found, owners = dict[int, object](), [owner]
    for each in owners:
        are_inside = may_hold_items_of(_handles_of(each), [each.handle for each in copied])
        held_there = [each for each, is_inside in zip(copied, are_inside) if is_inside]
        parts = [part for each in held_there for part in (*each.members, *each.sources)]
        found.update((id(part.value), part.value) for part in parts)
        if each is not owner:
            found.update((id(inside), inside) for inside in _containers_in(each))
        # An item picked out of another list is an item of that list, too.
        inside = found.keys() | own
        picked = [
            t.owner for t in aliases.alias_sets if not t.name and id(t.members[0].value) in inside
        ]
        picked += (each.before for each in aliases.popped if id(each.value) in inside)
        owners += [each for each in picked if each is not None and not is_among(each, owners)]
    return [value for key, value in found.items() if key not in but], owners[1:]


def _picked_among(aliases: AliasState, values: Sequence[object], but: set[int]) -> list[object]:
    """Return the items picked from lists that may hold one of `values`, except those in `but`."""
    found, count = {id(each) for each in values}, -1
    picks = [
        t for t in aliases.alias_sets if t.owner is not None and id(t.members[0].value) not in but
    ]
    picked = dict[int, object]()
    while count < len(found):
        count = len(found)
        handles = {
            id(c.handle) for c in aliases.copied if any(id(p.value) in found for p in c.members)
        }
        for alias_set in picks:
            inside = (
                handle
                for handle in _handles_of(alias_set.owner)
                if handles & item_sources(aliases, handle)
            )
            is_there = any(id(each) in found for each in _containers_in(alias_set.owner))
            if is_there or next(inside, None) is not None:
                picked[id(alias_set.members[0].value)] = alias_set.members[0].value
        found.update(picked)
    return list(picked.values())


def _are_alike(aliases: AliasState, values: Sequence[object]) -> bool:
    """Return whether two of `values` may be one: picks from lists that share items, for example."""
    picks = [
        t
        for t in aliases.alias_sets
        if t.owner is not None and is_among(t.members[0].value, values)
    ]
    if any(is_among(source.value, values) for t in picks for source in t.sources):
        return True
    picked = {id(t.members[0].value): t.owner for t in picks}
    owners = list(picked.values())
    return any(
        is_among(other, (owner, *sharing(aliases, owner)))
        for at, owner in enumerate(owners)
        for other in owners[:at]
    )


def _is_put_twice(aliases: AliasState, handles: Sequence[rt.Tensor]) -> bool:
    """Return whether one path inserts a container twice in the sources of these list handles."""
    inside = [
        c
        for handle in handles
        for c in aliases.copied
        if id(c.handle) in item_sources(aliases, handle)
    ]
    inserted = [(part.value, copied.handle) for copied in inside for part in copied.members]
    return any(
        value is other and handle is not beside and not are_made_apart(handle, beside)
        for at, (value, handle) in enumerate(inserted)
        for other, beside in inserted[:at]
    )


def _has_from_a_sharer(aliases: AliasState, owner: object) -> bool:
    """Return whether a list has an item that was picked from a list with items in common."""
    mine = [*_put_in(aliases, owner)]
    inside = {id(value) for value, _ in mine}
    picks = [
        (t.members[0].value, t.owner, t.owner) for t in aliases.alias_sets if t.owner is not None
    ]
    picks += [(each.value, each.before, each.owner) for each in aliases.popped]
    # `owner` may be the contents that a list had before a `pop`; `own` is the list itself.
    own = next((each.owner for each in aliases.popped if each.before is owner), owner)
    return any(
        value is other and value is not picked and not are_made_apart(handle, beside)
        for picked, before, source in picks
        if id(picked) in inside and not is_one_list(aliases, own, source)
        for other, beside in _put_in(aliases, before)
        for value, handle in mine
    )


def _put_in(aliases: AliasState, owner: object) -> Iterator[tuple[object, rt.Tensor | None]]:
    """Yield the containers inserted in a list, each with the list handle that has its copy."""
    yield from ((each, None) for each in _containers_in(owner))
    made = [item_sources(aliases, handle) for handle in _handles_of(owner)]
    copied = (
        each for each in aliases.copied if any(id(each.handle) in handles for handles in made)
    )
    yield from ((part.value, each.handle) for each in copied for part in each.members)


def is_one_list(aliases: AliasState, one: object, other: object) -> bool:
    """Return whether two lists may be the same list, or were before a loop."""
    return not _lists_before(aliases, one).isdisjoint(_lists_before(aliases, other))


def _lists_before(aliases: AliasState, value: object) -> set[int]:
    found, count = origin_ids(aliases, value), 0
    while count < len(found):
        count = len(found)
        firsts = [
            each.first.value for each in aliases.body_containers if id(each.made.value) in found
        ]
        found.update(each for first in firsts for each in origin_ids(aliases, first))
    return found


def _containers_in(owner: object) -> list[object]:
    """Return the mutable containers in the known items of a list; dynamic items do not count."""
    return [part.value for item in rt.nest.children(owner) or () for part in mutable_parts(item)]


def _handles_of(*owners: object) -> list[rt.Tensor]:
    items = (item for owner in owners for item in rt.nest.children(owner) or ())
    return [item.handle for item in items if type(item) is DynamicItems]


def _popped_among(aliases: AliasState, values: Sequence[object]) -> list[list[object]]:
    """Return the items that lists had before one of `values` was popped from them."""
    return [each.before for each in aliases.popped if is_among(each.value, values)]


def _invalidate(
    aliases: AliasState,
    values: Iterable[object],
    place: SourceLocation | None = None,
    holder: object = None,
) -> None:
    place = place or user_location()
    aliases.invalidated.update(
        {id(each): (AliasMember(each, None), place, holder) for each in values if each is not None}
    )
