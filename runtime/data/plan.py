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
from runtime.data.random_access import View, ViewCursor

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
        view = self.view(arrays)
        return self.cursor(arrays) if view is None else ViewCursor(view)

    def view(self, arrays: Arrays) -> View | None:
        """Return the items as rows with random access, or None."""
        return None

    @abstractmethod
    def cursor(self, arrays: Arrays) -> Cursor:
        """Return a cursor over the items, for a plan without a view."""

    def size(self, tensors: Tensors) -> int:
        """Return the number of items, if it is known without a run."""
        return UNKNOWN


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

    def view(self) -> View | None:
        """Return a view of the items if there is one."""
        return self.plan.view(self.arrays)


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

    def view(self, arrays: Arrays) -> View | None:
        at = self.source.width
        below = self.source.view(arrays[:at]) if self.keeps_views else None
        return None if below is None else self.view_over(below, arrays[at:])

    @property
    def keeps_views(self) -> bool:
        """True if a view of the source gives a view of the items."""
        return False

    def view_over(self, view: View, own: Arrays) -> View | None:
        """Return a view of the items over a view of the source, or None."""
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
