"""Membership and subscripts with operands that are known only at run time.

These are `a in b`, `a[i]` and `a[i] = v`, where an item, a container or an index is known only at
run time, and `t.index(v)` and `t.count(v)` of tuples.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence, Sized
from functools import partial, reduce
from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph.aliases.element_ref import ElementSource
from autograph.backends.graph.arrays.array_elements import ArrayElements
from autograph.backends.graph.arrays.array_mutation import store, stored
from autograph.backends.graph.arrays.staged_array import (
    as_tensor_index,
    as_tensor_operand,
    is_array,
    is_from_outside,
    staged_tensor,
)
from autograph.backends.graph.containers.dict_views import StagedDictView
from autograph.backends.graph.containers.dynamic_keys import DynamicSet
from autograph.backends.graph.containers.staged_deque import StagedDeque
from autograph.backends.graph.containers.staged_dict import (
    StagedDict,
    check_key,
    has_optional_items,
)
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.control.case_dispatch import dispatch_any, has_alternatives
from autograph.backends.graph.control.conditional import staged_choice
from autograph.backends.graph.functions.numpy_calls import has_unknown
from autograph.backends.graph.functions.strings import is_text
from autograph.backends.graph.iterators.dynamic_loops import search_items
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.speculation import refuse_at_run_time
from autograph.backends.graph.tracing.value_tensors import read_item
from autograph.backends.graph.values.dynamic_items import is_staged
from autograph.backends.graph.values.iterables import SymbolicRange, as_weak
from autograph.backends.graph.values.number_builtins import whole_number
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.truth import equality, items_equal
from autograph.errors import ContainerMutationError, StagingError
from autograph.operators.user_classes import type_name
from runtime.core.lazy_imports import lazy_import
from runtime.data.base_types import AnyDataset, AnyIterator
from runtime.errors import with_article
from runtime.graph.capture import TensorAlias
from runtime.ops.effects.checks import check
from runtime.ops.python.membership import contains as in_tensor
from runtime.ops.python.string_items import text_item
from runtime.ops.python.string_methods import text_method

_NEW_KEY = (
    "a key that is known only when the graph runs is assigned, and is not in the dict: give the "
    "dict all its keys before, as in dict.fromkeys(keys, 0), or use a list with the key as index"
)

of_array = lazy_import("runtime.interop.numpy.protocol:of_array")


def contains(item: object, container: Any) -> rt.Tensor | bool:
    """Return `item in container` as a scalar bool tensor, or a bool where Python knows it.

    Raises:
        StagingError: if the graph cannot search this kind of container.
    """
    if isinstance(container, StagedDict) or has_optional_items(container):
        return _as_dict(container).contains_item(item)  # type: ignore[return-value]
    if isinstance(container, DynamicSet):
        return container.contains_item(item)
    if isinstance(container, StagedDictView):
        if container.part == "keys":
            return StagedDict(container.user_object).contains_item(item)  # type: ignore[return-value]
        return StagedList(container.as_list()).contains_item(item)
    if isinstance(container, StagedList) or is_staged(container):
        return _as_staged(container).contains_item(item)
    if is_text(container) or (is_text(item) and isinstance(container, str)):
        return text_method(container, "__contains__", item)
    if isinstance(container, (rt.Tensor, rt.Variable)):
        return in_tensor(rt.convert_to_tensor(container), item)
    if isinstance(container, SymbolicRange):
        return in_tensor(container.tensor(), item)
    if isinstance(container, (list, tuple, set, frozenset, deque, range, Mapping)):
        return _in_items(item, container)
    if isinstance(container, (AnyDataset, AnyIterator)):
        return search_items(container, lambda each: items_equal(each, item), True)
    instead = (
        "make it a string tensor, as in x in rt.constant(text)"
        if isinstance(container, str)
        else "use a list, a tuple or a tensor"
    )
    raise StagingError(
        f"`in` cannot look through {with_article(type_name(container))} for a value that is known "
        f"when the graph runs: {instead}",
        user_location(),
    )


def get_item(container: Any, index: Any) -> object:
    """Return `container[index]` for a tensor `index`, or a slice with tensors in it.

    Raises:
        StagingError: if a tensor cannot index this kind of container.
    """
    if has_alternatives(index):
        return dispatch_any(index, partial(_at, container), "an index")
    if isinstance(container, StagedDict) or has_optional_items(container):
        return _as_dict(container)[index]
    if isinstance(container, tuple) and isinstance(index, slice):
        raise StagingError(
            "a part of a tuple is a tuple, whose length must be known while tracing, and this is "
            "known only when the graph runs: make a list of it first, as in list(t)[i:j]",
            user_location(),
        )
    if isinstance(container, range) and not isinstance(index, slice):
        return _of_range(container, whole_number(index))
    if isinstance(container, tuple):
        _check_inside(container, whole_number(index), "tuple index out of range")
    if isinstance(container, (list, tuple, deque)):
        whole = StagedList(container if type(container) is list else list(container))
        return whole[index] if type(container) is list else whole.item(index)
    if isinstance(container, Mapping):
        return _of_mapping(container, index)
    if isinstance(container, str):
        return text_item(container, _index_of_text(index))
    container = as_tensor_operand(container)
    if isinstance(container, rt.Tensor):
        return container[index]
    if is_array(container) and not is_from_outside(container):
        return ArrayElements(container)[index]
    if isinstance(container, np.ndarray):
        return of_array(rt.convert_to_tensor(container)[index])
    raise StagingError(
        f"{with_article(type_name(container))} cannot be indexed by a value that is known when the "
        "graph runs: make it a list or a tensor",
        user_location(),
    )


def _index_of_text(index: Any) -> Any:
    return whole_number(index)


def _at(container: Any, index: Any) -> object:
    """Return the item at one of several possible indices."""
    if isinstance(index, (rt.Tensor, slice)) or has_alternatives(index):
        return get_item(container, index)
    return StagedList(container)[index] if is_staged(container) else container[index]


def assigned(target: Any, index: Any, value: Any) -> object:
    """Execute `target[index] = value`; return the new value of the variable of `target`."""
    if isinstance(target, (TensorAlias, np.flatiter)):
        over = ArrayElements(target.base).flat if isinstance(target, np.flatiter) else target
        over[index] = value
        return target
    held = target
    if isinstance(target, OptionalValue):
        held = target.require_value("'NoneType' object does not support item assignment")
        target = held if isinstance(held, (rt.Tensor, rt.Variable)) else target
    if isinstance(held, rt.Variable):
        held.assign(rt.set_item(held.read_value(), index, value))
        return held
    if isinstance(held, rt.Tensor):
        return rt.set_item(held, index, stored(value, held.dtype))
    set_item(held, index, value)
    return target


def set_item(target: Any, index: Any, value: Any) -> None:
    """Execute `target[index] = value`, where the graph knows an item or the index.

    Raises:
        StagingError: if the target is a dict without a key of the graph, or part of a tensor.
        ContainerMutationError: as `store`, for an array.
    """
    if isinstance(target, (StagedList, StagedDict)):
        target[index] = value
        return
    if has_optional_items(target):
        StagedDict(target)[index] = value
        return
    if isinstance(target, (list, deque)):
        (StagedDeque(target) if isinstance(target, deque) else StagedList(target))[index] = value
        return
    if isinstance(target, dict):
        _put_under_key(target, index, value)
        return
    if isinstance(target, rt.Tensor):
        raise StagingError(
            "an item of a part of a tensor is assigned, which is a tensor of its own: write one "
            "pair of brackets, as in x[i, j] = v for x[i][j] = v",
            user_location(),
        )
    if is_array(target) or isinstance(target, np.ndarray):
        return _set_item_of_array(target, index, value)
    target[index] = value


def _set_item_of_array(array: Any, index: Any, value: Any) -> None:
    """Execute `array[index] = value`; in the graph, if anything is known only at run time."""
    index, value = as_tensor_index(index), as_tensor_index(value)
    if not is_array(array):
        return refuse_store(array, index, value)
    if staged_tensor(array) is None and not has_unknown([index, value]):
        array[index] = value
        return None
    return store(array, index, value)


def refuse_store(array: Any, index: Any, value: Any) -> None:
    """Store a Python value in an array without a tensor.

    Raises:
        ContainerMutationError: only the graph knows the value.
    """
    if has_unknown([index, value]):
        raise ContainerMutationError(
            f"a NumPy array of dtype {array.dtype} is assigned an item, and cannot hold a value "
            "that is known only when the graph runs: make it a list",
            user_location(),
        )
    array[index] = value


def _as_dict(container: Any) -> StagedDict:
    return container if isinstance(container, StagedDict) else StagedDict(container)


def _as_staged(container: Any) -> StagedList:
    if isinstance(container, StagedList):
        return container
    return StagedList(container if type(container) is list else list(container))


def _in_items(item: object, items: Iterable[object]) -> rt.Tensor | bool:
    """Return whether an item equals `item`; the ones behind an item that may be equal are asked."""
    unknown: list[rt.Tensor] = []
    for each in items:
        if (equal := equality(each, item)) is True:
            return True
        if equal is not False:
            unknown.append(equal)
    return reduce(rt.logical_or, unknown) if unknown else False


def _of_range(numbers: range, index: Any) -> rt.Tensor:
    _check_inside(numbers, index, "range object index out of range")
    place = rt.where(rt.less(index, 0), index + len(numbers), index)
    return place * numbers.step + numbers.start


def _check_inside(items: Sized, index: Any, words: str) -> None:
    length = len(items)
    inside = rt.logical_and(rt.less(index, length), rt.greater_equal(index, -length))
    check(inside, IndexError, words)


def _put_under_key(mapping: dict[Any, Any], key: Any, value: object) -> None:
    """Assign under an existing key; a run-time key cannot be added while tracing."""
    if not has_unknown([key]):
        mapping[key] = value
        return
    if not mapping:
        raise StagingError(_NEW_KEY, user_location())
    equal = {each: items_equal(each, key) for each in mapping}
    known = reduce(rt.logical_or, equal.values(), rt.constant(False))
    refuse_at_run_time(known, StagingError, _NEW_KEY)
    for each, is_it in equal.items():
        old = partial(mapping.__getitem__, each)
        mapping[each] = staged_choice(is_it, lambda: value, old, "an item")


def get_or(mapping: Mapping[Any, Any], key: Any, default: object = None) -> object:
    """Return `mapping.get(key, default)` for a key that is known only at run time."""
    if not mapping:
        return default
    known = reduce(rt.logical_or, [items_equal(each, key) for each in mapping])
    return staged_choice(known, partial(_under_key, mapping, key), lambda: default, "get")


def _makes_values(mapping: Mapping[Any, Any]) -> bool:
    """Return whether a dict creates values for missing keys."""
    if isinstance(mapping, defaultdict):
        return mapping.default_factory is not None
    return hasattr(type(mapping), "__missing__")


def _of_mapping(mapping: Mapping[Any, Any], key: Any) -> object:
    """Return `mapping[key]`; for a Counter, 0 for a missing key."""
    return get_or(mapping, key, 0) if type(mapping) is Counter else _under_key(mapping, key)


def _under_key(mapping: Mapping[Any, Any], key: Any) -> object:
    """Return the value under a run-time key of a dict with known keys."""
    makes_values = _makes_values(mapping)
    if not mapping:
        raise StagingError(_NEW_KEY, user_location()) if makes_values else KeyError(key)
    together = rt.stack([rt.cast(items_equal(each, key), rt.int32) for each in mapping])
    is_there = rt.greater(rt.reduce_max(together), 0)
    if makes_values:
        refuse_at_run_time(is_there, StagingError, _NEW_KEY)
    else:
        check_key(is_there, key)
    at, values = rt.argmax(together), StagedList(list(mapping.values()))
    if not isinstance(mapping, dict):
        return values.item(at)
    put = partial(_put_under_key, mapping, key)
    read = lambda: read_item(StagedList(list(mapping.values())).as_dynamic(), at)  # noqa: E731
    return values.item(at, ElementSource(mapping, key, put, read))


# -- searching -------------------------------------------------------------------------------------


_MISSING = "tuple.index(x): x not in tuple"


class TupleMethods:
    """The methods of a tuple where an item, or the operand, is a tensor.

    Args:
        items: the tuple.
    """

    def __init__(self, items: tuple[object, ...]) -> None:
        self._items = items

    def count(self, value: object) -> object:
        """Return the number of items that are equal to `value`."""
        equal = [rt.cast(each, rt.int32) for each in _equal(self._items, value)]
        return as_weak(reduce(rt.add, equal, rt.constant(0)))

    def index(self, value: object, *bounds: Any) -> object:
        """Return the index of the first item equal to `value`, within bounds.

        Raises:
            ValueError: at run time, if there is none.
            StagingError: if only the graph knows the bounds.
        """
        if any(isinstance(bound, rt.Tensor) for bound in bounds):
            raise StagingError(
                "the bounds of tuple.index are known only when the graph runs: make a list of the "
                "tuple, as in list(t)[i:j].index(v)",
                user_location(),
            )
        start, stop = (*bounds, None, None)[:2]
        places = range(len(self._items))[slice(start, stop)]
        if not places:
            raise ValueError(_MISSING)
        equal = _equal([self._items[place] for place in places], value)
        check(reduce(rt.logical_or, equal, rt.constant(False)), ValueError, _MISSING)
        place = rt.argmax(rt.stack([rt.cast(each, rt.int32) for each in equal]))
        return as_weak(rt.add(rt.cast(place, rt.int32), places.start))


def _equal(items: Sequence[object], value: object) -> list[rt.Tensor]:
    return [items_equal(each, value) for each in items]
