"""Views of a dict, some items of which are present on some paths only.

for k, v in d.items()      the body once for each key, in an `if` for an optional item
sorted(d), sum(d.values()) a list whose length only a run knows
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NoReturn

import runtime as rt
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.tracing.value_tensors import to_tensors
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.iterables import DynamicallySized
from autograph.backends.graph.values.join import join_all, widen
from autograph.backends.graph.values.join_errors import item_mismatch
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.truth import optional_dict_length
from autograph.backends.graph.values.unknown_key_order import refuse_unknown_order
from autograph.backends.graph.values.value_spec import JoinError
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import StagingError
from runtime.ops.containers.lists import list_append, list_new

Part = Literal["keys", "values", "items"]


class StagedDictView(DynamicallySized):
    """The view `d.keys()`, `d.values()` or `d.items()` of a dict, which is iterated over.

    Args:
        user_object: the user's dict.
        part: the part of each item that the view has.
        any_order: whether the consumer does not depend on the order.
    """

    __slots__ = ("user_object", "part", "any_order")

    def __init__(self, user_object: dict[Any, Any], part: Part, any_order: bool = False) -> None:
        self.user_object, self.part, self.any_order = user_object, part, any_order

    def number_of_items(self) -> rt.Tensor:
        """Return the number of items of the dict."""
        length = optional_dict_length(self.user_object)
        return rt.constant(len(self.user_object)) if length is None else length

    def guarded_items(self) -> Iterator[tuple[object, Callable[[], object]]]:
        """Yield for each key whether it is present, and a function that returns the item.

        Raises:
            StagingError: if keys are added or removed during the iteration, or if only a run knows
                their order, and the consumer depends on it.
        """
        if not self.any_order:
            refuse_unknown_order(self.user_object)
        keys = list(dict.keys(self.user_object))
        for key in keys:
            if list(dict.keys(self.user_object)) != keys:
                raise StagingError(
                    "this dict, some of whose keys exist on some paths only, gets or loses keys "
                    "while it is iterated over: iterate over sorted(d), or another dict",
                    user_location(),
                )
            value = dict.__getitem__(self.user_object, key)
            defined = value.defined if isinstance(value, PossiblyUnbound) else True
            yield defined, lambda key=key: self._item(key)  # type: ignore[misc]

    def as_list(self) -> list[Any]:
        """Return the items in a list; from the first optional one on, as dynamic items."""
        items = [(defined, item()) for defined, item in self.guarded_items()]
        known = next((k for k, (defined, _) in enumerate(items) if defined is not True), len(items))
        before = [item for _, item in items[:known]]
        return [*before, _present_items(items[known:])] if items[known:] else before

    def refuse(self, *others: object) -> NoReturn:
        """Raise StagingError: Python itself iterates over the items."""
        names = ", ".join(
            repr(key)
            for key, value in self.user_object.items()
            if isinstance(value, PossiblyUnbound)
        )
        what = f"whether {names} is in this dict" if names else "the order of the keys of this dict"
        raise StagingError(
            f"{what} is known only when the graph runs, so Python cannot "
            "iterate over its items, compare or copy it here: use a `for` statement, sorted(d) or "
            "d.get(...), or give the key a value on every path",
            user_location(),
        )

    __iter__ = __bool__ = __len__ = __or__ = __ror__ = __and__ = __rand__ = __sub__ = refuse
    __rsub__ = __xor__ = __rxor__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = refuse
    __reversed__ = __contains__ = refuse
    __hash__ = None  # type: ignore[assignment]

    def _item(self, key: object) -> object:
        if self.part == "keys":
            return key
        value = dict.__getitem__(self.user_object, key)
        value = value.value if isinstance(value, PossiblyUnbound) else value
        return value if self.part == "values" else (key, value)


def _present_items(items: list[tuple[object, object]]) -> DynamicItems:
    """Return the items that are present, as dynamic items."""
    try:
        element = join_all([widen(spec_of(item)) for _, item in items])
    except JoinError as error:
        raise item_mismatch(None, error) from None
    handle = list_new()
    defined: Any
    for defined, item in items:
        longer = _append(handle, element, item)
        handle = longer() if defined is True else rt.cond(defined, longer, _unchanged(handle))
    return DynamicItems(handle, element)


def _append(handle: Any, element: Any, item: object) -> Callable[[], Any]:
    return lambda: list_append(handle, *to_tensors(element, item))


def _unchanged(handle: Any) -> Callable[[], Any]:
    return lambda: handle
