"""The step that stores the items of its first run: cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runtime.core.variant import unboxed
from runtime.data.cursors import Cursor, State
from runtime.data.plan import Arrays, DatasetStep, InputPlan
from runtime.data.saved_items import all_items, item_data, item_of_data
from runtime.data.stacked_items import StackedItems
from runtime.ops.data.dataset_state import CacheStore
from runtime.ops.data.datasets import Item


@dataclass(frozen=True)
class Cached(DatasetStep):
    """The items, stored by the first complete iteration; the tensor has the store."""

    @property
    def own_width(self) -> int:
        return 1

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        store: CacheStore = unboxed(own[0])
        parts = store.parts
        return CachingCursor(below, store) if parts is None else StoredCursor(parts)

    def as_text(self) -> str:
        return "cache()"


class CachingCursor(Cursor):
    """Iterates over items and stores them; at the end, other cursors may use them."""

    def __init__(self, below: InputPlan, store: CacheStore) -> None:
        self._source, self._store = below.start(), store
        self._parts: list[StackedItems | Item] = []

    def __next__(self) -> Item:
        item = next(self._source, None)
        if item is None:
            self._store.parts = tuple(self._parts)
            raise StopIteration
        self._parts.append(item)
        return item

    def rows(self, count: int) -> StackedItems | None:
        rows = self._source.rows(count)
        if rows is not None and rows.count:
            self._parts.append(rows)
        elif rows is not None:
            self._store.parts = tuple(self._parts)
        return rows

    def save(self) -> State:
        return {
            "source": self._source.save(),
            "items": [item_data(each) for each in all_items(self._parts)],
        }

    def restore(self, state: State) -> None:
        if "at" in state:
            for _ in range(state["at"]):
                next(self, None)
            return
        self._source.restore(state["source"])
        self._parts = [item_of_data(item) for item in state["items"]]


class StoredCursor(Cursor):
    """Iterates over stored items."""

    def __init__(self, parts: Any) -> None:
        self._parts = parts
        self._number, self._row, self._at = 0, 0, 0

    def __next__(self) -> Item:
        if self._number == len(self._parts):
            raise StopIteration
        part = self._parts[self._number]
        self._at += 1
        if not isinstance(part, StackedItems):
            self._number += 1
            item: Item = part
            return item
        row = self._row
        self._taken(part, 1)
        return tuple([array[row, ...] for array in part.arrays])

    def _taken(self, part: StackedItems, count: int) -> None:
        self._row += count
        if self._row == part.count:
            self._number, self._row = self._number + 1, 0

    def rows(self, count: int) -> StackedItems | None:
        if self._number == len(self._parts):
            return StackedItems(0, ())
        part = self._parts[self._number]
        if not isinstance(part, StackedItems):
            return None
        row, found = self._row, min(count, part.count - self._row)
        self._at += found
        self._taken(part, found)
        return StackedItems(found, tuple([array[row : row + found] for array in part.arrays]))

    def save(self) -> State:
        return {"at": self._at}

    def restore(self, state: State) -> None:
        for _ in range(state.get("at", len(state.get("items", ())))):
            next(self, None)
