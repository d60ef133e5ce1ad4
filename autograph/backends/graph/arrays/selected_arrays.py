"""An array that a tensor selects from a list: it is one of the arrays in the list.

v = weights[i]             reads the elements of the array at i
v += 1                     changes that array under all its names
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import runtime as rt
from autograph.backends.backend_registry import check_contents_of
from autograph.backends.graph.arrays.staged_array import (
    StagedArray,
    StagedArrayView,
    as_tensor,
    elements,
    is_array,
    is_from_outside,
    put_elements,
    root_of,
    tracked_array,
)
from autograph.operators.call_listeners import is_within
from runtime.core.context import current_recorder


class ArraysOfList(StagedArray):
    """A stand-in for the arrays of a list, which are the rows of one array.

    Args:
        arrays: arrays of one shape and dtype.
    """

    __slots__ = ("arrays", "graph", "readings", "seen")

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.arrays, self.copied, self.form = arrays, (), None
        self.seen: Any = None
        self.readings: dict[Any, Any] = {}
        self.graph = current_recorder()
        check_contents_of(ArraysOfList)

    def read(self, rows: Sequence[Any]) -> Any:
        """Return the elements, computed from those of each array."""
        return rt.stack(list(rows))

    @property
    def tensor(self) -> Any:
        """The current elements of the arrays, computed once for each contents."""
        now: list[Any] = [*map(elements, self.arrays)]
        seen: Any = self.seen or ([], None)
        then, found = seen
        is_as_then = found is not None and [*map(id, now)] == [*map(id, then)]
        if not is_as_then or not is_within(current_recorder(), found.graph):
            found = self.read([as_tensor(each) for each in self.arrays])
            self.seen = (now, found)
        return found

    @tensor.setter
    def tensor(self, new: Any) -> None:
        for each, row in zip(self.arrays, rt.unstack(new)):
            root = root_of(each)
            (root if isinstance(root, StagedArray) else tracked_array(root)).stores += 1
            put_elements(each, row)

    @property
    def stores(self) -> Any:
        """A number that differs after a change of one of the arrays."""
        return hash(tuple([id(elements(each)) for each in self.arrays]))

    @stores.setter
    def stores(self, new: Any) -> None:
        """Do nothing: each array counts its own stores."""


def selected_array(items: Sequence[Any], index: Any) -> Any:
    """Return a view of the array at an index that only a run knows.

    The result is None if the items are not arrays of the trace with one shape and dtype.
    """
    if not items or not all(is_array(each) and not is_from_outside(each) for each in items):
        return None
    if len({id(root_of(each)) for each in items}) < len(items) or any(
        getattr(each, "copied", ()) for each in items
    ):
        return None
    held = [as_tensor(each) for each in items]
    if any((each.shape, each.dtype) != (held[0].shape, held[0].dtype) for each in held):
        return None
    return StagedArrayView(
        ArraysOfList(list(items)),
        lambda tensor: tensor[index],
        lambda tensor, new: rt.set_item(tensor, index, new),
    )
