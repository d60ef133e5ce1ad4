"""Buffered items as a dataset: the argument of window and group functions."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.core.tensor import EagerTensor
from runtime.core.variant import unboxed
from runtime.data.cursors import Cursor, State
from runtime.data.plan import UNKNOWN, Arrays, DatasetSource, Tensors
from runtime.ops.data.datasets import Item


@dataclass(frozen=True)
class ListOfItems:
    """A list of items of any shapes, as the value of a variant tensor."""

    items: tuple[Item, ...]

    def __repr__(self) -> str:
        return f"<{len(self.items)} elements>"


@dataclass(frozen=True)
class ItemsOfTensor(DatasetSource):
    """The items of a `ListOfItems`, the value of the tensor."""

    @property
    def width(self) -> int:
        return 1

    def cursor(self, arrays: Arrays) -> Cursor:
        gathered: ListOfItems = unboxed(arrays[0])
        return ListedCursor(gathered.items)

    def size(self, tensors: Tensors) -> int:
        (tensor,) = tensors
        return len(unboxed(tensor._array).items) if isinstance(tensor, EagerTensor) else UNKNOWN

    def __str__(self) -> str:
        return "gathered"


class ListedCursor(Cursor):
    """Iterates over a list of items."""

    def __init__(self, items: tuple[Item, ...]) -> None:
        self._items, self._at = items, 0

    def __next__(self) -> Item:
        if self._at == len(self._items):
            raise StopIteration
        self._at += 1
        return self._items[self._at - 1]

    def save(self) -> State:
        return {"at": self._at}

    def restore(self, state: State) -> None:
        self._at = state["at"]
