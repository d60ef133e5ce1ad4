"""The alias state of a trace: containers that are one object on some path, but two in the trace.

`alias_sets` checks whether such a container changed, `stale_reads` whether a container that is used
is stale, and `element_ref` writes changed items of a list back.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import runtime as rt
from autograph.backends.graph.program.source_location import SourceLocation
from autograph.backends.graph.values.branch_facts import known_in
from autograph.backends.graph.values.encode import ContainerValue, held, is_changeable, released
from autograph.backends.graph.values.object_values import Record, record_of
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.value_spec import Branch, ItemsSpec, OptionalSpec, ValueSpec
from autograph.backends.possibly_unbound import PossiblyUnbound
from runtime.graph.graph import Graph

Outdated = tuple[dict[int, Any], dict[int, Any]]


@dataclass(slots=True)
class AliasMember:
    """A member of an alias set, with its contents when it was recorded."""

    value: object
    then: object


@dataclass(slots=True)
class AliasSet:
    """Containers that are one object on some path.

    Attributes:
        name: the variable that made them aliases; empty for a copy, which must not change at all.
        place: the location of that statement.
        parts: the members; the first one is the source of the others, or a copy.
        sources: of a copy, the items of the list that it may be; of containers put into a run, the
            picked items that they may be.
        owner: the list that a copy was picked from.
        run: the list handle with a copy of the members' contents; for a picked item, the list
            handle that it was in.
        iteration: the loop body that makes new members in every iteration; None if none does.
        paths: the branches in which a made container is the first member, by its identity; no entry
            for one that may be that on any path.
    """

    HOLDS_FOR_TRACE = True

    name: str
    place: SourceLocation | None
    parts: list[AliasMember]
    sources: list[AliasMember] = field(default_factory=list)
    owner: object = None
    run: rt.Tensor | None = None
    iteration: Graph | None = None
    paths: dict[int, list[Graph]] = field(default_factory=dict)


class BodyContainer(NamedTuple):
    """A container created for the body of a loop in place of one from outside.

    Attributes:
        name: the variable that has it.
        made: the container.
        first: the container that it is in the first iteration.
        body: the graph of the body.
    """

    name: str
    made: AliasMember
    first: AliasMember
    body: Graph


class ExtractedRef(NamedTuple):
    """A container that was read from a list.

    Attributes:
        value: the container.
        before: the list's items before.
        owner: the list.
    """

    value: object
    before: list[object]
    owner: object


@dataclass(frozen=True, slots=True)
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


@dataclass(slots=True)
class DuplicateRef:
    """A container that a list may hold twice.

    Attributes:
        owner: the list.
        keys: the two indices, if they are known.
        graph: the graph recorded then.
        place: the location of that statement.
    """

    owner: object
    keys: tuple[object, ...]
    graph: object
    place: SourceLocation | None


@dataclass(slots=True)
class ElementOrigin:
    """The list and the index that a container was taken from.

    Attributes:
        value: the container.
        owner: the list.
        key: the index.
        graph: the graph recorded then.
        run: the run of all items then.
        is_gone: whether another item has replaced it there since.
    """

    value: object
    owner: object
    key: object
    graph: object
    run: rt.Tensor
    is_gone: bool = False


@dataclass(slots=True)
class AliasState:
    """The alias state of one trace.

    Attributes:
        alias_sets: containers that are one object on some path.
        copied: containers put into a run as copies of their contents.
        outdated: those whose copy in the run was changed, by identity, with the location and the
            list, if known; also other lists with that item.
        left_alone: the containers that loops leave, by identity, each with the identities of its
            sources that only an iteration has made stale.
        renewed: for stale containers, by identity, the runs that have the change: a list of them
            for each path that makes it.
        made_of: runs by identity, with their sources.
        carried_anew: runs by identity, with the runs whose items they hold in another form.
        picked_from: runs by identity, with the runs from which their items were picked.
        begun_with: runs with which bodies of loops begin, by identity, with the runs of the
            variable before the loop and their depth in its value.
        stale: containers whose source was changed under another name, by identity, with the alias
            set and the member.
        shared: pairs of lists that share items.
        selected: containers that are one of several, with their sources.
        proxies: containers that stand for others and pass changes on to them.
        stood: all containers that ever were proxies, by identity.
        stand_ins: containers made for the body of a loop, each with the container that it is in the
            first iteration.
        origins: the lists and indices that containers were picked from.
        doubled: lists that may hold one container twice.
        rewritten: lists with the write-back of a changed item, the location of the pick, and the
            item.
        popped: containers popped from lists.
        put: containers made for variables whose branch has put its own one into a run, and the run.
        changed: containers that a branch has changed.
        passed_on: containers whose contents differ on one path.
        looks: containers that bodies of loops read.
        gone_over: the user's lists that staged loops iterate over.
        iterated: lists that the loop in progress iterates over, each with its containers as they
            are when an iteration begins.
        used_up: iterators whose rest only the graph knows, by identity, with the location.
        drawn: the identities of the iterators that those take items from, and keep.
        calls: the listener of calls, once there are proxies.
    """

    HOLDS_FOR_TRACE = True

    alias_sets: list[AliasSet] = field(default_factory=list)
    copied: list[AliasSet] = field(default_factory=list)
    outdated: dict[int, tuple[AliasMember, SourceLocation | None, object]] = field(
        default_factory=dict
    )
    left_alone: dict[int, tuple[object, set[int]]] = field(default_factory=dict)
    renewed: dict[int, list[list[rt.Tensor]]] = field(default_factory=dict)
    made_of: dict[int, tuple[rt.Tensor, frozenset[int]]] = field(default_factory=dict)
    carried_anew: dict[int, tuple[rt.Tensor, rt.Tensor]] = field(default_factory=dict)
    picked_from: dict[int, tuple[rt.Tensor, list[rt.Tensor]]] = field(default_factory=dict)
    begun_with: dict[int, tuple[rt.Tensor, list[tuple[rt.Tensor, int]]]] = field(
        default_factory=dict
    )
    stale: dict[int, tuple[AliasSet, AliasMember]] = field(default_factory=dict)
    shared: list[tuple[object, object]] = field(default_factory=list)
    selected: list[AliasSet] = field(default_factory=list)
    proxies: list[Any] = field(default_factory=list)
    stood: dict[int, object] = field(default_factory=dict)
    stand_ins: list[BodyContainer] = field(default_factory=list)
    origins: list[ElementOrigin] = field(default_factory=list)
    doubled: list[DuplicateRef] = field(default_factory=list)
    rewritten: list[tuple[object, SourceLocation | None, object]] = field(default_factory=list)
    popped: list[ExtractedRef] = field(default_factory=list)
    put: list[tuple[object, rt.Tensor]] = field(default_factory=list)
    changed: list[object] = field(default_factory=list)
    passed_on: list[PropagatedChange] = field(default_factory=list)
    looks: list[object] = field(default_factory=list)
    gone_over: list[object] = field(default_factory=list)
    iterated: list[tuple[object, list[AliasMember]]] = field(default_factory=list)
    used_up: dict[int, tuple[object, SourceLocation | None]] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)
    calls: Any = None


NOTED: ContextVar[AliasState | None] = ContextVar("alias_state", default=None)


def recorded_alias_sets() -> list[AliasSet]:
    """Return the alias sets of picked items and variables so far."""
    aliases = NOTED.get()
    return [] if aliases is None else aliases.alias_sets


def recorded_copies() -> list[AliasSet]:
    """Return the records so far of copies in staged lists."""
    aliases = NOTED.get()
    return [] if aliases is None else aliases.copied


def note_changed(containers: Iterable[object]) -> None:
    """Record containers that a branch has changed."""
    aliases = NOTED.get()
    if aliases is not None:
        aliases.changed.extend(containers)


def alias_state() -> AliasState | None:
    """Return the alias state of the running trace."""
    return NOTED.get()


def propagation_targets() -> list[object]:
    """Return the containers to which changes of others may have to be passed on."""
    aliases = NOTED.get()
    if aliases is None:
        return []
    return [*aliases.gone_over, *(each for one in aliases.proxies for each in one.owners)]


class RecordCounts(NamedTuple):
    """The lengths of the lists in an `AliasState` at one moment, and its objects by identity."""

    alias_sets: int = 0
    copied: int = 0
    proxies: int = 0
    shared: int = 0
    selected: int = 0
    origins: int = 0
    rewritten: int = 0
    doubled: int = 0
    looks: int = 0
    popped: int = 0
    put: int = 0
    changed: int = 0
    iterated: int = 0
    stale: Mapping[int, Any] = MappingProxyType({})
    outdated: Mapping[int, Any] = MappingProxyType({})
    renewed: Mapping[int, Any] = MappingProxyType({})


# The fields that are lengths.
_LISTS = RecordCounts._fields[:-3]


def record_counts() -> RecordCounts:
    """Return the lengths of all records so far, for `forget_records_since`."""
    aliases = NOTED.get()
    if aliases is None:
        return RecordCounts()
    counts = {name: len(getattr(aliases, name)) for name in _LISTS}
    outdated, renewed = outdated_now()
    return RecordCounts(**counts, stale=dict(aliases.stale), outdated=outdated, renewed=renewed)


def forget_records_since(before: RecordCounts) -> None:
    """Forget the records made since: the code is traced again."""
    aliases = NOTED.get()
    if aliases is not None:
        for name, count in zip(_LISTS, before):
            del getattr(aliases, name)[count:]
        aliases.stale = dict(before.stale)
        aliases.outdated, aliases.renewed = dict(before.outdated), dict(before.renewed)


def outdated_then(before: RecordCounts) -> set[int]:
    """Return the identities of the objects that were stale at that length of the records."""
    return set(before.outdated)


def outdated_now() -> Outdated:
    """Return the stale objects, for `apart_from`."""
    aliases = NOTED.get()
    return ({}, {}) if aliases is None else (dict(aliases.outdated), dict(aliases.renewed))


@contextmanager
def apart_from(before: Outdated) -> Iterator[None]:
    """Trace the other branch of a statement, where changes of the first one make nothing stale.

    Args:
        before: the objects that were stale before both.
    """
    aliases = NOTED.get()
    if aliases is None:
        yield
        return
    outdated, renewed = aliases.outdated, aliases.renewed
    aliases.outdated, aliases.renewed = map(dict, before)
    try:
        yield
    finally:
        for each, runs in aliases.renewed.items():
            earlier, others = before[1].get(each), renewed.get(each)
            if runs is not earlier:
                renewed[each] = runs if others is earlier else [*(others or ()), *runs]
        aliases.outdated, aliases.renewed = outdated | aliases.outdated, renewed


def part_of(value: object) -> AliasMember:
    return AliasMember(value, held(value))


def released_copy(value: object) -> object:
    """Return the current contents of an object that is no structure, as they would be held."""
    copy = getattr(held(value), "copy", None)
    return None if copy is None else list(map(released, rt.nest.children(copy) or ()))


def is_as_then(part: AliasMember) -> bool:
    """Return whether a container is unchanged since its record."""
    if not isinstance(part.then, ContainerValue):
        return True
    # An object of an ordinary class is held as a record of its attributes.
    now = part.value if rt.nest.is_nested(part.value) else released_copy(part.value)
    return _are_one(rt.nest.children(now), part.then)


def _are_one(items: Sequence[object] | None, then: ContainerValue) -> bool:
    before = rt.nest.children(then.copy) or []
    items = items or []
    return len(items) == len(before) and all(map(operator.is_, items, map(released, before)))


def note_passed_on_path(value: object, before: AliasMember, pred: object, taken: bool) -> None:
    """Record that a container was given its current contents on one path.

    Args:
        value: the container.
        before: it, with its contents before.
        pred: the condition of the path.
        taken: the value of the condition on the path.
    """
    aliases = NOTED.get()
    if aliases is None:
        return
    last = next((each for each in reversed(aliases.passed_on) if each.value is value), None)
    if last is not None and last.pred is pred and last.taken is taken:
        if _held_the_same(last.after, before):
            before = last.before
    aliases.passed_on.append(PropagatedChange(value, before, part_of(value), pred, taken))


def is_as_then_on(part: AliasMember, path: object) -> bool:
    """Return whether a container is unchanged since its record, on the path of a graph."""
    if is_as_then(part):
        return True
    aliases = NOTED.get()
    passed = reversed(aliases.passed_on) if aliases is not None else ()
    last = next((each for each in passed if each.value is part.value), None)
    return (
        last is not None
        and is_as_then(last.after)
        and _held_the_same(part, last.before)
        and known_in(path, last.pred) is (not last.taken)
    )


def _held_the_same(one: AliasMember, other: AliasMember) -> bool:
    if not isinstance(one.then, ContainerValue) or not isinstance(other.then, ContainerValue):
        return False
    children = rt.nest.children(one.then.copy)
    return _are_one(None if children is None else list(map(released, children)), other.then)


def changeable_parts(spec: ValueSpec, value: object) -> Iterator[object]:
    """Yield the mutable parts of a value that a value spec created."""
    value = present(value)
    if isinstance(spec, OptionalSpec):
        spec = spec.value
    if isinstance(spec, (Branch, ItemsSpec)) and is_changeable(value):
        yield value
    if isinstance(spec, Branch):
        record = record_of(value) if isinstance(spec.like, Record) else None
        parts = (rt.nest.children(value) or ()) if record is None else record.values
        for child, part in zip(spec.children, parts):
            yield from changeable_parts(child, part)


def present(value: object) -> object:
    """Return an optional value as if it were present."""
    return value.value if isinstance(value, (OptionalValue, PossiblyUnbound)) else value
