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
    is_known,
    look_into_parts,
    origins,
    pairs,
    relatives,
    values_then,
)
from autograph.backends.graph.aliases.duplicate_refs import note_again
from autograph.backends.graph.aliases.item_containers import parts_of
from autograph.backends.graph.aliases.list_provenance import meeting
from autograph.backends.graph.aliases.selected_items import changed_and_others
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    AliasSet,
    AliasState,
    BodyContainer,
    RecordCounts,
    alias_state,
    is_as_then,
    part_of,
    present,
)
from autograph.backends.graph.values.encode import held
from autograph.backends.graph.values.join_errors import VALUE
from autograph.operators.call_listeners import is_within
from runtime.graph.graph import Graph


@dataclass(slots=True)
class IterationStart:
    """The values of a loop's variables at the beginning of its body.

    Attributes:
        values: the values.
        held: the values with their contents then.
        stand_ins: the containers that were made for the body.
    """

    HOLDS_FOR_TRACE = True

    values: tuple[object, ...]
    held: tuple[object, ...]
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
            BodyContainer(name, part_of(made), part_of(original), body)
            for at, name in enumerate(names)
            for made, original in pairs(values[at], initial[at])
        ]
        aliases = alias_state()
        if aliases is not None:
            aliases.stand_ins += stand_ins
            # From the first trace of the body on: it may change one and use the other.
            look_into_parts(part for each in stand_ins for part in (each.made, each.first))
        return cls(values, tuple(map(held, values)), stand_ins)


def note_put(result: object, source: object, path: Graph) -> None:
    """Record the runs into which a branch has put the container that it leaves in a variable.

    Args:
        result: the container made after the branches.
        source: the value that the branch left in the variable, as it was held.
        path: the graph of the branch.
    """
    aliases = alias_state()
    if aliases is None:
        return
    for made, original in pairs(result, source):
        copies = _runs_with(aliases, original, aliases.copied)
        earlier = (run for value, run in aliases.put if value is original)
        runs = [run for run in (*copies, *earlier) if isinstance(run, rt.SymbolicTensor)]
        seen = [r for r in runs if is_within(r.graph, path) or is_within(path, r.graph)]
        aliases.put += [(made, run) for run in seen[:1]]


