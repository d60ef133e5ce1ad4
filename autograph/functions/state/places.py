"""Places of state that a traced function writes: attributes, variables, items.

A place has the path from an object that the function holds to its owner. Each call follows the
path, and so finds the user's current object.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.backends.graph.objects.object_contents import (
    ClassVariables,
    Globals,
    StoredAttributes,
    contents_of,
    item_of,
    put_contents,
    put_entry,
    remove_entry,
)
from autograph.backends.graph.objects.opaque_state import ContentsSnapshot, opaque
from autograph.backends.graph.state.object_paths import AccessPath, WatchedObject, entry_name
from autograph.operators.user_classes import is_a

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "<absent>"})()
WHOLE: Any = type("Whole", (), {"__repr__": lambda self: "<all items>"})()
ORDER: Any = type("Order", (), {"__repr__": lambda self: "<order of keys>"})()
_NOWHERE: Any = object()
_MISSING = (LookupError, AttributeError, ValueError, TypeError)


@dataclass(slots=True, repr=False)
class StatePlace:
    """One place: `o.x`, `d['k']`, all the items of a container or buffer, or the order of keys.

    Attributes:
        name: the place as the user writes it.
        root: returns the object at the start of the path; None if it is gone.
        steps: the keys on the path to the owner of the place, each with the identity of the object
            that it led to in the trace.
        key: the key of the place in that object, `WHOLE` for all its items, `ORDER` for the order
            of the keys of a dict.
        grows: whether it is a list to which the function only appends.
        is_known: whether its numbers are part of the trace key, in place of inputs.
        element: for a list, set or dict whose items are dynamic, the key of each item; for a dict,
            ("items", the key of each key, the key of each value).
        is_sized: whether the number of items must be part of the trace key.
    """

    HOLDS_FOR_TRACE = True

    name: str
    root: Callable[[], object]
    steps: tuple[tuple[object, int], ...]
    key: Any
    grows: bool = False
    is_known: bool = False
    element: tuple[Any, ...] | None = None
    is_sized: bool = False

    def owner(self) -> Any:
        """Return the owner of the place; None if the path leads to another object now."""
        value: Any = self.root()
        for key, _ in self.steps:
            value = _under(value, key)
        # Only the owner must be the same: a tuple on the path may be a new one in each call.
        return value if not self.steps or id(value) == self.steps[-1][1] else None

    def holders(self) -> Iterator[object]:
        """Yield the objects on the path to the owner of the place."""
        value: Any = self.root()
        for key, _ in self.steps:
            yield value
            value = _under(value, key)

    def found(self) -> Any:
        """Return the object at the end of the path; None if there is none."""
        value: Any = self.root()
        for key, _ in self.steps:
            value = _under(value, key)
        return None if value is _NOWHERE else value

    def value(self) -> object:
        """Return the value of the place; `ABSENT` if it has none."""
        owner = self.owner()
        if self.key is WHOLE:
            return owner
        if self.key is ORDER:
            return tuple(contents_of(owner) or ())
        found = _under(owner, self.key)
        return ABSENT if found is _NOWHERE else found

    @property
    def identity(self) -> tuple[object, ...]:
        """A hashable key of the place: its owner, its key, and whether it only grows."""
        last = self.steps[-1][1] if self.steps else _identity(self.root())
        return (last, type(self.key), self.key, self.grows)


def _identity(root: object) -> object:
    """Return a key of the object at the start of a path; wrappers of one object have equal keys."""
    if isinstance(root, Globals):
        return id(root.namespace)
    if isinstance(root, (StoredAttributes, ClassVariables)):
        return (type(root), id(root.owner))
    return id(root)


def put(owner: Any, key: Any, value: Any) -> None:
    """Set the value under a key of an object, or all its items; `ABSENT` deletes it.

    Under `ORDER`, the dict's keys get the order of `value`, whose keys may be other ones.
    """
    if type(value) is ContentsSnapshot:
        if (thing := opaque(owner)) is not None:
            thing.restore(value)
    elif type(owner) is np.ndarray:
        owner[...] = value.numpy()
    elif key is WHOLE and isinstance(value, dict):
        put_contents(owner, value)
    elif key is WHOLE:
        put_contents(owner, dict(zip(value, value) if is_a(owner, (set,)) else enumerate(value)))
    elif key is ORDER:
        now = contents_of(owner) or {}
        put_contents(owner, {each: now[each] for each in (*value, *now) if each in now})
    elif value is not ABSENT:
        put_entry(owner, key, value)
    elif _under(owner, key) is not _NOWHERE:
        remove_entry(owner, key)


def place_of(each: WatchedObject, key: object, grows: bool = False) -> StatePlace:
    """Return the place under a key of a watched object."""
    path = each.path or AccessPath(each.value, ())
    steps, value = [], path.root
    for step in path.keys:
        value = _under(value, step)
        steps.append((step, id(value)))
    if steps:  # the trace may have put another object there
        steps[-1] = (path.keys[-1], id(each.value))
    is_of_all = key is WHOLE or key is ORDER
    name = f"{each.name}[:]" if is_of_all else entry_name(each, key)
    return StatePlace(name, _reference_to(path.root), tuple(steps), key, grows)


def _under(value: Any, key: Any) -> Any:
    try:
        return item_of(value, key)
    except _MISSING:
        return _NOWHERE


def _reference_to(root: object) -> Callable[[], object]:
    """Return a function that returns an object; it is a weak reference where that is possible."""
    if type(root).__module__.partition(".")[0] != "autograph":
        try:
            return weakref.ref(root)
        except TypeError:
            pass
    return lambda: root
