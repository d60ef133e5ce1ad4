"""Seeing what a traced body changes without naming it: items of lists and dicts, attributes.

A converter can read that `x = ...` binds `x`. That `l.append(v)` or `o.step()` changes an object
is only seen by looking at the objects the body can reach, before and after tracing it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import CellType, CodeType, FrameType, FunctionType, MethodType
from typing import Any

import runtime as rt
from autograph.backends.graph.contents import (
    Attributes,
    ClassVariables,
    Contents,
    Globals,
    contents_of,
    is_a,
    is_indexed,
    is_list,
    put_contents,
    users_classes,
)
from autograph.backends.graph.places import user_place
from autograph.backends.graph.slots import WHOLE, Entry
from autograph.backends.graph.staged_items import StagedItems
from autograph.backends.undefined import Elsewhere
from autograph.errors import ContainerMutationError
from autograph.operators.frames import part_of
from autograph.operators.kinds import own_attributes

# Deep enough for what programs nest by hand; a linked structure is not followed to its end.
_DEEPEST = 4
# What the code behind a name can reach is followed to its end, if it has one.
_MOST_OBJECTS = 10_000
NO_PLACES: Mapping[str, Elsewhere] = {}
_PLAIN = (int, float, complex, str, bytes, type(None), rt.Tensor)


@dataclass(frozen=True, slots=True)
class Watched:
    """A mutable object the body can reach, what it held before, and whether by several names."""

    name: str
    value: object
    contents: Contents
    shared: bool = False


def watch(
    *functions: Callable[..., object] | None,
    elsewhere: Mapping[str, Elsewhere] = NO_PLACES,
    roots: Iterable[tuple[str, object]] = (),
) -> list[Watched]:
    """Remember what the local variables `functions` can reach hold, and the objects in them.

    Variables of functions that are not being traced, and globals, are not watched: changing them
    while tracing is a Python side effect, which happens once per trace. Only of code that stands
    behind names the statement assigns (`elsewhere`), all it mentions is watched.

    Raises:
        ContainerMutationError: if what such code assigns cannot be watched.
    """
    frames = _converted_frames(sys._getframe(1))
    found: dict[int, Watched] = {}
    for name, value in roots:
        if id(value) not in found:
            _add(found, name, value, frames, _DEEPEST)
    for function in functions:
        for users in _users_functions(function):
            _add_function(found, users, frames, _DEEPEST)
    for name, place in elsewhere.items():
        _add_elsewhere(found, name, place, frames)
    return list(found.values())


def _add_elsewhere(
    found: dict[int, Watched], name: str, place: Elsewhere, frames: list[FrameType]
) -> None:
    """Watch what the code behind a name may change."""
    base = name.rpartition("[" if name.endswith("]") else ".")[0]
    for owner in place.owners:
        if is_a(owner, _PLAIN) or contents_of(owner) is None:
            raise _unseen(name, owner)
        if not _add_to_the_end(found, base, owner, frames):
            raise _unseen(name, owner)
        for kind in users_classes(owner):
            variables = ClassVariables(kind)
            held = contents_of(variables) or {}
            found[id(variables)] = Watched(kind.__name__, variables, held)
            for key, value in held.items():
                _add_unless_known(found, f"{kind.__name__}.{key}", value, frames)
    for function in _functions_reached(place):
        _add_mentioned(found, function, frames)


def _functions_reached(place: Elsewhere) -> list[FunctionType]:
    """Return the code behind a name, methods beside it, and functions of its module it mentions."""
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
        user_place(),
    )


def _add_to_the_end(
    found: dict[int, Watched], name: str, owner: object, frames: list[FrameType]
) -> bool:
    """Watch an object and everything in it, however deep; tell whether there is an end to it."""
    waiting, visited = [(name, owner)], set[int]()
    while waiting and len(visited) < _MOST_OBJECTS:
        name, value = waiting.pop()
        if id(value) in visited or is_a(value, _PLAIN):
            continue
        visited.add(id(value))
        if is_a(value, (tuple,)):
            waiting += [(f"{name}[{k}]", item) for k, item in enumerate(_items(value))]
            continue
        if id(value) not in found:
            _add(found, name, value, frames, 1)
        for each in (found.get(id(value)), _besides(name, value)):
            if each is not None:
                waiting += [(entry_name(each, key), v) for key, v in each.contents.items()]
    return not waiting


def _items(value: Any) -> list[object]:
    return list(tuple.__iter__(value))


def _besides(name: str, value: object) -> Watched | None:
    """Return the attributes of a container that is more than its items."""
    held = contents_of(Attributes(value)) if is_indexed(value) else None
    return Watched(name, Attributes(value), held) if held else None


def _add_mentioned(
    found: dict[int, Watched], function: FunctionType, frames: list[FrameType]
) -> None:
    """Watch the globals and outer variables a function mentions."""
    variables = Globals(function.__globals__, frozenset(function.__code__.co_names))
    outside = Watched(function.__module__ or "", variables, contents_of(variables) or {})
    found[id(variables)] = outside
    for key, value in outside.contents.items():
        _add_unless_known(found, entry_name(outside, key), value, frames)
    for variable, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        if id(cell) not in found:
            # Not the bare name, which another variable of the statement may have.
            name = f"{function.__qualname__}.{variable}"
            found[id(cell)] = each = Watched(name, cell, contents_of(cell) or {})
            for value in each.contents.values():
                _add_unless_known(found, name, value, frames)


def _add_unless_known(
    found: dict[int, Watched], name: str, value: object, frames: list[FrameType]
) -> None:
    if id(value) not in found:
        _add(found, name, value, frames, _DEEPEST)


def _users_functions(value: object) -> Iterator[FunctionType]:
    """Yield the user's functions that `value`, a function or a tuple of them, stands for.

    Functions of ours put together several thunks of the user's into one; they hold them in cells.
    """
    waiting, visited = [value], set[int]()
    while waiting:
        value = waiting.pop(0)
        if id(value) in visited:
            continue
        visited.add(id(value))
        if isinstance(value, (tuple, list)):
            waiting[:0] = value
        elif isinstance(value, MethodType):
            waiting.insert(0, value.__func__)
        elif isinstance(value, FunctionType):
            if (value.__module__ or "").partition(".")[0] != "autograph":
                yield value
                continue
            cells = value.__closure__ or ()
            waiting[:0] = [(contents_of(cell) or {}).get("cell") for cell in cells]


def _add_function(
    found: dict[int, Watched], function: object, frames: list[FrameType], depth: int
) -> None:
    """Watch the variables a function shares with the functions now being traced."""
    for name, cell in _shared_cells(function, frames):
        if id(cell) in found:
            continue
        contents = contents_of(cell) or {}
        found[id(cell)] = Watched(name, cell, contents)
        for value in contents.values():
            _add(found, name, value, frames, depth)


def _add(
    found: dict[int, Watched], name: str, value: Any, frames: list[FrameType], depth: int
) -> None:
    """Watch `value` and, down to `depth`, the containers and objects inside it."""
    if id(value) in found:
        found[id(value)] = replace(found[id(value)], shared=True)
        return
    if depth == 0 or is_a(value, _PLAIN):
        return
    if type(value) is FunctionType:
        return _add_function(found, value, frames, depth - 1)
    if is_a(value, (tuple,)):
        for position, item in enumerate(value):
            _add(found, f"{name}[{position}]", item, frames, depth - 1)
        return None
    contents = contents_of(value)
    if contents is None:
        return None
    found[id(value)] = each = Watched(name, value, contents)
    _add_held(found, each, frames, depth)
    if (besides := _besides(name, value)) is not None:
        found[id(besides.value)] = besides
        _add_held(found, besides, frames, depth)
    return None


def _add_held(
    found: dict[int, Watched], each: Watched, frames: list[FrameType], depth: int
) -> None:
    for key, item in each.contents.items():
        _add(found, entry_name(each, key), item, frames, depth - 1)


def changed(watched: list[Watched]) -> list[tuple[Watched, Contents]]:
    """Return the objects whose contents are no longer the same, with their contents now."""
    result = []
    for each in watched:
        now = dict(contents_of(each.value) or {})
        same_keys = now.keys() == each.contents.keys()
        if not same_keys or any(now[k] is not v for k, v in each.contents.items()):
            result.append((each, now))
    return result


def restore(watched: list[Watched]) -> None:
    """Give every object the contents it had."""
    for each, _ in changed(watched):
        put_contents(each.value, each.contents)


def entries_of(changes: list[tuple[Watched, Contents]]) -> list[Entry]:
    """Return one entry for each place that was given another value.

    Raises:
        ContainerMutationError: if a list, dict, set or object has grown or shrunk, which the graph
            would not repeat when it runs.
    """
    entries: list[Entry] = []
    for each, now in changes:
        if _changes_length(each, now):
            entries.append(Entry(f"{each.name}[:]", each.value, WHOLE))
            continue
        if now.keys() != each.contents.keys() or is_a(each.value, (set,)):
            raise ContainerMutationError(_growth_message(each, now), user_place())
        keys = [key for key, value in each.contents.items() if now[key] is not value]
        entries.extend(_entry(each, key) for key in keys)
    return entries


def _changes_length(each: Watched, now: Contents) -> bool:
    """Tell whether a list has other items altogether, or items the graph alone knows."""
    if not is_list(each.value):
        return False
    items = (*each.contents.values(), *now.values())
    return now.keys() != each.contents.keys() or any(type(i) is StagedItems for i in items)


def _growth_message(each: Watched, now: Contents) -> str:
    if type(each.value) is CellType:
        return (
            f"'{each.name}' is bound or deleted by a function called in a statement that is "
            "staged: give it a value before the statement"
        )
    kind = type(each.value).__name__
    if not is_indexed(each.value):
        kind = f"{kind} object"
    before, after = len(each.contents), len(now)
    change = f"goes from {before} to {after} items" if before != after else "changes its items"
    return (
        f"{kind} '{each.name}' {change} in a statement that is staged, where it would change only "
        "once, while tracing: give it all its items before the statement and assign them by index, "
        "or collect the values in a tensor with rt.concat"
    )


def entry_name(each: Watched, key: object) -> str:
    """Return how the user writes the place: `x`, `l[0]`, `d['k']`, `o.x`."""
    if type(each.value) is CellType:
        return each.name
    return f"{each.name}[{key!r}]" if is_indexed(each.value) else f"{each.name}.{key}"


def _entry(each: Watched, key: object) -> Entry:
    return Entry(entry_name(each, key), each.value, key)


def _shared_cells(function: object, frames: list[FrameType]) -> Iterator[tuple[str, CellType]]:
    """Yield the free variables of a function that belong to one of the functions being traced."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return
    outside = _names_from_outside(code, frames)
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):  # type: ignore[attr-defined]
        if name not in outside:
            yield name, cell


def _names_from_outside(code: CodeType, frames: list[FrameType]) -> set[str]:
    """Return the free variables of `code` that no function being traced around it owns."""
    names = set(code.co_freevars)
    for frame in frames:
        if _is_inside(code, frame.f_code):
            code = frame.f_code
            names.intersection_update(code.co_freevars)
    return names


def _is_inside(code: CodeType, outer: CodeType) -> bool:
    nested = [each for each in outer.co_consts if isinstance(each, CodeType)]
    return any(each is code or _is_inside(code, each) for each in nested)


def _converted_frames(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of converted functions, innermost first; bodies of statements are none."""
    frames = []
    while frame is not None:
        part = part_of(frame.f_code)
        if part is not None and not part.is_body and part.start is None:
            frames.append(frame)
        frame = frame.f_back
    return frames
