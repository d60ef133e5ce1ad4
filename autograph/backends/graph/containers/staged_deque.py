"""A deque whose items are known only at run time: its interface for converted code.

    q.popleft()    ->    %q, item = list_pop(%q, 0)

The graph holds its items as those of a list; the user's deque keeps its identity.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

import runtime as rt
from autograph.backends.graph.aliases.stale_reads import check_read
from autograph.backends.graph.containers.method_signatures import (
    missing_message,
    takes_arguments_as,
)
from autograph.backends.graph.containers.staged_list import StagedList, items_to_extend_by
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.dynamic_items import DynamicItems, is_staged
from autograph.backends.graph.values.optional_value import OptionalValue
from autograph.backends.graph.values.truth import length_of
from autograph.errors import StagingError
from autograph.operators.user_classes import mro_of, own_attributes
from runtime.ops.containers import lists
from runtime.ops.effects.checks import check

_EMPTY = "pop from an empty deque"
# Special methods that every class may override: they do not concern the items.
_ANY_CLASS_HAS = frozenset(
    "__init__ __new__ __repr__ __str__ __format__ __getattribute__ __setattr__ __delattr__ "
    "__init_subclass__ __class_getitem__ __subclasshook__ __reduce__ __reduce_ex__ __sizeof__ "
    "__dir__ __class__ __copy__ __deepcopy__".split()
)


@takes_arguments_as(deque)
class StagedDeque(StagedList):
    """The operators and methods of Python's deques, on a staged deque.

    Args:
        user_object: the user's deque.
    """

    __slots__ = ("_changing", "user_object")

    def __init__(self, user_object: deque[Any]) -> None:
        self.user_object = user_object
        self._changing: list[Any] | None = None

    @property
    def items(self) -> list[Any]:
        """The items: a copy of those that the user's deque has now, or those of a running change.

        Python reads `q.append` before it computes the argument, which may change the deque.
        """
        return list(self.user_object) if self._changing is None else self._changing

    @items.setter
    def items(self, items: list[Any]) -> None:
        self._changing = items

    @property
    def stands_for(self) -> Any:
        """The user's deque."""
        return self.user_object

    @property
    def maxlen(self) -> int | None:
        """Return the maximum length; None if there is none."""
        return self.user_object.maxlen

    def _change(
        self, change: Callable[..., object], *args: object, drops_last: bool = False
    ) -> Any:
        """Call `change(*args)`, which changes the items, and update the user's deque."""
        if self._changing is not None:
            return change(*args)  # a part of another change
        self._changing = list(self.user_object)
        try:
            result = change(*args)
            self._write(drops_last)
        finally:
            self._changing = None
        return result

    def _write(self, drops_last: bool) -> None:
        """Put the items of a change into the user's deque."""
        if self.maxlen is not None and any(type(item) is DynamicItems for item in self.items):
            bounds = (None, self.maxlen) if drops_last else (-self.maxlen, None)
            items = self.as_dynamic()
            kept = lists.list_slice(items.handle, *bounds) if self.maxlen else lists.list_new()
            self.items = [DynamicItems(kept, items.element)]
        deque.clear(self.user_object)
        if drops_last:
            deque.extendleft(self.user_object, self.items[::-1])
        else:
            deque.extend(self.user_object, self.items)

    # -- operators ---------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Any:
        if not self.items:
            raise IndexError("deque index out of range")
        if not self.has_at_hand(index):
            length = length_of(self.items)
            is_place = rt.logical_and(rt.less(index, length), rt.less_equal(-length, index))
            check(is_place, IndexError, "deque index out of range")
        return self.item(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._change(super().__setitem__, index, value)

    def __delitem__(self, index: Any) -> None:
        self._change(super().__delitem__, index)

    def __iadd__(self, other: object) -> Any:  # type: ignore[misc]
        self.extend(other)
        return self.user_object

    def refuse(self, *others: object) -> NoReturn:
        """Raise StagingError: Python code needs all items, or their number."""
        raise StagingError(
            "the items of a deque that grew in a staged statement are known only when the graph "
            "runs, so Python cannot unpack, join, compare or count them here: iterate over it with "
            "`for`, use len(q) and q[i], or make it a list with list(q)",
            user_location(),
        )

    def refuse_operator(self, other: object) -> NoReturn:
        """Raise StagingError: the graph joins, repeats and compares only lists."""
        self.refuse()

    __iter__ = __bool__ = __len__ = __lt__ = __le__ = __gt__ = __ge__ = refuse

    __add__ = __radd__ = __mul__ = __rmul__ = __imul__ = refuse_operator

    def __eq__(self, other: object) -> Any:
        return self.refuse() if isinstance(other, (deque, StagedDeque)) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return self == other if isinstance(other, (deque, StagedDeque)) else NotImplemented

    __hash__ = None

    # -- methods -----------------------------------------------------------------------------------

    def append(self, item: object) -> None:
        """Execute `q.append(item)`."""
        self._change(super().append, item)

    def appendleft(self, item: object) -> None:
        """Execute `q.appendleft(item)`."""
        self._change(lambda: self.items.insert(0, item), drops_last=True)

    def extend(self, values: object) -> None:
        """Execute `q.extend(values)`."""
        self._change(super().extend, values)

    def extendleft(self, values: object) -> None:
        """Execute `q.extendleft(values)`: the last of the values comes first."""
        turned = StagedList(items_to_extend_by(values)[:])
        if any(type(item) is DynamicItems for item in turned.items):
            turned.reverse()
        else:
            turned.items.reverse()
        self._change(lambda: self.items.__setitem__(slice(0), turned.items), drops_last=True)

    def pop(self) -> object:  # type: ignore[override]
        """Execute `q.pop()` and return the item."""
        return self._popped(-1)

    def popleft(self) -> object:
        """Execute `q.popleft()` and return the item."""
        return self._popped(0)

    def _popped(self, index: int) -> object:
        if not self.items:
            raise IndexError(_EMPTY)
        if not self.has_at_hand(index):
            check(rt.greater(length_of(self.items), 0), IndexError, _EMPTY)
        return self._change(self._take, index)

    def clear(self) -> None:
        """Execute `q.clear()`."""
        self._change(super().clear)

    def insert(self, index: Any, item: object) -> None:
        """Execute `q.insert(index, item)`."""
        if self.maxlen is not None:
            self.refuse()  # a full one does not take it
        self._change(super().insert, index, item)

    def remove(self, item: object) -> None:
        """Execute `q.remove(item)`."""
        place = self._find(item)
        check(
            rt.less(place, self.length()),
            ValueError,
            missing_message(self.user_object, "remove", item),
        )
        self._change(super().__delitem__, place)

    def reverse(self) -> None:
        """Execute `q.reverse()`."""
        self._change(super().reverse)

    def rotate(self, n: Any = 1) -> None:
        """Execute `q.rotate(n)`: the last `n` items come first."""
        self._change(self._rotate, n)

    def _rotate(self, n: Any) -> None:
        length = length_of(self.items)
        turns = rt.where(rt.greater(length, 0), rt.math.floormod(n, rt.maximum(length, 1)), 0)
        items = self.as_dynamic()
        parts = [
            lists.list_slice(items.handle, rt.subtract(length, turns), None),
            lists.list_slice(items.handle, None, rt.subtract(length, turns)),
        ]
        self.items = [DynamicItems(part, items.element) for part in parts]

    def copy(self) -> Any:
        """Return a deque of the same items."""
        return deque(super().copy(), self.maxlen)

    def sort(self, **options: Any) -> NoReturn:
        """Raise AttributeError, as Python does."""
        raise AttributeError("'collections.deque' object has no attribute 'sort'")


def staged_form(value: object) -> StagedList | None:
    """Return the `StagedList` or `StagedDeque` of a list or deque with dynamic items, else None."""
    if not is_staged(value):
        return None
    if type(value) not in (list, deque):
        _refuse_own_methods(value)
    return StagedDeque(value) if isinstance(value, deque) else StagedList(value)  # type: ignore[arg-type]


def _refuse_own_methods(value: object) -> None:
    """Raise StagingError for an object whose class overrides methods of a list or deque.

    Methods whose names the stand-in uses itself are refused as well.
    """
    base = deque if isinstance(value, deque) else list
    for kind in mro_of(type(value)):
        if kind is base:
            return
        own = own_attributes(kind)
        name = next((n for n in own if callable(own[n]) and n in _taken_names(base)), None)
        if name is not None:
            of = f", in place of that of {base.__name__}," if hasattr(base, name) else ""
            raise StagingError(
                f"{name}() of {kind.__name__}{of} is not called where only the graph knows the "
                f"items of a {base.__name__}: keep a {base.__name__} in an attribute, as in "
                "self.items, and let your methods change that",
                user_location(),
            )


@cache
def _taken_names(base: type) -> frozenset[str]:
    """Return the names of methods that no subclass of a list or deque may have.

    They are the methods of the list or deque and of its stand-in, except those of `_ANY_CLASS_HAS`.
    """
    called = [name for name, each in vars(base).items() if callable(each)]
    ours = [n for kind in (StagedDeque, StagedList) for n in vars(kind) if not n.startswith("__")]
    return frozenset([*called, *ours]).difference(_ANY_CLASS_HAS)


def _usable(value: object) -> object:
    staged = staged_form(value)
    if rt.nest.is_nested(value):
        check_read(value)
    return value if staged is None else staged


OptionalValue._usable = staticmethod(_usable)
