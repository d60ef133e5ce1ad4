"""Random access to datasets, which read many elements with one operation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.tensor import Array
from runtime.data.cursors import Cursor, State
from runtime.data.stacked_items import StackedItems
from runtime.ops.data.datasets import Item

# Indices of rows: a slice with a start and a stop, or an array.
Where: TypeAlias = "slice | np.ndarray[Any, Any]"

_MOST_AHEAD = 64
_MOST_BYTES = 2**20


class RandomAccess(ABC):
    """Rows with random access, whose computation is deterministic and raises no error.

    Attributes:
        size: the number of rows.
    """

    size: int

    @abstractmethod
    def gather(self, where: Where) -> tuple[Array, ...]:
        """Return the arrays of some rows, stacked along the first axis."""


class SliceAccess(RandomAccess):
    """The rows of arrays."""

    def __init__(self, size: int, arrays: Sequence[Array]) -> None:
        self.size, self._arrays = size, tuple(arrays)

    def gather(self, where: Where) -> tuple[Array, ...]:
        return tuple([array[where] for array in self._arrays])


class NumberAccess(RandomAccess):
    """Whole numbers from a start, by a step."""

    def __init__(self, numbers: range, dtype: DType) -> None:
        # A range that is longer than the largest list has no len().
        last = numbers.stop - numbers.start - (1 if numbers.step > 0 else -1)
        self.size = last // numbers.step + 1 if numbers else 0
        self._numbers, self._dtype = numbers, dtype

    def gather(self, where: Where) -> tuple[Array, ...]:
        at = np.arange(where.start, where.stop) if isinstance(where, slice) else where
        return ((self._numbers.start + at * self._numbers.step).astype(self._dtype.np_dtype),)


class PartAccess(RandomAccess):
    """Some of the rows: from a start, with a step."""

    def __init__(self, access: RandomAccess, start: int, step: int, size: int) -> None:
        self._access, self._start, self._step, self.size = access, start, step, size

    def gather(self, where: Where) -> tuple[Array, ...]:
        if isinstance(where, slice) and self._step == 1:
            return self._access.gather(slice(self._start + where.start, self._start + where.stop))
        at = np.arange(where.start, where.stop) if isinstance(where, slice) else where
        return self._access.gather(self._start + at * self._step)


class NumberedAccess(RandomAccess):
    """Rows with consecutive numbers, from a start."""

    def __init__(self, access: RandomAccess, start: int) -> None:
        self._access, self._start, self.size = access, start, access.size

    def gather(self, where: Where) -> tuple[Array, ...]:
        at = np.arange(where.start, where.stop) if isinstance(where, slice) else where
        return (np.asarray(at + self._start, np.int64), *self._access.gather(where))


class ZippedAccess(RandomAccess):
    """A row of each of several datasets, as long as the shortest."""

    def __init__(self, parts: Sequence[RandomAccess]) -> None:
        self._parts, self.size = parts, min([access.size for access in parts], default=0)

    def gather(self, where: Where) -> tuple[Array, ...]:
        return tuple([array for access in self._parts for array in access.gather(where)])


class AccessCursor(Cursor):
    """Iterates over rows from the first one; for single items it computes some rows ahead."""

    def __init__(self, access: RandomAccess) -> None:
        self._access, self._at = access, 0
        self._ahead: list[Item] = []
        self._most = 1

    def __next__(self) -> Item:
        if not self._ahead:
            self._look_ahead()
        self._at += 1
        return self._ahead.pop()

    def _look_ahead(self) -> None:
        rows = self._rows(self._most)
        if not rows.count:
            raise StopIteration
        self._ahead = rows.items()[::-1]
        size = sum(array.nbytes for array in rows.arrays) // rows.count
        self._most = min(2 * self._most, _MOST_AHEAD, 1 + _MOST_BYTES // (size + 1))

    def rows(self, count: int) -> StackedItems | None:
        self._ahead.clear()
        rows = self._rows(count)
        self._at += rows.count
        return rows

    def _rows(self, count: int) -> StackedItems:
        stop = min(self._at + count, self._access.size)
        if stop <= self._at:
            return StackedItems(0, ())
        return StackedItems(stop - self._at, self._access.gather(slice(self._at, stop)))

    def save(self) -> State:
        return {"at": self._at}

    def restore(self, state: State) -> None:
        self._at = state["at"]
        self._ahead.clear()
