"""The items of a list whose number of items is known only at run time."""

from __future__ import annotations

from collections import deque
from typing import Any, NoReturn

import runtime as rt
from autograph.backends.backend_registry import check_contents_of
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.leaf_spec import TracedSpec
from autograph.backends.graph.values.value_spec import ValueSpec, is_of_array
from autograph.errors import StagingError


class DynamicItems:
    """Any number of items of a staged list: `[a, DynamicItems, b]` is a, these items, then b.

    The list keeps its identity under all its names. Converted code never sees this object: it uses
    the list through a `StagedList`. Every use of this object by Python code raises StagingError.

    Attributes:
        handle: a scalar tensor of dtype variant, the list handle.
        element: the spec of an item.
    """

    __slots__ = ("handle", "element")

    def __init__(self, handle: rt.Tensor, element: ValueSpec) -> None:
        self.handle, self.element = handle, element
        check_contents_of(list)
        check_contents_of(deque)

    def among_keys(self) -> DynamicItems:
        """Check sets and dicts for dynamic keys from now on; return this object."""
        check_contents_of(set)
        check_contents_of(dict)
        return self

    def __rt_items__(self) -> tuple[rt.Tensor, rt.TensorSpec]:
        """Return the list handle and the spec of the items, if the items are tensors."""
        element: Any = self.element
        if is_of_array(element):
            element = element.children[0]
        if not isinstance(element, TracedSpec):
            raise StagingError(
                "the items of a list that grew in a staged statement are not tensors or numbers, "
                "so it cannot become one tensor",
                user_location(),
            )
        return self.handle, element.tensor_spec

    def refuse(self, *others: object) -> NoReturn:
        """Raise StagingError: Python code reads items that are not there yet."""
        raise StagingError(
            "a list that grew in a staged statement was used by code that is not converted, "
            "where its items are not known yet: use it in converted code, "
            "or make it a tensor with rt.stack(...) first",
            user_location(),
        )

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = refuse
    __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = refuse
    __neg__ = __pos__ = __abs__ = __invert__ = __int__ = __float__ = __index__ = refuse
    __rt_tensor__ = refuse
    __str__ = __format__ = __array__ = __copy__ = __deepcopy__ = __reduce__ = refuse
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return "<items known when the graph runs>"


def is_staged(value: object) -> bool:
    """Return whether a value is a list, or deque, some items of which only the graph knows."""
    base: Any = list if isinstance(value, list) else deque
    return isinstance(value, base) and any(
        type(item) is DynamicItems for item in base.__iter__(value)
    )


def has_dynamic_keys(value: Any) -> bool:
    """Return whether a value is a set or dict with dynamic keys."""
    return type(value) in (set, dict) and any(type(key) is DynamicItems for key in value)
