"""A step that says how many items there are, and holds them to it."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.data.iterator_state import Cursor, State, Wrapping
from runtime.data.plan import INFINITE, UNKNOWN, Arrays, Below, Counting, Tensors
from runtime.data.take_and_skip import shown
from runtime.errors import FailedPreconditionError
from runtime.ops.data.datasets import Item


@dataclass(frozen=True)
class AssertedSize(Counting):
    """The items, of which there are as many as the number says."""

    def over(self, below: Below, own: Arrays) -> Cursor:
        wanted = self.number(own)
        return below.start() if wanted == UNKNOWN else CountingCursor(below.start(), wanted)

    def size_of(self, size: int, own: Tensors) -> int:
        return UNKNOWN if self.count is None else self.count

    def words(self) -> str:
        return f"assert_cardinality({shown(self.count)})"


class CountingCursor(Wrapping):
    """Goes over items and counts them."""

    def __init__(self, source: Cursor, wanted: int) -> None:
        super().__init__(source)
        self._wanted, self._given = wanted, 0

    def __next__(self) -> Item:
        item = next(self._source, None)
        is_late = item is not None and 0 <= self._wanted <= self._given
        if is_late or (item is None and self._given != self._wanted):
            wanted = "no end" if self._wanted == INFINITE else f"{self._wanted} elements"
            found = f"more than {self._given}" if is_late else f"{self._given}"
            raise FailedPreconditionError(
                f"assert_cardinality: the dataset was to have {wanted}, and has {found}"
            )
        if item is None:
            raise StopIteration
        self._given += 1
        return item

    def save(self) -> State:
        return {**super().save(), "given": self._given}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._given = state["given"]
