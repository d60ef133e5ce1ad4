"""Snapshots of containers: references to them, with the contents that they have at one moment."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Collection
from dataclasses import is_dataclass
from typing import Any

import runtime as rt
from autograph.backends.graph.objects.object_contents import (
    LEAF_TYPES,
    overrides_container_methods,
)
from autograph.backends.graph.objects.object_lifetimes import is_lasting
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.possibly_unbound import PossiblyUnbound

_CHANGEABLE = (list, dict, OrderedDict, defaultdict, rt.TensorArray)


# Deeper nesting than any program has by hand: a container that contains itself.
_DEEPEST = 50


# Objects often lead to many others; those further away are not copied.
_DEEPEST_OBJECTS = 6


class ItemsValue(list[Any]):
    """The items of a list as a value of their own, without the list's identity."""

    HOLDS_FOR_TRACE = True

    __slots__ = ()


class ContainerSnapshot:
    """A list, dict or object, with the contents that it had when a variable was read.

    Attributes:
        value: the container itself.
        copy: a copy of it, which never changes; None if it cannot be copied.
        is_old: whether it is from before the statement.
        is_lasting: whether it is also from before every loop around the statement.
    """

    HOLDS_FOR_TRACE = True

    __slots__ = ("value", "copy", "is_old", "is_lasting")

    def __init__(self, value: object, copy: object, is_old: bool = False) -> None:
        self.value, self.copy, self.is_old = value, copy, is_old
        self.is_lasting = is_old and is_lasting(value)

    def __repr__(self) -> str:
        return f"<snapshot of {self.value!r}>"


def with_contents(
    value: object, old: Collection[int] = (), around: tuple[object, ...] = ()
) -> object:
    """Return `value` with each mutable container in it as a `ContainerSnapshot`.

    Args:
        value: any value.
        old: the identities of containers from before the statement.
        around: the values that it is in, innermost last.

    >>> with_contents((1, 2))
    (1, 2)
    >>> with_contents([1, 2])
    <snapshot of [1, 2]>
    """
    if type(value) in LEAF_TYPES:
        return value
    if isinstance(value, (OptionalValue, PossiblyUnbound)):
        inside = with_contents(value.value, old, (*around, value))
        return (
            value if inside is value.value else ContainerSnapshot(value, value.with_value(inside))
        )
    is_deep = len(around) > _DEEPEST or _is_among(value, around)
    if is_deep or overrides_container_methods(value):
        is_held = rt.nest.is_nested(value) or (is_deep and record_of(value) is not None)
        return ContainerSnapshot(value, None, id(value) in old) if is_held else value
    children = rt.nest.children(value)
    if children is None:
        return _object_with_contents(value, old, around)
    copies = children
    if not LEAF_TYPES.issuperset(map(type, children)):
        copies = [with_contents(child, old, (*around, value)) for child in children]
    if type(value) is ItemsValue:
        return ItemsValue(copies)
    if is_mutable(value) or any(a is not b for a, b in zip(children, copies)):
        return ContainerSnapshot(value, rt.nest.rebuild(value, copies), id(value) in old)
    return value


def _object_with_contents(
    value: object, old: Collection[int], around: tuple[object, ...]
) -> object:
    """Return an object of a plain user class with its current attributes."""
    record = record_of(value)
    if record is None:
        return value
    if len(around) > _DEEPEST_OBJECTS:
        return ContainerSnapshot(value, None, id(value) in old)
    now = record.with_values([with_contents(part, old, (*around, value)) for part in record.values])
    return ContainerSnapshot(value, now, id(value) in old)


def _is_among(value: object, around: tuple[object, ...]) -> bool:
    return any(value is each for each in around)


def without_contents(value: object) -> object:
    """Return `value` with each `ContainerSnapshot` replaced by its container."""
    if isinstance(value, ContainerSnapshot):
        return value.value
    if type(value) is ItemsValue:
        return ItemsValue(map(without_contents, value))
    return value


def contains_alternatives(value: object) -> bool:
    """Return whether a value is or contains one of several objects."""
    if isinstance(value, ContainerSnapshot):
        value = value.copy
    if isinstance(value, (OptionalValue, PossiblyUnbound)):
        value = value.value
    return isinstance(value, OneOfObjects) or any(
        map(contains_alternatives, rt.nest.children(value) or ())
    )


def unchanged(now: object, before: object) -> bool:
    """Return whether a slot is unchanged: it holds the same object, or the same items."""
    if isinstance(now, ContainerSnapshot) and isinstance(before, ContainerSnapshot):
        return now.value is before.value
    if type(now) is ItemsValue and type(before) is ItemsValue:
        return len(now) == len(before) and all(map(unchanged, now, before))
    return now is before


def is_mutable(value: object) -> bool:
    """Return whether a value is a list, dict, array or object that a program may change.

    Sets and deques do not count.
    """
    kind = type(value)
    if kind is ItemsValue:
        return False
    if issubclass(kind, _CHANGEABLE):
        return True
    if record_of(value) is not None:
        return True
    if is_dataclass(kind):
        return not kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return hasattr(kind, "__attrs_attrs__") and "__setattr__" not in vars(kind)
