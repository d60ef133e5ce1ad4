"""Items that a tensor selects from several containers: each is a new container in the trace.

    best = max(rows, key=len_of)    best is a row of its own in the trace, one of rows in Python
    best.append(1)
    len(rows[0])                    Python counts one more if best is rows[0]: refused here

Unlike the members of an alias set, several items selected from one list are different objects: only
a selected item and its sources may be the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from autograph.backends.graph.source.source_location import SourceLocation, user_location
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    AliasSet,
    AliasSnapshot,
    alias_state,
    as_member,
    invalidated_at,
    is_unchanged,
)
from autograph.backends.graph.values.join_errors import VALUE
from autograph.errors import ContainerMutationError


def record_selected(
    name: str, made: Sequence[AliasMember], sources: Sequence[AliasMember]
) -> AliasSet | None:
    """Record that selected containers may be the containers in some items.

    Args:
        name: the function that selects, such as `max()`.
        made: the selected containers.
        sources: the containers in the items.
    """
    aliases = alias_state()
    if aliases is None or not made or not sources:
        return None
    group = AliasSet(name, user_location(), list(made), list(sources))
    aliases.selected.append(group)
    if len({id(part.value) for part in sources}) < len(sources) and len(made) > 1:
        aliases.alias_sets.append(AliasSet(f"{VALUE}{name}", user_location(), list(made)))
    return group


def inherit_records(made: object, original: object, before: AliasSnapshot | None = None) -> None:
    """Give a copy that a statement makes of a container the records of the container.

    They are its selections, its picked items, the lists that it was popped from, the lists with
    items in common, and its staleness.

    Args:
        made: the copy.
        original: the container.
        before: the snapshot of the alias state where a path left the container, if that was
            earlier.
    """
    aliases = alias_state()
    if aliases is None:
        return
    if any(original is each for pair in aliases.shared for each in pair):
        aliases.shared.append((original, made))
    if id(original) in (aliases.invalidated if before is None else invalidated_at(before)):
        _, place, holder = aliases.invalidated[id(original)]
        aliases.invalidated[id(made)] = (AliasMember(made, None), place, holder)
    for item in [each for each in aliases.popped if each.value is original]:
        item.inherit(made)
    # An item picked out of `original` is an item of `made`, too.
    picked = [
        alias_set
        for alias_set in aliases.alias_sets
        if not alias_set.name and alias_set.owner is original
    ]
    aliases.alias_sets += [replace(each, members=list(each.members), owner=made) for each in picked]
    for group in aliases.selected:
        for parts in (group.members, group.sources):
            if any(part.value is original for part in parts):
                parts.append(as_member(made))


def refuse_changed_selection(containers: Collection[int]) -> None:
    """Refuse containers, by identity, whose sources or selected copies were changed.

    Raises:
        ContainerMutationError: a source, or a selected copy, of one of them was changed.
    """
    aliases = alias_state()
    groups = aliases.selected if aliases is not None else []
    for group in groups:
        for part in (*group.members, *group.sources):
            if id(part.value) in containers:
                if not all(map(is_unchanged, _perhaps_the_same(part, groups))):
                    raise selection_error(group.name, group.place)


def may_be_selected(containers: Collection[int]) -> set[int]:
    """Return the identities of the containers that may be the same objects by a selection."""
    aliases = alias_state()
    groups = aliases.selected if aliases is not None else []
    own = {
        id(part.value): part
        for group in groups
        for part in (*group.members, *group.sources)
        if id(part.value) in containers
    }
    return {id(each.value) for part in own.values() for each in _perhaps_the_same(part, groups)}


def changed_and_others(groups: Sequence[AliasSet]) -> Iterator[tuple[AliasSet, AliasMember]]:
    """Yield the members that may be the same object as a changed one, each with its group."""
    for group in groups:
        for part in (*group.members, *group.sources):
            if not is_unchanged(part):
                yield from ((group, other) for other in _perhaps_the_same(part, groups))


def _perhaps_the_same(part: AliasMember, groups: Sequence[AliasSet]) -> list[AliasMember]:
    """Return the members that may be the same object: sources, and others selected from these.

    The items that one statement selects are different objects, and so are their sources.
    """
    found = {id(part.value): part}
    waiting: list[tuple[AliasMember, AliasSet | None]] = [(part, None)]
    while waiting:
        one, reached_by = waiting.pop()
        for group in groups:
            if group is reached_by:
                continue
            for own, others in ((group.members, group.sources), (group.sources, group.members)):
                if any(each.value is one.value for each in own):
                    new = [each for each in others if id(each.value) not in found]
                    found.update((id(each.value), each) for each in new)
                    waiting += [(each, group) for each in new]
    return [each for each in found.values() if each is not part]


def selection_error(name: str, place: SourceLocation | None) -> ContainerMutationError:
    """Return the error for a change of a selected item or of one of its sources."""
    return ContainerMutationError(
        f"{name} returns an item of its list, and one of the two is changed while the other is "
        "still read; a graph cannot show this change in both: select its index and change "
        "items[i], or make a copy, as in copy.copy(item)",
        place,
    )
