"""Sets and dicts whose number of keys is known only at run time.

    seen.add(n)       ->    %keys = list_append(%keys, n), unless one of them is equal
    d[n] = v          ->    list_set(%values, place, v), or one more of each

The user's set holds one `DynamicItems` with all members; the dict holds one with all values under
one with all keys. Keys are Python numbers of one kind.
"""

from __future__ import annotations

from typing import Any, NoReturn

import runtime as rt
from autograph.backends.graph.containers.list_loops import paired_items
from autograph.backends.graph.containers.method_signatures import takes_arguments_as
from autograph.backends.graph.containers.staged_dict import NO_DEFAULT, StagedDict, check_key
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.control.conditional import staged_choice
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.tracing.value_tensors import to_tensors
from autograph.backends.graph.values.dynamic_items import DynamicItems, has_dynamic_keys
from autograph.backends.graph.values.iterables import as_weak
from autograph.backends.graph.values.join import join_all, widen
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import JoinError
from autograph.errors import StagingError
from runtime.ops.containers import lists

_KINDS: dict[type, str] = {bool: "is_bool", int: "is_integer", float: "is_floating"}


class Keys:
    """Dynamic keys, no two of which are equal.

    Args:
        items: the keys, each of them a number.
    """

    def __init__(self, items: DynamicItems) -> None:
        self.items = items

    def key(self, value: Any) -> rt.Tensor:
        """Return a key as a tensor.

        Raises:
            StagingError: if it is not a number of the kind of the other keys.
        """
        dtype = self.items.element.tensor_spec.dtype  # type: ignore[union-attr]
        kind = next((k for k, of in _KINDS.items() if getattr(dtype, of)), None)
        is_weak = isinstance(value, rt.SymbolicTensor) and value.weak and value.shape.rank == 0
        if type(value) is kind or (is_weak and getattr(value.dtype, _KINDS[kind])):  # type: ignore[index]
            return to_tensors(self.items.element, value)[0]
        raise keys_error("is given a key that is not a number like its other keys")

    def place(self, key: rt.Tensor) -> rt.Tensor:
        """Return the index of the equal key; the number of keys if there is none."""
        keys = rt.convert_to_tensor([self.items])
        count = rt.shape(keys)[0]
        places = rt.where(rt.equal(keys, key), rt.range(count), count)
        return rt.reduce_min(rt.concat([places, [count]], 0))

    def length(self) -> rt.Tensor:
        """Return the number of keys."""
        return lists.list_length(self.items.handle)

    def contains_item(self, value: object) -> rt.Tensor:
        """Return whether a key is among them."""
        return rt.less(self.place(self.key(value)), self.length())

    def with_key(self, key: rt.Tensor, place: rt.Tensor) -> DynamicItems:
        """Return the keys with one more, unless it is among them, given its index."""
        more = lists.list_append(self.items.handle, key)
        return self._until(more, rt.maximum(self.length(), place + 1))

    def without(self, place: rt.Tensor) -> DynamicItems:
        """Return the keys without the one at an index, if there is one."""
        return DynamicItems(_without(self.items.handle, place), self.items.element)

    def none(self) -> DynamicItems:
        """Return no keys."""
        return DynamicItems(lists.list_new(), self.items.element)

    def _until(self, handle: rt.Tensor, length: rt.Tensor) -> DynamicItems:
        return DynamicItems(lists.list_slice(handle, None, length), self.items.element)


def _without(handle: rt.Tensor, place: rt.Tensor) -> rt.Tensor:
    return lists.list_delete_slice(handle, place, place + 1)


def keys_error(what: str) -> StagingError:
    """Return the error for an operation that needs to know the keys."""
    return StagingError(
        f"a set or dict whose keys are known only when the graph runs {what}: keep the keys in a "
        "list",
        user_location(),
    )


