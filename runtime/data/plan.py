"""A dataset without its tensors: where the items come from, and what is done to them on the way.

    from_tensor_slices(t).take(n)    ->    Taken(Slices(element), count=None)    over    (t, n)

A plan is frozen and compared by value, so it may be an attribute of a node and a part of a key;
what only a run knows is in the tensors. A new kind of dataset is one more class of plans.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from runtime.data.element import Element
from runtime.dtypes import DType
from runtime.errors import ArgumentValueError
from runtime.ops.arguments import static_value
from runtime.ops.datasets import Item
from runtime.spec import TensorSpec
from runtime.tensor import Array, Tensor

Arrays: TypeAlias = "Sequence[Array]"
Tensors: TypeAlias = "Sequence[Tensor]"
Begin: TypeAlias = "Callable[[], Iterator[Item]]"

# What stands for the number of items where it is no number, as in TensorFlow.
INFINITE = -1
UNKNOWN = -2


@dataclass(frozen=True)
class Plan(ABC):
    """How the items of a dataset are made."""

    @property
    @abstractmethod
    def element(self) -> Element:
        """What is known of the items."""

    @property
    @abstractmethod
    def width(self) -> int:
        """How many tensors a dataset of this plan has."""

    @abstractmethod
    def start(self, arrays: Arrays) -> Iterator[Item]:
        """Return an iterator over the items; an item is the arrays of an element."""

    def size(self, tensors: Tensors) -> int:
        """Return how many items there are, as far as it is known without a run."""
        return UNKNOWN


@dataclass(frozen=True)
class Source(Plan):
    """Where items come from: it knows what they are, and has a tensor for each part of one."""

    rows: Element

    @property
    def element(self) -> Element:
        return self.rows

    @property
    def width(self) -> int:
        return len(self.rows.specs)


@dataclass(frozen=True)
class Slices(Source):
    """The rows of tensors that are as long as each other."""

    def start(self, arrays: Arrays) -> Iterator[Item]:
        lengths = sorted({len(array) for array in arrays})
        if len(lengths) > 1:
            raise ArgumentValueError(f"from_tensor_slices: tensors of {lengths} rows")
        return (tuple([array[at, ...] for array in arrays]) for at in range(lengths[0]))

    def size(self, tensors: Tensors) -> int:
        known = [tensor.shape[0] for tensor in tensors if tensor.shape.rank]
        return next((size for size in known if size is not None), UNKNOWN)

    def __str__(self) -> str:
        return "from_tensor_slices"


@dataclass(frozen=True)
class Whole(Source):
    """One item: the tensors themselves."""

    def start(self, arrays: Arrays) -> Iterator[Item]:
        return iter([tuple(arrays)])

    def size(self, tensors: Tensors) -> int:
        return 1

    def __str__(self) -> str:
        return "from_tensors"


@dataclass(frozen=True)
class Numbers(Plan):
    """Whole numbers from a start to a stop, by a step: three tensors."""

    dtype: DType

    @property
    def element(self) -> Element:
        return Element(TensorSpec((), self.dtype))

    @property
    def width(self) -> int:
        return 3

    def start(self, arrays: Arrays) -> Iterator[Item]:
        dtype = self.dtype.np_dtype
        return ((np.array(number, dtype),) for number in self._numbers(arrays))

    def size(self, tensors: Tensors) -> int:
        known = [value for value in map(static_value, tensors) if value is not None]
        return len(self._numbers(known)) if len(known) == 3 else UNKNOWN

    def _numbers(self, arrays: Arrays) -> range:
        if not arrays[2]:
            raise ArgumentValueError("range: the step is 0")
        return range(*map(int, arrays))

    def __str__(self) -> str:
        return "range"


@dataclass(frozen=True)
class Step(Plan):
    """What is done to the items of another plan; tensors of its own follow those of that."""

    source: Plan

    @property
    def element(self) -> Element:
        return self.source.element

    @property
    def width(self) -> int:
        return self.source.width + self.own

    @property
    def own(self) -> int:
        """How many tensors the step has of its own."""
        return 0

    def start(self, arrays: Arrays) -> Iterator[Item]:
        at = self.source.width
        return self.over(lambda: self.source.start(arrays[:at]), arrays[at:])

    @abstractmethod
    def over(self, begin: Begin, own: Arrays) -> Iterator[Item]:
        """Return the items; `begin()` goes over those of the source, from the first one on."""

    def size(self, tensors: Tensors) -> int:
        at = self.source.width
        return self.size_of(self.source.size(tensors[:at]), tensors[at:])

    def size_of(self, size: int, own: Tensors) -> int:
        """Return how many items there are where the source has `size`."""
        return size

    def __str__(self) -> str:
        return f"{self.source}.{self.words()}"

    @abstractmethod
    def words(self) -> str:
        """Return how the step is written."""


@dataclass(frozen=True)
class Counting(Step):
    """A step with a number: known now, or a tensor of its own where it is None."""

    count: int | None

    @property
    def own(self) -> int:
        return 1 if self.count is None else 0

    def number(self, own: Any) -> int:
        """Return the number, given the arrays of the step."""
        return int(own[0]) if self.count is None else self.count
