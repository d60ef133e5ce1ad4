"""Trace keys of state: the part of a key for each place, and the arrays in the places."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograph.backends.graph.arrays.staged_array import root_of
from autograph.backends.graph.objects.object_contents import contents_of
from autograph.backends.graph.objects.opaque_state import is_buffer, opaque
from autograph.errors import SignatureError
from autograph.functions.arguments.key_relations import has_python_inputs
from autograph.functions.arguments.trace_key import (
    ByIdentity,
    Key,
    Rule,
    by_identity,
    key_of,
    sharing_of,
)
from autograph.functions.arguments.variable_arguments import as_objects, variables_in
from autograph.functions.state.kinds import LISTS, MOST_LIFTED, is_numeric
from autograph.functions.state.list_inputs import runs_of, sized_place
from autograph.functions.state.places import ABSENT, ORDER, WHOLE, StatePlace
from autograph.operators.user_classes import is_a
from runtime.errors import OpError
from runtime.state.variable import Variable


@dataclass(slots=True, eq=False, repr=False)
class StateValues:
    """The values, before a call, of the places that a function writes.

    Attributes:
        places: the places.
        keys: the part of the trace key for each, and the part for repeated containers.
        arrays: the arrays of the tensors in them, in key order.
        objects: the objects compared by identity.
    """

    HOLDS_FOR_TRACE = True

    places: tuple[StatePlace, ...] = ()
    keys: Key = ()
    arrays: tuple[Any, ...] = ()
    objects: tuple[object, ...] = ()


NOTHING_HELD = StateValues()


def state_values(places: Sequence[StatePlace]) -> StateValues | None:
    """Return the current values of places; None if the owner of one is gone or replaced."""
    arrays: list[Any] = []
    objects: list[object] = []
    if any(place.owner() is None for place in places):
        return None
    keys = tuple([key_of_place(place, arrays, objects) for place in places])
    keys += sharing_of(objects)
    return StateValues(tuple(places), keys, tuple(arrays), tuple(by_identity(objects)))


def with_more_facts(held: StateValues) -> tuple[StatePlace, ...] | None:
    """Return the places of a failed trace, with more of their values in the trace key.

    First the lengths of lists become Python values, then the numbers: the function may need them
    in Python. None if all of them are in the trace key already.
    """
    if any(part[0] == "run" for part in held.keys):
        return tuple(map(sized_place, held.places))
    if has_python_inputs(held.keys):
        return tuple(replace(place, is_known=True) for place in held.places)
    return None


def key_of_place(place: StatePlace, arrays: list[Any], objects: list[object]) -> Key:
    """Return the part of a trace key for the current value of a place.

    Args:
        place: a place whose owner exists.
        arrays: a list to which the arrays of the graph's inputs are appended, in key order.
        objects: a list to which the objects compared by identity are appended.
    """
    if place.grows:
        return ("grows",)
    value = place.value()
    if value is ABSENT:
        return ("absent",)
    if place.element is not None and (runs := runs_of(place.element, value)) is not None:
        arrays += runs
        objects.append(value)
        return ("run", type(value), getattr(value, "maxlen", None), place.element)
    if is_buffer(value) and place.key is WHOLE:
        if place.is_known or not lifts_elements(value):
            return ("buffer", key_of_buffer(value))
        return _key_of_array(value, arrays, objects)
    if place.key is ORDER:
        return ("order", value)
    if type(value) in (int, float) and not place.is_known:
        # The dtype of NumPy, the widest: the result becomes a Python number again.
        array = np.asarray(value)
        if array.dtype != object:
            arrays.append(array)
            return ("number", type(value), array.dtype)
    if isinstance(value, np.generic):
        # A constant: a NumPy scalar keeps its dtype beside a tensor, a placeholder would not.
        return ("literal", type(value), value.tobytes())
    if type(value) is np.ndarray and is_numeric(value):
        if place.is_known or root_of(value) is not value:
            return ("buffer", (*key_of_buffer(value), ByIdentity(value)))
        return _key_of_array(value, arrays, objects)
    if type(value) is set:
        return ("set", frozenset((type(item), item) for item in value))
    before = len(arrays)
    try:
        key = _rule_of(place, value)(value, arrays, objects)
    except (SignatureError, OpError, RecursionError):
        del arrays[before:]
        return (
            "held",
            ByIdentity(value),
            tuple(map(ByIdentity, (contents_of(value) or {}).values())),
        )
    found = variables_in(arrays[before:])
    if found:
        arrays[before:] = [each for each in arrays[before:] if not isinstance(each, Variable)]
    return as_objects(key, found) if found else key


def lifts_items(place: StatePlace, value: Any) -> bool:
    """Return whether the numbers in the list of a place are inputs of the graph."""
    return place.key is WHOLE and not place.is_known and len(value) <= MOST_LIFTED


def _key_of_array(value: Any, arrays: list[Any], objects: list[object]) -> Key:
    objects.append(value)
    arrays.append(value.copy())  # the run may change the array itself
    return ("array", value.dtype, value.shape)


def lifts_elements(value: Any) -> bool:
    """Return whether the elements of an array can be an input of the graph.

    The array is writable, contains numbers, and NumPy owns its memory.
    """
    if type(value) is not np.ndarray or not is_numeric(value):
        return False
    return value.flags.writeable and root_of(value).flags.owndata


def _rule_of(place: StatePlace, value: Any) -> Rule:
    if type(value) in LISTS and lifts_items(place, value):
        return _key_with_numbers
    if is_a(value, (tuple,)) and not place.is_known:
        return _key_of_tuple
    return _key_of_deque if is_a(value, (deque,)) else key_of


def _key_with_numbers(value: Any, arrays: list[Any], objects: list[object]) -> Key:
    """Return the key of a list or deque whose numbers are inputs."""
    is_deque = type(value) is deque
    if not is_deque:
        objects.append(value)
    parts = [_key_of_item(item, arrays, objects) for item in value]
    return ("list", (deque, value.maxlen) if is_deque else list, tuple(parts))


def _key_of_tuple(value: Any, arrays: list[Any], objects: list[object]) -> Key:
    """Return the key of a tuple whose numbers are inputs."""
    key = key_of(value, [], [])
    if key[0] not in ("tuple", "record") or len(value) > MOST_LIFTED:
        return key_of(value, arrays, objects)
    return (*key[:-1], tuple([_key_of_part(item, arrays, objects) for item in value]))


def _key_of_item(item: Any, arrays: list[Any], objects: list[object]) -> Key:
    if type(item) is np.ndarray:
        # By its contents: the array may have other names, so it cannot be an input.
        return ("buffer", (*key_of_buffer(item), ByIdentity(item)))
    return _key_of_part(item, arrays, objects)


def _key_of_part(item: Any, arrays: list[Any], objects: list[object]) -> Key:
    if type(item) in (int, float) and (array := np.asarray(item)).dtype != object:
        arrays.append(array)
        return ("number", type(item), array.dtype)
    if is_a(item, (tuple,)):
        return _key_of_tuple(item, arrays, objects)
    return key_of(item, arrays, objects)


def _key_of_deque(value: Any, arrays: list[Any], objects: list[object]) -> Key:
    """Return the key of a deque by its items; as an argument, a deque is keyed by identity."""
    kind = (type(value), value.maxlen)
    parts = [key_of(item, arrays, objects) for item in deque.__iter__(value)]
    return ("list", kind, tuple(parts))


def key_of_buffer(value: Any) -> tuple[object, ...]:
    """Return the part of a trace key for a buffer: its contents."""
    thing: Any = opaque(value)
    parts = thing.snapshot().parts
    if not is_a(value, (np.ndarray,)):
        return type(value), getattr(value, "typecode", None), parts
    if value.dtype.hasobject:
        parts = (*value.shape, *map(ByIdentity, value.flat))
    return type(value), value.dtype.str, parts
