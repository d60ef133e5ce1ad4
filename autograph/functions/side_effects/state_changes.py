"""Lists the changes of state that a trace has made, place by place.

A buffer (an array, a bytearray) is one place as a whole: Python and NumPy change it during the
trace. Its contents before a call are part of the trace key, and each call with that key writes the
contents that the trace has left there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from autograph.backends.graph.arrays.staged_array import (
    is_created_once,
    is_graph_input,
    output_tensor,
)
from autograph.backends.graph.objects.object_contents import Contents
from autograph.backends.graph.objects.opaque_state import (
    ContentsSnapshot,
    is_buffer,
    whole_snapshot,
)
from autograph.backends.graph.state.object_paths import AccessPath, WatchedObject, entry_name
from autograph.backends.graph.state.reachability import Reach
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.errors import StagingError
from autograph.functions.results.object_templates import leads_to
from autograph.functions.state.places import ABSENT, ORDER, WHOLE
from autograph.operators.user_classes import is_a
from runtime.core.device_tensor import DeviceTensor
from runtime.core.tensor import EagerTensor

_LEAVES = (int, float, bool, str, bytes, type(None), EagerTensor, DeviceTensor)


class StateChange(NamedTuple):
    """The change of one place in a trace.

    Attributes:
        each: the owner of the place.
        key: the key of the place in it, `WHOLE` for all items of a container or buffer, `ORDER` for
            the order of the keys of a dict.
        old: the value before the trace.
        new: the value after it; if `grows`, the appended items alone.
        grows: whether the trace only appended items to a list.
    """

    each: WatchedObject
    key: Any
    old: object
    new: object
    grows: bool = False


def changes_of_list(each: WatchedObject, now: list[object]) -> list[StateChange]:
    """Return the changes of a list: single items, appended items, or all items."""
    before = list(each.contents.values())
    if len(before) == len(now) and not any(type(item) is DynamicItems for item in now):
        pairs = (StateChange(each, k, a, b) for k, (a, b) in enumerate(zip(before, now)))
        return [change for change in pairs if change.old is not change.new]
    if all(a is b for a, b in zip(before, now)) and len(now) > len(before):
        return [StateChange(each, WHOLE, before, now[len(before) :], grows=True)]
    return [StateChange(each, WHOLE, before, now)]


def of_one_place(changes: Iterable[StateChange]) -> Iterator[StateChange]:
    """Yield the changes of single items, attributes or variables."""
    return (change for change in changes if change.key is not WHOLE and change.key is not ORDER)


def moving(found: Iterable[StateChange], others: list[StateChange]) -> Iterator[StateChange]:
    """Yield those of `others` whose old or new value leads to an object that calls change."""
    changed_ids = {id(change.each.value) for change in found}
    while changed_ids and others:
        moving, staying = list[StateChange](), list[StateChange]()
        for change in others:
            moves = leads_to((change.old, change.new), changed_ids)
            (moving if moves else staying).append(change)
        yield from moving
        changed_ids, others = {id(change.each.value) for change in moving}, staying


def changes_of_contents(each: WatchedObject, now: Contents) -> list[StateChange]:
    """Return the changes of a dict, an object or variables, key by key."""
    keys = dict.fromkeys([*each.contents, *now])
    pairs = (StateChange(each, k, each.contents.get(k, ABSENT), now.get(k, ABSENT)) for k in keys)
    different = [change for change in pairs if change.old is not change.new]
    if is_a(each.value, (dict,)) and list(each.contents) != list(now):
        different.append(StateChange(each, ORDER, tuple(each.contents), tuple(now)))
    return different


def is_reordered(change: StateChange) -> bool:
    """Return whether the common keys of a dict, before and now, are in another order."""
    old, new = dict.fromkeys(change.old), dict.fromkeys(change.new)  # type: ignore[call-overload]
    return [key for key in old if key in new] != [key for key in new if key in old]


def with_keys(found: Iterable[StateChange], every: Iterable[StateChange]) -> Iterator[StateChange]:
    """Yield the changes of key order of the dicts in which calls insert or delete keys."""
    dicts = {id(c.each.value) for c in found if c.old is ABSENT or c.new is ABSENT}
    yield from (c for c in every if c.key is ORDER and id(c.each.value) in dicts)


def changed_buffers(
    reach: Reach, before: Callable[[object], ContentsSnapshot | None]
) -> Iterator[StateChange]:
    """Yield the changes of the buffers that code can reach, each once.

    Args:
        reach: the objects that it can reach.
        before: returns the contents of a buffer before the trace; None if they are unknown.

    Raises:
        StagingError: unconverted code has changed an array whose elements are in the graph.
    """
    for each in buffers_in(reach):
        was = before(each.value)
        if was is None:
            continue
        is_own, now = is_graph_input(each.value), whole_snapshot(each.value)
        if is_own and now != was and not is_created_once(each.value):
            raise StagingError(f"'{each.name}' is changed by code that is not converted")
        tensor = output_tensor(each.value) if is_own else None
        if tensor is not None or now != was:
            yield StateChange(each, WHOLE, was, now if tensor is None else tensor)


def buffers_in(reach: Reach) -> list[WatchedObject]:
    """Return the buffers that code can reach, each once, with the path to it."""
    found: dict[int, WatchedObject] = {}
    for each in list(reach):
        path = each.path or AccessPath(each.value, ())
        for key, part in each.contents.items():
            if type(part) not in _LEAVES:
                for buffer in _inside(each, key, part, path):
                    found.setdefault(id(buffer.value), buffer)
    return list(found.values())


def _inside(
    each: WatchedObject, key: object, part: Any, path: AccessPath
) -> Iterator[WatchedObject]:
    if is_buffer(part):
        yield WatchedObject(entry_name(each, key), part, {}, path.to(key))
    elif is_a(part, (tuple,)):
        for at, item in enumerate(tuple.__iter__(part)):
            if is_buffer(item):
                yield WatchedObject(f"{entry_name(each, key)}[{at}]", item, {}, path.to(key).to(at))
