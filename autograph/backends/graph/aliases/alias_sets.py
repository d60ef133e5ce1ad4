"""Containers that may be the same object at run time but are separate objects in the trace.

    if c: t = a                t is a or b: in the trace it is a third list with the contents of
    else: t = b                the one taken, since one list cannot be two others.
    t.append(1)                Python changes a or b as well: refused.

Such containers are harmless until one of them changes while the program can still reach another.
So they are recorded here, and checked at reads (`stale_reads`) and at the end (`final_checks`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

import runtime as rt
from autograph.backends.backend_registry import check_contents_of
from autograph.backends.graph.aliases.selected_items import inherit_records
from autograph.backends.graph.aliases.user_references import (
    has_user_references,
    has_user_references_beside,
)
from autograph.backends.graph.arrays.staged_array import is_array
from autograph.backends.graph.objects.attribute_reads import READS
from autograph.backends.graph.source.source_location import SourceLocation, user_location
from autograph.backends.graph.state.alias_state import (
    ALIAS_STATE,
    AliasMember,
    AliasSet,
    AliasSnapshot,
    AliasState,
    as_member,
    is_unchanged,
    mutable_parts_by_spec,
    present_value,
    recorded_alias_sets,
)
from autograph.backends.graph.values.container_snapshot import (
    ContainerSnapshot,
    is_mutable,
    with_contents,
)
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.join_errors import CAUGHT, RESULT, VALUE
from autograph.backends.graph.values.object_values import ObjectRecord, record_of
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.value_spec import ValueSpec
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import ContainerMutationError
from autograph.operators.call_listeners import is_within
from runtime.graph.graph import Graph


def record_results(
    columns: Iterable[tuple[str, object, Iterable[object]]],
    before: AliasSnapshot | None = None,
    paths: Sequence[Graph] = (),
) -> None:
    """Record the container that a statement makes for each variable, with its possible originals.

    Args:
        columns: a variable, its new value, and the values that the paths left in it.
        before: the snapshot of the alias state where the paths left them, if that was earlier.
        paths: the branches that left the values, one for each.
    """
    aliases = ALIAS_STATE.get()
    if aliases is None:
        return
    by_source: dict[int, AliasSet] = {}
    for name, result, sources in columns:
        for source, path in zip_longest(sources, paths):
            for made, original in container_pairs(result, source):
                group = by_source.get(id(original))
                if group is None:
                    group = by_source[id(original)] = AliasSet(
                        name, user_location(), [as_member(original)]
                    )
                group.members.append(as_member(made))
                if path is not None:
                    group.paths.setdefault(id(made), []).append(path)
                inherit_records(made, original, before)
    for group in by_source.values():
        watch_members(group.members)
    aliases.alias_sets.extend(by_source.values())


def record_loop(
    columns: Sequence[tuple[str, object, object, object]],
    old: Iterable[object],
    before: AliasSnapshot,
) -> None:
    """Record the final values of a loop's variables, in place of the records of its body.

    The containers that the body made do not outlive it; those from before the loop do.

    Args:
        columns: a variable, its final value, its values before the loop and at the body's end.
        old: the containers from before the loop.
        before: the snapshot of the alias state before the body was traced.
    """
    aliases = ALIAS_STATE.get()
    if aliases is None:
        return
    first = _first_names()
    lasting: dict[int, list[object]] = {}
    for container in old:
        lasting.setdefault(first.get(id(container), id(container)), []).append(container)
    # A container copied into a list handle outlives the loop, as an item of the list.
    for part in (part for copied in aliases.copied for part in copied.members):
        lasting.setdefault(first.get(id(part.value), id(part.value)), []).append(part.value)
    # So does an item picked out of a list, which may be the same object as another item now.
    for part in (
        t.members[0] for t in aliases.alias_sets[before.alias_sets :] if t.owner is not None
    ):
        lasting.setdefault(first.get(id(part.value), id(part.value)), []).append(part.value)
    # Only notes on picked items, which have no name, stay: the check after the trace needs them.
    aliases.alias_sets[before.alias_sets :] = [
        alias_set for alias_set in aliases.alias_sets[before.alias_sets :] if not alias_set.name
    ]
    # Without an iteration a variable keeps its value, which nothing has changed since.
    record_results(((name, made, (start,)) for name, made, start, _ in columns), before)
    groups: dict[int, AliasSet] = {}
    for name, result, _, end in columns:
        for made, original in container_pairs(result, end):
            root = first.get(id(original), id(original))
            parts = [as_member(each) for each in lasting.get(root, ())]
            group = groups.setdefault(root, AliasSet(name, user_location(), parts))
            group.members.append(as_member(made))
            inherit_records(made, original)
    several = [group for group in groups.values() if len(group.members) > 1]
    for group in several:
        watch_members(group.members)
    aliases.alias_sets.extend(several)


def check_ended_path(before: int, count: int) -> None:
    """Check the alias sets of a path that ends; its changes of their members are undone.

    Args:
        before: the number of alias sets that were recorded before the path.
        count: the number of alias sets that were recorded next, for the variables at its start.

    Raises:
        ContainerMutationError: a member was changed, and another one is reachable.
    """
    for alias_set in recorded_alias_sets()[before : before + count]:
        changed = [part for part in alias_set.members if alias_set.name and not is_unchanged(part)]
        if any(is_reachable_beside(o, part) for part in changed for o in _noted_with(part)):
            raise alias_error(alias_set.name, alias_set.place)
        if changed:
            recorded_alias_sets().remove(alias_set)


def unchanged_members(before: AliasSnapshot, old: Collection[int]) -> list[AliasMember]:
    """Return the members from before a branch that have not changed since the branch copied them.

    The copies, variables of the branch or items of list handles, do not outlive the branch.

    Args:
        before: the snapshot of the alias state before the branch.
        old: the identities of containers from before the branch.
    """
    aliases = ALIAS_STATE.get()
    since = (
        []
        if aliases is None
        else [*aliases.alias_sets[before.alias_sets :], *aliases.copied[before.copied :]]
    )
    parts = (part for alias_set in since for part in alias_set.members)
    return [part for part in parts if id(part.value) in old and is_unchanged(part)]


def refresh_members(parts: Iterable[AliasMember]) -> None:
    """Record the current contents of members."""
    for part in parts:
        part.contents = as_member(part.value).contents


def _noted_with(part: AliasMember) -> list[AliasMember]:
    """Return the other containers that may be the same object as a container."""
    aliases = ALIAS_STATE.get()
    found = possible_aliases(aliases, part.value) if aliases is not None else ()
    return [each for _, each in found if each.value is not part.value]


def _on_all_paths(path: Graph) -> bool:
    return True


def possible_aliases(
    aliases: AliasState, value: object, meets: Callable[[Graph], bool] = _on_all_paths
) -> Iterator[tuple[AliasSet, AliasMember]]:
    """Yield the alias members that may be the same object as `value`, each with its alias set.

    They are its originals and the copies of these; `value` itself may be among them.

    Args:
        aliases: the alias state of the trace.
        value: a container.
        meets: returns whether a path counts; aliases of other paths are left out.
    """
    roots = origin_ids(aliases, value, meets)
    for alias_set in (alias_set for alias_set in aliases.alias_sets if alias_set.name):
        if id(alias_set.members[0].value) in roots:
            parts = [part for part in alias_set.members if _is_one_on(alias_set, part.value, meets)]
            roots.update(id(part.value) for part in parts)
            yield from ((alias_set, part) for part in parts)


def _is_one_on(alias_set: AliasSet, made: object, meets: Callable[[Graph], bool]) -> bool:
    paths = alias_set.paths.get(id(made))
    return not paths or any(map(meets, paths))


def origin_ids(
    aliases: AliasState, value: object, meets: Callable[[Graph], bool] = _on_all_paths
) -> set[int]:
    """Return the identities of a container and of all containers that it may be a copy of."""
    roots, waiting = {id(value)}, [value]
    groups = [alias_set for alias_set in aliases.alias_sets if alias_set.name]
    while waiting:
        made = waiting.pop()
        for alias_set in groups:
            source = alias_set.members[0].value
            is_made = any(p.value is made for p in alias_set.members[1:])
            if id(source) not in roots and is_made and _is_one_on(alias_set, made, meets):
                roots.add(id(source))
                waiting.append(source)
    return roots


def has_changes_of(aliases: AliasState, value: object, changed: object) -> bool:
    """Return whether a join of paths has a change of a container on every path that makes it.

    A path without the change leaves another container, or the changed one is made on another path.
    """
    sources = list(_sources(aliases, value))
    return bool(sources) and all(
        _is_up_to_date(aliases, source, changed)
        or any(other is not path and _is_made_on(aliases, changed, other) for _, other in sources)
        for source, path in sources
    )


def _sources(aliases: AliasState, value: object) -> Iterator[tuple[AliasMember, Graph]]:
    """Yield the containers that a join is made of, each with the path that left it."""
    for alias_set in aliases.alias_sets:
        if any(part.value is value for part in alias_set.members[1:]):
            for path in alias_set.paths.get(id(value), ()):
                yield alias_set.members[0], path


def _is_up_to_date(aliases: AliasState, source: AliasMember, changed: object) -> bool:
    if not is_unchanged(source):
        return False
    if source.value is changed or has_changes_of(aliases, source.value, changed):
        return True
    return all(part.value is not changed for _, part in possible_aliases(aliases, source.value))


def _is_made_on(aliases: AliasState, value: object, path: Graph) -> bool:
    """Return whether a container is a join of paths that begin after another path has begun."""
    paths = [inside for _, inside in _sources(aliases, value)]
    return bool(paths) and all(is_within(each, path) for each in paths)


def record_copy(spec: ValueSpec, value: object, handle: rt.Tensor) -> None:
    """Record that an item picked at a run-time index is a copy of the list's own item.

    The copy may be read, since it has the contents of the list's item; a change of it would not
    reach the list.

    Args:
        spec: the spec of the items.
        value: the item.
        handle: the list handle that it was picked from.
    """
    aliases = ALIAS_STATE.get()
    if aliases is not None:
        place, parts = user_location(), mutable_parts_by_spec(spec, value)
        aliases.alias_sets.extend(
            AliasSet("", place, [as_member(each)], handle=handle) for each in parts
        )


def alias_error(
    name: str, place: SourceLocation | None, value: object = None
) -> ContainerMutationError:
    """Return the error for a change of a container, `value` if known, that may be another one."""
    if name.startswith(CAUGHT):
        return ContainerMutationError(
            "the exception caught here shares a list, dict or object in "
            f"'{name.removeprefix(CAUGHT)}' with the rest of the program, and one of the two is "
            "changed after the raise: give the exception a copy, as in list(...), or change a "
            "copy in the handler",
            place,
        )
    nameless = name.startswith((VALUE, RESULT))
    what = "the result" if name.startswith(RESULT) else name if nameless else f"'{name}'"
    copy = "list" if value is None or rt.nest.is_nested(value) else "copy.copy"
    copy = "np.array" if is_array(value) else copy
    kind = "array" if is_array(value) else "list, dict or object"
    return ContainerMutationError(
        f"{what} is a different {kind} on each path, and one of them is changed later; a graph "
        "cannot show this change under both names: make a copy, as in "
        f"{'...' if nameless else name} = {copy}(...), or keep them in a list and change items[i]",
        place,
    )


def alias_of_next_iteration(
    columns: Iterable[tuple[str, object, object, object]],
    old: Mapping[int, bool],
    copied: Collection[int] = (),
) -> str | None:
    """Return a loop variable that has an alias in Python's next iteration, but not in the graph's.

    Args:
        columns: a variable, its value at the start of the body, the contents of that value then,
            and the value at the end, with which the next iteration begins.
        old: the containers from before the loop, by identity, and whether the body changes them.
        copied: the identities of containers that are copied into list handles at the end.
    """
    groups: dict[int, list[tuple[str, bool]]] = {}
    first = _first_names()
    outside: dict[int, bool] = {}
    for key, changes in old.items():
        root = first.get(key, key)
        outside[root] = changes or outside.get(root, False)
    for key in copied:
        outside.setdefault(first.get(key, key), False)
    columns = list(columns)
    picked = _picked_in_iterations(columns)
    for name, began, before, end in columns:
        earlier = dict(held_containers(before))
        for made, original in container_pairs(began, end):
            changed = not is_unchanged(AliasMember(made, earlier.get(id(made))))
            if changed and picked and not picked.isdisjoint(_origins(original)):
                return name
            key = first.get(id(original), id(original))
            groups.setdefault(key, []).append((name, changed or _is_changed_by_a_copy(made)))
    put = {first.get(key, key) for key in copied}
    changed_since = put.intersection(
        first.get(id(part.value), id(part.value))
        for alias_set in recorded_alias_sets()
        for part in alias_set.members
        if alias_set.name and not is_unchanged(part)
    )
    for original_id, members in groups.items():
        count = len(members) + (original_id in outside)
        changes = outside.get(original_id) or any(changed for _, changed in members)
        if count > 1 and (changes or original_id in changed_since):
            return members[0][0]
    return None


def _is_changed_by_a_copy(value: object) -> bool:
    """Return whether a container has changed on a path that knows it by a copy."""
    aliases = ALIAS_STATE.get()
    found = () if aliases is None else possible_aliases(aliases, value)
    return any(not is_unchanged(part) for _, part in found)


def _picked_in_iterations(columns: Iterable[tuple[str, object, object, object]]) -> set[int]:
    """Return the identities of items that this iteration, or an earlier one, picked from a list.

    The next iteration has its own copies.
    """
    picked = {
        id(alias_set.members[0].value) for alias_set in recorded_alias_sets() if not alias_set.name
    }
    carried = (
        [pair for _, began, _, end in columns for pair in container_pairs(began, end)]
        if picked
        else []
    )
    count = 0
    while count < len(picked):
        count = len(picked)
        picked |= {id(made) for made, o in carried if not picked.isdisjoint(_origins(o))}
    return picked


def _origins(value: object) -> set[int]:
    aliases = ALIAS_STATE.get()
    return {id(value)} if aliases is None else origin_ids(aliases, value)


def _first_names() -> dict[int, int]:
    """Return for each member of an alias set one identity that stands for the whole set."""
    first: dict[int, int] = {}
    for alias_set in recorded_alias_sets():
        parts = [id(part.value) for part in alias_set.members]
        root = first.get(parts[0], parts[0])
        for each in parts:
            before = first.setdefault(each, root)
            first.update({key: root for key, value in first.items() if value == before})
    return first


def held_containers(then: object) -> Iterator[tuple[int, object]]:
    """Yield the snapshots in a stored value, each after the identity of its container."""
    if isinstance(then, ContainerSnapshot):
        yield id(then.value), then
        then = then.copy
    if isinstance(then, (OptionalValue, PossiblyUnbound)):
        yield from held_containers(then.value)
    for child in rt.nest.children(then) or ():
        yield from held_containers(child)


def container_pairs(result: object, source: object) -> Iterator[tuple[object, object]]:
    """Yield each mutable container of a result with the container of the source it was made of."""
    result, source = present_value(result), present_value(source)
    if isinstance(source, OneOfObjects) and is_mutable(result):
        for option in source.options:
            yield from container_pairs(result, with_contents(option))
        return
    if isinstance(source, ContainerSnapshot):
        if source.value is result:
            return
        if isinstance(source.copy, (OptionalValue, PossiblyUnbound)):
            yield from container_pairs(result, source.copy)
            return
        if is_mutable(result):
            yield result, source.value
        source = source.copy
    record = record_of(result) if isinstance(source, ObjectRecord) else None
    parts = rt.nest.children(result) if record is None else list(record.values)
    others = rt.nest.children(source)
    if parts is None or others is None or len(parts) != len(others):
        return
    for part, other in zip(parts, others):
        if type(part) is not DynamicItems and type(other) is not DynamicItems:
            yield from container_pairs(part, other)


def watch_members(parts: Iterable[AliasMember]) -> None:
    """Watch every use of containers of the members' types."""
    reads = READS.get()
    for part in parts:
        check_contents_of(type(part.value))
        if reads is not None:
            reads.add(type(part.value))


def is_reachable(part: AliasMember) -> bool:
    """Return whether the program can still reach a container, or the list it was picked from."""
    return has_user_references(part) or _is_picked_from_known(part)


def is_reachable_beside(part: AliasMember, changed: AliasMember) -> bool:
    """Return whether the program can still reach a member beside a changed one of its set."""
    if part is changed:
        return False
    return has_user_references_beside(part, changed.value) or _is_picked_from_known(part)


def _is_picked_from_known(part: AliasMember) -> bool:
    picked = [t for t in recorded_alias_sets() if not t.name and t.members[0].value is part.value]
    # The list of a picked item is unknown for some, such as the largest of several items.
    return any(
        each.owner is None or has_user_references(AliasMember(each.owner, None)) for each in picked
    )
