"""Reads in an iteration of a loop that come before a change under another name.

while n > 0:
    total += len(row)      row is an item of rows: from the second iteration on Python counts what
    rows[i].append(1)      the turn before has appended, which the graph's row is without: refused
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from autograph.backends.backend_registry import kinds_looked_into
from autograph.backends.graph.aliases.item_containers import parts_of
from autograph.backends.graph.aliases.lost_updates import IterationStart
from autograph.backends.graph.aliases.write_back import outdated, touch
from autograph.backends.graph.program.attribute_reads import READS
from autograph.backends.graph.program.source_location import user_location
from autograph.backends.graph.state.alias_state import Count, alias_state, is_as_then
from autograph.errors import ContainerMutationError


def kinds_looked_at() -> int:
    """Return of how many kinds of objects every use is looked at by now."""
    reads = READS.get()
    return kinds_looked_into() + (0 if reads is None else reads.count())


def stale_in_next_turn(
    start: IterationStart, ends: Mapping[str, object], old: Collection[int], before: Count
) -> ContainerMutationError | None:
    """Return the error for what the next turn would look at that is not what Python shows then.

    It is asked at the end of the body, while everything holds what the body has left.

    Args:
        start: what the variables were when the body began.
        ends: what the body has left in them.
        old: the identities of what was there before the loop.
        before: what was noted before the body was traced.
    """
    seen = _seen_since(before)
    again = [value for key, value in seen.items() if key in old]
    for name, made, _, _ in start.stand_ins:
        if id(made.value) in seen:
            left = [part.value for part in parts_of(ends[name])]
            is_there = any(each is made.value for each in left)
            again += [made.value] if is_there else left
    return _refused(again) or _changed_while_iterated(before)


def _changed_while_iterated(before: Count) -> ContainerMutationError | None:
    """Return the error for an item that a turn changes by another name in the list it goes over.

    The graph iterates over a run that holds what the item held before the loop.
    """
    known = alias_state()
    lists = [] if known is None else known.iterated[before[12] :]
    if known is not None:
        del known.iterated[before[12] :]  # Loops around go over other lists.
    for items, parts in lists:
        for part in parts:
            if not is_as_then(part):
                return outdated(user_location(), part.value, items)
    return None


def refuse_seen_stale(old: Collection[int], before: Count) -> None:
    """Look, after a loop, whether it has changed what its body looks at under another name.

    Args:
        old: the identities of what was there before the loop.
        before: what was noted before its body was traced.

    Raises:
        ContainerMutationError: it has.
    """
    error = _refused([value for key, value in _seen_since(before).items() if key in old])
    if error is not None:
        raise error


def _seen_since(before: Count) -> dict[int, object]:
    known = alias_state()
    return {} if known is None else {id(each): each for each in known.looks[before[8] :]}


def _refused(values: list[object]) -> ContainerMutationError | None:
    try:
        for value in values:
            touch(value)
    except ContainerMutationError as error:
        return error
    return None
