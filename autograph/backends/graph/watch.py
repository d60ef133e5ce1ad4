"""Seeing what a traced body changes without naming it: items of lists and dicts, attributes.

A converter can read that `x = ...` binds `x`. That `l.append(v)` or `o.step()` changes an object
is only seen by looking at the objects the body can reach, before and after tracing it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import setitem
from types import CodeType, FrameType, ModuleType
from typing import Any

import runtime as rt
from autograph.backends.graph.places import user_place
from autograph.backends.graph.slots import Entry
from autograph.backends.undefined import Undefined
from autograph.errors import ContainerMutationError

Contents = dict[object, object]

# Deep enough for what programs nest by hand; a linked structure is not followed to its end.
_DEEPEST = 4
_PLAIN = (int, float, complex, str, bytes, type(None), rt.Tensor)


@dataclass(frozen=True, slots=True)
class Watched:
    """A mutable object the body can reach, and what it held before."""

    name: str
    value: object
    contents: Contents


def watch(*functions: Callable[..., object] | None) -> list[Watched]:
    """Remember the contents of mutable objects in the local variables `functions` can reach.

    Variables of enclosing user functions and globals are not watched: changing them while tracing
    is a Python side effect, which happens once per trace.
    """
    outside = _free_names_of_root(sys._getframe(1))
    if outside is None:
        return []
    found: dict[int, Watched] = {}
    for function in functions:
        for name, value in _cells(function):
            if name not in outside:
                _add(found, name, value, _DEEPEST)
    return list(found.values())


def _add(found: dict[int, Watched], name: str, value: object, depth: int) -> None:
    """Watch `value` and, down to `depth`, the containers and objects inside it."""
    if id(value) in found or depth == 0:
        return
    if isinstance(value, tuple):
        for position, item in enumerate(value):
            _add(found, f"{name}[{position}]", item, depth - 1)
        return
    contents = _contents(value)
    if contents is None:
        return
    found[id(value)] = each = Watched(name, value, contents)
    for key, item in contents.items():
        if not isinstance(item, _PLAIN):
            _add(found, entry_name(each, key), item, depth - 1)


def changed(watched: list[Watched]) -> list[tuple[Watched, Contents]]:
    """Return the objects whose contents are no longer the same, with their contents now."""
    result = []
    for each in watched:
        now = dict(_contents(each.value) or {})
        same_keys = now.keys() == each.contents.keys()
        if not same_keys or any(now[k] is not v for k, v in each.contents.items()):
            result.append((each, now))
    return result


def restore(watched: list[Watched]) -> None:
    """Give every object the contents it had."""
    for each, _ in changed(watched):
        _put_contents(each.value, each.contents)


def entries_of(changes: list[tuple[Watched, Contents]]) -> list[Entry]:
    """Return one entry for each place that was given another value.

    Raises:
        ContainerMutationError: if a list, dict, set or object has grown or shrunk, which the graph
            would not repeat when it runs.
    """
    entries: list[Entry] = []
    for each, now in changes:
        if now.keys() != each.contents.keys() or isinstance(each.value, set):
            raise ContainerMutationError(_growth_message(each, now), user_place())
        keys = [key for key, value in each.contents.items() if now[key] is not value]
        entries.extend(_entry(each, key) for key in keys)
    return entries


def _growth_message(each: Watched, now: Contents) -> str:
    kind = type(each.value).__name__
    if not isinstance(each.value, (list, set, dict)):
        kind = f"{kind} object"
    before, after = len(each.contents), len(now)
    change = f"goes from {before} to {after} items" if before != after else "changes its items"
    return (
        f"{kind} '{each.name}' {change} in a statement that is staged, where it would change only "
        "once, while tracing: give it all its items before the statement and assign them by index, "
        "or collect the values in a tensor with rt.concat"
    )


def entry_name(each: Watched, key: object) -> str:
    """Return how the user writes the place: `l[0]`, `d['k']`, `o.x`."""
    indexed = isinstance(each.value, (list, dict))
    return f"{each.name}[{key!r}]" if indexed else f"{each.name}.{key}"


def _entry(each: Watched, key: object) -> Entry:
    target: Any = each.value if isinstance(each.value, (list, dict)) else vars(each.value)
    return Entry(entry_name(each, key), lambda: target[key], partial(setitem, target, key))


def _contents(value: object) -> Contents | None:
    if isinstance(value, list):
        return dict(enumerate(value))
    if isinstance(value, dict):
        return {k: v for k, v in value.items() if type(v) is not Undefined}
    if isinstance(value, set):
        return {item: item for item in value}
    if isinstance(value, (type, ModuleType)) or callable(value):
        return None
    attributes = getattr(value, "__dict__", None)
    if type(attributes) is not dict or _is_ours(type(value)):
        return None
    return {k: v for k, v in attributes.items() if type(v) is not Undefined}


def _put_contents(value: object, contents: Contents) -> None:
    if isinstance(value, list):
        value[:] = contents.values()
    elif isinstance(value, set):
        value.clear()
        value.update(contents)
    else:
        target = value if isinstance(value, dict) else vars(value)
        target.clear()
        target.update(contents)  # type: ignore[arg-type]


def _is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in ("autograph", "runtime", "numpy")


def _cells(function: Callable[..., object] | None) -> Iterator[tuple[str, object]]:
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):  # type: ignore[union-attr]
        try:
            yield name, cell.cell_contents
        except ValueError:
            continue


def _free_names_of_root(frame: FrameType | None) -> frozenset[str] | None:
    """Return the free variables of the converted function that is running innermost, if any.

    Bodies of statements are functions too; only the function itself has a function scope.
    """
    while frame is not None:
        code = frame.f_code
        if any(n.startswith(("fscope", "lscope")) for n in (*code.co_varnames, *code.co_cellvars)):
            return frozenset(code.co_freevars)
        frame = frame.f_back
    return None
