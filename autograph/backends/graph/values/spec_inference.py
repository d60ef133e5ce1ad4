"""Inference of value specs: the spec of a value, and of the items of a list."""

from __future__ import annotations

from collections.abc import Sequence

import runtime as rt
from autograph.backends.graph.arrays.staged_array import is_array
from autograph.backends.graph.objects.object_lifetimes import is_from_outside
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.container_identity import is_numbered
from autograph.backends.graph.values.container_snapshot import (
    ContainerSnapshot,
)
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.join import as_now, by_value_in_iterations, join_all, one_of
from autograph.backends.graph.values.join_errors import item_mismatch
from autograph.backends.graph.values.leaf_spec import leaf_spec_of
from autograph.backends.graph.values.object_values import (
    ObjectRecord,
    holds_region_tensor,
    record_of,
)
from autograph.backends.graph.values.one_of_objects import OneOfObjects
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.truth import UnjoinableValue
from autograph.backends.graph.values.unknown_key_order import has_unknown_order
from autograph.backends.graph.values.value_spec import (
    UNREACHED,
    ContainerSpec,
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


def spec_of(value: object) -> ValueSpec:
    """Return the spec of the variable that references `value`.

    Raises:
        StagingError: if only the truth of the value is usable, if it is a caught exception outside
            of its handler, or if the items of a staged list have no common spec.

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
    if isinstance(value, ContainerSnapshot):
        contents = None if value.copy is None else _spec_of_copy(value)
        return SameObjectSpec(value.value, contents, value.is_old, value.is_lasting)
    return _spec_of_container(value) if rt.nest.is_nested(value) else leaf_spec_of(value)


def _spec_of_copy(value: ContainerSnapshot) -> ValueSpec:
    is_container = rt.nest.is_nested(value.copy)
    return _spec_of_container(value.copy, value.value) if is_container else spec_of(value.copy)


def specs_of_items(items: Sequence[object]) -> list[ValueSpec]:
    """Return the spec of each item of a list; for dynamic items, their common spec."""
    elements = [item.element for item in items if type(item) is DynamicItems]
    is_made = any(
        isinstance(element, ContainerSpec) and isinstance(element.like, ObjectRecord)
        for element in elements
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
    return ContainerSpec(value, tuple(map(spec_of, children)), has_unknown_order(value), has_number)
