"""Allocation numbers, by which the graph tells apart the containers that a function creates.

    row = [x]
    if big: self.first = self.last = row      one list in two places, on one path

A call creates a new container for each place in which a path leaves one. A container that is left
in two places must stay one object, so it has a number. In a loop, each iteration makes another one,
whose number is known only at run time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import alias_error
from autograph.backends.graph.objects.object_lifetimes import iteration_of
from autograph.backends.graph.state.alias_state import alias_state
from autograph.backends.graph.state.state_slots import StateSlots
from autograph.backends.graph.values.container_identity import (
    current_identities,
    give_number,
    is_numbered,
    stored_outside,
)
from autograph.backends.graph.values.container_snapshot import ContainerSnapshot, is_mutable
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.value_spec import OneOfSpec, holds_number
from autograph.backends.possibly_unbound import PossiblyUnbound
from runtime.graph.graph import Graph


def number_shared(
    slots: StateSlots, *paths: Sequence[object], iteration: Graph | None = None
) -> None:
    """Give a number to each container of the trace whose identity matters after a statement.

    Its slot contains a numbered container on another path; or not all paths leave it there, and an
    object from outside of the function has it; or one path leaves it in several slots, one of which
    is outside of the function.

    Args:
        slots: the slots of the statement.
        paths: the values that each path leaves in them.
        iteration: the body of a loop, if the path is one.
    """
    held = [[list(_snapshots_in(value)) for value in path] for path in (slots.initial, *paths)]
    first = {id(each.value) for column in held[0] for each in column}
    numbers = _Numbers(first, iteration)
    values = zip(slots.initial, *paths)
    for column, of_paths in zip(zip(*held), values):
        together = [each for of_path in column for each in of_path]
        has_number = any(is_numbered(each.value) for each in together) or _has_numbers(of_paths)
        if not has_number and not all(_is_on_all(each, column) for each in together):
            outside = stored_outside()
            has_number = any(id(each.value) in outside for each in together)
        if has_number:
            numbers.give(together)
    at_outside = [at for at, is_outside in enumerate(slots.are_outside(is_numbered)) if is_outside]
    for path in held[1:] if at_outside else ():
        times = Counter(id(each.value) for column in path for each in column)
        left = (each for at in at_outside for each in path[at])
        numbers.give(each for each in left if times[id(each.value)] > 1)


class _Numbers:
    """Gives a number to each mutable container that has none yet.

    Args:
        before: the identities of containers from before the statement, which no iteration creates.
        iteration: the body of a loop, if the path is one.
    """

    def __init__(self, before: Collection[int], iteration: Graph | None) -> None:
        self._before, self._iteration = before, iteration

    def give(self, containers: Iterable[ContainerSnapshot]) -> None:
        for each in containers:
            if is_mutable(each.value):
                is_old = each.is_old or id(each.value) in self._before
                is_of_iteration = self._iteration is not None and not is_old
                give_number(
                    each.value, self._iteration if is_of_iteration else iteration_of(each.value)
                )


def refuse_lost_changes(graph: Graph, values: Iterable[object]) -> None:
    """Refuse a path that changes a container which no variable holds after it, if it has aliases.

    Args:
        graph: the graph of the path.
        values: the final values of the variables.

    Raises:
        ContainerMutationError: Python shows the change in an alias, and a call would lose it.
    """
    numbered, aliases = current_identities(), alias_state()
    changed = numbered.changed_in(graph) if numbered is not None else []
    if aliases is None or not changed:
        return
    left = {id(each.value) for value in values for each in _snapshots_in(value)}
    lost = [each for each in changed if id(each) not in left and id(each) not in aliases.proxied]
    for alias_set in aliases.alias_sets if lost else ():
        if any(part.value is each for part in alias_set.members[1:] for each in lost):
            raise alias_error(alias_set.name, alias_set.place, lost[0])


def _is_on_all(container: ContainerSnapshot, column: Iterable[Sequence[ContainerSnapshot]]) -> bool:
    return all(any(e.value is container.value for e in of_path) for of_path in column)


def _has_numbers(values: Iterable[object]) -> bool:
    """Return whether a container among some values or items has a number known only at run time."""
    return any(map(_has_number, (e for v in values for e in (v if isinstance(v, list) else (v,)))))


def _has_number(value: object) -> bool:
    spec = value.element if type(value) is DynamicItems else None
    if spec is not None and holds_number(spec):
        return True
    chosen = spec if isinstance(spec, OneOfSpec) else value
    return isinstance(chosen, (OneOfSpec, OneOfObjects)) and any(map(is_numbered, chosen.options))


def _snapshots_in(value: object) -> Iterator[ContainerSnapshot]:
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, ContainerSnapshot):
            yield value
            value = value.copy
        if isinstance(value, (OptionalValue, PossiblyUnbound)):
            waiting.append(value.value)
        waiting.extend(rt.nest.children(value) or ())
