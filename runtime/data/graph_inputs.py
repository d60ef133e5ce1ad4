"""Datasets as arguments of graphs; tracing knows only the element spec.

def total(dataset): ...         graph total(%dataset: variant) {
total(Dataset.range(3))    ->     %dataset_begin = dataset_begin(%dataset) {dataset=given}

The graph's input is the whole dataset, its plan with its tensors, as one variant value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runtime.core.tensor import Array, EagerTensor, Tensor
from runtime.core.variant import boxed, unboxed
from runtime.data.cursors import Cursor
from runtime.data.dataset import Dataset
from runtime.data.element_spec import DatasetSpec as DatasetSpec
from runtime.data.element_spec import Element
from runtime.data.plan import UNKNOWN, Arrays, DatasetPlan, DatasetSource, Tensors
from runtime.data.random_access import RandomAccess
from runtime.errors import ArgumentValueError, OutOfScopeError


@dataclass(frozen=True)
class BoundDataset:
    """A dataset with the values of its tensors, as a graph's input."""

    plan: DatasetPlan
    arrays: Arrays

    def start(self) -> Cursor:
        """Return a cursor over the items."""
        return self.plan.start(self.arrays)

    def size(self) -> int:
        """Return the number of items, if it is known."""
        return self.plan.size([EagerTensor(array) for array in self.arrays])


@dataclass(frozen=True)
class DatasetInput(DatasetSource):
    """The items of a dataset that is the value of a tensor."""

    @property
    def width(self) -> int:
        return 1

    def access(self, arrays: Arrays) -> RandomAccess | None:
        bound = _bound(arrays[0])
        return bound.plan.access(bound.arrays)

    def cursor(self, arrays: Arrays) -> Cursor:
        return _bound(arrays[0]).start()

    def size(self, tensors: Tensors) -> int:
        (tensor,) = tensors
        return _bound(tensor._array).size() if isinstance(tensor, EagerTensor) else UNKNOWN

    def __str__(self) -> str:
        return "given"


def _bound(array: Array) -> BoundDataset:
    held = unboxed(array)
    if not isinstance(held, BoundDataset):
        raise ArgumentValueError(f"a dataset was expected, not {held!r}")
    return held


def as_value(dataset: Dataset) -> Array:
    """Return a dataset as a variant, its value as an argument of a graph.

    Raises:
        OutOfScopeError: the dataset depends on tensors of a graph.

    >>> of_value(Element(Dataset.range(3).element_spec), EagerTensor(as_value(Dataset.range(3))))
    <rt.data.Dataset: given, element_spec=TensorSpec(shape=(), dtype=rt.int64, name=None)>
    """
    plan, tensors = dataset.plan, dataset.tensors
    for tensor in tensors:
        if not isinstance(tensor, EagerTensor):
            raise OutOfScopeError(
                f"{dataset!r} is made of {tensor}, which belongs to a graph that is finished"
            )
    arrays = tuple(tensor._array for tensor in tensors if isinstance(tensor, EagerTensor))
    return arrays[0] if type(plan) is DatasetInput else boxed(BoundDataset(plan, arrays))


def of_value(element: Element, tensor: Tensor) -> Dataset:
    """Return a dataset whose items come from the dataset that is the value of a tensor."""
    return Dataset(DatasetInput(element), (tensor,))


def element_of(dataset: Any) -> Element:
    """Return the element spec of a dataset, to compare it with that of another."""
    element: Element = dataset.plan.element
    return element