@takes_arguments_as(set)
class DynamicSet:
    """The operators and methods of Python's sets, for a set of dynamic keys.

    Args:
        user_object: the user's set.
    """

    __slots__ = ("user_object",)

    def __init__(self, user_object: set[Any]) -> None:
        self.user_object = user_object

    @property
    def stands_for(self) -> set[Any]:
        """The user's set."""
        return self.user_object

    @property
    def _keys(self) -> Keys:
        return Keys(next(iter(self.user_object)))

    def _put(self, items: DynamicItems) -> None:
        self.user_object.clear()
        self.user_object.add(items)

    def length(self) -> Any:
        """Return the number of members, as a tensor that stands for a Python int."""
        return as_weak(self._keys.length())

    def contains_item(self, item: object) -> rt.Tensor:
        """Return `item in s`."""
        return self._keys.contains_item(item)

    def add(self, item: object) -> None:
        """Execute `s.add(item)`."""
        keys = self._keys
        key = keys.key(item)
        self._put(keys.with_key(key, keys.place(key)))

    def discard(self, item: object) -> None:
        """Execute `s.discard(item)`."""
        keys = self._keys
        self._put(keys.without(keys.place(keys.key(item))))

    def remove(self, item: object) -> None:
        """Execute `s.remove(item)`."""
        check_key(self.contains_item(item), item)
        self.discard(item)

    def update(self, *others: Any) -> None:
        """Execute `s.update(...)`, with collections whose items are known."""
        for other in others:
            if type(other) not in (list, tuple, set, frozenset, range) or _has_dynamic_items(other):
                self.refuse()
            for item in other:
                self.add(item)

    def clear(self) -> None:
        """Execute `s.clear()`."""
        self._put(self._keys.none())

    def as_iterable(self, any_order: bool) -> Any:
        """Return the members as a list, if the consumer does not depend on their order.

        Raises:
            StagingError: if it does, or if the members are floats.
        """
        items = self._keys.items
        is_whole = not items.element.tensor_spec.dtype.is_floating  # type: ignore[union-attr]
        return StagedList([items]) if any_order and is_whole else self.refuse()

    def copy(self) -> set[Any]:
        """Execute `s.copy()`."""
        return set(self.user_object)

    def refuse(self, *others: object) -> NoReturn:
        """Raise StagingError: Python itself needs all members, or their order."""
        raise keys_error("is iterated over, or compared with another")

    def __getattr__(self, name: str) -> Any:
        getattr(self.user_object, name)
        self.refuse()

    keys = __iter__ = __bool__ = __len__ = __or__ = __ror__ = __and__ = __rand__ = refuse
    __sub__ = __rsub__ = __xor__ = __rxor__ = __ior__ = __iand__ = __isub__ = __ixor__ = refuse
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = refuse
    pop = union = difference = intersection = symmetric_difference = isdisjoint = refuse
    issubset = issuperset = difference_update = intersection_update = refuse
    symmetric_difference_update = refuse
    __hash__ = None  # type: ignore[assignment]


def dynamic_form(value: Any) -> Any:
    """Return the dynamic form of a set or dict with dynamic keys; other values themselves.

    Raises:
        StagingError: the set or dict has known keys as well.
    """
    if not has_dynamic_keys(value):
        return value
    if len(value) != 1:
        raise keys_error("is combined with other keys")
    return DynamicSet(value) if isinstance(value, set) else DynamicDict(value)


def _has_dynamic_items(values: Any) -> bool:
    return any(type(each) is DynamicItems for each in values)


