"""The values of a model: tensors by name, lists as columns of tensors, and variables.

ONNX has no list whose items are lists, and none whose items have several parts. A list is therefore
a few tensors that grow, one column for each part of an item:

    Dense    the items have one shape, so they are the rows of a tensor
    Shaped   the shapes of the items differ: their elements one after another, and their shapes
    Nested   each item is a list itself: the items of all of them, and the length of each
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from runtime.core.dtypes import DType
from runtime.core.shapes import TensorShape


class ModelTensor(NamedTuple):
    """A tensor of the model.

    Attributes:
        name: its name, which no other tensor of the model has.
        dtype: its dtype.
    """

    name: str
    dtype: DType


class DenseColumn(NamedTuple):
    """A column of a list whose items have one static shape: a tensor with a row for each item."""

    rows: ModelTensor
    shape: TensorShape


class ShapedColumn(NamedTuple):
    """A column of a list whose items have one rank.

    Attributes:
        elements: the elements of all items, a vector.
        shapes: a matrix with the shape of each item.
        shape: the known part of the items' shape.
    """

    elements: ModelTensor
    shapes: ModelTensor
    shape: TensorShape


class NestedColumn(NamedTuple):
    """A column of a list whose items are lists.

    Attributes:
        lengths: the number of items of each inner list.
        items: the items of all inner lists as one list.
    """

    lengths: ModelTensor
    items: ListColumns


class GradientColumn(NamedTuple):
    """The gradients of one part of the items of a list, element by element.

    An element may be there several times, for a sum, or not at all, for zero.

    Attributes:
        items: the position of the item of each element.
        elements: the number of the element in its item.
        values: the gradients.
    """

    items: ModelTensor
    elements: ModelTensor
    values: ModelTensor


Column: TypeAlias = "DenseColumn | ShapedColumn | NestedColumn | GradientColumn"


class ListColumns(NamedTuple):
    """A list, or the slots of a TensorArray: one column for each part of its items."""

    columns: tuple[Any, ...]


_OF_PARTS = (ListColumns, DenseColumn, ShapedColumn, NestedColumn, GradientColumn)


class VariableHandle(NamedTuple):
    """A variable that nodes read and write."""

    variable: Any


class Missing(NamedTuple):
    """The result of a node that has no form in ONNX."""


MISSING = Missing()
Value: TypeAlias = "ModelTensor | ListColumns | VariableHandle | Missing"


def tensors_in(value: Any) -> Iterator[ModelTensor]:
    """Yield the tensors of a value, of a list those of all columns.

    >>> from runtime.core.dtypes import int32
    >>> rows = DenseColumn(ModelTensor("x", int32), TensorShape(()))
    >>> [each.name for each in tensors_in(ListColumns((rows, rows)))]
    ['x', 'x']
    """
    if isinstance(value, ModelTensor):
        yield value
    elif isinstance(value, (*_OF_PARTS, tuple)):
        for part in value:
            yield from tensors_in(part)


def with_tensors(value: Any, tensors: Iterator[ModelTensor]) -> Any:
    """Return a value of the same structure with other tensors.

    >>> from runtime.core.dtypes import int32
    >>> with_tensors(ModelTensor("x", int32), iter([ModelTensor("y", int32)])).name
    'y'
    """
    if isinstance(value, ModelTensor):
        return next(tensors)
    if isinstance(value, _OF_PARTS):
        return type(value)(*(with_tensors(part, tensors) for part in value))
    if type(value) is tuple:
        return tuple(with_tensors(part, tensors) for part in value)
    return value
