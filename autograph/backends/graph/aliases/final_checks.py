"""Checks, at the end of a trace, of containers that may be the same object.

A changed container may differ from its alias in the trace. That is correct if the call, at its end,
writes into both of them what Python would leave there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from autograph.backends.graph.aliases.alias_sets import (
    alias_error,
    is_reachable,
    is_reachable_beside,
)
from autograph.backends.graph.aliases.selected_items import changed_and_others, selection_error
from autograph.backends.graph.arrays.staged_array import tracking_arrays
from autograph.backends.graph.objects.attribute_reads import READS, AttributeReadTracker
from autograph.backends.graph.state.alias_state import (
    ALIAS_STATE,
    AliasMember,
    AliasState,
    is_unchanged,
    recorded_alias_sets,
)
from autograph.backends.graph.values.container_identity import current_identities
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.unknown_key_order import begin_recording, end_recording
from autograph.errors import ContainerMutationError


class recording_aliases:
    """Record possible aliases while a function is traced, and check them at the end.

    Args:
        look: called with each object whose attribute is read.

    Raises:
        ContainerMutationError: as `check_alias_sets`, at the end of the block.
    """

    def __init__(self, look: Callable[[object], object]) -> None:
        self._reads, self._arrays = AttributeReadTracker(look), tracking_arrays()

    def __enter__(self) -> None:
        self._token, self._orders = ALIAS_STATE.set(AliasState()), begin_recording()
        self._arrays.__enter__()
        self._reading = READS.set(self._reads)

    def __exit__(self, kind: object, *error: object) -> None:
        try:
            if kind is None:
                check_alias_sets()
        finally:
            self._reads.end()
            READS.reset(self._reading)
            ALIAS_STATE.reset(self._token)
            self._arrays.__exit__()
            end_recording(self._orders)


def check_alias_sets() -> None:
    """Check that the members of alias sets are unchanged, or that no code can tell them apart.

    Raises:
        ContainerMutationError: the trace has changed a member, and the program can still reach
            another one whose contents a call would leave wrong; or it has changed an item picked at
            a run-time index, and not the list.
    """
    copies = _copies_as_made()
    for alias_set in recorded_alias_sets():
        changed = [part for part in alias_set.members if not is_unchanged(part)]
        if changed and not alias_set.name:
            raise ContainerMutationError(
                "an item picked out of a list when the graph runs is changed, which would not "
                "change the list: copy it, change the copy and assign it back, as in "
                "item = list(items[i]); ...; items[i] = item",
                alias_set.place,
            )
        others = [each for each in alias_set.members if not _is_written_back(each, changed, copies)]
        if any(is_reachable_beside(o, part) for part in changed for o in others):
            raise alias_error(alias_set.name, alias_set.place, changed[0].value)
    aliases = ALIAS_STATE.get()
    for group, other in changed_and_others(aliases.selected if aliases is not None else ()):
        if is_reachable(other):
            raise selection_error(group.name, group.place)


def _copies_as_made() -> set[int]:
    """Return the identities of the unchanged copies of numbered containers, and of their copies."""
    aliases, numbered = ALIAS_STATE.get(), current_identities()
    if aliases is None or numbered is None:
        return set()
    groups = [alias_set for alias_set in aliases.alias_sets if alias_set.name]
    changed = {
        id(p.value) for alias_set in groups for p in alias_set.members if not is_unchanged(p)
    }
    sources: dict[int, list[object]] = {}
    for alias_set in groups:
        for part in alias_set.members[1:]:
            sources.setdefault(id(part.value), []).append(alias_set.members[0].value)
    found, waiting = set[int](), [at for at in sources if at not in changed]
    while waiting:
        # A copy of a copy is one as soon as the first copy is.
        rest = [
            at
            for at in waiting
            if not all(numbered.is_original(each) or id(each) in found for each in sources[at])
        ]
        found.update(set(waiting).difference(rest))
        waiting = rest if len(rest) < len(waiting) else []
    return found


def _is_written_back(
    part: AliasMember, changed: Sequence[AliasMember], copies: Collection[int]
) -> bool:
    """Return whether a call writes the contents of the changed containers to this one at its end.

    It is from outside of the function, or a copy of a container from there.
    """
    numbered, reads = current_identities(), READS.get()
    if numbered is None or any(part is each for each in changed):
        return False
    if record_of(part.value) is not None and not (reads and reads.sees(type(part.value))):
        return False  # Its attributes may have been read without a report.
    if numbered.is_outer(part.value):
        return all(numbered.has_own_number(each.value) for each in changed)
    is_copy = id(part.value) in copies
    return is_copy and all(numbered.is_numbered(each.value) for each in (part, *changed))
