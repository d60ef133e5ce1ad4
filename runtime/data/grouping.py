"""Steps that group items by a key or by length."""

from __future__ import annotations

import bisect
from dataclasses import dataclass

import numpy as np

from runtime.core.variant import boxed
from runtime.data.batching import padded_rows
from runtime.data.buffers import ListOfItems
from runtime.data.cursors import Cursor, State, Wrapping
from runtime.data.element_spec import Element
from runtime.data.functions import ElementFunction
from runtime.data.plan import UNKNOWN, Arrays, DatasetPlan, DatasetStep, InputPlan, Tensors
from runtime.data.saved_items import item_data, item_of_data
from runtime.data.stacked_items import stacked
from runtime.errors import ArgumentValueError
from runtime.ops.data.datasets import Item


@dataclass(frozen=True)
class GroupedByKey(DatasetStep):
    """The items of datasets that a function returns for groups of items with one key.

    Attributes:
        key: returns the key of an item.
        amount: the number of items in a group, or a function that returns it for a key.
        group: returns a dataset for a key and the items.
        inner: the plan of those datasets.
    """

    key: ElementFunction
    amount: int | ElementFunction
    group: ElementFunction
    inner: DatasetPlan

    @property
    def element(self) -> Element:
        return self.inner.element

    @property
    def own_width(self) -> int:
        sizes = 0 if isinstance(self.amount, int) else self.amount.captured
        return self.key.captured + sizes + self.group.captured

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return GroupCursor(below.start(), self, own)

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if size else 0

    def as_text(self) -> str:
        return f"group_by_window({self.key}, {self.group})"


class GroupCursor(Wrapping):
    """Iterates over the results for groups; incomplete groups come at the end, ordered by key."""

    def __init__(self, source: Cursor, plan: GroupedByKey, own: Arrays) -> None:
        super().__init__(source)
        self._plan = plan
        first, last = plan.key.captured, len(own) - plan.group.captured
        self._of_key, self._of_size, self._of_group = own[:first], own[first:last], own[last:]
        self._groups: dict[int, list[Item]] = {}
        self._place: tuple[Item, Cursor] | None = None
        self._has_ended = False

    def __next__(self) -> Item:
        while self._place is not None or self._fill():
            assert self._place is not None
            item = next(self._place[1], None)
            if item is not None:
                return item
            self._place = None
        raise StopIteration

    def _fill(self) -> bool:
        """Collect the next group, and start its dataset; return whether there is one."""
        while not self._has_ended:
            item = next(self._source, None)
            if item is None:
                self._has_ended = True
                break
            key = int(self._plan.key(item, self._of_key)[0])
            group = self._groups.setdefault(key, [])
            group.append(item)
            if len(group) >= self._size(key):
                self._begin(key)
                return True
        if self._groups:
            self._begin(min(self._groups))
        return self._place is not None

    def _size(self, key: int) -> int:
        given = self._plan.amount
        if isinstance(given, int):
            return given
        size = int(given((np.array(key, np.int64),), self._of_size)[0])
        if size < 1:
            raise ArgumentValueError(
                f"group_by_window: the window size of key {key} must be at least 1, not {size}"
            )
        return size

    def _begin(self, key: int) -> None:
        items = boxed(ListOfItems(tuple(self._groups.pop(key))))
        arrays = self._plan.group((np.array(key, np.int64), items), self._of_group)
        self._place = arrays, self._plan.inner.start(arrays)

    def save(self) -> State:
        place = self._place and [item_data(self._place[0]), self._place[1].save()]
        groups = [[key, [item_data(each) for each in items]] for key, items in self._groups.items()]
        return {**super().save(), "groups": groups, "place": place, "has_ended": self._has_ended}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._groups = {
            key: [item_of_data(each) for each in items] for key, items in state["groups"]
        }
        self._has_ended, self._place = state["has_ended"], None
        if state["place"] is not None:
            arrays = item_of_data(state["place"][0])
            cursor = self._plan.inner.start(arrays)
            cursor.restore(state["place"][1])
            self._place = arrays, cursor


@dataclass(frozen=True)
class Bucketed(DatasetStep):
    """Batches of items of similar length.

    Attributes:
        length: returns the length of an item.
        boundaries: the lengths at which the next bucket begins.
        sizes: the batch size of each bucket.
        shapes: as in `PaddedBatched`, None for no padding; the first tensors are the padding.
        fills: whether unknown sizes become the largest of the bucket.
        drop_remainder: whether incomplete batches are omitted.
    """

    length: ElementFunction
    boundaries: tuple[int, ...]
    sizes: tuple[int, ...]
    shapes: tuple[tuple[int | None, ...], ...] | None
    fills: bool
    drop_remainder: bool

    @property
    def element(self) -> Element:
        whole = self.source.element
        if self.shapes is None:
            return whole.batched(None)
        pairs = zip(whole.specs, self.shapes)
        return Element(whole.packed([spec.with_shape((None, *dims)) for spec, dims in pairs]))

    @property
    def own_width(self) -> int:
        return len(self.shapes or ()) + self.length.captured

    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        return BucketCursor(below.start(), self, own)

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if size else 0

    def as_text(self) -> str:
        return f"bucket_by_sequence_length({self.length}, {list(self.boundaries)})"


class BucketCursor(Wrapping):
    """Iterates over full batches, then over incomplete ones, the shortest items first."""

    def __init__(self, source: Cursor, plan: Bucketed, own: Arrays) -> None:
        super().__init__(source)
        at = len(plan.shapes or ())
        self._plan, self._values, self._captured = plan, own[:at], own[at:]
        self._buckets: list[list[Item]] = [[] for _ in plan.sizes]

    def __next__(self) -> Item:
        plan = self._plan
        for item in self._source:
            length = int(plan.length(item, self._captured)[0])
            number = bisect.bisect_right(plan.boundaries, length)
            self._buckets[number].append(item)
            if len(self._buckets[number]) == plan.sizes[number]:
                return self._taken(number)
        for number, items in enumerate(self._buckets):
            if items and not plan.drop_remainder:
                return self._taken(number)
        raise StopIteration

    def _taken(self, number: int) -> Item:
        items, self._buckets[number] = self._buckets[number], []
        plan = self._plan
        if plan.shapes is None:
            return stacked(items, "bucket_by_sequence_length").arrays
        shapes = plan.shapes
        if plan.fills:
            if number == len(plan.boundaries):
                raise ArgumentValueError(
                    "bucket_by_sequence_length: with pad_to_bucket_boundary, every element must be "
                    f"shorter than the last boundary, {plan.boundaries[-1]}"
                )
            most = plan.boundaries[number] - 1
            shapes = tuple([tuple([most if d is None else d for d in dims]) for dims in shapes])
        return padded_rows(items, shapes, self._values).arrays

    def save(self) -> State:
        buckets = [[item_data(each) for each in items] for items in self._buckets]
        return {**super().save(), "buckets": buckets}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._buckets = [[item_of_data(each) for each in items] for items in state["buckets"]]
