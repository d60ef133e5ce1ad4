"""Changes by code behind an assignment: a setter, a descriptor, `__setattr__`, `__setitem__`."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any

import runtime as rt
from autograph.backends.graph.objects.object_contents import (
    StoredAttributes,
    contents_of,
    is_indexed,
    users_classes,
)
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.object_paths import WatchedObject, entry_name
from autograph.backends.graph.state.reachability import DEEPEST, Reach
from autograph.backends.undefined import StoredElsewhere
from autograph.errors import ContainerMutationError
from autograph.operators.user_classes import is_a, own_attributes

# All objects that the code behind an assignment can reach are watched, up to this number.
_MOST_OBJECTS = 10_000
_PLAIN = (int, float, complex, str, bytes, type(None), rt.Tensor)


def add_elsewhere(reach: Reach, name: str, place: StoredElsewhere) -> None:
    """Watch the objects that the code behind an assignment may change.

    Raises:
        ContainerMutationError: if an object that it may change cannot be watched.
    """
    base = name.rpartition("[" if name.endswith("]") else ".")[0]
    for owner in place.owners:
        if is_a(owner, _PLAIN) or contents_of(owner) is None:
            raise _unseen(name, owner)
        if not _add_to_the_end(reach, base, owner):
            raise _unseen(name, owner)
        reach.add_class(type(owner), DEEPEST)
    for function in _functions_reached(place):
        reach.add_mentioned(function, DEEPEST)
        reach.add_outer(function, DEEPEST)


def _functions_reached(place: StoredElsewhere) -> list[FunctionType]:
    """Return the code, all methods of the owners, and the functions of the module they mention."""
    methods = [each for owner in place.owners for each in _methods(owner)]
    waiting = [f for f in (*place.functions, *methods) if isinstance(f, FunctionType)]
    reached: dict[int, FunctionType] = {}
    while waiting:
        function = waiting.pop()
        if id(function) in reached:
            continue
        reached[id(function)] = function
        mentioned = map(function.__globals__.get, function.__code__.co_names)
        waiting += [
            f for f in mentioned if type(f) is FunctionType and f.__module__ == function.__module__
        ]
    return list(reached.values())


def _methods(owner: object) -> Iterator[object]:
    for kind in users_classes(owner):
        yield from own_attributes(kind).values()


def _unseen(name: str, owner: object) -> ContainerMutationError:
    return ContainerMutationError(
        f"'{name}' is assigned by code of class {type(owner).__name__}, in a statement that is "
        "staged, where its changes cannot be seen: keep the value in a variable and assign it "
        "after the statement",
        user_location(),
    )


def _add_to_the_end(reach: Reach, name: str, owner: object) -> bool:
    """Watch an object and all objects in it; return whether these are all."""
    waiting, visited = [(name, owner)], set[int]()
    while waiting and len(visited) < _MOST_OBJECTS:
        name, value = waiting.pop()
        if id(value) in visited or is_a(value, _PLAIN):
            continue
        visited.add(id(value))
        if is_a(value, (tuple,)):
            waiting += [(f"{name}[{k}]", item) for k, item in enumerate(_items(value))]
            continue
        if not reach.knows(value):
            reach.add(name, value, 1)
        for each in (reach.find(value), _besides(name, value)):
            if each is not None:
                waiting += [(entry_name(each, key), v) for key, v in each.contents.items()]
    return not waiting


def _items(value: Any) -> list[object]:
    return list(tuple.__iter__(value))


def _besides(name: str, value: object) -> WatchedObject | None:
    """Return the attributes of a container, which it may have beside its items."""
    held = contents_of(StoredAttributes(value)) if is_indexed(value) else None
    return WatchedObject(name, StoredAttributes(value), held) if held else None
