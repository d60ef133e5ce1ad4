"""Reads in an iteration of a loop that precede a change under another name.

while n > 0:
    total += len(row)      row is an item of rows: from the second iteration on, Python counts
    rows[i].append(1)      the item appended before, which the graph's row lacks: refused
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from autograph.backends.backend_registry import checked_type_count
from autograph.backends.graph.aliases.invalidation import has_items_of, is_one_list
from autograph.backends.graph.aliases.item_containers import mutable_parts
from autograph.backends.graph.aliases.lost_updates import IterationStart
from autograph.backends.graph.aliases.stale_reads import check_use, stale_error
from autograph.backends.graph.objects.attribute_reads import READS
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.alias_state import (
    AliasSnapshot,
    alias_state,
    is_among,
    is_unchanged,
)
from autograph.errors import ContainerMutationError


def watched_type_count() -> int:
    """Return the number of types whose uses are watched by now."""
    reads = READS.get()
    return checked_type_count() + (0 if reads is None else reads.count())


def stale_in_next_iteration(
    start: IterationStart, ends: Mapping[str, object], old: Collection[int], before: AliasSnapshot
) -> ContainerMutationError | None:
    """Return the error for an object of which the next iteration would read stale contents.

    It is called at the end of the body, while all objects have their final contents.

    Args:
        start: the variables when the body began.
        ends: the final values of the variables.
        old: the identities of objects from before the loop.
        before: the snapshot of the alias state before the body was traced.
    """
    seen = _seen_since(before)
    again = [value for key, value in seen.items() if key in old]
    for name, made, _, _ in start.stand_ins:
        if id(made.value) in seen:
            left = [part.value for part in mutable_parts(ends[name])]
            is_there = any(each is made.value for each in left)
            again += [made.value] if is_there else left
    return (
        _refused(again)
        or _changed_in_a_list(start, ends, before)
        or _changed_while_iterated(before)
    )


def _changed_in_a_list(
    start: IterationStart, ends: Mapping[str, object], before: AliasSnapshot
) -> ContainerMutationError | None:
    """Return the error for an object that an iteration puts in a list, and a later one changes.

    rows[-1].append(i)     the row is `row`, which the iteration before has put there
    total += len(row)      Python counts the item; the graph's row lacks it
    row = [i]
    rows.append(row)
    """
    aliases = alias_state()
    if aliases is None:
        return None
    for each in aliases.write_backs[before.write_backs :]:
        read = [id(value) for value in aliases.loop_reads[each.reads :]]
        for made in _held_by(each.owner, start, ends) if read else ():
            if id(made) in read:
                return stale_error(each.place or user_location(), made, each.owner)
    return None


def _held_by(owner: object, start: IterationStart, ends: Mapping[str, object]) -> Iterator[object]:
    """Yield the objects at the start of an iteration that an earlier one may have put in a list."""
    aliases = alias_state()
    if aliases is None:
        return
    left = {
        name: [part.value for part in mutable_parts(ends[name])] for name, *_ in start.stand_ins
    }
    lists = [each for parts in left.values() for each in parts if isinstance(each, list)]
    owners = [owner, *(each for each in lists if is_one_list(aliases, owner, each))]
    held: dict[int, object] = {}
    count = -1
    while count < len(held):  # A variable may have had the object in an iteration before.
        count = len(held)
        for name, made, _, _ in start.stand_ins:
            if any(is_among(each, owners) for each in left[name]):
                continue
            if any(
                id(each) in held or any(has_items_of(each, one) for one in owners)
                for each in left[name]
            ):
                held[id(made.value)] = made.value
    yield from held.values()


def _changed_while_iterated(before: AliasSnapshot) -> ContainerMutationError | None:
    """Return the error for an item of the iterated list that an iteration changes elsewhere.

    The graph iterates over a list handle, which has the contents of the item from before the loop.
    The records of this loop's items end here: enclosing loops iterate over other lists.
    """
    aliases = alias_state()
    lists = [] if aliases is None else aliases.iterated_items[before.iterated_items :]
    if aliases is not None:
        del aliases.iterated_items[before.iterated_items :]
    for items, parts in lists:
        for part in parts:
            if not is_unchanged(part):
                return stale_error(user_location(), part.value, items)
    return None


def refuse_stale_loop_reads(old: Collection[int], before: AliasSnapshot) -> None:
    """Refuse a loop whose body has read an object that it then changes under another name.

    Args:
        old: the identities of objects from before the loop.
        before: the snapshot of the alias state before the body was traced.

    Raises:
        ContainerMutationError: the body has read such an object.
    """
    error = _refused([value for key, value in _seen_since(before).items() if key in old])
    if error is not None:
        raise error


def _seen_since(before: AliasSnapshot) -> dict[int, object]:
    aliases = alias_state()
    return (
        {}
        if aliases is None
        else {id(each): each for each in aliases.loop_reads[before.loop_reads :]}
    )


def _refused(values: list[object]) -> ContainerMutationError | None:
    try:
        for value in values:
            check_use(value)
    except ContainerMutationError as error:
        return error
    return None
