"""Staged loops over dynamic items: search, comparison, mapping."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import runtime as rt
from autograph.backends.graph.tracing.value_tensors import item_at, tensor_specs, to_tensors
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.join import widen
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.truth import items_equal
from autograph.backends.graph.values.value_spec import ContainerSpec
from runtime.graph.structured_control_flow import while_loop
from runtime.ops.containers import lists


def place_in(
    items: DynamicItems, item: object, start: rt.Tensor | None = None, end: rt.Tensor | None = None
) -> rt.Tensor:
    """Return the position of the first item equal to `item`.

    Where there is none it is `end`, or `start` if that is behind it.

    Args:
        items: the items.
        item: the item to find.
        start: the first position; None for 0.
        end: the position after the last one; None for the length.
    """
    length = lists.list_length(items.handle) if end is None else end
    first = rt.constant(0) if start is None else start

    def goes_on(index: rt.Tensor) -> rt.Tensor:
        different = lambda: rt.logical_not(items_equal(item_at(items, index), item))  # noqa: E731
        return rt.cond(rt.less(index, length), different, lambda: rt.constant(False))

    (place,) = while_loop(goes_on, lambda index: (index + 1,), (first,))
    return place


def are_equal(first: DynamicItems, second: DynamicItems) -> rt.Tensor:
    """Return whether two lists have the same length and equal items."""
    lengths = [lists.list_length(each.handle) for each in (first, second)]

    def goes_on(index: rt.Tensor) -> rt.Tensor:
        def same() -> rt.Tensor:
            return items_equal(item_at(first, index), item_at(second, index))

        return rt.cond(rt.less(index, lengths[0]), same, lambda: rt.constant(False))

    def compare() -> rt.Tensor:
        (place,) = while_loop(goes_on, lambda index: (index + 1,), (rt.constant(0),))
        return rt.equal(place, lengths[0])

    return rt.cond(rt.equal(*lengths), compare, lambda: rt.constant(False))


def mapped_items(items: DynamicItems, function: Callable[[Any], Any]) -> DynamicItems:
    """Return the items `function(item)`, one for each item."""
    specs = []

    def once(index: rt.Tensor, results: rt.Tensor) -> tuple[rt.Tensor, rt.Tensor]:
        value = function(item_at(items, index))
        specs.append(widen(spec_of(value)))
        return index + 1, lists.list_append(results, *to_tensors(specs[-1], value))

    length = lists.list_length(items.handle)
    start = (rt.constant(0), lists.list_new())
    _, results = while_loop(lambda index, _: rt.less(index, length), once, start)
    return DynamicItems(results, specs[-1])


def paired_items(first: DynamicItems, second: DynamicItems) -> DynamicItems:
    """Return the pairs of the items of two lists of the same length."""
    length = lists.list_length(first.handle)

    def once(index: rt.Tensor, results: rt.Tensor) -> tuple[rt.Tensor, rt.Tensor]:
        items = (
            lists.list_get(each.handle, index, tensor_specs(each.element))
            for each in (first, second)
        )
        return index + 1, lists.list_append(results, *chain.from_iterable(items))

    start = (rt.constant(0), lists.list_new())
    _, results = while_loop(lambda index, _: rt.less(index, length), once, start)
    return DynamicItems(results, ContainerSpec((None, None), (first.element, second.element)))
