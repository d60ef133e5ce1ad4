"""A list with dynamic items: its interface for converted code.

    l[-1]          ->    list_get(%l, -1)
    l.pop()        ->    %l, item = list_pop(%l, -1)
    [0] * n        ->    a list with n dynamic items

The user's list keeps its identity; the `StagedList` reads and changes its contents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import runtime as rt
from autograph.backends.graph.aliases.duplicate_items import (
    is_element_of,
    record_inserted,
    record_known_duplicates,
    record_origin,
)
from autograph.backends.graph.aliases.element_ref import (
    ElementSource,
    are_same_items,
    record_element_ref,
    record_popped,
)
from autograph.backends.graph.aliases.invalidation import record_extended, record_shared
from autograph.backends.graph.aliases.stale_reads import (
    check_items,
    record_copied,
    record_possible_items,
    refuse_repeated,
)
from autograph.backends.graph.arrays.staged_array import is_array
from autograph.backends.graph.containers.list_loops import are_equal, mapped_items, place_in
from autograph.backends.graph.containers.method_signatures import (
    missing_message,
    takes_arguments_as,
)
from autograph.backends.graph.control.callback_loops import appending, fold_watched
from autograph.backends.graph.control.loop_source import Indexed, indexed_source
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.iterator_invalidation import refuse_changed_while_iterated
from autograph.backends.graph.tracing.value_tensors import (
    from_outputs,
    item_at,
    list_handle,
    read_item,
    tensor_specs,
    to_tensors,
)
from autograph.backends.graph.values.dynamic_items import DynamicItems, is_staged
from autograph.backends.graph.values.iterables import as_weak
from autograph.backends.graph.values.join import join_all, widen
from autograph.backends.graph.values.join_errors import item_mismatch
from autograph.backends.graph.values.leaf_spec import TracedSpec
from autograph.backends.graph.values.number_builtins import whole_number
from autograph.backends.graph.values.sort_keys import columns_of_dynamic_items
from autograph.backends.graph.values.spec_inference import specs_of_items
from autograph.backends.graph.values.truth import items_equal, length_of
from autograph.backends.graph.values.value_spec import (
    JoinError,
    OneOfSpec,
    SameObjectSpec,
    ValueSpec,
)
from autograph.errors import StagingError
from runtime.core.lazy_imports import lazy_import
from runtime.ops.containers import lists
from runtime.ops.effects.checks import check
from runtime.ops.overloads import is_count
from runtime.ops.python.min_max import python_order

# Imported on first use: few lists contain arrays.
selected_array = lazy_import("autograph.backends.graph.arrays.selected_arrays:selected_array")
# Attributes of this class and of `StagedDeque`; all others are the user's object's.
_OWN = frozenset(("items", "user_object", "_changing"))


@takes_arguments_as(list)
class StagedList:
    """The operators and methods of Python's lists, on a staged list.

    Args:
        items: the user's list.
    """

    HOLDS_FOR_TRACE = True

    __slots__ = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the user's object that lists do not have."""
        return getattr(self.stands_for, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name in _OWN:
            object.__setattr__(self, name, value)
        else:
            setattr(self.stands_for, name, value)

    # -- the items as one value --------------------------------------------------------------------

    def as_dynamic(self, *more: object) -> DynamicItems:
        """Return all items as dynamic items, whose spec also fits the values `more`."""
        try:
            element = join_all(list(map(widen, specs_of_items([*self.items, *more]))))
        except JoinError as error:
            raise item_mismatch(self.items, error) from None
        check_items([*self.items, *more])
        return DynamicItems(list_handle(element, self.items), element)

    def put(self, handle: rt.Tensor, element: ValueSpec, new: Sequence[object] = ()) -> None:
        """Give the user's list the items of a list handle, `new` among them."""
        if not isinstance(element, (OneOfSpec, SameObjectSpec)):
            items = [*self.items, *(item for item in new if not is_element_of(item, self.items))]
            record_copied([item for item in items if type(item) is not DynamicItems], handle)
            record_known_duplicates(self.items)
        if not is_staged(self.items):
            refuse_changed_while_iterated(self.items)
        list.__setitem__(self.items, slice(None), [DynamicItems(handle, element)])

    def length(self) -> Any:
        """Return the number of items, as a tensor that stands for a Python int."""
        return as_weak(length_of(self.items))

    @property
    def stands_for(self) -> list[Any]:
        """The user's list."""
        return self.items

    def item(self, index: object, place: ElementSource | None = None) -> object:
        """Return the item at a Python or tensor index; IndexError where there is none.

        Args:
            index: the index.
            place: where a changed item is written back; None for a temporary list.
        """
        index = whole_number(index)
        known = self._known_position(index)
        if known is not None:
            return self.items[known]
        self._refuse_none("list index out of range")
        array = selected_array(self.items, index) if any(map(is_array, self.items)) else None
        if array is not None:
            return array
        items = self.as_dynamic()
        picked = item_at(items, index)
        record_possible_items(self.items, picked)
        record_origin(picked, self.items, index, items)
        if place is not None:
            record_element_ref(place, items.element, picked)
        return picked

    def place(self, index: Any) -> ElementSource:
        """Return the element source of an index: how to read and write the item there."""
        index, then = whole_number(index), list(self.items)

        def now() -> object:
            """Return the current index of the item; a negative one counted from the former end."""
            is_place = isinstance(index, int) and index >= 0
            if is_place or are_same_items(then, self.items):
                return index
            from_end = rt.add(index, length_of(then))
            return rt.where(rt.less(index, 0), from_end, index)

        def put(value: object) -> None:
            self._put_item(now(), value)

        return ElementSource(
            self.items, index, put, lambda: read_item(self.as_dynamic(), now()), then
        )

    def _refuse_none(self, words: str) -> None:
        """Raise IndexError if the list is known to be empty."""
        if not self.items:
            raise IndexError(words)

    def has_at_hand(self, index: object) -> bool:
        """Return whether the item at an index is known, and not dynamic."""
        return self._known_position(index) is not None

    def _known_position(self, index: object) -> int | None:
        """Return the position of a known item in `items`; None for a dynamic or missing one.

        An index from the start reaches the items before all dynamic ones, and a negative index
        those after them.
        """
        if not isinstance(index, int) or isinstance(index, bool):
            return None
        count = len(self.items)
        place = index if index >= 0 else count + index
        if not 0 <= place < count:
            return None
        between = self.items[: place + 1] if index >= 0 else self.items[place:]
        return None if any(type(item) is DynamicItems for item in between) else place

    # -- operators ---------------------------------------------------------------------------------

    def __getitem__(self, index: object) -> Any:
        if not isinstance(index, slice):
            return self.item(index, self.place(index))
        if not self.items:
            return []
        items = self.as_dynamic()
        record_copied([item for item in self.items if type(item) is not DynamicItems], items.handle)
        part = lists.list_slice(items.handle, index.start, index.stop, index.step)
        return self._sharing([DynamicItems(part, items.element)])

    def __setitem__(self, index: Any, value: Any) -> None:
        index = whole_number(index)
        if isinstance(index, slice):
            self._set_slice(index, value)
        else:
            before = list(self.items)
            self._put_item(index, value)
            record_inserted(self.items, index, value, before)

    def _put_item(self, index: Any, value: Any) -> None:
        known = self._known_position(index)
        if known is not None:
            self.items[known] = value
        else:
            items = self.as_dynamic(value)
            leaves = to_tensors(items.element, value)
            self.put(lists.list_set(items.handle, index, *leaves), items.element, [value])

    def _set_slice(self, index: slice, values: object) -> None:
        items = items_to_extend_by(values)
        together = StagedList([*self.items, *items]).as_dynamic()
        old, new = (list_handle(together.element, part) for part in (self.items, items))
        put = lists.list_set_slice(old, index.start, index.stop, new, index.step)
        before = list(self.items)
        self.put(put, together.element, items)
        for item in items:
            record_inserted(self.items, None, item, before)

    def __delitem__(self, index: Any) -> None:
        items = self.as_dynamic()
        if isinstance(index, slice):
            bounds = (index.start, index.stop, index.step)
            return self.put(lists.list_delete_slice(items.handle, *bounds), items.element)
        return self.put(lists.list_delete(items.handle, whole_number(index)), items.element)

    def __add__(self, other: object) -> Any:
        return self._sharing(self.items + items_to_extend_by(other), other)

    def __radd__(self, other: object) -> Any:
        return self._sharing(items_to_extend_by(other) + self.items, other)

    def __mul__(self, count: Any) -> Any:
        if isinstance(count, int):
            return self.items * count
        refuse_repeated(self.items)
        items = self.as_dynamic()
        return [DynamicItems(lists.list_repeat(items.handle, count), items.element)]

    __rmul__ = __mul__

    def __iadd__(self, other: object) -> list[Any]:
        """Execute `l += other`, after which the variable holds the list itself."""
        self.extend(other)
        return self.items

    def __imul__(self, count: Any) -> list[Any]:
        """Execute `l *= count`."""
        self.items[:] = self * count
        return self.items

    def __eq__(self, other: object) -> Any:
        others = other.items if isinstance(other, StagedList) else other
        if not isinstance(others, list):
            return False
        return are_equal(self.as_dynamic(), StagedList(others).as_dynamic())

    def __ne__(self, other: object) -> Any:
        return rt.logical_not(self == other)

    __hash__ = None  # type: ignore[assignment]

    def refuse(self, *others: object) -> NoReturn:
        """Raise StagingError: Python code needs all items, or their number."""
        raise StagingError(
            "the items of a list that grew in a staged statement are known only when the graph "
            "runs, so Python cannot unpack, order or count them here: iterate over it with `for`, "
            "use len(l) and l[i], or make it a tensor with rt.stack(l)",
            user_location(),
        )

    __iter__ = __bool__ = __len__ = __lt__ = __le__ = __gt__ = __ge__ = refuse

    # -- methods -----------------------------------------------------------------------------------

    def append(self, item: object) -> None:
        """Execute `l.append(item)`."""
        self.items.append(item)

    def extend(self, values: object) -> None:
        """Execute `l.extend(values)`."""
        self.items.extend(items_to_extend_by(values))
        source = values.items if isinstance(values, StagedList) else values
        if isinstance(source, list):
            record_extended(self.items, source)

    def insert(self, index: Any, item: object) -> None:
        """Execute `l.insert(index, item)`."""
        index = whole_number(index)
        if isinstance(index, int) and index == 0:
            return self.items.insert(0, item)
        items, before = self.as_dynamic(item), list(self.items)
        leaves = to_tensors(items.element, item)
        self.put(lists.list_insert(items.handle, index, *leaves), items.element, [item])
        return record_inserted(self.items, None, item, before)

    def pop(self, index: Any = -1) -> object:
        """Execute `l.pop(index)` and return the item."""
        return self._take(whole_number(index))

    def _take(self, index: Any) -> object:
        """Remove the item at an index and return it."""
        known = self._known_position(index)
        if known is not None:
            return self.items.pop(known)
        self._refuse_none("pop from empty list")
        items = self.as_dynamic()
        handle, *leaves = lists.list_pop(items.handle, index, tensor_specs(items.element))
        value = from_outputs(items.element, leaves)
        record_popped(self.items, items, value, handle)
        self.put(handle, items.element)
        return value

    def clear(self) -> None:
        """Execute `l.clear()`."""
        self.items.clear()

    def copy(self) -> list[Any]:
        """Return a list of the same items."""
        return self._sharing(list(self.items))

    def reverse(self) -> None:
        """Execute `l.reverse()`."""
        items = self.as_dynamic()
        self.put(lists.list_reverse(items.handle), items.element)

    def sort(self, *, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> None:
        """Execute `l.sort()`; the compared keys must be numbers, or tuples of one form."""
        items = self.as_dynamic()
        keys = items if key is None else self._keys(items, key)
        order = python_order(*columns_of_dynamic_items(keys, "sort()"), descending=bool(reverse))
        self.put(lists.list_take(items.handle, order), items.element)

    def index(self, item: object, start: object = 0, stop: object = None) -> object:
        """Return the position of the first item equal to `item` from `start` to before `stop`.

        ValueError if there is none.
        """
        length = length_of(self.items)
        end = length if stop is None else _bound(stop, length)
        place = place_in(self.as_dynamic(), item, _bound(start, length), end)
        check(rt.less(place, end), ValueError, missing_message(self.stands_for, "index", item))
        return as_weak(place)

    def remove(self, item: object) -> None:
        """Execute `l.remove(item)`."""
        place = self._find(item)
        check(
            rt.less(place, self.length()),
            ValueError,
            missing_message(self.stands_for, "remove", item),
        )
        del self[place]

    def count(self, item: object) -> object:
        """Return the number of items that are equal to `item`."""
        equal = self.mapped(lambda each: rt.cast(items_equal(each, item), rt.int32))
        return as_weak(rt.reduce_sum(equal.tensor()))

    def contains_item(self, item: object) -> rt.Tensor:
        """Return `item in l`."""
        return rt.less(self._find(item), self.length())

    # -- as a whole --------------------------------------------------------------------------------

    def tensor(self) -> rt.Tensor:
        """Return the items, numbers or tensors of one shape, stacked along a new first axis."""
        return rt.convert_to_tensor(self.items)

    def mapped(self, function: Callable[[Any], Any]) -> StagedList:
        """Return the list of `function(item)`, computed in a loop of the graph."""
        return StagedList([mapped_items(self.as_dynamic(), function)])

    def _keys(self, dynamic: DynamicItems, key: Callable[[Any], Any]) -> DynamicItems:
        """Return the results of a user's function for each item."""
        items = Indexed((lists.list_length(dynamic.handle),), lambda index: item_at(dynamic, index))
        return StagedList(
            fold_watched(indexed_source(items), appending(key), [], (key,))
        ).as_dynamic()

    def _sharing(self, items: list[Any], *others: object) -> list[Any]:
        """Return another list, recorded as one that shares items with this one."""
        record_shared(self.items, items)
        for other in others:
            if isinstance(other, StagedList):
                record_shared(other.items, items)
        return items

    def _find(self, item: object) -> rt.Tensor:
        """Return the position of the first item equal to `item`, the length if there is none."""
        return place_in(self.as_dynamic(), item)


def items_to_extend_by(values: object) -> list[Any]:
    """Return the items by which a list is extended, as a list that may contain dynamic items.

    Raises:
        TypeError: `values` is a number.
    """
    if isinstance(values, StagedList):
        return values.items
    if isinstance(values, rt.Tensor) and values.shape.rank == 0:
        raise TypeError("a list was expected, not a number")
    if isinstance(values, rt.Tensor) and (values.shape.rank is None or values.shape[0] is None):
        shape = None if values.shape.rank is None else values.shape[1:]
        row = TracedSpec(rt.TensorSpec(shape, values.dtype))
        return [DynamicItems(lists.list_from_rows(values), row)]
    return list(values)  # type: ignore[call-overload]


def _bound(bound: Any, length: Any) -> Any:
    """Return a bound of a search; a negative one is counted from the end, as in a slice."""
    bound = whole_number(bound)
    from_end = rt.where(rt.less(bound, 0), rt.add(bound, length), bound)
    return rt.clip_by_value(from_end, 0, length)


# -- repeating -------------------------------------------------------------------------------------


def repeat(value: list[Any] | tuple[Any, ...], count: Any) -> object:
    """Return `value * count`: a whole number repeats the list, other tensors multiply its items.

    Raises:
        StagingError: `value` is a tuple, and `count` a whole number that only a run knows.
        ContainerMutationError: an item is a container, which would be in the list many times.
    """
    if not isinstance(count, (rt.Tensor, rt.Variable)) or not is_count(count):
        return value * count
    if isinstance(value, tuple):
        raise StagingError(
            "the length of a tuple must be known while tracing, and how often this one is "
            "repeated is known only when the graph runs: make it a list",
            user_location(),
        )
    return StagedList(value) * count if value else []
