"""Plans of datasets: the source and the steps, without tensors.

    from_tensor_slices(t).take(n)    ->    Taken(TensorSlices(element), None)    over    (t, n)

A plan is frozen and compared by value, so it may be an attribute of a node and part of a key;
values known only at run time are in the tensors. A new kind of dataset is one more plan class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from runtime.core.tensor import Array, Tensor
from runtime.data.cursors import Cursor
from runtime.data.element_spec import Element
from runtime.data.functions import ElementFunction
from runtime.data.random_access import AccessCursor, RandomAccess

Arrays: TypeAlias = "Sequence[Array]"
Tensors: TypeAlias = "Sequence[Tensor]"

# The numbers that stand for "without an end" and for "unknown", as in TensorFlow.
INFINITE = -1
UNKNOWN = -2


@dataclass(frozen=True)
class DatasetPlan(ABC):
    """The plan of a dataset: its source and its steps."""

    @property
    @abstractmethod
    def element(self) -> Element:
        """The specs of the items."""

    @property
    @abstractmethod
    def width(self) -> int:
        """The number of tensors of a dataset with this plan."""

    def start(self, arrays: Arrays) -> Cursor:
        """Return a cursor over the items; an item is the arrays of an element."""
        access = self.access(arrays)
        return self.cursor(arrays) if access is None else AccessCursor(access)

    def access(self, arrays: Arrays) -> RandomAccess | None:
        """Return the items as rows with random access, or None."""
        return None

    @abstractmethod
    def cursor(self, arrays: Arrays) -> Cursor:
        """Return a cursor over the items, for a plan without random access."""

    def size(self, tensors: Tensors) -> int:
        """Return the number of items, if it is known without a run."""
        return UNKNOWN

    def warn_if_stale(self) -> None:
        """Warn if values that the functions of the plan read while traced are others now."""
        for held in vars(self).values():
            for part in held if isinstance(held, tuple) else (held,):
                if isinstance(part, (DatasetPlan, ElementFunction)):
                    part.warn_if_stale()


@dataclass(frozen=True)
class DatasetSource(DatasetPlan):
    """A source of items: their specs, and one tensor for each part of an item."""

    rows: Element

    @property
    def element(self) -> Element:
        return self.rows

    @property
    def width(self) -> int:
        return len(self.rows.specs)


class InputPlan(NamedTuple):
    """The input plan of a step with the arrays of its tensors; it may start many times."""

    plan: DatasetPlan
    arrays: Arrays

    def start(self) -> Cursor:
        """Return a cursor over the items."""
        return self.plan.start(self.arrays)

    def access(self) -> RandomAccess | None:
        """Return random access to the items, or None."""
        return self.plan.access(self.arrays)


@dataclass(frozen=True)
class DatasetStep(DatasetPlan):
    """A step on the items of another plan; its own tensors follow those of that plan."""

    source: DatasetPlan

    @property
    def element(self) -> Element:
        return self.source.element

    @property
    def width(self) -> int:
        return self.source.width + self.own_width

    @property
    def own_width(self) -> int:
        """The number of the step's own tensors."""
        return 0

    def cursor(self, arrays: Arrays) -> Cursor:
        at = self.source.width
        return self.cursor_over(InputPlan(self.source, arrays[:at]), arrays[at:])

    def access(self, arrays: Arrays) -> RandomAccess | None:
        at = self.source.width
        below = self.source.access(arrays[:at]) if self.keeps_access else None
        return None if below is None else self.access_over(below, arrays[at:])

    @property
    def keeps_access(self) -> bool:
        """True if random access to the source gives random access to the items."""
        return False

    def access_over(self, access: RandomAccess, own: Arrays) -> RandomAccess | None:
        """Return random access to the items, given that to the source, or None."""
        return None

    @abstractmethod
    def cursor_over(self, below: InputPlan, own: Arrays) -> Cursor:
        """Return a cursor over the items, given the source with its arrays."""

    def size(self, tensors: Tensors) -> int:
        at = self.source.width
        return self.size_of(self.source.size(tensors[:at]), tensors[at:])

    def size_of(self, size: int, own: Tensors) -> int:
        """Return the number of items, for a source with `size` items."""
        return size

    def __str__(self) -> str:
        return f"{self.source}.{self.as_text()}"

    @abstractmethod
    def as_text(self) -> str:
        """Return the step as text, for the repr."""


@dataclass(frozen=True)
class CountedStep(DatasetStep):
    """A step with a number, which is known or its first own tensor."""

    count: int | None

    @property
    def own_width(self) -> int:
        return 1 if self.count is None else 0

    def number(self, own: Any) -> int:
        """Return the number, given the arrays of the step."""
        return int(own[0]) if self.count is None else self.count


def shown(count: int | None) -> str:
    """Return a number as text, which only a run may know."""
    return "..." if count is None else str(count)
