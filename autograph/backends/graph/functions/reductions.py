"""`max`, `min`, `sorted`, `sum`, `any` and `all` of tensors, and of lists with tensors in them.

They select as Python does: the first of equal items, and a NaN only if it comes first. Rows have no
order: an error is raised for them, as for eager tensors.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, reduce
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.invalidation import record_shared
from autograph.backends.graph.aliases.stale_reads import record_selection
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.control.boolean_operators import staged_or
from autograph.backends.graph.control.conditional import staged_choice
from autograph.backends.graph.functions.comparison_sorts import (
    define_order,
    place_of_extreme,
    places_in_order,
)
from autograph.backends.graph.iterators.dynamic_loops import (
    collected,
    collected_present,
    fold,
    items_tensor,
    require_present,
    rows,
    search_items,
    stacked,
)
from autograph.backends.graph.iterators.iterator_parts import is_tensor, staged_list
from autograph.backends.graph.iterators.staged_iterators import can_iterate_in_python
from autograph.backends.graph.iterators.unrolling import all_items
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.iterator_consumption import record_consumed
from autograph.backends.graph.tracing.value_tensors import item_at
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.iterables import StagedIterable, as_weak, length
from autograph.backends.graph.values.leaf_spec import TracedSpec
from autograph.backends.graph.values.sort_keys import (
    by_fields,
    columns_of,
    columns_of_dynamic_items,
    holds_tensor,
    order_error,
    vector,
)
from autograph.backends.graph.values.truth import has_dynamic_truth, truth
from autograph.errors import StagingError
from runtime.core.context import current_recorder
from runtime.ops.containers.lists import list_length, list_take
from runtime.ops.convert import is_weak, stands_for_number
from runtime.ops.python.arithmetic import python_fold
from runtime.ops.python.min_max import empty_words, first_extreme, python_order

_NOTHING: Any = object()
_LIST_ITERATORS: tuple[type, ...] = (type(iter([])), type(iter(())))
# The most branches that are nested for items whose evaluation may be skipped.
_MOST_NESTED = 12


def max_or_min(name: str, *values: Any, key: Any = None, default: Any = _NOTHING) -> object:
    """Return `max` or `min` of one iterable, or of several values."""
    if len(values) > 1:
        if default is not _NOTHING:
            raise TypeError(f"Cannot specify a default for {name}() with multiple arguments")
        return (
            _extreme_of_several(name, values) if key is None else _by_key(name, list(values), key)
        )
    if not (is_tensor(values[0]) or can_iterate_in_python(values[0])):
        return _extreme_of_dynamic_items(name, _dynamic_items(values[0]), key, default)
    items = tensor_or_list(values[0])
    if isinstance(items, list):
        return _extreme_of_list(name, items, key, default)
    return _extreme_of_vector(name, items, key, default)


def _extreme_of_list(name: str, items: list[Any], key: Any, default: Any) -> object:
    if not items:
        if default is _NOTHING:
            raise ValueError(empty_words(name))
        return default
    return _extreme_of_several(name, items) if key is None else _by_key(name, items, key)


def _extreme_of_dynamic_items(name: str, items: DynamicItems, key: Any, default: Any) -> object:
    if default is not _NOTHING:
        has_items = rt.greater(list_length(items.handle), 0)
        choose = partial(_extreme_of_dynamic_items, name, items, key, _NOTHING)
        return staged_choice(has_items, choose, lambda: default, f"{name}(...)")
    columns = columns_of_dynamic_items(
        items if key is None else collected(key, [items]), f"{name}()"
    )
    return item_at(items, first_extreme(*columns, largest=name == "max"))


def _extreme_of_several(name: str, values: Sequence[Any]) -> object:
    keys = by_fields(values)
    if define_order(keys) or any(isinstance(key, (tuple, list)) for key in keys):
        return _chosen_by(name, list(values), keys)
    if len(values) > 1:
        values = [require_present(value) for value in values]
    for value in values:
        _check_scalar(name, value)
    return reduce(partial(_better, name), values)


def _better(name: str, best: Any, value: Any) -> Any:
    if not is_tensor(best) and not is_tensor(value):
        return (max if name == "max" else min)(best, value)
    tensors = [rt.convert_to_tensor(each) for each in (best, value)]
    if not any(tensor.dtype.is_floating for tensor in tensors):
        return (rt.maximum if name == "max" else rt.minimum)(best, value)
    is_better = (rt.greater if name == "max" else rt.less)(value, best)
    return rt.where(is_better, value, best)


def _extreme_of_vector(name: str, vector: rt.Tensor, key: Any, default: Any) -> object:
    size = length(vector)
    if isinstance(size, int) and size == 0:
        return _extreme_of_list(name, [], key, default)
    if not isinstance(size, int) and default is not _NOTHING:
        choose = partial(_extreme_of_vector, name, vector, key, _NOTHING)
        if key is None and _becomes(default, vector.dtype):
            otherwise = lambda: rt.cast(default, vector.dtype)  # noqa: E731
            return rt.cond(rt.greater(size, 0), choose, otherwise)
        return staged_choice(rt.greater(size, 0), choose, lambda: default, f"{name}(...)")
    if key is not None:
        compare = operator.gt if name == "max" else operator.lt
        columns = columns_of_dynamic_items(collected(key, vector), f"the keys of {name}()", compare)
        return rt.gather(vector, first_extreme(*columns, largest=name == "max"))
    _check_vector(name, vector)
    if isinstance(size, int) and not vector.dtype.is_floating:
        return (rt.reduce_max if name == "max" else rt.reduce_min)(vector, axis=0)
    return rt.gather(vector, first_extreme(vector, largest=name == "max"))


def _becomes(default: object, dtype: rt.DType) -> bool:
    """Return whether a dtype holds a Python number without losing its kind."""
    kinds = {"i": (int,), "u": (int,), "f": (int, float)}
    return type(default) in kinds.get(dtype.kind, ())


def _by_key(name: str, items: list[Any], key: Callable[[Any], object]) -> object:
    return _chosen_by(name, items, [key(item) for item in items])


def _chosen_by(name: str, items: list[Any], keys: list[Any]) -> object:
    keys = by_fields(keys)
    if define_order(keys):
        return _one_picked(items, place_of_extreme(keys, name), name)
    if not any(map(holds_tensor, keys)):
        best = (max if name == "max" else min)(range(len(keys)), key=keys.__getitem__)
        return items[best]
    index = first_extreme(*columns_of(keys, f"the keys of {name}()"), largest=name == "max")
    return _one_picked(items, index, name)


def _one_picked(items: list[Any], index: Any, name: str) -> object:
    if isinstance(index, int):
        return items[index]
    return _with_record(name, [_item_by_index(items, index, name)], items)[0]


def sorted_items(values: Any, *, key: Any = None, reverse: Any = False) -> object:
    """Return `sorted(values, key=, reverse=)`; a plain list if the length is known."""
    if not is_tensor(values) and not can_iterate_in_python(values):
        dynamic = _dynamic_items(values)
        keys = dynamic if key is None else collected(key, [dynamic])
        order = python_order(*columns_of_dynamic_items(keys, "sorted()"), descending=bool(reverse))
        taken: list[object] = [DynamicItems(list_take(dynamic.handle, order), dynamic.element)]
        grown = staged_list(values)
        if grown is not None:
            record_shared(grown.items, taken)
        return taken
    items = tensor_or_list(values)
    if isinstance(items, list):
        return _ordered_list(items, key, bool(reverse))
    if key is None:
        _check_vector("sorted", items)
    columns = (
        [items] if key is None else columns_of_dynamic_items(collected(key, items), "sorted()")
    )
    result = rt.gather(items, python_order(*columns, descending=bool(reverse)))
    size = length(items)
    return list(rt.unstack(result, num=size)) if isinstance(size, int) and size else rows(result)


def _ordered_list(items: list[Any], key: Any, reverse: bool) -> list[Any]:
    keys = items if key is None else [key(item) for item in items]
    return ordered_by(items, keys, reverse)


def ordered_by(items: list[Any], keys: list[Any], reverse: bool) -> list[Any]:
    """Return `items` in the order of `keys`, of which some may be tensors."""
    keys = by_fields(keys)
    if not any(map(holds_tensor, keys)) and not define_order(keys):
        return [items[k] for k in sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)]
    if define_order(keys):
        places = places_in_order(keys, reverse)
    else:
        order = python_order(*columns_of(keys, "the keys of sorted()"), descending=reverse)
        places = rt.unstack(order, num=len(items))
    made = [_item_by_index(items, place, "sorted") for place in places]
    return made if isinstance(places[0], int) else _with_record("sorted", made, items)


def _with_record(name: str, made: list[Any], items: list[Any]) -> list[Any]:
    """Return selected values, after recording the items they are selected from."""
    if all(map(_is_value, items)):
        record_selection(f"{name}()", made, items)
    return made


def _item_by_index(items: list[Any], index: Any, name: str) -> object:
    """Return the item at an index; a run-time index selects each leaf of the structure."""
    if isinstance(index, int):
        return items[index]
    if not all(map(_is_value, items)):
        return StagedList(items).item(index)
    first = items[0]
    try:
        for item in items[1:]:
            rt.nest.assert_same_structure(first, item)
        columns = zip(*map(rt.nest.flatten, items))
        leaves = [_one_of(column, index) for column in columns]
    except (ValueError, TypeError) as error:
        raise StagingError(
            f"{name}() chooses by a tensor between items that are not alike: {error}",
            user_location(),
        ) from None
    return rt.nest.unflatten(first, leaves) if rt.nest.is_nested(first) else leaves[0]


def _is_value(item: object) -> bool:
    leaves = rt.nest.flatten(item)
    return all(
        is_tensor(leaf) or isinstance(leaf, (bool, int, float, complex, str)) for leaf in leaves
    )


def _one_of(column: Sequence[Any], index: rt.Tensor) -> object:
    if all(leaf is column[0] for leaf in column):
        return column[0]
    chosen = rt.gather(rt.stack(list(column)), index)
    is_number = all(is_weak(leaf) or not is_tensor(leaf) for leaf in column)
    return as_weak(chosen) if is_number else chosen


def sum_of(values: Any, /, start: Any = 0) -> object:
    """Return `sum(values, start)`."""
    if isinstance(start, (str, bytes, bytearray)):
        return sum((), start)
    if is_tensor(values) or can_iterate_in_python(values):
        items = tensor_or_list(values)
    else:
        dynamic = collected_present(values)
        if not isinstance(dynamic.element, TracedSpec):
            return fold(_plus, [dynamic], start, (_adding(start),))
        items = stacked(dynamic)
    if isinstance(items, list):
        return sum(items, start)
    if can_iterate_in_python(items) and length(items) == 0:
        return start
    if is_weak(items):
        if stands_for_number(start):
            return as_weak(python_fold("sum", items, start))
        return rt.add(start, as_weak(python_fold("sum", items, 0)))
    if items.dtype == rt.bool or items.dtype == rt.string:
        return rt.add(start, items)  # raises the error: a number plus a row
    added = rt.reduce_sum(items, axis=0)
    return added if type(start) is int and start == 0 else rt.add(start, added)


def _plus(one: Any, other: Any) -> object:
    """Return `one + other`, where one may be a staged list."""
    return StagedList(one) + other if isinstance(one, list) else one + other


def _adding(value: object) -> Callable[..., object]:
    """Return the function that adds to a value."""
    return getattr(value, "__add__", operator.add)


def any_of(values: Any) -> object:
    """Return `any(values)`."""
    return _decided(values, True)


def all_of(values: Any) -> object:
    """Return `all(values)`."""
    return _decided(values, False)


def _decided(values: Any, by: bool) -> object:
    if is_tensor(values):
        truths = _truths(vector(rt.convert_to_tensor(values), "any" if by else "all"))
        return as_weak((rt.reduce_any if by else rt.reduce_all)(truths, axis=0))
    if isinstance(values, StagedIterable) or staged_list(values) is not None:
        return as_weak(search_items(values, lambda item: _as_found(item, by), by))
    return any_or_all(iter(values), by)


def any_or_all(items: Iterator[Any], by: bool, depth: int = 0) -> object:
    """Return `any` of items, or `all` for `by` False, without evaluating more than Python does.

    Items after a tensor are evaluated in a branch, which is taken if the tensor does not decide.
    """
    for item in items:
        if has_dynamic_truth(item):
            return as_weak(_from_tensor(item, items, by, depth))
        if bool(item) is by:
            return by
    return not by


def _from_tensor(item: Any, items: Iterator[Any], by: bool, depth: int) -> rt.Tensor:
    found = _as_found(item, by)
    record_consumed(items)
    if isinstance(items, _LIST_ITERATORS):
        found = reduce(rt.logical_or, [_as_found(each, by) for each in items], found)
    else:
        rest = _flat if depth >= _MOST_NESTED else any_or_all
        found = staged_or(found, lambda: _as_found(rest(items, by, depth + 1), by), found)
    return found if by else rt.logical_not(found)


def _flat(items: Iterator[Any], by: bool, depth: int) -> object:
    """Evaluate all remaining items; refuse those with effects, since Python might skip them."""
    recorder: Any = current_recorder()
    values = all_items(items)
    if recorder.effect not in ("none", "read"):
        raise StagingError(
            f"{'any' if by else 'all'}() of more than {_MOST_NESTED} items of a generator that "
            "does more than compute: write a `for` statement",
            user_location(),
        )
    return any_or_all(iter(values), by)


def _as_found(value: Any, by: bool) -> Any:
    return truth(value) if by else rt.logical_not(truth(value))


def _truths(tensor: rt.Tensor) -> rt.Tensor:
    if tensor.dtype == rt.string:
        return rt.greater(rt.strings.length(tensor), 0)
    return tensor if tensor.dtype == rt.bool else rt.not_equal(tensor, rt.cast(0, tensor.dtype))


def tensor_or_list(values: Any) -> Any:
    """Return the iterable as one tensor, or as a list where Python can make one."""
    if is_tensor(values):
        tensor = rt.convert_to_tensor(values)
        length(tensor)  # raises the error for a scalar
        return tensor
    return list(values) if can_iterate_in_python(values) else items_tensor(values)


def _dynamic_items(values: Any) -> DynamicItems:
    grown = staged_list(values)
    return collected(None, values) if grown is None else grown.as_dynamic()


def _check_scalar(name: str, value: Any) -> None:
    shape = value.shape if is_tensor(value) else None
    if shape is not None and any(d not in (1, None) for d in shape.dims or ()):
        raise order_error(name, shape)


def _check_vector(name: str, tensor: rt.Tensor) -> None:
    if tensor.shape.rank not in (1, None):
        raise order_error(f"{name}()", tensor.shape[1:])


REDUCTIONS: Mapping[str, Callable[..., object]] = {
    "all": all_of,
    "any": any_of,
    "max": partial(max_or_min, "max"),
    "min": partial(max_or_min, "min"),
    "sorted": sorted_items,
    "sum": sum_of,
}
