"""Reads of a list, dict or object after a change of another one, which may be the same object.

    t = a if c else b          t is a third list in the trace, with the items of a or b
    t.append(1)
    len(a)                     Python counts one more if t is a: refused here

The same holds for an item of a staged list: its handle has a copy of the item's contents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import NoneType
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import (
    alias_error,
    has_changes_of,
    origin_ids,
    possible_aliases,
    watch_members,
)
from autograph.backends.graph.aliases.item_containers import (
    carried_by_value,
    holds_containers,
    mutable_parts,
)
from autograph.backends.graph.aliases.list_provenance import handles_within
from autograph.backends.graph.aliases.may_alias import may_be_one
from autograph.backends.graph.aliases.proxies import flush_changes
from autograph.backends.graph.aliases.selected_items import (
    may_be_selected,
    record_selected,
    refuse_changed_selection,
)
from autograph.backends.graph.arrays.staged_array import is_array
from autograph.backends.graph.objects.object_lifetimes import is_in_iteration, is_open, iteration_of
from autograph.backends.graph.source.source_location import (
    SourceLocation,
    user_location,
    variable_of,
)
from autograph.backends.graph.state.alias_state import (
    AliasMember,
    AliasSet,
    AliasState,
    alias_state,
    is_unchanged,
    present_value,
)
from autograph.backends.graph.state.change_detection import changed
from autograph.backends.graph.values.container_identity import current_identities
from autograph.backends.graph.values.dynamic_items import DynamicItems, is_staged
from autograph.backends.graph.values.join_errors import RESULT
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.value_spec import ValueSpec, known_objects
from autograph.errors import ContainerMutationError
from autograph.operators.call_listeners import is_within
from runtime.core.context import current_recorder
from runtime.core.lazy_imports import lazy_import
from runtime.errors import with_article

stale_copy = lazy_import("autograph.backends.graph.aliases.stale_copies:stale_copy")


def check_use(value: object, name: str | None = None) -> None:
    """Refuse `value`, which the user's program uses now, if its contents are stale.

    Args:
        value: any object.
        name: the variable that references it, if it is not one of the running function.

    Raises:
        ContainerMutationError: a container that may be the same object was changed.
    """
    aliases = alias_state()
    if aliases is None:
        return
    if is_in_iteration():
        aliases.loop_reads.append(value)
        _look_at_first_iteration(aliases, value)
    if not (aliases.alias_sets or aliases.copied or aliases.selected):
        return
    for each in _same_objects_in(value):
        check_use(each)
    perhaps = [value]
    for alias_set, part in possible_aliases(aliases, value):
        is_changed = part.value is not value and not is_unchanged(part)
        if is_changed and not has_changes_of(aliases, value, part.value):
            raise alias_error(alias_set.name, alias_set.place, part.value)
        perhaps.append(part.value)
    for each in origin_ids(aliases, value).intersection(aliases.stale):
        alias_set, _ = aliases.stale[each]
        raise alias_error(alias_set.name, alias_set.place)
    ids = {*map(id, perhaps), *origin_ids(aliases, value)}
    lost = ids | may_be_selected(ids)
    if aliases.invalidated and is_staged(value):
        # An object that is the same in all dynamic items is not among the copies of the handle.
        lost.update(id(each) for each in _same_objects_in(value))
    for alias_set in aliases.alias_sets:
        if alias_set.sources and id(alias_set.members[0].value) in ids:
            lost.add(id(alias_set.members[0].value))
            if not all(map(is_unchanged, alias_set.sources)):
                raise stale_error(alias_set.place, value, alias_set.owner)
    for each in (
        lost.intersection(aliases.invalidated)
        - aliases.stale_in_iterations.get(id(value), (value, set()))[1]
    ):
        gone, place, holder = aliases.invalidated[each]
        raise stale_error(place, None if holder is gone.value else value, holder)
    if aliases.selected:
        refuse_changed_selection(ids)
    if is_staged(value) and aliases.selected:
        refuse_changed_selection(
            {id(part.value) for copied in aliases.copied for part in copied.members}
        )
    stale = stale_copy(aliases, value) if aliases.copied or aliases.invalidated else None
    if stale is not None:
        raise stale_error(stale.place, stale.value, value, name)


def _look_at_first_iteration(aliases: AliasState, value: object) -> None:
    """Refuse `value` if it and its alias in the first iteration of a loop have other contents."""
    for each in aliases.body_containers:
        for used, other in ((each.made, each.first), (each.first, each.made)):
            if used.value is value and not is_unchanged(other) and is_open(each.body):
                raise alias_error(each.name, user_location(), value)


def _same_objects_in(value: object) -> Iterator[object]:
    """Yield the objects that all dynamic items of a list are."""
    if not is_staged(value):
        return
    dynamic = (each for each in rt.nest.children(value) or () if type(each) is DynamicItems)
    yield from (each for items in dynamic for each in known_objects(items.element))


def check_read(value: object) -> None:
    """Check an object that the user's program uses now, after passing on changes of others.

    Raises:
        ContainerMutationError: as `check_use`.
    """
    flush_changes(value)
    check_use(value)


def check_items(items: Sequence[object]) -> None:
    """Refuse items for a list handle that changed after they were picked, or whose sources did.

    Raises:
        ContainerMutationError: an item, or a source of it, has changed.
    """
    aliases = alias_state()
    for each in [part.value for item in items for part in mutable_parts(item)]:
        if (
            aliases is not None
            and id(each) in aliases.invalidated
            and _is_changed_here(aliases, each)
        ):
            _, place, holder = aliases.invalidated[id(each)]
            raise stale_error(place, each, holder)
    for alias_set in aliases.alias_sets if aliases is not None else ():
        if alias_set.sources and not all(map(is_unchanged, alias_set.sources)):
            picked = alias_set.members[0].value
            if any(part.value is picked for item in items for part in mutable_parts(item)):
                raise stale_error(alias_set.place, picked, alias_set.owner)


def _is_changed_here(aliases: AliasState, value: object) -> bool:
    """Return whether a stale container was changed on the recorded path, or inside of it."""
    now: Any = current_recorder()
    handles = (handle for group in aliases.updated_handles.get(id(value), ()) for handle in group)
    graphs = [handle.graph for handle in handles if isinstance(handle, rt.SymbolicTensor)]
    return any(is_within(now, graph) or is_within(graph, now) for graph in graphs)


def checked_result(result: Any, name: str | None = None) -> Any:
    """Return a result of a trace, after `check_use` of it and of each container in it."""
    there = present_value(result)
    check_use(there, name)
    for child in rt.nest.children(there) or ():
        checked_result(child)
    return result


def check_left_outside() -> None:
    """Check the staged lists that the function leaves outside: no item may be stale.

    The stand-ins whose changes proxies pass on to containers from outside are recorded before.

    Raises:
        ContainerMutationError: a call would leave stale contents in an item.
    """
    aliases, numbered = alias_state(), current_identities()
    if aliases is None or numbered is None:
        return
    for each in aliases.proxies:
        # The other branch of a selection with a single owner has left a container of its own: a
        # change of that one reaches no owner.
        is_covered = len(each.owners) > 1 and all(map(numbered.is_passed_on, each.owners))
        if is_covered and not each.is_changed():
            numbered.passed_on.add(id(each.value))
    if not (aliases.copied or aliases.alias_sets):
        return
    waiting = [value for _, now in changed(numbered.reach) for value in now.values()]
    seen = set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) not in seen:
            seen.add(id(value))
            value = present_value(value)
            stale = stale_copy(aliases, value, numbered.is_outer)
            if stale is not None:
                raise stale_error(stale.place, stale.value, value)
            for each in _same_objects_in(value):
                if not numbered.is_outer(each):
                    check_use(each)
            record = record_of(value)
            waiting.extend(rt.nest.children(value) or (record.values if record else ()))


def names_aliased_by_result(result: object, values: Mapping[str, object]) -> frozenset[str]:
    """Return the names of the values that have, on some path, a container of the result."""
    parts = [part.value for part in mutable_parts(result)]
    return frozenset(
        name
        for name, value in values.items()
        if any(
            one.value is each or may_be_one(one.value, each)
            for one in mutable_parts(value)
            for each in parts
        )
    )


def record_result_aliases(result: object, values: Iterable[object]) -> None:
    """Record that a container in the result of a call may be a container of an argument."""
    aliases = alias_state()
    made = list(mutable_parts(result)) if aliases is not None else []
    for given in (part for value in values for part in mutable_parts(value)):
        alike = [part for part in made if type(part.value) is type(given.value)]
        others = [part for part in alike if part.value is not given.value]
        if aliases is not None and others:
            aliases.alias_sets.append(AliasSet(RESULT, user_location(), [given, *others]))
            watch_members(aliases.alias_sets[-1].members)


def may_be_in_list(result: object) -> bool:
    """Return whether a container in the result of a call may be an item of a list, too."""
    aliases = alias_state()
    if aliases is None:
        return False
    ids = {each for part in mutable_parts(result) for each in origin_ids(aliases, part.value)}
    copied = (part.value for each in aliases.copied for part in each.members)
    return any(id(value) in ids for value in copied)


def record_result_in_lists(result: object, places: Iterable[object]) -> None:
    """Record that the result of a call may be an item of the lists in some values."""
    for handle, _ in (each for place in places for each in handles_within(place)):
        record_copied([result], handle)


def record_copied(items: Iterable[object], handle: rt.Tensor) -> None:
    """Record that items are copied into a list handle with their current contents."""
    _record_copied_parts([part for item in items for part in mutable_parts(item)], handle)


def record_carried(spec: ValueSpec, value: object, handle: rt.Tensor) -> None:
    """Record the containers in an item that a spec carries into a list handle by contents."""
    if alias_state() is not None:
        _record_copied_parts(
            [AliasMember(each.value, each) for each in carried_by_value(spec, value)], handle
        )


def _record_copied_parts(parts: list[AliasMember], handle: rt.Tensor) -> None:
    aliases = alias_state()
    if aliases is not None and parts:
        refuse_changed_selection({id(part.value) for part in parts})
        iterations = (iteration_of(part.value) for part in parts)
        iteration = next((each for each in iterations if each is not None), None)
        picked = _picked_for(aliases, [part.value for part in parts])
        aliases.copied.append(
            AliasSet("", user_location(), parts, picked, handle=handle, iteration=iteration)
        )
        watch_members(parts)
        _record_picked_sources(aliases, {id(part.value) for part in parts}, handle)


def _record_picked_sources(aliases: AliasState, put: set[int], handle: rt.Tensor) -> None:
    """Record the list handles that copied items were picked from."""
    picked = (
        each for each in aliases.alias_sets if not each.name and id(each.members[0].value) in put
    )
    sources = [each.handle for each in picked if each.handle is not None]
    if sources:
        aliases.picked_from.setdefault(id(handle), (handle, []))[1].extend(sources)


def _picked_for(aliases: AliasState, values: Iterable[object]) -> list[AliasMember]:
    """Return the picked items that some containers are made of, as by `a or b`."""
    made_of = {each for value in values for each in origin_ids(aliases, value) if each != id(value)}
    picked = (
        [alias_set.members[0] for alias_set in aliases.alias_sets if not alias_set.name]
        if made_of
        else []
    )
    return [part for part in picked if id(part.value) in made_of]


def record_possible_items(owner: list[object], value: object) -> None:
    """Record the containers of a list that `value`, picked from it at run time, may be."""
    aliases = alias_state()
    if aliases is None:
        return
    sources = [part for item in owner for part in mutable_parts(item)]
    for alias_set in aliases.alias_sets:
        if not alias_set.name and alias_set.members[0].value is value:
            alias_set.owner, alias_set.sources = owner, sources
            watch_members(sources)


def record_selection(name: str, made: Iterable[object], items: Iterable[object]) -> None:
    """Record that each of some values is one of several items, selected by a function `name`."""
    parts, sources = (
        [part for each in all_ for part in mutable_parts(each)] for all_ in (made, items)
    )
    if record_selected(name, parts, sources) is not None:
        watch_members([*parts, *sources])


def refuse_repeated(items: Iterable[object]) -> None:
    """Refuse to repeat a list with mutable items a number of times that only a run knows.

    Raises:
        ContainerMutationError: Python would put one container into the list again and again.
    """
    if any(map(holds_containers, items)):
        raise ContainerMutationError(
            "[item] * n puts one list, dict or object into the list n times, and this n is known "
            "only when the graph runs: make each item its own, as in [[0] * 3 for _ in range(n)]",
            user_location(),
        )


def stale_error(
    place: SourceLocation | None, item: object, holder: object = None, name: str | None = None
) -> ContainerMutationError:
    """Return the error for the use of a stale item or list.

    Args:
        place: the location for the error: where the item was picked or copied into the list, or the
            current line.
        item: the container that was changed or is read; None if unknown.
        holder: the list that has it, if known.
        name: the user's name of the list, if no variable of the running function has it.
    """
    named, owner = variable_of(item), variable_of(holder) if name is None else name
    owner = owner and owner.removesuffix("[:]")  # the items of the list, as a loop's state
    of_array = is_array(item)
    kind = "list, dict or object" if item is None else type(item).__name__
    kind = "NumPy array" if of_array else kind
    what = f"'{named}'" if named else with_article(kind)
    items = owner or "items"
    copied = f"copy.copy({named or 'item'})"
    if type(item) in (list, NoneType):
        copied = f"list({named or 'row'})"
    elif of_array:
        copied = f"{named or 'row'}.copy()"
    return ContainerMutationError(
        f"{what} is an item of {f'the list {owner!r}' if owner else 'a list'} whose items are "
        "known only when the graph runs; it is changed through one of the two and read through "
        f"the other: put a copy into the list, as in {items}.append({copied}), or look it up "
        f"again with {named or 'row'} = {items}[i]",
        place,
    )
