"""The parts of a staged iterator: tensors, and lists of unknown length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.duplicate_items import record_origin
from autograph.backends.graph.aliases.element_ref import are_same_items, record_element_ref
from autograph.backends.graph.aliases.item_containers import holds_containers, known_mutable_parts
from autograph.backends.graph.aliases.stale_reads import record_copied, record_possible_items
from autograph.backends.graph.containers.dict_views import StagedDictView
from autograph.backends.graph.containers.staged_deque import staged_form
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.state.alias_state import alias_state
from autograph.backends.graph.tracing.value_tensors import item_at
from autograph.backends.graph.values.dynamic_items import DynamicItems, is_staged
from autograph.backends.graph.values.iterables import StagedIterable, SymbolicRange
from autograph.backends.graph.values.value_spec import known_objects
from runtime.core.context import current_recorder
from runtime.graph.try_region import TryGraph
from runtime.ops.containers.lists import list_length


def is_tensor(value: object) -> bool:
    """Return whether a value is a tensor or a Variable."""
    return isinstance(value, (rt.Tensor, rt.Variable))


def has_dynamic_length(part: object) -> bool:
    """Return whether a value is a list, deque or view of a dict, of unknown length."""
    return isinstance(part, (StagedList, StagedDictView)) or is_staged(part)


def staged_list(part: object) -> StagedList | None:
    """Return the staged form of a list of unknown length; None for other values."""
    if isinstance(part, StagedList):
        return part
    if isinstance(part, StagedDictView):
        return StagedList(part.as_list())
    return staged_form(part)


def _is_mutable_item(item: object) -> bool:
    """Return whether an item, or a dynamic item, is or holds an object that a loop can change."""
    is_object = type(item) is DynamicItems and any(True for _ in known_objects(item.element))
    return is_object or holds_containers(item)


class MutableItems:
    """The items of a staged list that may change during the iteration.

    Args:
        grown: the list.
        is_users: whether it is the user's own list, to which changed items are written back.
    """

    HOLDS_FOR_TRACE = True

    def __init__(self, grown: StagedList, is_users: bool) -> None:
        self._grown, self._is_users = grown, is_users
        aliases = alias_state()
        if is_users and aliases is not None and any(map(_is_mutable_item, grown.items)):
            aliases.iterated_lists.append(grown.items)
        self._then = list(grown.items)
        self._dynamic = grown.as_dynamic()
        record_copied(
            [item for item in self._then if type(item) is not DynamicItems], self._dynamic.handle
        )
        self._length = list_length(self._dynamic.handle)

    def length(self) -> Any:
        """Return the current number of items."""
        return self._length if self._is_as_then() else list_length(self._grown.as_dynamic().handle)

    def at(self, index: rt.Tensor) -> object:
        """Return the current item at an index."""
        items = self._dynamic if self._is_as_then() else self._grown.as_dynamic()
        if (aliases := alias_state()) is not None and self._is_users:
            aliases.iterated_items.append(
                (self._grown.items, list(known_mutable_parts(self._grown.items)))
            )
        item = item_at(items, index)
        record_possible_items(self._grown.items, item)
        record_origin(item, self._grown.items, index, items)
        if self._is_users:
            record_element_ref(self._grown.place(index), items.element, item)
        return item

    def _is_as_then(self) -> bool:
        return are_same_items(self._then, self._grown.items)


def restarts(part: object) -> bool:
    """Return whether each `for` over a part begins with its first item."""
    return (
        is_tensor(part)
        or has_dynamic_length(part)
        or isinstance(part, (range, list, tuple, SymbolicRange))
    )


def iterator_of(part: Any) -> Iterator[Any]:
    """Return Python's iterator over a part; for a tensor, over its rows."""
    return iter(rt.convert_to_tensor(part) if is_tensor(part) else part)


def can_be_indexed(part: object) -> bool:
    """Return whether a part has no Python objects as items, so that a staged loop can iterate."""
    return is_tensor(part) or isinstance(part, (StagedIterable, range))


def is_in_try() -> bool:
    """Return whether the recorded graph is inside a `try`."""
    graph: Any = current_recorder()
    while graph is not None and not isinstance(graph, TryGraph):
        graph = graph.outer
    return graph is not None
