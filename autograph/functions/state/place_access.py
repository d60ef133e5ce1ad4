"""Functions that read and write state places, made once for each place.

    self.total     ->     lambda owner: owner.__dict__.get("total", ABSENT)

They run no code of the user's, and find the owner of a place again at each call.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import local
from types import CellType, MemberDescriptorType
from typing import Any

from autograph.backends.graph.objects.object_contents import (
    Globals,
    contents_of,
    is_indexed,
    item_of,
)
from autograph.functions.state.places import ABSENT, ORDER, WHOLE, StatePlace
from autograph.operators.user_classes import is_a, is_of_package, mro_of, own_attributes

# Returns the owner of a place; None if there is none.
GetOwner = Callable[[], Any]
# Returns the value of a place in its owner; `ABSENT` if there is none.
GetValue = Callable[[Any], Any]
# Assigns a value to a place in its owner.
Put = Callable[[Any, Any], object]

_MISSING = (LookupError, AttributeError, ValueError, TypeError)
# Reads an attribute without a user's `__getattribute__`.
attribute: Any = object.__getattribute__


def owner_getter(place: StatePlace) -> GetOwner:
    """Return a getter of the owner of a place; it returns None if the path leads elsewhere.

    It is faster than `StatePlace.owner`: each step is for the current class of the object on the
    path, and the getter returns None if that changes.
    """
    root = place.root
    if not place.steps:
        return root
    value: Any = root()
    root_kind, steps = type(value), []
    for key, _ in place.steps:
        step = getter_of(value, key)
        value = step(value)
        steps.append((step, type(value)))
    identity = place.steps[-1][1]

    def owner() -> Any:
        value: Any = root()
        if type(value) is not root_kind:
            return None
        for step, kind in steps:
            value = step(value)
            if type(value) is not kind:
                return None
        return value if id(value) == identity else None

    return owner


def itself(owner: Any) -> Any:
    """Return the owner: the value of a place that is a whole object."""
    return owner


def order_of(owner: Any) -> tuple[object, ...]:
    """Return the keys of a dict: the value of a place for their order."""
    return tuple(contents_of(owner) or ())


def getter_of(owner: Any, key: Any) -> GetValue:
    """Return a getter of the value under a key, for owners of the class of `owner`."""
    if key is WHOLE:
        return itself
    if key is ORDER:
        return order_of
    kind = type(owner)
    if kind is dict:
        return lambda owner: owner.get(key, ABSENT)
    if kind is Globals:
        return lambda owner: owner.namespace.get(key, ABSENT)
    if _has_plain_attribute(owner, key):
        return lambda owner: attribute(owner, "__dict__").get(key, ABSENT)

    def read(owner: Any) -> Any:
        try:
            if kind is CellType:
                return owner.cell_contents
            return owner[key] if kind is list else item_of(owner, key)
        except _MISSING:
            return ABSENT

    return read


def setter_of(owner: Any, key: Any) -> Put | None:
    """Return a setter of the value under a key, for owners of the class of `owner`.

    None if no single operation sets it. The setter must not get `ABSENT`.
    """
    kind = type(owner)
    if key is WHOLE and kind is list:
        return lambda owner, value: owner.__setitem__(slice(None), value)
    if key is WHOLE or key is ORDER:
        return None
    if kind is dict or kind is list:
        return lambda owner, value: owner.__setitem__(key, value)
    if kind is CellType:
        return lambda owner, value: setattr(owner, "cell_contents", value)
    if kind is Globals:
        return lambda owner, value: owner.namespace.__setitem__(key, value)
    if _has_plain_attribute(owner, key):
        return lambda owner, value: attribute(owner, "__dict__").__setitem__(key, value)
    return None


def _has_plain_attribute(owner: Any, key: Any) -> bool:
    """Return whether an object stores an attribute in its `__dict__`."""
    if is_of_package(type(owner), "autograph") or not _has_dict(owner):
        return False
    return not any(_is_slot(own_attributes(each).get(key)) for each in mro_of(type(owner)))


def has_plain_attributes(owner: Any) -> bool:
    """Return whether an object stores all of its attributes in its `__dict__`."""
    slots = (each for kind in mro_of(type(owner)) for each in own_attributes(kind).values())
    return _has_dict(owner) and not any(map(_is_slot, slots))


def _has_dict(owner: Any) -> bool:
    if is_indexed(owner) or is_a(owner, (tuple, type, local)):
        return False
    try:
        return type(attribute(owner, "__dict__")) is dict
    except AttributeError:
        return False


def _is_slot(value: object) -> bool:
    return type(value) is MemberDescriptorType
