"""Finds and refuses leaks: symbolic tensors in places to which no call can write a value.

    globals()["total"] = x     a new variable of the module, which no code names
    logger.last = x            an attribute of a library object, which is not watched
    waiting.put(x)             a container in a library object

Such a place gets its former value back, and the user gets an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograph.backends.graph.objects.object_contents import (
    Globals,
    StoredAttributes,
    contents_of,
    is_indexed,
    put_contents,
    put_entry,
    remove_entry,
)
from autograph.backends.graph.state.object_paths import WatchedObject, entry_name
from autograph.backends.graph.state.reachability import Reach
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.value_spec import holds_number, known_objects
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import LeakError
from autograph.functions.results.object_templates import holds_symbolic
from runtime.core.stored_attributes import stored_attributes
from runtime.core.tensor import SymbolicTensor

Namespace = dict[str, Any]
# The types of values that exist only while tracing.
_OF_A_TRACE = (SymbolicTensor, PossiblyUnbound, OptionalValue, OneOfObjects)


def restore_leaked(reach: Reach, modules: Iterable[tuple[Namespace, Namespace]]) -> list[str]:
    """Restore module variables and attributes of library objects that contain symbolic tensors.

    Args:
        reach: the objects that the code could reach.
        modules: the dict of each module, with a copy from before the trace.

    Returns:
        The restored places, as the user writes them.
    """
    named: dict[int, set[str]] = {}
    for each in reach:
        if type(each.value) is Globals:
            named.setdefault(id(each.value.namespace), set()).update(each.value.names)
        elif type(each.value) is StoredAttributes:
            attributes = stored_attributes(each.value.owner)
            named.setdefault(id(attributes), set()).update(map(str, contents_of(each.value) or ()))
    pairs = [(str(now.get("__name__")), now, before) for now, before in modules]
    found = []
    for name, now, before in (*pairs, *reach.unwatched):
        known = named.get(id(now), ())
        left = [k for k, v in list(now.items()) if type(v) in _OF_A_TRACE and k not in known]
        # A value from before the trace belongs to a graph that the user writes, or to an outer
        # trace.
        for key in (key for key in left if before.get(key) is not now[key]):
            found.append(f"{name}.{key}")
            if key in before:
                now[key] = before[key]
            else:
                del now[key]
    for name, container, former in reach.library_containers:
        items = (contents_of(container) or {}).items()
        if any(type(value) in _OF_A_TRACE and former.get(k) is not value for k, value in items):
            found.append(name)
            put_contents(container, former)
    return found


def restore_symbolic(reach: Reach) -> None:
    """Give watched places that contain symbolic tensors their former values."""
    for each in reach:
        now = contents_of(each.value) or {}
        left = [k for k, v in now.items() if holds_symbolic(v) and each.contents.get(k) is not v]
        if left and is_indexed(each.value):
            put_contents(each.value, each.contents)
            continue
        for key in left:
            if key in each.contents:
                put_entry(each.value, key, each.contents[key])
            else:
                remove_entry(each.value, key)


def refuse_leaked(places: Sequence[str]) -> None:
    """Refuse a trace with leaks.

    Raises:
        LeakError: `places`, the result of `restore_leaked`, is not empty.
    """
    if places:
        raise LeakError(
            f"'{places[0]}' is left holding a tensor of the graph, which has a value only while "
            "the graph runs: assign it by name, as in `global total; total = x`, to a variable "
            "that the module has before, as by `total = 0`, or return it",
            place=places[0],
        )


def refuse_aliased_items(each: WatchedObject, new: object, reach: Reach) -> None:
    """Refuse a staged list in state if another name refers to one of its former items.

    Calls create new items of the list, unless the graph has their allocation numbers: the
    other name would refer to an object that is no item any more.

    Raises:
        LeakError: there is such an item.
    """
    runs = [item for item in _items(new) if type(item) is DynamicItems]
    runs = [run for run in runs if not holds_number(run.element)]
    kept = {id(known) for run in runs for known in known_objects(run.element)}
    kept.update(map(id, _items(new)))
    for item in each.contents.values() if runs else ():
        if reach.knows(item) and id(item) not in kept and (name := _other_name(item, each, reach)):
            raise LeakError(
                f"'{name}' is an item of the list '{each.name}', which grows or shrinks when the "
                f"graph runs, so its items become new objects and '{name}' would not be one of "
                "them: put a copy of it into the list, or look it up there",
                place=each.name,
            )


def _items(value: object) -> list[object]:
    return value if type(value) is list else []


def _other_name(item: object, owner: WatchedObject, reach: Reach) -> str | None:
    """Return a place outside of a list that contains an item of the list, as the user writes it."""
    places = (
        entry_name(each, key)
        for each in reach
        if each is not owner
        for key, value in each.contents.items()
        if value is item
    )
    return next(places, None)