def lost_in_iteration(
    start: IterationStart, ends: Mapping[str, object], before: RecordCounts
) -> str | None:
    """Return a variable through which a body changes a container that Python has elsewhere.

    Called at the end of the body, while the variables have their final values.

    Args:
        start: the variables when the body began.
        ends: the final values of the variables.
        before: the length of the records before the body was traced.
    """
    aliases = alias_state()
    if aliases is None:
        return None
    put = {id(value) for value, _ in aliases.put[before.put :]}
    copies = aliases.copied[before.copied :]
    inside = (child for end in ends.values() for child in rt.nest.children(end) or ())
    items = [part.value for child in inside for part in parts_of(child)]
    for (name, end), began, then in zip(ends.items(), start.values, start.held):
        # The next iteration begins with an item of a run, and changes its stand-in.
        is_put = any(
            id(part.value) in put or any(True for _ in _runs_with(aliases, part.value, copies))
            for part in parts_of(end)
        )
        if is_put and _changes(began, then, aliases.changed[before.changed :]):
            return name
        # The next iteration would insert again the items that a list has when this one ends.
        left = present(end)
        is_left = _is_picked(aliases, left) or _is_there(aliases, left, items, copies)
        if is_left and _is_there(aliases, present(began), items, copies):
            note_again([each for each in ends.values() if isinstance(each, list)])
    put_in = [*items, *(part.value for each in copies for part in each.parts)]
    for _, made, original, _ in start.stand_ins:
        # In the first iteration they are one object, and both are put into lists.
        if _is_among(made.value, put_in) and _is_among(original.value, put_in):
            note_again([each for each in ends.values() if isinstance(each, list)])
    originals = {id(made.value): original for _, made, original, _ in start.stand_ins}
    suspects: list[tuple[str, AliasMember]] = []
    for alias_set in aliases.alias_sets[before.alias_sets :]:
        changed = [part for part in alias_set.parts if alias_set.name and not is_as_then(part)]
        for other in [other for part in changed for other in alias_set.parts if other is not part]:
            # Another branch may have made a copy of the other member, which is the one in use.
            further = (part for _, part in relatives(aliases, other.value))
            has_it = [part.value for part in changed]
            suspects += [(alias_set.name, p) for p in further if not _is_among(p.value, has_it)]
            suspects.append((alias_set.name, other))
            if id(other.value) in originals:
                suspects.append((alias_set.name, originals[id(other.value)]))
    for name, made, original, _ in start.stand_ins:
        if not is_as_then(made):
            suspects.append((name, original))
            suspects += [(name, part) for _, part in relatives(aliases, original.value)]
        elif not is_as_then(original):
            groups = [each.parts for each in aliases.alias_sets[before.alias_sets :]]
            around = [group for group in groups if any(p.value is made.value for p in group)]
            suspects += [(name, part) for group in ([made], *around) for part in group]
    selected = aliases.selected[before.selected :]
    suspects += [(f"{VALUE}{group.name}", other) for group, other in changed_and_others(selected)]
    if any(not is_as_then(made) for _, made, *_ in start.stand_ins):
        # The next iteration may change, under another name, the object that this one selects.
        suspects += [(f"{VALUE}{group.name}", each) for group in selected for each in _both(group)]
    copied = {id(part.value) for alias_set in aliases.copied for part in alias_set.parts}
    for name, part in suspects:
        if id(part.value) in copied or is_known(part):
            return name
    return _doubled_in_iteration(aliases, before)


def _runs_with(
    aliases: AliasState, value: object, copies: Iterable[AliasSet]
) -> Iterator[rt.Tensor | None]:
    """Yield the runs into which a container, or an alias of it, was put."""
    for each in copies:
        may_be = origins(aliases, value, meeting(each.run))
        if any(id(part.value) in may_be for part in each.parts):
            yield each.run


def _is_there(
    aliases: AliasState, value: object, items: list[object], copies: Sequence[AliasSet]
) -> bool:
    """Return whether a container, or an alias of it, was put into a list."""
    may_be = origins(aliases, value)
    if any(not may_be.isdisjoint(origins(aliases, each)) for each in items):
        return True
    for each in copies:
        meets = meeting(each.run)
        may_be = origins(aliases, value, meets)
        if any(not may_be.isdisjoint(origins(aliases, p.value, meets)) for p in each.parts):
            return True
    return False


def _is_picked(aliases: AliasState, value: object) -> bool:
    """Return whether a container is, on some path, an item of a list that still has it."""
    may_be = origins(aliases, value)
    return any(id(each.value) in may_be and not each.is_gone for each in aliases.origins)


def _changes(began: object, then: object, changed: list[object]) -> bool:
    """Return whether an iteration changes a container with which a variable begins."""
    earlier = dict(values_then(then))
    parts = [AliasMember(part.value, earlier.get(id(part.value))) for part in parts_of(began)]
    return any(_is_among(part.value, changed) or not is_as_then(part) for part in parts)


def _doubled_in_iteration(aliases: AliasState, before: RecordCounts) -> str | None:
    """Return a list that holds an object twice, and of which an iteration changes an item."""
    rewritten = [owner for owner, _, _ in aliases.rewritten[before.rewritten :]]
    twice = (each for each in aliases.doubled if _is_among(each.owner, rewritten))
    return f"{VALUE}this list" if next(twice, None) is not None else None


def _is_among(value: object, others: list[object]) -> bool:
    return any(value is each for each in others)


def _both(group: AliasSet) -> list[AliasMember]:
    """Return the selected members if the program can reach one of their sources."""
    return group.parts if any(map(is_known, group.sources)) else []
