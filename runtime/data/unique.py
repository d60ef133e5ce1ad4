"""The step that keeps each item once: unique."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runtime.data.cursors import Cursor, State, Wrapping
from runtime.data.plan import UNKNOWN, Arrays, DatasetStep, InputPlan, Tensors
from runtime.data.saved_items import item_data, item_of_data
from runtime.ops.data.datasets import Item


@dataclass(frozen=True)
class Unique(DatasetStep):
    """Each distinct item at its first occurrence."""

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return UniqueCursor(below.start())

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if size else 0

    def as_text(self) -> str:
        return "unique()"


class UniqueCursor(Wrapping):
    """Iterates over items that have not occurred before."""

    def __init__(self, source: Cursor) -> None:
        super().__init__(source)
        self._seen: set[object] = set()
        self._given: list[Item] = []

    def __next__(self) -> Item:
        while True:
            item = next(self._source)
            key = tuple([(array.shape, _key(array)) for array in item])
            if key not in self._seen:
                self._seen.add(key)
                self._given.append(item)
                return item

    def save(self) -> State:
        return {**super().save(), "given": [item_data(item) for item in self._given]}

    def restore(self, state: State) -> None:
        super().restore(state)
        for each in state["given"]:
            item = item_of_data(each)
            self._given.append(item)
            self._seen.add(tuple([(array.shape, _key(array)) for array in item]))


def _key(array: Any) -> object:
    return tuple(array.ravel().tolist())
