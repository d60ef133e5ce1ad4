"""Fast keys of state: a short form of the part of a trace key for the written places.

    self.total = self.total + x     ->     (dtype('float32'), ()) for a tensor in `self.total`

Calls with equal fast keys have equal keys by `keys.state_values`, and their arrays
come in the same order. The converse does not hold. Values without a fast key take the full key.

A fast key is a flat tuple. A tensor adds its dtype and shape; a container adds its class, its
length and the keys of its parts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.functions.arguments.trace_key import RULES, anything
from autograph.functions.state.keys import lifts_elements
from autograph.functions.state.kinds import MOST_LIFTED, is_numeric
from autograph.functions.state.list_inputs import runs_of
from autograph.functions.state.place_access import (
    GetOwner,
    GetValue,
    getter_of,
    itself,
    order_of,
    owner_getter,
)
from autograph.functions.state.places import ABSENT, StatePlace
from runtime import nest
from runtime.core.device_tensor import DeviceTensor
from runtime.core.tensor import EagerTensor
from runtime.ops.literals import NATIVE
from runtime.state.variable import Variable

KeyParts = tuple[Any, ...]

# The result of a call for which the fast key finds no trace.
MISSED: Any = type("Missed", (), {"__repr__": lambda self: "<missed>"})()

_ARRAY = np.ndarray
_LITERALS = frozenset((int, bool, str, bytes, type(None)))
_SCALARS = frozenset(dtype.type for dtype in NATIVE)


class FastKey:
    """Computes the fast keys of some places.

    Args:
        places: the places, in the order of the trace key; each of them must have an owner.
    """

    __slots__ = ("_accessors",)

    def __init__(self, places: Sequence[StatePlace]) -> None:
        self._accessors = tuple([_accessor(place) for place in places])

    def compute(self, arrays: list[Any]) -> tuple[KeyParts, list[Any]] | None:
        """Return the key for the current values, and the owners; None if the full key is needed.

        Args:
            arrays: a list to which the arrays of the values are appended.
        """
        parts: KeyParts = ()
        owners = []
        seen: list[int] = []
        for get_owner, owner_kind, read, is_known, element in self._accessors:
            owner = get_owner()
            if type(owner) is not owner_kind:
                return None
            owners.append(owner)
            if read is None:
                continue
            value = read(owner)
            kind = type(value)
            if element is not None and (runs := runs_of(element, value)) is not None:
                if id(value) in seen:
                    return None
                seen.append(id(value))
                arrays += runs
                parts += (kind, element, getattr(value, "maxlen", None))
            elif kind is EagerTensor or kind is DeviceTensor:
                array = value._array
                arrays.append(array)
                parts += (array.dtype, array.shape)
            elif (kind is float or kind is int) and not is_known:
                array = np.array(value)
                if array.dtype.hasobject:
                    return None
                arrays.append(array)
                parts += (kind, array.dtype)
            elif kind is _ARRAY:
                is_input = lifts_elements if read is itself else is_numeric
                if is_known or not is_input(value) or id(value) in seen:
                    return None  # the full key has the contents
                seen.append(id(value))
                arrays.append(value.copy())
                parts += (kind, value.dtype, value.shape)
            else:
                lifts = not is_known and (read is itself or kind is tuple)
                lifts = lifts and read is not order_of  # numbers among the keys are no inputs
                inside = _key_of_value(value, kind, arrays, seen, lifts)
                if inside is None:
                    return None
                parts += inside
        return parts, owners


def _accessor(
    place: StatePlace,
) -> tuple[GetOwner, type, GetValue | None, bool, KeyParts | None]:
    """Return the getter of the owner, its class, the getter of the value, and two facts.

    A list that only grows has no getter of its value, since its items are not in the key.
    """
    owner = place.owner()
    read = None if place.grows else getter_of(owner, place.key)
    return owner_getter(place), type(owner), read, place.is_known, place.element


def _key_of_value(
    value: Any, kind: type, arrays: list[Any], seen: list[int], lifts: bool
) -> KeyParts | None:
    """Return the key of the value of a place; None if the full key is needed.

    Args:
        value: the value.
        kind: its class.
        arrays: a list to which the arrays of the values are appended.
        seen: the identities of the mutable containers so far.
        lifts: whether the numbers in a list or tuple are inputs of the graph.
    """
    if value is ABSENT:
        return ABSENT, None
    if kind in _SCALARS:
        return kind, value.tobytes()  # a literal, as in the full key
    if kind is set:
        return kind, frozenset([(type(item), item) for item in value])
    if lifts and kind in (list, deque, tuple) and len(value) <= MOST_LIFTED:
        return _key_with_number_inputs(value, kind, arrays, seen)
    return _key_of_part(value, kind, arrays, seen)


def _key_with_number_inputs(
    value: Any, kind: type, arrays: list[Any], seen: list[int]
) -> KeyParts | None:
    """Return the key of a list or tuple whose numbers are inputs: it has only their dtypes."""
    if kind is not tuple:
        if id(value) in seen:
            return None
        seen.append(id(value))
    found: KeyParts = (kind, len(value), value.maxlen if kind is deque else None)
    for item in value:
        item_kind = type(item)
        if item_kind is int or item_kind is float:
            array = np.array(item)
            if array.dtype.hasobject:
                return None
            arrays.append(array)
            found += (item_kind, array.dtype)
        else:
            key_of = _key_with_number_inputs if item_kind is tuple else _key_of_part
            is_buffer = item_kind is _ARRAY and kind is not tuple  # compared by its elements
            inside = None if is_buffer else key_of(item, item_kind, arrays, seen)
            if inside is None:
                return None
            found += inside
    return found


def _key_of_part(value: Any, kind: type, arrays: list[Any], seen: list[int]) -> KeyParts | None:
    """Return the key of a part of a value, as of an argument; None if the full key is needed."""
    if kind is EagerTensor or kind is DeviceTensor:
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
        return _key_of_parts(kind, value, arrays, seen)
    # Only the full key shows that one list is in two places, or inside itself.
    if id(value) in seen:
        return None
    seen.append(id(value))
    if kind is list:
        return _key_of_parts(kind, value, arrays, seen)
    if kind is deque:
        return _key_of_parts((kind, value.maxlen), value, arrays, seen)
    if kind is not dict:
        return (kind, id(value)) if _is_by_identity(value, kind) else None
    if not all(type(name) is str for name in value):
        return None
    inside = _key_of_parts(kind, [value[name] for name in sorted(value)], arrays, seen)
    return None if inside is None else (*inside, *value)


def _is_by_identity(value: Any, kind: type) -> bool:
    """Return whether the full key has only the identity of a value, and its death is noticed."""
    return RULES[kind] is anything and bool(kind.__weakrefoffset__) and not nest.is_nested(value)


def _key_of_parts(kind: Any, values: Any, arrays: list[Any], seen: list[int]) -> KeyParts | None:
    found: KeyParts = (kind, len(values))
    for value in values:
        inside = _key_of_part(value, type(value), arrays, seen)
        if inside is None:
            return None
        found += inside
    return found
