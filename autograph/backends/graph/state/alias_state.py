"""The alias state of a trace: containers that may be one object, but are several in the trace.

This module only holds the records. The modules of `aliases/` make them, check at each read whether
a container is stale, and write changed items back to their lists.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import runtime as rt
from autograph.backends.graph.source.source_location import SourceLocation
from autograph.backends.graph.values.branch_facts import known_value_in
from autograph.backends.graph.values.container_snapshot import (
    ContainerSnapshot,
    is_mutable,
    with_contents,
    without_contents,
)
from autograph.backends.graph.values.object_values import ObjectRecord, record_of
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.value_spec import (
    ContainerSpec,
    ItemsSpec,
    OptionalSpec,
    ValueSpec,
)
from autograph.backends.possibly_unbound import PossiblyUnbound
from runtime.graph.graph import Graph

Invalidated = tuple[dict[int, Any], dict[int, Any]]


@dataclass(slots=True, eq=False, repr=False)
class AliasMember:
    """A container, with its contents when it was recorded."""

    value: object
    contents: object


@dataclass(slots=True, eq=False, repr=False)
class AliasSet:
    """Containers that may be the same object at run time.

    Four kinds of sets have this form: aliases in a variable, an item that was picked from a list at
    a run-time index, containers that were copied into a list handle, and items that a function such
    as `max` selects.

    Attributes:
        name: the variable that has the aliases, or the function that selects; empty for picked
            items and copied containers.
        place: the location of the statement that made them aliases.
        members: the containers; in a variable, the others are made of the first one.
        sources: of a picked or selected item, the containers that it may be; of copied containers,
            the picked items that they may be.
        owner: the list that an item was picked from, if known.
        handle: the list handle that an item was picked from, or that has the copies.
        iteration: the loop body that makes new members in every iteration; None if none does.
        paths: for members made after branches, by identity, the branches that left the first member
            in the variable; no entry means any path.
    """

    HOLDS_FOR_TRACE = True

    name: str
    place: SourceLocation | None
    members: list[AliasMember]
    sources: list[AliasMember] = field(default_factory=list)
    owner: object = None
    handle: rt.Tensor | None = None
    iteration: Graph | None = None
    paths: dict[int, list[Graph]] = field(default_factory=dict)


class BodyContainer(NamedTuple):
    """A container created for the body of a loop in place of one from outside.

    Attributes:
        name: the variable that has it.
        made: the created container.
        first: the container from outside, which it stands for in the first iteration.
        body: the graph of the body.
    """

    name: str
    made: AliasMember
    first: AliasMember
    body: Graph


class PoppedItem(NamedTuple):
    """A container that was popped from a staged list.

    Attributes:
        value: the container.
        before: the list's items before the pop.
        owner: the list.
        rest: the list handle that has all other items.
        inherit: records a container that a statement makes of this one as popped, too.
    """

    value: object
    before: list[object]
    owner: object
    rest: rt.Tensor
    inherit: Callable[[object], None]


@dataclass(slots=True, eq=False, repr=False)
class PropagatedChange:
    """A container whose contents differ on one path, because a change was propagated to it.

    Attributes:
        value: the container.
        before, after: the contents before and after.
        pred: the condition of the path.
        taken: the value of the condition on the path.
    """

    HOLDS_FOR_TRACE = True

    value: object
    before: AliasMember
    after: AliasMember
    pred: object
    taken: bool


@dataclass(slots=True, eq=False, repr=False)
class DuplicateRef:
    """A container that a list may contain twice.

    Attributes:
        owner: the list.
        keys: the two indices; None for an unknown one.
        graph: the graph that the statement is recorded in.
        place: the location of the statement that may have put it there twice.
    """

    owner: object
    keys: tuple[object, ...]
    graph: object
    place: SourceLocation | None


@dataclass(slots=True, eq=False, repr=False)
class ElementOrigin:
    """The list and the index that a container was picked from.

    Attributes:
        value: the container.
        owner: the list.
        key: the index.
        graph: the graph that the pick is recorded in.
        handle: the list handle that had all items at the pick.
        is_gone: whether another item has replaced it there since.
    """

    value: object
    owner: object
    key: object
    graph: object
    handle: rt.Tensor
    is_gone: bool = False


class WriteBack(NamedTuple):
    """A changed item that was written back to its list.

    Attributes:
        owner: the list.
        place: the location of the pick.
        item: the item.
        reads: the number of `loop_reads` before the change.
    """

    owner: object
    place: SourceLocation | None
    item: object
    reads: int


class AliasState:
    """The alias state of one trace.

    Tables keyed by the identity of an object also hold the object, so that no other object gets the
    same identity.

    Attributes:
        alias_sets: containers that may be the same object: of a variable, or, without a name, of an
            item picked from a list.
        copied: containers whose contents a list handle contains as a copy.
        invalidated: containers of which a copy in a list handle was changed, and lists with such a
            copy, by identity; each with the location where the changed item was picked (of its
            write-back, if that is unknown), and the changed list or the list itself. List handles
            with the item as it was before are among them.
        stale_in_iterations: for containers that a loop leaves, by identity, the sources that only
            an iteration makes stale.
        updated_handles: for invalidated containers, by identity, the list handles that have the
            change; one list for each path that makes it.
        source_cache: list handles by identity, with the handles whose items they hold.
        converted_from: list handles by identity, with the handle of the same items under another
            spec.
        picked_from: list handles by identity, with the handles that their items were picked from.
        initial_handles: list handles at the start of a loop's body, by identity, with the handles
            in the variable before the loop, and their depth in its value.
        stale: containers of which an alias was changed, by identity, with the alias set and the
            member.
        shared: pairs of lists that have items in common.
        selected: containers that are one of several, with their sources.
        proxies: containers that stand for others and pass changes on to them.
        proxied: the containers of all proxies so far, by identity.
        body_containers: containers created for the body of a loop.
        origins: the lists and indices that containers were picked from.
        duplicates: lists that may contain one container twice.
        write_backs: the changed items that were written back to lists.
        popped: containers popped from lists.
        branch_insertions: for a variable whose branch has put its container into a list: the
            container after the branch, and the list handle.
        changed_in_branches: containers that a branch has changed.
        propagated: containers whose contents differ on one path.
        loop_reads: containers that bodies of loops read.
        iterated_lists: the user's lists of mutable items that staged loops iterate over.
        iterated_items: lists that the loop being traced iterates over, with the containers in them
            at the start of the iteration.
        partly_consumed: iterators whose remaining items only the graph knows, by identity, with the
            location.
        consumed_sources: the identities of these iterators and of those they take items from.
        call_listener: the listener of calls; None while there are no proxies.
    """

    HOLDS_FOR_TRACE = True

    def __init__(self) -> None:
        self.alias_sets: list[AliasSet] = []
        self.copied: list[AliasSet] = []
        self.invalidated: dict[int, tuple[AliasMember, SourceLocation | None, object]] = {}
        self.stale_in_iterations: dict[int, tuple[object, set[int]]] = {}
        self.updated_handles: dict[int, list[list[rt.Tensor]]] = {}
        self.source_cache: dict[int, tuple[rt.Tensor, frozenset[int]]] = {}
        self.converted_from: dict[int, tuple[rt.Tensor, rt.Tensor]] = {}
        self.picked_from: dict[int, tuple[rt.Tensor, list[rt.Tensor]]] = {}
        self.initial_handles: dict[int, tuple[rt.Tensor, list[tuple[rt.Tensor, int]]]] = {}
        self.stale: dict[int, tuple[AliasSet, AliasMember]] = {}
        self.shared: list[tuple[object, object]] = []
        self.selected: list[AliasSet] = []
        self.proxies: list[Any] = []
        self.proxied: dict[int, object] = {}
        self.body_containers: list[BodyContainer] = []
        self.origins: list[ElementOrigin] = []
        self.duplicates: list[DuplicateRef] = []
        self.write_backs: list[WriteBack] = []
        self.popped: list[PoppedItem] = []
        self.branch_insertions: list[tuple[object, rt.Tensor]] = []
        self.changed_in_branches: list[object] = []
        self.propagated: list[PropagatedChange] = []
        self.loop_reads: list[object] = []
        self.iterated_lists: list[object] = []
        self.iterated_items: list[tuple[object, list[AliasMember]]] = []
        self.partly_consumed: dict[int, tuple[object, SourceLocation | None]] = {}
        self.consumed_sources: set[int] = set()
        self.call_listener: Any = None


ALIAS_STATE: ContextVar[AliasState | None] = ContextVar("alias_state", default=None)


def recorded_alias_sets() -> list[AliasSet]:
    """Return the alias sets of variables and picked items so far."""
    aliases = ALIAS_STATE.get()
    return [] if aliases is None else aliases.alias_sets


def recorded_copies() -> list[AliasSet]:
    """Return the records so far of containers that were copied into list handles."""
    aliases = ALIAS_STATE.get()
    return [] if aliases is None else aliases.copied


def record_changed_in_branch(containers: Iterable[object]) -> None:
    """Record containers that a branch has changed."""
    aliases = ALIAS_STATE.get()
    if aliases is not None:
        aliases.changed_in_branches.extend(containers)


def alias_state() -> AliasState | None:
    """Return the alias state of the running trace."""
    return ALIAS_STATE.get()


def propagation_targets() -> list[object]:
    """Return the containers that a change of another container may have to reach."""
    aliases = ALIAS_STATE.get()
    if aliases is None:
        return []
    return [*aliases.iterated_lists, *(each for one in aliases.proxies for each in one.owners)]


class AliasSnapshot(NamedTuple):
    """The lengths of lists of an `AliasState` at one moment, and copies of three of its tables."""

    alias_sets: int = 0
    copied: int = 0
    proxies: int = 0
    shared: int = 0
    selected: int = 0
    origins: int = 0
    write_backs: int = 0
    duplicates: int = 0
    loop_reads: int = 0
    popped: int = 0
    branch_insertions: int = 0
    changed_in_branches: int = 0
    iterated_items: int = 0
    stale: Mapping[int, Any] = MappingProxyType({})
    invalidated: Mapping[int, Any] = MappingProxyType({})
    updated_handles: Mapping[int, Any] = MappingProxyType({})


# The fields that are lengths of lists; the others are copies of tables.
_LISTS = AliasSnapshot._fields[:-3]


def alias_snapshot() -> AliasSnapshot:
    """Return a snapshot of the alias state, for `roll_back_aliases`."""
    aliases = ALIAS_STATE.get()
    if aliases is None:
        return AliasSnapshot()
    counts = {name: len(getattr(aliases, name)) for name in _LISTS}
    invalidated, updated_handles = invalidated_now()
    return AliasSnapshot(
        **counts,
        stale=dict(aliases.stale),
        invalidated=invalidated,
        updated_handles=updated_handles,
    )


def roll_back_aliases(before: AliasSnapshot) -> None:
    """Discard the records since a snapshot, in the lists and tables that it has."""
    aliases = ALIAS_STATE.get()
    if aliases is not None:
        for name, count in zip(_LISTS, before):
            del getattr(aliases, name)[count:]
        aliases.stale = dict(before.stale)
        aliases.invalidated, aliases.updated_handles = (
            dict(before.invalidated),
            dict(before.updated_handles),
        )


def invalidated_at(before: AliasSnapshot) -> set[int]:
    """Return the identities of the objects that were invalidated at a snapshot."""
    return set(before.invalidated)


def invalidated_now() -> Invalidated:
    """Return the invalidated objects and their updated handles, for `tracing_other_branch`."""
    aliases = ALIAS_STATE.get()
    return (
        ({}, {}) if aliases is None else (dict(aliases.invalidated), dict(aliases.updated_handles))
    )


@contextmanager
def tracing_other_branch(before: Invalidated) -> Iterator[None]:
    """Trace the other branch of a statement, where changes of the first one invalidate nothing.

    Args:
        before: the objects that were invalidated before both.
    """
    aliases = ALIAS_STATE.get()
    if aliases is None:
        yield
        return
    invalidated, updated_handles = aliases.invalidated, aliases.updated_handles
    aliases.invalidated, aliases.updated_handles = map(dict, before)
    try:
        yield
    finally:
        for each, handles in aliases.updated_handles.items():
            earlier, others = before[1].get(each), updated_handles.get(each)
            if handles is not earlier:
                updated_handles[each] = (
                    handles if others is earlier else [*(others or ()), *handles]
                )
        aliases.invalidated, aliases.updated_handles = (
            invalidated | aliases.invalidated,
            updated_handles,
        )


def as_member(value: object) -> AliasMember:
    """Return a container with its current contents."""
    return AliasMember(value, with_contents(value))


def _current_attributes(value: object) -> object:
    """Return the current attributes of an object of a user class; None if it has no record."""
    copy = getattr(with_contents(value), "copy", None)
    return None if copy is None else list(map(without_contents, rt.nest.children(copy) or ()))


def is_unchanged(part: AliasMember) -> bool:
    """Return whether a container has the contents that were recorded; True if none were."""
    if not isinstance(part.contents, ContainerSnapshot):
        return True
    now = part.value if rt.nest.is_nested(part.value) else _current_attributes(part.value)
    return _are_same_items(rt.nest.children(now), part.contents)


def _are_same_items(items: Sequence[object] | None, then: ContainerSnapshot) -> bool:
    before = rt.nest.children(then.copy) or []
    items = items or []
    return len(items) == len(before) and all(
        map(operator.is_, items, map(without_contents, before))
    )


def record_propagated(value: object, before: AliasMember, pred: object, taken: bool) -> None:
    """Record that a container was given its current contents on one path.

    Args:
        value: the container.
        before: the container with its contents before.
        pred: the condition of the path.
        taken: the value of the condition on the path.
    """
    aliases = ALIAS_STATE.get()
    if aliases is None:
        return
    last = next((each for each in reversed(aliases.propagated) if each.value is value), None)
    if last is not None and last.pred is pred and last.taken is taken:
        if _have_same_contents(last.after, before):
            before = last.before
    aliases.propagated.append(PropagatedChange(value, before, as_member(value), pred, taken))


def is_unchanged_on(part: AliasMember, path: object) -> bool:
    """Return whether a container has the recorded contents on the path of a graph."""
    if is_unchanged(part):
        return True
    aliases = ALIAS_STATE.get()
    passed = reversed(aliases.propagated) if aliases is not None else ()
    last = next((each for each in passed if each.value is part.value), None)
    return (
        last is not None
        and is_unchanged(last.after)
        and _have_same_contents(part, last.before)
        and known_value_in(path, last.pred) is (not last.taken)
    )


def _have_same_contents(one: AliasMember, other: AliasMember) -> bool:
    if not isinstance(one.contents, ContainerSnapshot) or not isinstance(
        other.contents, ContainerSnapshot
    ):
        return False
    children = rt.nest.children(one.contents.copy)
    return _are_same_items(
        None if children is None else list(map(without_contents, children)), other.contents
    )


def mutable_parts_by_spec(spec: ValueSpec, value: object) -> Iterator[object]:
    """Yield the mutable containers in a value that was created from a value spec."""
    value = present_value(value)
    if isinstance(spec, OptionalSpec):
        spec = spec.value
    if isinstance(spec, (ContainerSpec, ItemsSpec)) and is_mutable(value):
        yield value
    if isinstance(spec, ContainerSpec):
        record = record_of(value) if isinstance(spec.like, ObjectRecord) else None
        parts = (rt.nest.children(value) or ()) if record is None else record.values
        for child, part in zip(spec.children, parts):
            yield from mutable_parts_by_spec(child, part)


def present_value(value: object) -> object:
    """Return the value of an optional value, or of a possibly unbound variable."""
    return value.value if isinstance(value, (OptionalValue, PossiblyUnbound)) else value


def is_among(value: object, others: Iterable[object]) -> bool:
    """Return whether a value is one of several objects."""
    return any(value is each for each in others)
