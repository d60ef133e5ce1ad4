"""Fast keys of state: the values of written places before a call, in one short tuple.

    self.total = self.total + x     ->     (dtype('float32'), ()) for a tensor in `self.total`

Two calls with the same fast key have the same part of a trace key for the values of state
(`stateful_function.state_values`), and take arrays of the same order. If there is no fast key,
the whole key decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from threading import local
from types import CellType, MemberDescriptorType
from typing import Any

import numpy as np

from autograph.backends.graph.program.object_contents import (
    Globals,
    contents_of,
    is_a,
    is_indexed,
    item_of,
)
from autograph.function.list_inputs import runs_of
from autograph.function.state_kinds import MOST_LIFTED, is_numeric
from autograph.function.state_placeholders import lifts_elements
from autograph.function.state_places import ABSENT, ORDER, WHOLE, StatePlace
from autograph.function.trace_key import RULES, anything
from autograph.operators.user_classes import is_of_package, mro_of, own_attributes
from runtime import nest
from runtime.core.tensor import EagerTensor
from runtime.ops.literals import NATIVE
from runtime.state.variable import Variable

Part = tuple[Any, ...]
# Return the owner of a place, or its value there; None, and ABSENT, if there is none.
Owner = Callable[[], Any]
Read = Callable[[Any], Any]
Put = Callable[[Any, Any], object]

# The result of a call for which the fast key finds no trace.
MISSED: Any = type("Missed", (), {"__repr__": lambda self: "<missed>"})()

_ARRAY = np.ndarray
_LITERALS = frozenset((int, bool, str, bytes, type(None)))
_SCALARS = frozenset(dtype.type for dtype in NATIVE)
_MISSING = (LookupError, AttributeError, ValueError, TypeError)
# Runs no code of the user's.
attribute: Any = object.__getattribute__


class FastKey:
    """The places of one trace key, in its order.

    Args:
        places: the places; each of them has an owner by now.
    """

    __slots__ = ("_looks",)

    def __init__(self, places: Sequence[StatePlace]) -> None:
        self._looks = tuple([_look(place) for place in places])

    def taken(self, arrays: list[Any]) -> tuple[Part, list[Any]] | None:
        """Return the key of the values of the places, and the owners; None if there is no key.

        Args:
            arrays: a list to which the arrays of the values are appended.
        """
        parts: Part = ()
        owners = []
        seen: list[int] = []
        for find, kind, read, is_known, element in self._looks:
            owner = find()
            if type(owner) is not kind:
                return None
            owners.append(owner)
            if read is None:
                continue
            value = read(owner)
            what = type(value)
            if element is not None and (runs := runs_of(element, value)) is not None:
                if id(value) in seen:
                    return None
                seen.append(id(value))
                arrays += runs
                parts += (what, element, getattr(value, "maxlen", None))
            elif what is EagerTensor:
                array = value._array
                arrays.append(array)
                parts += (array.dtype, array.shape)
            elif (what is float or what is int) and not is_known:
                array = np.array(value)
                if array.dtype.hasobject:
                    return None
                arrays.append(array)
                parts += (what, array.dtype)
            elif what is _ARRAY:
                is_input = lifts_elements if read is _itself else is_numeric
                if is_known or not is_input(value) or id(value) in seen:
                    return None  # all that it holds counts
                seen.append(id(value))
                arrays.append(value.copy())
                parts += (what, value.dtype, value.shape)
            else:
                lifts = not is_known and (read is _itself or what is tuple)
                lifts = lifts and read is not _order_of  # keys count by identity or value
                inside = _whole(value, what, arrays, seen, lifts)
                if inside is None:
                    return None
                parts += inside
        return parts, owners


def _look(place: StatePlace) -> tuple[Owner, type, Read | None, bool, Part | None]:
    owner = place.owner()
    read = None if place.grows else getter_of(owner, place.key)
    return owner_getter(place), type(owner), read, place.is_known, place.element


def _whole(value: Any, kind: type, arrays: list[Any], seen: list[int], lifts: bool) -> Part | None:
    """Return the key of the value of a place; None if that takes the whole key.

    Args:
        value: its contents.
        kind: its class.
        arrays: a list to which the arrays of the values are appended.
        seen: the lists and dicts met so far, by identity.
        lifts: whether numbers in it are inputs of the graph, where it is a list or tuple.
    """
    if value is ABSENT:
        return ABSENT, None
    if kind in _SCALARS:
        return kind, value.tobytes()  # a literal here, as it is in the whole key
    if kind is set:
        return kind, frozenset([(type(item), item) for item in value])
    if lifts and kind in (list, deque, tuple) and len(value) <= MOST_LIFTED:
        return _numbers(value, kind, arrays, seen)
    return _part(value, kind, arrays, seen)


def _numbers(value: Any, kind: type, arrays: list[Any], seen: list[int]) -> Part | None:
    """Return the key of the contents of a list, but for the numbers in it."""
    if kind is not tuple:
        if id(value) in seen:
            return None
        seen.append(id(value))
    found: Part = (kind, len(value), value.maxlen if kind is deque else None)
    for item in value:
        what = type(item)
        if what is int or what is float:
            array = np.array(item)
            if array.dtype.hasobject:
                return None
            arrays.append(array)
            found += (what, array.dtype)
        else:
            part = _numbers if what is tuple else _part
            is_known = what is _ARRAY and kind is not tuple
            inside = None if is_known else part(item, what, arrays, seen)
            if inside is None:
                return None
            found += inside
    return found


def _part(value: Any, kind: type, arrays: list[Any], seen: list[int]) -> Part | None:
    if kind is EagerTensor:
        arrays.append(value._array)
        return value._array.dtype, value._array.shape
    if kind is float:
        # -0.0 is not 0.0, and nan equals nan.
        return kind, value if value and value == value else value.hex()
    if kind in _LITERALS:
        return kind, value
    if kind is Variable:
        return kind, id(value)
    if (kind is np.ndarray and value.dtype in NATIVE) or kind in _SCALARS:
        array = np.array(value)
        arrays.append(array)
        return array.dtype, array.shape
    if kind is tuple:
        return _parts(kind, value, arrays, seen)
    # Only the whole key tells that one list is in two places, or inside itself.
    if id(value) in seen:
        return None
    seen.append(id(value))
    if kind is list:
        return _parts(kind, value, arrays, seen)
    if kind is deque:
        return _parts((kind, value.maxlen), value, arrays, seen)
    if kind is not dict:
        return (kind, id(value)) if _is_by_identity(value, kind) else None
    if not all(type(name) is str for name in value):
        return None
    inside = _parts(kind, [value[name] for name in sorted(value)], arrays, seen)
    return None if inside is None else (*inside, *value)


def _is_by_identity(value: Any, kind: type) -> bool:
    """Return whether a value is compared by identity, and its end can be detected."""
    return RULES[kind] is anything and bool(kind.__weakrefoffset__) and not nest.is_nested(value)


def _parts(kind: Any, values: Any, arrays: list[Any], seen: list[int]) -> Part | None:
    found: Part = (kind, len(values))
    for value in values:
        inside = _part(value, type(value), arrays, seen)
        if inside is None:
            return None
        found += inside
    return found


# -- paths -----------------------------------------------------------------------------------------


def owner_getter(place: StatePlace) -> Owner:
    """Return a getter of the owner of a place; it returns None if the path has changed.

    The objects on the path must be of their current classes.
    """
    root = place.root
    if not place.steps:
        return root
    value: Any = root()
    start, ways = type(value), []
    for key, _ in place.steps:
        step = getter_of(value, key)
        value = step(value)
        ways.append((step, type(value)))
    last = place.steps[-1][1]

    def owner() -> Any:
        value: Any = root()
        if type(value) is not start:
            return None
        for step, kind in ways:
            value = step(value)
            if type(value) is not kind:
                return None
        return value if id(value) == last else None

    return owner


def _itself(owner: Any) -> Any:
    return owner


def _order_of(owner: Any) -> tuple[object, ...]:
    return tuple(contents_of(owner) or ())


def getter_of(owner: Any, key: Any) -> Read:
    """Return a getter of the value under a key, for objects of the class of this one."""
    if key is WHOLE:
        return _itself
    if key is ORDER:
        return _order_of
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
    """Return a setter of the value under a key, for objects of the class of this one.

    None if that takes more than one step. The value must not be a mark for a missing one.
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
