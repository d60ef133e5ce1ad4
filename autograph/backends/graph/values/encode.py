"""The spec of a value, and values held with the contents that they have at one moment."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import is_dataclass
from typing import Any

import runtime as rt
from autograph.backends.graph.program.arrays import is_array
from autograph.backends.graph.program.object_contents import overrides_container_methods
from autograph.backends.graph.program.preexisting import is_from_outside, is_lasting
from autograph.backends.graph.program.source_location import user_location
from autograph.backends.graph.values.container_identity import is_numbered
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.join import as_now, by_value_in_iterations, join_all, one_of
from autograph.backends.graph.values.join_errors import item_mismatch
from autograph.backends.graph.values.leaf_spec import leaf_spec_of
from autograph.backends.graph.values.object_values import Record, holds_region_tensor, record_of
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.unjoinable import UnjoinableValue
from autograph.backends.graph.values.unknown_key_order import has_unknown_order
from autograph.backends.graph.values.value_spec import (
    UNREACHED,
    Branch,
    ItemsSpec,
    JoinError,
    OptionalSpec,
    SameObjectSpec,
    UnboundSpec,
    ValueSpec,
)
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import StoredElsewhere, Undefined, UndefinedReturnValue
from autograph.errors import StagingError
from runtime.diagnostics.exceptions import CaughtPlaceholder

_CHANGEABLE = (list, dict, OrderedDict, defaultdict, rt.TensorArray)
# Deeper nesting than any program has by hand: a container that holds itself.
_DEEPEST = 50
# Objects often lead to many others; those further away are not copied.
_DEEPEST_OBJECTS = 6


class ItemsValue(list[Any]):
    """The items of a list as a value of their own, without the list's identity."""

    HOLDS_FOR_TRACE = True

    __slots__ = ()


class ContainerValue:
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
        return f"<held {self.value!r}>"


def held(value: object, old: Collection[int] = (), depth: int = 0) -> object:
    """Return `value` with each mutable container in it as a `ContainerValue`.

    Args:
        value: any value.
        old: the identities of containers from before the statement.
        depth: the nesting depth of the value in another one.

    >>> held((1, 2))
    (1, 2)
    >>> held([1, 2])
    <held [1, 2]>
    """
    if isinstance(value, (OptionalValue, PossiblyUnbound)):
        inside = held(value.value, old, depth + 1)
        return value if inside is value.value else ContainerValue(value, value.with_value(inside))
    if depth > _DEEPEST or overrides_container_methods(value):
        return ContainerValue(value, None, id(value) in old) if rt.nest.is_nested(value) else value
    children = rt.nest.children(value)
    if children is None:
        return _held_object(value, old, depth)
    copies = [held(child, old, depth + 1) for child in children]
    if type(value) is ItemsValue:
        return ItemsValue(copies)
    if is_mutable(value) or any(a is not b for a, b in zip(children, copies)):
        return ContainerValue(value, rt.nest.rebuild(value, copies), id(value) in old)
    return value


def _held_object(value: object, old: Collection[int], depth: int) -> object:
    """Return an object of a plain user class with its current attributes."""
    record = record_of(value)
    if record is None:
        return value
    if depth > _DEEPEST_OBJECTS:
        return ContainerValue(value, None, id(value) in old)
    now = record.with_values([held(part, old, depth + 1) for part in record.values])
    return ContainerValue(value, now, id(value) in old)


def released(value: object) -> object:
    """Return `value` with each `ContainerValue` replaced by its container."""
    if isinstance(value, ContainerValue):
        return value.value
    if type(value) is ItemsValue:
        return ItemsValue(map(released, value))
    return value


def holds_several(value: object) -> bool:
    """Return whether a value is or contains one of several objects."""
    if isinstance(value, ContainerValue):
        value = value.copy
    if isinstance(value, (OptionalValue, PossiblyUnbound)):
        value = value.value
    return isinstance(value, OneOfObjects) or any(map(holds_several, rt.nest.children(value) or ()))


def unchanged(now: object, before: object) -> bool:
    """Return whether a slot is unchanged: it holds the same object, or the same items."""
    if isinstance(now, ContainerValue) and isinstance(before, ContainerValue):
        return now.value is before.value
    if type(now) is ItemsValue and type(before) is ItemsValue:
        return len(now) == len(before) and all(map(unchanged, now, before))
    return now is before


def is_mutable(value: object) -> bool:
    """Return whether a container is mutable."""
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


def spec_of(value: object) -> ValueSpec:
    """Return the spec of the variable that holds `value`.

    >>> spec_of(3)
    LiteralSpec(value=3)
    """
    if value is UNREACHED:
        return UNREACHED
    if isinstance(value, PossiblyUnbound):
        return OptionalSpec(spec_of(value.value), value.absent)
    if isinstance(value, OptionalValue):
        return OptionalSpec(spec_of(value.value), "none")
    if isinstance(value, OneOfObjects):
        return one_of(value.options)
    if isinstance(value, UnjoinableValue):
        raise value.error
    if isinstance(value, Undefined):
        return UnboundSpec(value, irrelevant=False)
    if isinstance(value, (UndefinedReturnValue, StoredElsewhere)):
        return UnboundSpec(value, irrelevant=True)
    if isinstance(value, CaughtPlaceholder):
        raise StagingError(
            "the exception that is caught when the graph runs is kept past its handler: "
            "keep what is needed of it, such as str(error) or error.args, or raise it again there",
            user_location(),
        )
    if isinstance(value, ContainerValue):
        contents = None if value.copy is None else _spec_of_copy(value)
        return SameObjectSpec(value.value, contents, value.is_old, value.is_lasting)
    return _spec_of_container(value) if rt.nest.is_nested(value) else leaf_spec_of(value)


def _spec_of_copy(value: ContainerValue) -> ValueSpec:
    is_container = rt.nest.is_nested(value.copy)
    return _spec_of_container(value.copy, value.value) if is_container else spec_of(value.copy)


def specs_of_items(items: Sequence[object]) -> list[ValueSpec]:
    """Return the spec of each item of a list; for dynamic items, their common spec."""
    elements = [item.element for item in items if type(item) is DynamicItems]
    is_made = any(
        isinstance(element, Branch) and isinstance(element.like, Record) for element in elements
    )
    return [
        as_now(item.element) if type(item) is DynamicItems else _spec_of_item(item, is_made)
        for item in items
    ]


def _spec_of_item(value: object, is_made: bool) -> ValueSpec:
    """Return the spec of an item; an object that is known on one path only is carried by contents.

    So is an object in a list whose other items are carried so (`is_made`).
    """
    record = record_of(value)
    is_of_path = record is not None and holds_region_tensor(record) and not is_from_outside(value)
    if record is not None and (is_of_path or is_made or is_array(value)):
        return _spec_of_container(record)
    return spec_of(value)


def _spec_of_container(value: object, known_as: object = None) -> ValueSpec:
    children = rt.nest.children(value) or []
    if any(type(child) is DynamicItems for child in children):
        try:
            joined = join_all([by_value_in_iterations(spec) for spec in specs_of_items(children)])
        except JoinError as error:
            raise item_mismatch(value if known_as is None else known_as, error) from None
        return ItemsSpec(joined, is_numbered(value))
    has_number = is_numbered(value)
    return Branch(value, tuple(map(spec_of, children)), has_unknown_order(value), has_number)
