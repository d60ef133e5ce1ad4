"""Updates of one container in a staged loop that Python makes to another container.

for i in range(n):
    if i % 2 == 0:
        row = []            in the graph `row` is a third list after the `if`,
        rows.append(row)    neither the new one nor the one before
    row.append(i)           Python changes the one in `rows`: refused
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import (
    container_pairs,
    has_changes_of,
    held_containers,
    is_reachable,
    origin_ids,
    possible_aliases,
    watch_members,
)
from autograph.backends.graph.aliases.duplicate_items import record_repeated_insertion
from autograph.backends.graph.aliases.item_containers import mutable_parts
from autograph.backends.graph.aliases.list_provenance import path_test
from autograph.backends.graph.aliases.selected_items import changed_and_others
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    AliasSet,
    AliasSnapshot,
    AliasState,
    BodyContainer,
    alias_state,
    as_member,
    is_among,
    is_unchanged,
    present_value,
)
from autograph.backends.graph.values.container_snapshot import with_contents
from autograph.backends.graph.values.join_errors import VALUE
from autograph.operators.call_listeners import is_within
from runtime.graph.graph import Graph


@dataclass(slots=True, eq=False, repr=False)
class IterationStart:
    """The values of a loop's variables at the start of its body.

    Attributes:
        values: the value of each variable.
        snapshots: the same values, with the contents that they had then.
        stand_ins: the containers that were created for the body.
    """

    HOLDS_FOR_TRACE = True

    values: tuple[object, ...]
    snapshots: tuple[object, ...]
    stand_ins: list[BodyContainer]

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        initial: Sequence[object],
        values: tuple[object, ...],
        body: Graph,
    ) -> IterationStart:
        """Return the start of an iteration in which variables have `values` in a body."""
        stand_ins = [
            BodyContainer(name, as_member(made), as_member(original), body)
            for at, name in enumerate(names)
            for made, original in container_pairs(values[at], initial[at])
        ]
        aliases = alias_state()
        if aliases is not None:
            aliases.body_containers += stand_ins
            # The body may change the one and read the other: its reads are checked already in the
            # first trace.
            watch_members(part for each in stand_ins for part in (each.made, each.first))
        return cls(values, tuple(map(with_contents, values)), stand_ins)


def record_branch_insertions(result: object, source: object, path: Graph) -> None:
    """Record the list handle that contains a copy of the container a branch leaves in a variable.

    Args:
        result: the container of the variable after the branches.
        source: the value that the branch left in the variable.
        path: the graph of the branch.
    """
    aliases = alias_state()
    if aliases is None:
        return
    for made, original in container_pairs(result, source):
        copies = _handles_with(aliases, original, aliases.copied)
        earlier = (handle for value, handle in aliases.branch_insertions if value is original)
        handles = [
            handle for handle in (*copies, *earlier) if isinstance(handle, rt.SymbolicTensor)
        ]
        seen = [r for r in handles if is_within(r.graph, path) or is_within(path, r.graph)]
        aliases.branch_insertions += [(made, handle) for handle in seen[:1]]


def lost_in_iteration(
    start: IterationStart, ends: Mapping[str, object], before: AliasSnapshot
) -> str | None:
    """Return a variable through which a body changes a container that Python keeps elsewhere, too.

    It is called at the end of the body, while the variables have their final values. The result is
    another name for `alias_error` if no variable has the container. Lists that get an item again in
    each iteration are recorded as lists with duplicates.

    Args:
        start: the variables when the body began.
        ends: the final values of the variables.
        before: the snapshot of the alias state before the body was traced.
    """
    aliases = alias_state()
    if aliases is None:
        return None
    # In a function of its own: its variables would count as references to the containers.
    name = _inserted_and_changed(aliases, start, ends, before)
    if name is not None:
        return name
    originals = {id(made.value): original for _, made, original, _ in start.stand_ins}
    suspects: list[tuple[str, AliasMember]] = []
    for alias_set in aliases.alias_sets[before.alias_sets :]:
        changed = [part for part in alias_set.members if alias_set.name and not is_unchanged(part)]
        for other in [
            other for part in changed for other in alias_set.members if other is not part
        ]:
            # Another branch may have made a copy of the other member, which is the one in use.
            further = (part for _, part in possible_aliases(aliases, other.value))
            has_it = [part.value for part in changed]
            suspects += [
                (alias_set.name, p)
                for p in further
                if not is_among(p.value, has_it)
                and not all(has_changes_of(aliases, p.value, each.value) for each in changed)
            ]
            suspects.append((alias_set.name, other))
            if id(other.value) in originals:
                suspects.append((alias_set.name, originals[id(other.value)]))
    for name, made, original, _ in start.stand_ins:
        if not is_unchanged(made):
            suspects.append((name, original))
            suspects += [(name, part) for _, part in possible_aliases(aliases, original.value)]
        elif not is_unchanged(original):
            groups = [each.members for each in aliases.alias_sets[before.alias_sets :]]
            around = [group for group in groups if any(p.value is made.value for p in group)]
            suspects += [(name, part) for group in ([made], *around) for part in group]
    selected = aliases.selected[before.selected :]
    suspects += [(f"{VALUE}{group.name}", other) for group, other in changed_and_others(selected)]
    if any(not is_unchanged(made) for _, made, *_ in start.stand_ins):
        # The next iteration may change, under another name, the object that this one selects.
        suspects += [(f"{VALUE}{group.name}", each) for group in selected for each in _both(group)]
    copied = {id(part.value) for alias_set in aliases.copied for part in alias_set.members}
    for name, part in suspects:
        if id(part.value) in copied or is_reachable(part):
            return name
    return _duplicate_in_iteration(aliases, before)


def _inserted_and_changed(
    aliases: AliasState,
    start: IterationStart,
    ends: Mapping[str, object],
    before: AliasSnapshot,
) -> str | None:
    """Return a variable whose container is changed after a list has it.

    Lists that get an item again in each iteration are recorded as lists with duplicates.
    """
    put = {id(value) for value, _ in aliases.branch_insertions[before.branch_insertions :]}
    copies = aliases.copied[before.copied :]
    inside = (child for end in ends.values() for child in rt.nest.children(end) or ())
    items = [part.value for child in inside for part in mutable_parts(child)]
    later = _had_by_others(aliases, start, ends, items, copies)
    for (name, end), began, then in zip(ends.items(), start.values, start.snapshots):
        # The next iteration begins with a container that a list contains, and changes its stand-in.
        is_put = name in later or any(
            id(part.value) in put or any(True for _ in _handles_with(aliases, part.value, copies))
            for part in mutable_parts(end)
        )
        if is_put and _changes(
            began, then, aliases.changed_in_branches[before.changed_in_branches :]
        ):
            return name
        # The next iteration inserts once more an item that a list has when this one ends.
        last = present_value(end)
        is_left = _is_picked(aliases, last) or _is_there(aliases, last, items, copies)
        if is_left and _is_there(aliases, present_value(began), items, copies):
            record_repeated_insertion([each for each in ends.values() if isinstance(each, list)])
    put_in = [*items, *(part.value for each in copies for part in each.members)]
    for _, made, original, _ in start.stand_ins:
        # In the first iteration they are one object, and both are inserted in lists.
        if is_among(made.value, put_in) and is_among(original.value, put_in):
            record_repeated_insertion([each for each in ends.values() if isinstance(each, list)])
    return None


def _had_by_others(
    aliases: AliasState,
    start: IterationStart,
    ends: Mapping[str, object],
    items: list[object],
    copies: Sequence[AliasSet],
) -> set[str]:
    """Return the variables that get the old value of another one, put in a list by an iteration.

    prev.append(i)         from the third iteration on, `prev` is a row in `rows`
    prev = row
    row = [i]
    rows.append(row)
    """
    variables = {name for name in ends if name.isidentifier()}
    left = {name: present_value(ends[name]) for name in variables}
    begun = {name: present_value(value) for name, value in zip(ends, start.values)}
    put = {name for name in variables if _is_there(aliases, left[name], items, copies)}
    found: set[str] = set()
    for _ in variables:  # Each may have it one iteration after another.
        of_others = [begun[name] for name in put | found]
        found |= {name for name in variables - put if is_among(left[name], of_others)}
    return found


def _handles_with(
    aliases: AliasState, value: object, copies: Iterable[AliasSet]
) -> Iterator[rt.Tensor | None]:
    """Yield the list handles with a copy of a container, or of an alias of it."""
    for each in copies:
        may_be = origin_ids(aliases, value, path_test(each.handle))
        if any(id(part.value) in may_be for part in each.members):
            yield each.handle


def _is_there(
    aliases: AliasState, value: object, items: list[object], copies: Sequence[AliasSet]
) -> bool:
    """Return whether a container, or an alias of it, was inserted in a list."""
    may_be = origin_ids(aliases, value)
    if any(not may_be.isdisjoint(origin_ids(aliases, each)) for each in items):
        return True
    for each in copies:
        meets = path_test(each.handle)
        may_be = origin_ids(aliases, value, meets)
        if any(not may_be.isdisjoint(origin_ids(aliases, p.value, meets)) for p in each.members):
            return True
    return False


def _is_picked(aliases: AliasState, value: object) -> bool:
    """Return whether a container is, on some path, an item that is still in its list."""
    may_be = origin_ids(aliases, value)
    return any(id(each.value) in may_be and not each.is_gone for each in aliases.origins)


def _changes(began: object, then: object, changed: list[object]) -> bool:
    """Return whether an iteration changes a container that a variable has at its start."""
    earlier = dict(held_containers(then))
    parts = [AliasMember(part.value, earlier.get(id(part.value))) for part in mutable_parts(began)]
    return any(is_among(part.value, changed) or not is_unchanged(part) for part in parts)


def _duplicate_in_iteration(aliases: AliasState, before: AliasSnapshot) -> str | None:
    """Return a name for errors if an item has changed in a list that may hold one object twice."""
    rewritten = [each.owner for each in aliases.write_backs[before.write_backs :]]
    twice = (each for each in aliases.duplicates if is_among(each.owner, rewritten))
    return f"{VALUE}this list" if next(twice, None) is not None else None


def _both(group: AliasSet) -> list[AliasMember]:
    """Return the selected members if the program can reach one of their sources."""
    return group.members if any(map(is_reachable, group.sources)) else []
