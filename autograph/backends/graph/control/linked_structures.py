"""The objects that a loop walks over, which lead to each other: a linked list, a ring, a tree.

    while steps > 0: cur = cur.next

Each trace of the body finds the objects that are one step further. So the steps that a few traces
have found are repeated, and the trace after these knows the objects at the end of the list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from autograph.backends.graph.objects.object_contents import contents_of, is_indexed
from autograph.backends.graph.values.join import MOST_OBJECTS
from autograph.backends.graph.values.value_spec import (
    ContainerSpec,
    OneOfSpec,
    OptionalSpec,
    ValueSpec,
    known_objects,
)

_AccessPath = tuple[object, ...]


def with_following_objects(before: ValueSpec, after: ValueSpec, old: Collection[int]) -> ValueSpec:
    """Return the spec `after` one iteration with the objects that more iterations would reach.

    Args:
        before: the spec of the variable before the iteration.
        after: its spec after it.
        old: the identities of the objects from before the loop.
    """
    if isinstance(after, OptionalSpec):
        inside = before.value if isinstance(before, OptionalSpec) else before
        return OptionalSpec(with_following_objects(inside, after.value, old), after.absent)
    if isinstance(after, ContainerSpec) and isinstance(before, ContainerSpec):
        pairs = zip(before.children, after.children)
        return replace(after, children=tuple(with_following_objects(*each, old) for each in pairs))
    if not isinstance(after, OneOfSpec):
        return after
    known = {id(each) for each in known_objects(before)}
    new = [each for each in after.options if id(each) not in known]
    ways = {way for each in known_objects(before) for way, to in _steps(each) if _is_in(to, new)}
    found = {id(each): each for each in after.options}
    waiting = new if known else []
    while waiting and len(found) < MOST_OBJECTS:
        steps = (to for way, to in _steps(waiting.pop()) if way in ways)
        further = {id(to): to for to in steps if id(to) in old and id(to) not in found}
        found |= further
        waiting += further.values()
    return replace(after, options=tuple(found.values()))


def _is_in(value: object, objects: list[object]) -> bool:
    return any(value is each for each in objects)


def _steps(value: object) -> Iterator[tuple[_AccessPath, object]]:
    """Yield the attributes of an object, and the items of lists and dicts among them."""
    for name, held in (contents_of(value) or {}).items():
        yield (name,), held
        if is_indexed(held):
            yield from (((name, key), item) for key, item in (contents_of(held) or {}).items())
