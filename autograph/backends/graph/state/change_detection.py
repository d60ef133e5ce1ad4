"""Detection of the changes that a traced body makes without naming them: items and attributes.

A converter sees that `x = ...` binds `x`. A change of an object by `l.append(v)` or `o.step()` is
found only by comparing the objects the body can reach, before and after its trace.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from operator import is_
from types import CellType, FunctionType, MethodType
from typing import Any

from autograph.backends.graph.arrays.staged_array import as_array, is_array
from autograph.backends.graph.objects.object_contents import (
    Contents,
    Globals,
    contents_of,
    is_indexed,
    is_list,
    is_same_content,
    item_of,
    overrides_container_methods,
    put_contents,
    users_classes,
)
from autograph.backends.graph.objects.opaque_state import OpaqueObject
from autograph.backends.graph.source.library_boundary import is_library_module
from autograph.backends.graph.source.name_references import converted_frames
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.alias_state import propagation_targets
from autograph.backends.graph.state.object_paths import WatchedObject, entry_name
from autograph.backends.graph.state.reachability import DEEPEST, Reach
from autograph.backends.graph.state.state_slots import WHOLE, StateEntry
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.optional_value import unwrapped
from autograph.backends.graph.values.value_scope import INSPECTING_PATH
from autograph.backends.undefined import StoredElsewhere
from autograph.errors import ContainerMutationError
from autograph.operators.user_classes import class_attribute, functions_of, is_a
from runtime.core.lazy_imports import lazy_import

add_elsewhere = lazy_import("autograph.backends.graph.state.setter_effects:add_elsewhere")

_NOTHING = object()
NO_PLACES: Mapping[str, StoredElsewhere] = {}


def watch(
    *functions: Callable[..., object] | None,
    elsewhere: Mapping[str, StoredElsewhere] = NO_PLACES,
    roots: Iterable[tuple[str, object]] = (),
) -> Reach:
    """Record the contents of the objects that `functions` can reach.

    The objects that a called function can reach are added at the call, as long as the result lives.

    Args:
        functions: the bodies of a statement.
        elsewhere: names in the statement whose assignment runs the user's code.
        roots: the variables of the statement, with their values.

    Raises:
        ContainerMutationError: if an object that such code changes cannot be watched.
    """
    reach = Reach(converted_frames(sys._getframe(1)))
    bodies = [users for function in functions for users in _users_functions(function)]
    for body in (*functions, *bodies):
        if isinstance(body, FunctionType):
            reach.name_variables(body)
    for name, value in roots:
        if not reach.knows(value):
            reach.add(name, value, DEEPEST)
    for users in bodies:
        if isinstance(users, FunctionType):
            reach.add_body(users)
        else:
            reach.add(_name_of(users), users, DEEPEST)
    for name, place in elsewhere.items():
        add_elsewhere(reach, name, place)
    for value in propagation_targets():
        if not reach.knows(value):
            reach.add("list", value, DEEPEST)
    return reach


def _users_functions(value: object) -> Iterator[object]:
    """Yield the user's functions that `value`, a function or a tuple of functions, stands for.

    The cells of a function of this package contain the user's functions that it calls. A method, a
    partial, a callable object, an iterator or an array is yielded as well: it may change, or be
    changed.
    """
    waiting, visited = [value], set[int]()

    def has_code(each: object) -> bool:
        # The iterators of `itertools` are classes like the user's from Python 3.12 on.
        return callable(each) or type(class_attribute(type(each), "__next__")) is FunctionType

    while waiting:
        value = waiting.pop(0)
        if id(value) in visited:
            continue
        visited.add(id(value))
        if isinstance(value, (tuple, list)):
            waiting[:0] = value
        elif isinstance(value, partial):
            waiting[:0] = (value.func, *value.args, *value.keywords.values())
            yield value
        elif isinstance(value, MethodType):
            waiting.insert(0, value.__func__)
            if users_classes(value.__self__):
                yield value
        elif isinstance(value, FunctionType):
            if (value.__module__ or "").partition(".")[0] != "autograph":
                yield value
                continue
            cells = value.__closure__ or ()
            waiting[:0] = [(contents_of(cell) or {}).get("cell") for cell in cells]
        elif (has_code(value) and users_classes(value)) or is_array(as_array(value)):
            yield as_array(value)


def _name_of(value: object) -> str:
    """Return the name of a method, or of a callable object, for errors."""
    inner = getattr(value, "func", value)
    return str(getattr(inner, "__name__", type(value).__name__))


def changed(watched: list[WatchedObject]) -> list[tuple[WatchedObject, Contents]]:
    """Return the objects whose contents have changed, with their current contents."""
    result = []
    for each in watched:
        now = dict(contents_of(each.value) or {})
        if all(map(is_, each.contents.values(), now.values())) and [*now] == [*each.contents]:
            continue
        same_keys = now.keys() == each.contents.keys()
        if same_keys and is_a(each.value, (dict,)):
            same_keys = list(now) == list(each.contents)
        if not same_keys or not all(is_same_content(v, now[k]) for k, v in each.contents.items()):
            result.append((each, now))
    return result


def current_contents(watched: Iterable[WatchedObject]) -> list[Contents]:
    """Return the current contents of each watched object."""
    return [dict(contents_of(each.value) or {}) for each in watched]


def same_contents(before: list[Contents], now: list[Contents]) -> bool:
    """Return whether the contents of every object are unchanged."""
    return all(
        a.keys() == b.keys() and all(is_same_content(value, b[key]) for key, value in a.items())
        for a, b in zip(before, now)
    )


def watched_ids(watched: Iterable[WatchedObject]) -> frozenset[int]:
    """Return the identities of the watched objects."""
    return frozenset([id(each.value) for each in watched])


Changes = Sequence[tuple[WatchedObject, Contents]]


@contextmanager
def applying(changes: Changes) -> Iterator[None]:
    """Give objects the contents that a body has left in them, for the duration of a block."""
    pairs = list(changes)
    for each, now in pairs:
        put_contents(each.value, now)
    token = INSPECTING_PATH.set(bool(pairs))
    try:
        yield
    finally:
        INSPECTING_PATH.reset(token)
        for each, _ in pairs:
            put_contents(each.value, each.contents)


def restore(watched: list[WatchedObject]) -> None:
    """Restore the former contents of all watched objects."""
    for each, _ in changed(watched):
        put_contents(each.value, each.contents)


def entries_of(changes: list[tuple[WatchedObject, Contents]]) -> list[StateEntry]:
    """Return an entry for each place that has another value.

    Raises:
        ContainerMutationError: if the graph cannot repeat a change at run time: a container or
            object has grown or shrunk so, an opaque object has changed, or a list of which library
            code reads the length.
    """
    entries: list[StateEntry] = []
    for each, now in changes:
        if _changes_length(each, now):
            if (kind := _library_class(each)) is not None:
                raise ContainerMutationError(_library_message(each, kind), user_location())
            entries.append(StateEntry(f"{each.name}[:]", each.value, WHOLE))
            continue
        if not _stays_as_long(each, now):
            raise ContainerMutationError(_growth_message(each, now), user_location())
        if type(each.value) is OpaqueObject:
            message, owner = _opaque_message(each.name, each.value), each.value.owner
            raise ContainerMutationError(message, user_location(), owner)
        entries.extend(_entry(each, key) for key in _changed_keys(each, now))
    return entries


def _changed_keys(each: WatchedObject, now: Contents) -> list[object]:
    """Return the keys whose value was replaced, added or removed."""
    keys = dict.fromkeys([*each.contents, *now])
    return [k for k in keys if each.contents.get(k, _NOTHING) is not now.get(k, _NOTHING)]


def _stays_as_long(each: WatchedObject, now: Contents) -> bool:
    """Return whether a change of an object's keys can be repeated at run time, or there is none."""
    if is_a(each.value, (set,)):
        return False
    if is_a(each.value, (dict,)) and not overrides_container_methods(each.value):
        return True
    is_open = not is_indexed(each.value) and type(each.value) not in (CellType, Globals)
    return is_open or now.keys() == each.contents.keys()


