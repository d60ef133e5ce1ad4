"""The mutable lists, dicts and objects in the items of a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import runtime as rt
from autograph.backends.graph.state.alias_state import AliasMember
from autograph.backends.graph.values.container_snapshot import (
    ContainerSnapshot,
    is_mutable,
    with_contents,
)
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.object_values import ObjectRecord
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.value_spec import (
    ContainerSpec,
    ItemsSpec,
    OptionalSpec,
    SameObjectSpec,
    ValueSpec,
)
from autograph.backends.possibly_unbound import PossiblyUnbound


def mutable_parts(item: object, around: frozenset[int] = frozenset()) -> Iterator[AliasMember]:
    """Yield the mutable containers in an item.

    Args:
        item: any value.
        around: the identities of the containers around it, one of which it may be.
    """
    if isinstance(item, (OptionalValue, PossiblyUnbound)):
        item = item.value
    if id(item) in around:
        return
    if is_mutable(item):
        yield AliasMember(item, with_contents(item))
    if type(item) is not DynamicItems:
        children = rt.nest.children(item)
        for child in children or ():
            yield from mutable_parts(child, around | {id(item)})


def known_mutable_parts(items: Iterable[object]) -> Iterator[AliasMember]:
    """Yield the mutable containers in the known items of a list; dynamic items do not count."""
    return (
        part for item in items if type(item) is not DynamicItems for part in mutable_parts(item)
    )


def carried_by_value(spec: ValueSpec, value: object) -> Iterator[ContainerSnapshot]:
    """Yield the containers of a value that a spec carries by their contents."""
    if isinstance(spec, OptionalSpec):
        spec = spec.value
    if isinstance(value, ContainerSnapshot) and not isinstance(spec, SameObjectSpec):
        if is_mutable(value.value):
            yield value
        value = value.copy
    if isinstance(value, (OptionalValue, PossiblyUnbound)):
        yield from carried_by_value(spec, value.value)
    elif isinstance(spec, ContainerSpec):
        for child, part in zip(spec.children, rt.nest.children(value) or ()):
            yield from carried_by_value(child, part)
    elif isinstance(spec, ItemsSpec):
        for part in rt.nest.children(value) or ():
            yield from carried_by_value(spec.element, part)


def holds_containers(item: object) -> bool:
    """Return whether an item, or a dynamic item, is or contains a mutable container."""
    if type(item) is DynamicItems:
        likes = _likes(item.element)
        return any(is_mutable(like) or isinstance(like, ObjectRecord) for like in likes)
    return next(mutable_parts(item), None) is not None


def _likes(spec: ValueSpec) -> Iterator[object]:
    if isinstance(spec, ItemsSpec):
        yield []
    elif isinstance(spec, SameObjectSpec):
        yield spec.value
    elif isinstance(spec, OptionalSpec):
        yield from _likes(spec.value)
    elif isinstance(spec, ContainerSpec):
        yield spec.like
        for child in spec.children:
            yield from _likes(child)