@takes_arguments_as(dict)
class DynamicDict(StagedDict):
    """The operators and methods of Python's dicts, for a dict of dynamic keys."""

    __slots__ = ()

    @property
    def _keys(self) -> Keys:
        return Keys(next(iter(self.user_object)))

    @property
    def _values(self) -> DynamicItems:
        return next(iter(self.user_object.values()))

    def _put_keys_and_values(self, keys: DynamicItems, values: rt.Tensor) -> None:
        element = self._values.element
        self.user_object.clear()
        self.user_object[keys] = DynamicItems(values, element)

    def length(self) -> Any:
        """Return the number of items, as a tensor that stands for a Python int."""
        return as_weak(self._keys.length())

    def contains_item(self, key: object) -> object:
        """Return `key in d`."""
        return self._keys.contains_item(key)

    def __getitem__(self, key: Any) -> Any:
        check_key(self._keys.contains_item(key), key)
        return self._item(key)

    def _item(self, key: Any) -> Any:
        keys = self._keys
        return StagedList([self._values]).item(keys.place(keys.key(key)))

    def __setitem__(self, key: Any, value: Any) -> None:
        keys, values = self._keys, self._values
        try:
            if join_all([values.element, widen(spec_of(value))]) != values.element:
                raise keys_error("is given a value of another kind than it holds")
        except JoinError:
            raise keys_error("is given a value of another kind than it holds") from None
        as_key = keys.key(key)
        place, leaves = keys.place(as_key), to_tensors(values.element, value)
        more = lists.list_append(values.handle, *leaves)
        put = lists.list_set(more, place, *leaves)
        kept = lists.list_slice(put, None, rt.maximum(keys.length(), place + 1))
        self._put_keys_and_values(keys.with_key(as_key, place), kept)

    def __delitem__(self, key: Any) -> None:
        check_key(self._keys.contains_item(key), key)
        self._take_out(key)

    def _take_out(self, key: Any) -> None:
        keys = self._keys
        place = keys.place(keys.key(key))
        self._put_keys_and_values(keys.without(place), _without(self._values.handle, place))

    def refuse(self, *others: object, **options: object) -> NoReturn:
        """Raise StagingError: Python itself needs all items, or their number."""
        raise keys_error("is compared with another, or passed to unconverted code")

    __iter__ = __bool__ = __len__ = popitem = __reversed__ = __eq__ = __ne__ = refuse
    __or__ = __ror__ = __ior__ = refuse
    __hash__ = None

    def keys(self) -> Any:
        """Execute `d.keys()`."""
        return StagedList([self._keys.items])

    def as_iterable(self, any_order: bool) -> Any:
        """Return the keys, which a builtin iterates over."""
        return self.keys()

    def values(self) -> Any:
        """Execute `d.values()`."""
        return StagedList([self._values])

    def items(self) -> Any:
        """Execute `d.items()`."""
        return StagedList([paired_items(self._keys.items, self._values)])

    def get(self, key: Any, default: Any = None) -> Any:
        """Execute `d.get(key, default)`."""
        there = self._keys.contains_item(key)
        return staged_choice(there, lambda: self._item(key), lambda: default, "d.get(...)")

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Execute `d.setdefault(key, default)`."""
        self[key] = value = self.get(key, default)
        return value

    def pop(self, key: Any, default: Any = NO_DEFAULT) -> Any:
        """Execute `d.pop(key)` or `d.pop(key, default)`."""
        value = self[key] if default is NO_DEFAULT else self.get(key, default)
        self._take_out(key)
        return value

    def update(self, /, *others: Any, **more: Any) -> None:
        """Execute `d.update(...)`, with dicts whose keys are known."""
        for other in (*others, more):
            if type(other) is not dict or has_dynamic_keys(other):
                self.refuse()
            for key, value in other.items():
                self[key] = value

    def clear(self) -> None:
        """Execute `d.clear()`."""
        self._put_keys_and_values(self._keys.none(), lists.list_new())

    def copy(self) -> dict[Any, Any]:
        """Return a dict of the same items."""
        return dict(self.user_object)


def iterable_of(value: Any) -> Any:
    """Return the iterable of a loop: the keys of a dynamic set or dict, other values themselves."""
    keyed = dynamic_form(value)
    return keyed.keys() if isinstance(keyed, (DynamicSet, DynamicDict)) else value