def _changes_length(each: WatchedObject, now: Contents) -> bool:
    """Return whether a list has another length, or dynamic items."""
    if not is_list(each.value):
        return False
    items = (*each.contents.values(), *now.values())
    return now.keys() != each.contents.keys() or any(type(i) is DynamicItems for i in items)


def _library_class(each: WatchedObject) -> type | None:
    """Return the library class whose methods read a list, an attribute of its object, if any.

    Library code is not converted: its `__len__` would count all dynamic items as one.
    """
    if each.path is None or not each.path.keys:
        return None
    *way, name = each.path.keys
    holder: Any = unwrapped(each.path.root)
    try:
        for key in way:
            holder = unwrapped(item_of(holder, key))
    except (LookupError, AttributeError, ValueError):
        return None  # the body stored another object there
    kinds = (kind for kind in users_classes(holder) if is_library_module(kind.__module__))
    return next(
        (k for k in kinds if any(name in f.__code__.co_names for f in functions_of(k))), None
    )


def _library_message(each: WatchedObject, kind: type) -> str:
    return (
        f"'{each.name}' grows or shrinks in a statement that is staged, where the methods of "
        f"{kind.__name__}, which are a library's, would not know how many items there are: "
        "make it a list, or an object of a class of your own"
    )


def _opaque_message(name: str, thing: OpaqueObject) -> str:
    return (
        f"{thing.kind.word} '{name}' is changed in a statement that is staged, where it would "
        f"change only once, while tracing: {thing.kind.remedy}"
    )


def _growth_message(each: WatchedObject, now: Contents) -> str:
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
    if isinstance(each.value, (set, frozenset)):
        instead = "collect the values in a list, and add its items to the set after the call"
    else:
        way = "key" if isinstance(each.value, dict) else "index"
        instead = (
            f"give it all its items before the statement and assign them by {way}, or collect the "
            "values in a tensor with rt.concat"
        )
    return (
        f"{kind} '{each.name}' {change} in a statement that is staged, where it would change only "
        f"once, while tracing: {instead}"
    )


def _entry(each: WatchedObject, key: object) -> StateEntry:
    return StateEntry(entry_name(each, key), each.value, key)
