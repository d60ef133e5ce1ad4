"""Copies of containers in staged lists, stale since the container has changed elsewhere.

kept = [row for row in rows if row[0] > n]    kept has copies of rows in the trace
rows[0].append(1)                             or rows[n].append(1)
kept[0]                                       lacks the item that Python shows: refused
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import possible_aliases
from autograph.backends.graph.aliases.item_containers import holds_containers
from autograph.backends.graph.aliases.list_provenance import (
    are_made_apart,
    flat_sources,
    has_items_of,
    item_sources,
    may_lack_change,
    path_test,
)
from autograph.backends.graph.objects.object_lifetimes import is_open
from autograph.backends.graph.source.source_location import SourceLocation
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    AliasSet,
    AliasState,
    is_unchanged,
    is_unchanged_on,
)
from autograph.backends.graph.values.dynamic_items import DynamicItems


class StaleCopy(NamedTuple):
    """A changed container of which a staged list has a copy.

    Attributes:
        value: the container; None if unknown.
        place: the location where the changed item was picked, if its write-back made the copy
            stale; else the location where the container was copied into the list.
    """

    value: object
    place: SourceLocation | None


def stale_copy(
    aliases: AliasState, value: object, is_found: Callable[[object], bool] = lambda value: False
) -> StaleCopy | None:
    """Return the stale copy in a list, or in the list that a value was picked from.

    Args:
        aliases: the alias state of the trace.
        value: the list or value.
        is_found: returns whether to leave a container out, since another check covers it.
    """
    before = (each.before for each in aliases.popped if each.value is value)
    handles = [
        handle
        for owner in (value, *_owners(aliases, value), *before)
        for handle in _handles_of(owner)
    ]
    found = (_stale_in(aliases, handle, is_found) for handle in handles)
    stale = next((each for each in found if each is not None), None)
    return stale or next(_lacking_changes(aliases, value), None)


def _lacking_changes(aliases: AliasState, value: object) -> Iterator[StaleCopy]:
    """Yield the changed items that a list got unchanged, from a list handle of before."""
    for handle in _handles_of(value):
        if item_sources(aliases, handle).isdisjoint(aliases.invalidated):
            continue
        for source in flat_sources(handle):
            changed = aliases.updated_handles.get(id(source), ())
            if any(may_lack_change(handle, source, handles) for handles in changed):
                yield StaleCopy(None, aliases.invalidated[id(source)][1])


def _stale_in(
    aliases: AliasState, handle: rt.Tensor, is_found: Callable[[object], bool]
) -> StaleCopy | None:
    for copied in aliases.copied:
        for part in (*copied.members, *copied.sources):
            if (
                not is_found(part.value)
                and _is_changed(aliases, part, handle, copied)
                and has_items_of(aliases, handle, copied.handle)
                and (
                    _is_one(aliases, part.value, copied) or _is_beside(aliases, part.value, copied)
                )
                and _is_left_out(aliases, part, copied.handle, handle)
            ):
                _, place, _ = aliases.invalidated.get(id(part.value), (part, copied.place, None))
                return StaleCopy(part.value, place)
    return None


def _is_one(aliases: AliasState, value: object, copied: AliasSet) -> bool:
    """Return whether a container is the object that was copied into a list handle.

    A container that a loop's body creates stands for another object in each iteration, and all of
    them are copied. After the loop it is one of these objects only if it has an alias or was picked
    from a list: it is the object of the last iteration.
    """
    is_named = any(part.value is not value for _, part in possible_aliases(aliases, value))
    is_here = copied.iteration is None or is_open(copied.iteration)
    return is_here or is_named or bool(_owners(aliases, value))


def _is_beside(aliases: AliasState, value: object, copied: AliasSet) -> bool:
    """Return whether a container was copied into two list handles on one path."""
    others = (each for each in aliases.copied if any(p.value is value for p in each.members))
    return any(o is not copied and not are_made_apart(o.handle, copied.handle) for o in others)


def _is_changed(
    aliases: AliasState, part: AliasMember, handle: rt.Tensor, copied: AliasSet
) -> bool:
    """Return whether a container was changed, other than by the node that made `handle`."""
    updated = aliases.updated_handles.get(id(part.value))
    if id(part.value) in aliases.invalidated and updated:
        return not all(any(each is handle for each in handles) for handles in updated)
    put = copied.handle
    # Aliases of paths that insert nothing in the handle do not count.
    others = [other for _, other in possible_aliases(aliases, part.value, path_test(put))]
    picks = (t for t in aliases.alias_sets if not t.name and t.members[0].value is part.value)
    others += (source for alias_set in picks for source in alias_set.sources)
    if not isinstance(put, rt.SymbolicTensor):
        return not all(map(is_unchanged, (part, *others)))
    return not all(is_unchanged_on(each, put.graph) for each in (part, *others))


def _is_left_out(
    aliases: AliasState, part: AliasMember, copied: rt.Tensor | None, handle: rt.Tensor
) -> bool:
    """Return whether, on some path, a list handle gets the copy from no handle with the change."""
    updated = aliases.updated_handles.get(id(part.value))
    if not updated or copied is None:
        return True
    return any(may_lack_change(handle, copied, handles) for handles in updated)


def _owners(aliases: AliasState, value: object) -> list[object]:
    """Return the lists that a value was picked from, at run-time indices."""
    picks = (
        alias_set
        for alias_set in aliases.alias_sets
        if not alias_set.name and alias_set.owner is not None
    )
    return [alias_set.owner for alias_set in picks if alias_set.members[0].value is value]


def _handles_of(owner: object) -> Iterator[rt.Tensor]:
    if isinstance(owner, list):
        dynamic = (item for item in owner if type(item) is DynamicItems)
        yield from (items.handle for items in dynamic if holds_containers(items))
