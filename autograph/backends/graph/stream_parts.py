"""What an iterator over tensors may have as its parts: tensors, and lists of unknown length."""

from __future__ import annotations

import operator

import runtime as rt
from autograph.backends.graph.carrying import item_at
from autograph.backends.graph.perhaps import StagedView
from autograph.backends.graph.staged_items import is_staged
from autograph.backends.graph.staged_list import StagedList
from autograph.backends.graph.touching import note_picked
from runtime.ops.lists import list_length


def is_tensor(value: object) -> bool:
    """Tell whether a value is a tensor or a Variable."""
    return isinstance(value, (rt.Tensor, rt.Variable))


def is_run(part: object) -> bool:
    """Tell whether a value is a list, or a view of a dict, of unknown length."""
    return isinstance(part, (StagedList, StagedView)) or is_staged(part)


def staged_list(part: object) -> StagedList | None:
    """Return a list of unknown length as what staged code meets; None for anything else."""
    if isinstance(part, StagedList):
        return part
    if isinstance(part, StagedView):
        return StagedList(part.as_list())
    return StagedList(part) if isinstance(part, list) and is_staged(part) else None


class LiveItems:
    """The items of a list, which may change while it is gone over.

    Args:
        grown: the list.
    """

    def __init__(self, grown: StagedList) -> None:
        self._grown = grown
        self._then = list(grown.items)
        self._run = grown.run()
        self._length = list_length(self._run.handle)

    def length(self) -> object:
        """Return how many items there are now."""
        return self._length if self._is_as_then() else list_length(self._grown.run().handle)

    def at(self, index: rt.Tensor) -> object:
        """Return the item at an index as it is now."""
        item = item_at(self._run if self._is_as_then() else self._grown.run(), index)
        note_picked(self._grown.items, item)
        return item

    def _is_as_then(self) -> bool:
        items = self._grown.items
        return len(items) == len(self._then) and all(map(operator.is_, items, self._then))
