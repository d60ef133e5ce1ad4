"""Lists, sets and dicts in state whose items are an input of the graph, of any length.

    seen.append(len(seen))     ->     graph f(%seen: variant)    an int64 for each item

The first trace is for the number of items in its call. If a later call finds another number of
items, the next trace serves any number. A dict is two inputs, its keys and its values.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from autograph.backends.graph.objects.object_contents import Contents, users_classes
from autograph.backends.graph.source.library_boundary import is_library_file
from autograph.backends.graph.state.reachability import Reach
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.leaf_spec import TracedSpec
from autograph.backends.graph.values.value_spec import ContainerSpec, ValueSpec
from autograph.conversion.wrappers import UnconvertedFunction, wrapped_by
from autograph.errors import StagingError
from autograph.functions.arguments.key_relations import spec_of
from autograph.functions.arguments.trace_key import Key
from autograph.functions.effect_analysis.state_uses import CodeUses
from autograph.functions.results.object_templates import leads_to
from autograph.functions.state.kinds import MOST_LIFTED
from autograph.functions.state.places import ORDER, WHOLE, StatePlace
from autograph.operators.user_classes import is_a, own_attributes
from runtime.core.context import current_watchers
from runtime.core.device_tensor import DeviceTensor
from runtime.core.dtypes import as_dtype, string, variant
from runtime.core.item_list import ItemList
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor
from runtime.core.variant import VARIANT, boxed
from runtime.graph.graph import Graph
from runtime.ops.constant import convert_to_tensor

_NUMBERS = (int, float, bool)
_CONTAINERS = (list, deque, set, dict)


def element_of(value: Any) -> Key | None:
    """Return the common key of the items of a container; None if dynamic items cannot contain them.

    >>> element_of([1, 2])[:2], element_of([1, 2.0]), element_of([[1]])
    (('number', <class 'int'>), None, None)
    """
    if type(value) is dict:
        element: Key | None = ("items", element_of(list(value)), element_of([*value.values()]))
    else:
        element = _key_of(next(iter(value)), []) if value else None
    # `is None`, since the usual dtype equals None.
    if element is None or any(part is None for part in element):
        return None
    if type(value) is set and element[0] != "number":
        return None
    return element if runs_of(element, value) is not None else None


def runs_of(element: Key, value: Any) -> list[np.ndarray[Any, Any]] | None:
    """Return a graph's inputs for items with a common key; None if an item has another key.

    Args:
        element: the key.
        value: a list, deque or set, which is one run; or a dict, which is two.

    >>> runs_of(element_of([1]), [1, 2]), runs_of(element_of([1]), [1, "a"]) is None
    ([array(([1, 2],), dtype=[('held', 'O')])], True)
    """
    if element[0] == "items":
        pairs = zip(element[1:], (list(value), [*value.values()]))
        found = [_run_of(*pair) for pair in pairs]
    else:
        found = [_run_of(element, list(value) if type(value) is set else value)]
    return None if any(each is None for each in found) else found  # type: ignore[return-value]


def _run_of(element: Key, items: Any) -> np.ndarray[Any, Any] | None:
    if element[0] == "number":
        return _row_of(element, items)
    if current_watchers():
        return None  # a tape watches tensors, not lists
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
    if kind is EagerTensor or kind is DeviceTensor:
        leaves.append(item._array)
        return None if item.dtype == variant else ("tensor", item._array.dtype, item._array.shape)
    if kind is str:
        leaves.append(convert_to_tensor(item)._array)  # type: ignore[attr-defined]
        return ("text",)
    if kind is not tuple or not item:
        return None
    parts = tuple([_key_of(each, leaves) for each in item])
    return None if any(part is None for part in parts) else ("tuple", tuple, parts)


def spec_of_element(element: Key) -> ValueSpec:
    """Return the value spec of an item with a key."""
    if element[0] == "number":
        return TracedSpec(TensorSpec((), as_dtype(element[2])), weak=True)
    if element[0] == "text":
        return TracedSpec(TensorSpec((), string), weak=True)
    if element[0] == "tensor":
        return TracedSpec(spec_of(element))
    return ContainerSpec((None,) * len(element[-1]), tuple(map(spec_of_element, element[-1])))


def in_graph(place: StatePlace, key: Key, graph: Graph) -> Contents:
    """Return the contents of a list, set or dict in a trace: list inputs of the graph."""
    *_, kind, _, element = key
    elements = element[1:] if element[0] == "items" else (element,)
    runs = [
        DynamicItems(graph.add_input(VARIANT, place.name), spec_of_element(each))
        for each in elements
    ]
    return {runs[0].among_keys() if kind in (set, dict) else 0: runs[-1]}


def check_left(place: StatePlace, left: Any) -> None:
    """Raise a StagingError if a trace has given items that it found another value spec.

    Args:
        place: the place of the list, set or dict, with the value spec of its items before.
        left: its contents now.
    """
    if place.element is None:
        return
    is_dict = place.element[0] == "items"
    elements = place.element[1:] if is_dict else (place.element,)
    parts = (left.keys(), left.values()) if is_dict else (left,)
    for element, part in zip(map(spec_of_element, elements), parts):
        if any(type(each) is DynamicItems and each.element != element for each in part):
            raise StagingError(f"'{place.name}' does not keep numbers as they are")


def check_uses(places: Iterable[StatePlace], reach: Reach, code: CodeUses) -> None:
    """Raise a StagingError if code may use dynamic items in a way that only Python can.

    Args:
        places: the places, some of which contain dynamic items.
        reach: the objects that the code has reached.
        code: the uses in that code.
    """
    for place in places:
        if place.element is None:
            continue
        each = reach.find(place.owner())
        if is_a(place.owner(), (set, dict)) and not (each and code.only_reads_keys(each)):
            raise StagingError(f"'{place.name}' is used as a whole")
        # Each read of an item makes a copy.
        if place.element[0] != "number" and any(
            "watch" in function.__code__.co_names for function in reach.functions
        ):
            raise StagingError(f"an item of '{place.name}' may be watched by a tape")


def with_runs(
    places: Sequence[StatePlace], now: Sequence[Key], earlier: Sequence[Sequence[Key]]
) -> tuple[StatePlace, ...] | None:
    """Return places where lists, sets and dicts whose length has changed have dynamic items.

    Args:
        places: the places that are known to be written.
        now: the keys of their current values.
        earlier: the keys for each trace.

    Returns:
        None if there is no such list, set or dict.
    """
    made = list(places)
    for at, place in enumerate(places):
        differs = any(_are_distinguishable(keys[at], now[at]) for keys in earlier if at < len(keys))
        if place.element is None and differs and place in made:
            own = [each for each in made if each.owner() is place.owner()]
            run = _run_in_place_of(own)
            others = [each for each in made if each not in own]
            if run is not None and not _is_among(run, others):
                made = [*others, run]
    made = [sized_place(each) if _is_among(each, made) else each for each in made]
    same = len(made) == len(places) and all(map(operator.is_, made, places))
    return None if same else tuple(made)


def _run_in_place_of(own: Sequence[StatePlace]) -> StatePlace | None:
    """Return a list, set or dict as dynamic items, given its places; None if it cannot be."""
    whole = next((each for each in own if each.key is WHOLE or each.key is ORDER), None)
    is_needed = any(each.is_sized or (each.is_known and each.key is WHOLE) for each in own)
    if whole is None or is_needed or type(whole.owner()) not in _CONTAINERS:
        return None
    if any(map(_has_unconverted_code, whole.holders())):
        return None
    element = element_of(whole.owner())
    return None if element is None else replace(whole, key=WHOLE, element=element)


def _has_unconverted_code(value: object) -> bool:
    """Return whether an object has unconverted methods, which may use its items.

    >>> from collections import UserList
    >>> _has_unconverted_code(UserList()), _has_unconverted_code([])
    (True, False)
    """
    members = (v for kind in users_classes(value) for v in own_attributes(kind).values())
    methods = (m.fget if type(m) is property else m for m in members)
    return any(_is_unconverted(each) for each in methods if type(each) is FunctionType)


def _is_unconverted(function: FunctionType) -> bool:
    is_exempt = isinstance(wrapped_by(function), UnconvertedFunction)
    return is_exempt or is_library_file(function.__code__.co_filename)


def sized_place(place: StatePlace) -> StatePlace:
    """Return the place of dynamic items as one whose length is part of the trace key."""
    if place.element is None:
        return place
    key = ORDER if place.element[0] == "items" else WHOLE
    return replace(place, key=key, element=None, is_sized=True)


def _is_among(run: StatePlace, places: Sequence[StatePlace]) -> bool:
    """Return whether the container of dynamic items is in another place, too."""
    others = [each.value() for each in places if each is not run]
    return run.element is not None and leads_to(others, {id(run.owner())})


def _are_distinguishable(one: Key, other: Key) -> bool:
    """Return whether the containers of two keys differ as those do whose length varies.

    Lists differ in length, or have more than `MOST_LIFTED` items; dicts have other int keys; sets
    differ in any way.
    """
    if one[0] != other[0] or one == other:
        return False
    if one[0] == "order":
        return {int}.issuperset(map(type, (*one[1], *other[1])))
    if one[0] == "list":
        lengths = len(one[2]), len(other[2])
        return one[1] == other[1] and (lengths[0] != lengths[1] or lengths[0] > MOST_LIFTED)
    return one[0] == "set"
