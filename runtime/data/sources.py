"""Sources of datasets: tensors, ranges, counters and random numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runtime.core.dtypes import DType, int64
from runtime.core.spec import TensorSpec
from runtime.core.variant import unboxed
from runtime.data.cursors import CountedIterator, Cursor
from runtime.data.element_spec import Element
from runtime.data.plan import INFINITE, UNKNOWN, Arrays, DatasetPlan, DatasetSource, Tensors
from runtime.data.random_access import NumberAccess, RandomAccess, SliceAccess
from runtime.errors import ArgumentValueError
from runtime.ops.arguments import static_value
from runtime.ops.data.dataset_state import ShuffleSeeds
from runtime.ops.data.datasets import Item

# A number that no iteration reaches.
_NO_END = 2**62


@dataclass(frozen=True)
class TensorSlices(DatasetSource):
    """The rows of tensors of equal length."""

    def access(self, arrays: Arrays) -> RandomAccess | None:
        lengths = sorted({len(array) for array in arrays})
        if len(lengths) > 1:
            numbers = " and ".join(map(str, lengths))
            raise ArgumentValueError(
                f"from_tensor_slices: all tensors need the same number of rows, not {numbers}"
            )
        return SliceAccess(lengths[0], arrays)

    def cursor(self, arrays: Arrays) -> Cursor:
        return self.start(arrays)

    def size(self, tensors: Tensors) -> int:
        known = [tensor.shape[0] for tensor in tensors if tensor.shape.rank]
        return next((size for size in known if size is not None), UNKNOWN)

    def __str__(self) -> str:
        return "from_tensor_slices"


@dataclass(frozen=True)
class SingleItem(DatasetSource):
    """One item: the tensors themselves."""

    def cursor(self, arrays: Arrays) -> Cursor:
        return CountedIterator(lambda: iter([tuple(arrays)]))

    def size(self, tensors: Tensors) -> int:
        return 1

    def __str__(self) -> str:
        return "from_tensors"


@dataclass(frozen=True)
class RangeSource(DatasetPlan):
    """Whole numbers from a start to a stop, by a step: three tensors."""

    dtype: DType

    @property
    def element(self) -> Element:
        return Element(TensorSpec((), self.dtype))

    @property
    def width(self) -> int:
        return 3

    def access(self, arrays: Arrays) -> RandomAccess | None:
        return NumberAccess(self._numbers(arrays), self.dtype)

    def cursor(self, arrays: Arrays) -> Cursor:
        return self.start(arrays)

    def size(self, tensors: Tensors) -> int:
        known = [value for value in map(static_value, tensors) if value is not None]
        return NumberAccess(self._numbers(known), self.dtype).size if len(known) == 3 else UNKNOWN

    def _numbers(self, arrays: Arrays) -> range:
        if not arrays[2]:
            raise ArgumentValueError("range: the step is 0")
        return range(*map(int, arrays))

    def __str__(self) -> str:
        return "range"


@dataclass(frozen=True)
class CountedNumbers(RangeSource):
    """Whole numbers from a start, by a step, without an end; the stop is ignored."""

    def size(self, tensors: Tensors) -> int:
        return INFINITE

    def _numbers(self, arrays: Arrays) -> range:
        start, step = int(arrays[0]), int(arrays[2])
        if not step:
            raise ArgumentValueError("counter: the step is 0")
        return range(start, start + step * _NO_END, step)

    def __str__(self) -> str:
        return "counter"


@dataclass(frozen=True)
class RandomNumbers(DatasetPlan):
    """Random numbers from 0 to 2**32 - 1, without an end; the tensor has the seeds."""

    @property
    def element(self) -> Element:
        return Element(TensorSpec((), int64))

    @property
    def width(self) -> int:
        return 1

    def cursor(self, arrays: Arrays) -> Cursor:
        seeds: ShuffleSeeds = unboxed(arrays[0])
        return RandomCursor(seeds)

    def size(self, tensors: Tensors) -> int:
        return -1

    def __str__(self) -> str:
        return "random"


class RandomCursor(Cursor):
    """Iterates over random numbers, drawn some at a time."""

    def __init__(self, seeds: ShuffleSeeds) -> None:
        self._seeds = seeds
        self._begin(seeds.next_epoch())

    def _begin(self, epoch: list[int]) -> None:
        self._epoch, self._words, self._count = epoch, self._seeds.words(epoch), 0

    def __next__(self) -> Item:
        self._count += 1
        return (np.array(self._words.next(), np.int64),)

    def save(self) -> dict[str, object]:
        return {"epoch": list(self._epoch), "count": self._count}

    def restore(self, state: dict[str, object]) -> None:
        self._seeds.go_on_after(state["epoch"])  # type: ignore[arg-type]
        self._begin(list(state["epoch"]))  # type: ignore[call-overload]
        self._count = int(state["count"])  # type: ignore[call-overload]
        self._words.skip(self._count)
