"""The keys that `sorted`, `max` and `min` compare, as one vector for each number in a key.

    keys (n, 1), (1, 2)     vectors [n, 1] and [1, 2]

Tuples of one structure are ordered as the tuples of their leaves.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import runtime as rt
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.leaf_spec import INDEX, LiteralSpec, StaticSpec, TracedSpec
from autograph.backends.graph.values.value_spec import ContainerSpec, UnboundSpec, ValueSpec
from autograph.backends.protocol import Compare
from autograph.errors import StagingError
from autograph.operators.compared_containers import (
    compared_parts,
    ordering_fields_of,
    orders_fields,
)
from runtime.ops.containers.lists import list_length, list_stack
from runtime.ops.effects.checks import check


def holds_tensor(value: object) -> bool:
    """Return whether a value is a tensor, or a container that Python compares by a tensor in it."""
    if isinstance(value, (rt.Tensor, rt.Variable)):
        return True
    return any(map(holds_tensor, compared_parts(value)))


def columns_of_dynamic_items(
    items: DynamicItems, what: str, compare: Compare = operator.lt
) -> list[rt.Tensor]:
    """Return the vectors by which list items known only at run time are compared.

    Args:
        items: the items.
        what: the name of the items in errors.
        compare: Python's comparison of two items.

    Raises:
        StagingError: if the items are rows, or no tensors, numbers or tuples of them.
    """
    leaves = _compared_leaves(items.element, what)
    carried = enumerate(leaf for leaf in leaves if isinstance(leaf, TracedSpec))
    # The allocation number of an item takes no part in a comparison.
    places = [(place, leaf) for place, leaf in carried if leaf is not INDEX]
    if not places:
        return [_all_alike(items, compare)]
    columns = [list_stack(items.handle, place, leaf.tensor_spec) for place, leaf in places]
    return [vector(column, what) for column in columns]


def _all_alike(items: DynamicItems, compare: Compare) -> rt.Tensor:
    """Return a vector of equal keys, for items that are all the same."""
    length = list_length(items.handle)
    if isinstance(items.element, StaticSpec):
        try:
            compare(items.element.value, items.element.value)
        except TypeError as error:
            check(rt.less(length, 2), TypeError, str(error))
    return rt.fill(rt.stack([length]), 0)


def by_fields(keys: Sequence[Any]) -> list[Any]:
    """Return the keys; for objects that are ordered by their fields, the tuples of fields."""
    kinds = set(map(type, keys))
    if len(kinds) == 1 and orders_fields(kinds.pop()):
        return list(map(ordering_fields_of, keys))
    return list(keys)


def columns_of(keys: Sequence[Any], what: str) -> list[rt.Tensor]:
    """Return the vectors by which values are compared.

    Raises:
        StagingError: if the values have no common structure, or are rows.
    """
    if not any(isinstance(key, (tuple, list)) for key in keys):
        return [_stacked(list(keys), what)]
    try:
        for key in keys[1:]:
            rt.nest.assert_same_structure(keys[0], key)
    except (ValueError, TypeError) as error:
        raise _unlike(what, error) from None
    return [_stacked(list(column), what) for column in zip(*map(rt.nest.flatten, keys))]


def vector(tensor: rt.Tensor, what: str) -> rt.Tensor:
    """Return a tensor, which must have one element for each item.

    Raises:
        StagingError: if the items are rows, which have no order.
    """
    if tensor.shape.rank not in (1, None):
        raise order_error(what, tensor.shape[1:])
    return tensor


def order_error(what: str, shape: object) -> StagingError:
    """Return the error for rows that are compared."""
    return StagingError(
        f"rows of shape {shape} have no single truth value in {what}: choose an axis with "
        "rt.reduce_max, rt.reduce_min, rt.sort, ... or compare by element with rt.maximum, "
        "rt.minimum",
        user_location(),
    )


def _compared_leaves(spec: ValueSpec, what: str) -> list[ValueSpec]:
    if isinstance(spec, ContainerSpec) and isinstance(spec.like, (tuple, list)):
        parts = [leaf for child in spec.children for leaf in _compared_leaves(child, what)]
        return [*parts, INDEX] if spec.has_number else parts
    if isinstance(spec, UnboundSpec) and spec.irrelevant:
        return []  # The code that computes an item always raises.
    if isinstance(spec, (TracedSpec, LiteralSpec, StaticSpec)):
        return [spec]  # Only tensors are compared: other leaves are the same in all items.
    raise StagingError(
        f"items that are not tensors, numbers or tuples of them have no order in {what} when the "
        "graph runs: give it a key",
        user_location(),
    )


def _stacked(values: list[Any], what: str) -> rt.Tensor:
    try:
        return vector(rt.stack(values), what)
    except (ValueError, TypeError) as error:
        if isinstance(error, StagingError):
            raise
        raise _unlike(what, error) from None


def _unlike(what: str, error: Exception) -> StagingError:
    return StagingError(f"{what} are not alike: {error}", user_location())
