"""Lists outside of a function whose items are one input of its graph, however many there are.

    seen.append(len(seen))     ->     graph f(%seen: variant)    an int64 for each item

A trace is made for as many items as it finds. Where the next call finds more, or fewer, of the same
kind, one trace serves any number of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from autograph.backends.graph.values.leaves import Carried
from autograph.backends.graph.values.plan_types import Branch, Plan
from autograph.backends.graph.values.staged_items import StagedItems
from autograph.errors import StagingError
from autograph.function.key_relations import spec_of
from autograph.function.places import WHOLE, Place
from autograph.function.templates import leads_to
from autograph.function.trace_key import Key
from runtime.context import current_watchers
from runtime.dtypes import as_dtype, variant
from runtime.graph.graph import Graph
from runtime.item_list import ItemList
from runtime.spec import TensorSpec
from runtime.tensor import EagerTensor
from runtime.variant import VARIANT, boxed

_NUMBERS = (int, float, bool)
# In a longer list, as long as no call changes it, numbers are told apart by their values.
MOST_LIFTED = 256


def element_of(items: Sequence[object]) -> Key | None:
    """Return the key that each of some items has; None if they differ, or a run cannot hold them.

    >>> element_of([1, 2])[:2], element_of([1, 2.0]), element_of([[1]])
    (('number', <class 'int'>), None, None)
    """
    element = _key_of(items[0], []) if items else None
    return element if element is not None and run_of(element, items) is not None else None


def run_of(element: Key, items: Any) -> np.ndarray[Any, Any] | None:
    """Return a graph's input that holds some items, each of which has one key; None if one hasn't.

    >>> run_of(element_of([1]), [1, 2]), run_of(element_of([1]), [1, "a"]) is None
    (array(([1, 2],), dtype=[('variant', 'O')]), True)
    """
    if element[0] == "number":
        return _row_of(element, items)
    if current_watchers():
        return None  # a tape knows tensors, and no list of them
    found = list[tuple[Any, ...]]()
    for item in items:
        leaves: list[Any] = []
        if _key_of(item, leaves) != element:
            return None
        found.append(tuple(leaves))
    return boxed(ItemList(found))


def _row_of(element: Key, items: Sequence[Any]) -> np.ndarray[Any, Any] | None:
    _, kind, dtype = element
    if not {kind}.issuperset(map(type, items)):
        return None
    row = np.array(items, None if items else dtype)
    return boxed(ItemList.of_row(row)) if row.dtype == dtype else None


def _key_of(item: Any, leaves: list[Any]) -> Key | None:
    """Return the key of one item, after appending its arrays."""
    kind = type(item)
    if kind in _NUMBERS:
        leaves.append(array := np.asarray(item))
        return None if array.dtype.hasobject else ("number", kind, array.dtype)
    if kind is EagerTensor:
        leaves.append(item._array)
        return None if item.dtype == variant else ("tensor", item._array.dtype, item._array.shape)
    if kind is not tuple or not item:
        return None
    parts = tuple([_key_of(each, leaves) for each in item])
    return None if None in parts else ("tuple", tuple, parts)


def plan_of_element(element: Key) -> Plan:
    """Return what a graph knows of each item that has a key."""
    if element[0] == "number":
        return Carried(TensorSpec((), as_dtype(element[2])), weak=True)
    if element[0] == "tensor":
        return Carried(spec_of(element))
    return Branch((None,) * len(element[-1]), tuple(map(plan_of_element, element[-1])))


def run_in_graph(place: Place, key: Key, graph: Graph) -> StagedItems:
    """Return the items of a list as an input of a graph."""
    return StagedItems(graph.add_input(VARIANT, place.name), plan_of_element(key[-1]))


def check_left(place: Place, items: Any) -> None:
    """Raise a StagingError if a trace has made others of the items it found in a list.

    Args:
        place: the list, as it was before.
        items: what it holds by now.
    """
    if place.element is None:
        return
    element = plan_of_element(place.element)
    if any(type(each) is StagedItems and each.element != element for each in items):
        raise StagingError(f"'{place.name}' does not keep numbers as they are")


def check_watched(places: Iterable[Place], functions: Iterable[FunctionType]) -> None:
    """Raise a StagingError if functions may watch an item by a tape: each look at it is a copy."""
    names = [place.name for place in places if place.element and place.element[0] != "number"]
    if names and any("watch" in each.__code__.co_names for each in functions):
        raise StagingError(f"an item of '{names[0]}' may be watched by a tape")


def with_runs(
    places: Sequence[Place], now: Sequence[Key], earlier: Sequence[Sequence[Key]]
) -> tuple[Place, ...] | None:
    """Return places with those lists as runs that had other lengths in earlier calls.

    Args:
        places: what is known to be written.
        now: what they hold, as keys.
        earlier: the same, of each trace there is.

    Returns:
        None if there is no such list.
    """
    elements = [_element(places, at, now, earlier) for at in range(len(places))]
    if all(each is place.element for each, place in zip(elements, places)):
        return None
    return tuple(
        replace(
            place, element=each, is_sized=place.is_sized or each is not place.element is not None
        )
        for place, each in zip(places, elements)
    )


def _element(
    places: Sequence[Place], at: int, now: Sequence[Key], earlier: Sequence[Sequence[Key]]
) -> Key | None:
    """Return the key of each item, if a list is to be a run."""
    place = places[at]
    if place.key is not WHOLE or place.is_sized or place.is_known:
        return None
    # What a list holds is a part of what counts in another place, too, where that leads to it.
    value: Any = place.value()
    others = [each for each in places if each is not place]
    if leads_to([(each.owner() is value and value, each.value()) for each in others], {id(value)}):
        return None
    if place.element is not None:
        return place.element
    is_another = any(_are_told_apart(keys[at], now[at]) for keys in earlier if at < len(keys))
    return element_of(list(value)) if is_another else None


def _are_told_apart(one: Key, other: Key) -> bool:
    """Tell whether two lists differ in how many items they have, or in one of very many."""
    if not (one[0] == "list" == other[0] and one[1] == other[1]):
        return False
    return len(one[2]) != len(other[2]) or len(one[2]) > MOST_LIFTED
