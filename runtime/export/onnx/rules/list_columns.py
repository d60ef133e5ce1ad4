"""Lists as columns of tensors: reads and writes of items, and lists gathered from other lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import float32, int64
from runtime.core.shapes import TensorShape
from runtime.core.tensor import SymbolicTensor
from runtime.export.graphdef.item_types import ValueType
from runtime.export.onnx.node_lowering import OnnxNodeLowering
from runtime.export.onnx.rules.creation import arange
from runtime.export.onnx.rules.manipulation import LAST, repeated_places
from runtime.export.onnx.values import (
    DenseColumn,
    GradientColumn,
    ListColumns,
    ModelTensor,
    NestedColumn,
    ShapedColumn,
)


def parts_of(step: OnnxNodeLowering, tensor: SymbolicTensor) -> list[ValueType]:
    """Return the types of the parts of the items of a list of the graph."""
    return step.graph.types.parts(tensor)


def shape_of(step: OnnxNodeLowering, part: ValueType) -> TensorShape:
    """Return the known shape of a part, whose rank must be known."""
    shape = TensorShape.of(()) if part.shape is None else part.shape
    if shape.rank is None:
        raise step.unsupported("the items of the list have any rank: put items of one rank into it")
    return shape


def empty(step: OnnxNodeLowering, parts: Sequence[ValueType]) -> ListColumns:
    """Return a list without items."""
    return ListColumns(tuple([_empty_column(step, part) for part in parts]))


def _empty_column(step: OnnxNodeLowering, part: ValueType) -> Any:
    none = step.const(np.zeros(0, np.int64), int64)
    if part.dtype.is_variant:
        inner = [each.found() for each in part.items] if part.items else [_number()]
        return NestedColumn(none, empty(step, inner))
    shape = shape_of(step, part)
    if shape.is_fully_defined():
        assert shape.dims is not None
        return DenseColumn(step.const(_no_elements((0, *shape.dims), part), part.dtype), shape)
    elements = step.const(_no_elements((0,), part), part.dtype)
    return ShapedColumn(elements, step.const(np.zeros((0, shape.rank or 0)), int64), shape)


def _no_elements(shape: Sequence[Any], part: ValueType) -> Any:
    return np.empty(shape, part.dtype.np_dtype)


def _number() -> ValueType:
    return ValueType(float32, shape=TensorShape.of(()))


def single(step: OnnxNodeLowering, parts: Sequence[ValueType], item: Sequence[Any]) -> ListColumns:
    """Return the list of one item; one without parts is a number."""
    values = item or [step.const(0, float32)]
    pairs = zip(parts, values, strict=True)
    return ListColumns(tuple([_single_column(step, part, value) for part, value in pairs]))


def _single_column(step: OnnxNodeLowering, part: ValueType, value: Any) -> Any:
    if isinstance(value, ListColumns):
        if any(isinstance(each, GradientColumn) for each in value.columns):
            raise step.unsupported("a gradient of a gradient keeps gradients of lists in a list")
        return NestedColumn(length(step, value), value)
    shape = shape_of(step, part)
    if shape.is_fully_defined():
        return DenseColumn(step.op("Unsqueeze", value, step.ints(0)), shape)
    row = step.op("Unsqueeze", step.shape(value), step.ints(0))
    return ShapedColumn(step.op("Reshape", value, step.ints(-1)), row, shape)


def from_rows(step: OnnxNodeLowering, part: ValueType, rows: ModelTensor) -> Any:
    """Return the column whose items are the rows of a tensor."""
    shape = shape_of(step, part)
    if shape.is_fully_defined():
        return DenseColumn(rows, shape)
    sizes = step.op("Expand", step.shape(rows, 1),
                    step.op("Concat", step.size(rows, 0), step.ints(1), axis=0))  # fmt: skip
    return ShapedColumn(step.op("Reshape", rows, step.ints(-1)), sizes, shape)


def length(step: OnnxNodeLowering, target: ListColumns) -> ModelTensor:
    """Return the number of items, a vector with one element."""
    column = target.columns[0]
    if isinstance(column, DenseColumn):
        return step.size(column.rows, 0)
    return step.size(column.shapes if isinstance(column, ShapedColumn) else column.lengths, 0)


def places_of(step: OnnxNodeLowering, target: ListColumns) -> ModelTensor:
    """Return all positions of a list, a vector."""
    return arange(step, length(step, target))


def concatenated(step: OnnxNodeLowering, one: Any, other: Any) -> Any:
    """Return one list, or column, followed by another one."""
    if isinstance(one, ModelTensor):
        return step.op("Concat", one, other, axis=0)
    if isinstance(one, ListColumns):
        pairs = zip(one.columns, other.columns, strict=True)
        return ListColumns(tuple([concatenated(step, *pair) for pair in pairs]))
    if isinstance(one, DenseColumn):
        return DenseColumn(concatenated(step, one.rows, other.rows), one.shape)
    return type(one)(*map(_joined_part, [step] * len(one), one, other))


def _joined_part(step: OnnxNodeLowering, one: Any, other: Any) -> Any:
    return one if isinstance(one, TensorShape) else concatenated(step, one, other)


# -- positions -------------------------------------------------------------------------------------


def taken(step: OnnxNodeLowering, target: ListColumns, places: ModelTensor) -> ListColumns:
    """Return the items at positions, in the order of the positions."""
    return ListColumns(tuple([_taken_column(step, each, places) for each in target.columns]))


def _taken_column(step: OnnxNodeLowering, column: Any, places: ModelTensor) -> Any:
    if isinstance(column, DenseColumn):
        return DenseColumn(step.op("Gather", column.rows, places, axis=0), column.shape)
    inside = _elements_at(step, _counts(step, column), places)
    if isinstance(column, NestedColumn):
        lengths = step.op("Gather", column.lengths, places, axis=0)
        return NestedColumn(lengths, taken(step, column.items, inside))
    shapes = step.op("Gather", column.shapes, places, axis=0)
    return ShapedColumn(step.op("Gather", column.elements, inside, axis=0), shapes, column.shape)


def _counts(step: OnnxNodeLowering, column: Any) -> ModelTensor:
    """Return the number of elements of each item."""
    if isinstance(column, NestedColumn):
        return column.lengths
    return step.op("ReduceProd", column.shapes, step.ints(1), keepdims=0)


def _starts(step: OnnxNodeLowering, counts: ModelTensor) -> ModelTensor:
    return step.op("CumSum", counts, step.number(0), exclusive=1)


def _elements_at(step: OnnxNodeLowering, counts: ModelTensor, places: ModelTensor) -> ModelTensor:
    """Return the positions of the elements of the items at positions."""
    chosen = step.op("Gather", counts, places, axis=0)
    first = step.op("Gather", _starts(step, counts), places, axis=0)
    owner = repeated_places(step, chosen)
    apart = step.op("Sub", first, _starts(step, chosen))
    shift = step.op("Gather", apart, owner, axis=0)
    return step.op("Add", arange(step, step.size(owner, 0)), shift)


def item(step: OnnxNodeLowering, target: ListColumns, place: ModelTensor) -> list[Any]:
    """Return the parts of the item at a position, a scalar; negative ones count from the end."""
    return [_part_at(step, column, place) for column in target.columns]


def _part_at(step: OnnxNodeLowering, column: Any, place: ModelTensor) -> Any:
    if isinstance(column, DenseColumn):
        return step.op("Gather", column.rows, place, axis=0)
    counts = _counts(step, column)
    start = step.op("Gather", _starts(step, counts), place, axis=0)
    end = step.op("Add", start, step.op("Gather", counts, place, axis=0))
    if isinstance(column, NestedColumn):
        return taken(step, column.items, step.op("Range", start, end, step.number(1)))
    bounds = (step.op("Reshape", each, step.ints(1)) for each in (start, end))
    elements = step.op("Slice", column.elements, *bounds)
    shape = step.op("Gather", column.shapes, place, axis=0)
    return step.op("Reshape", elements, shape, allowzero=1)


def replaced(
    step: OnnxNodeLowering, target: ListColumns, place: ModelTensor, one: ListColumns
) -> ListColumns:
    """Return a list with the item at a position replaced by that of a list of one item."""
    if all(isinstance(each, DenseColumn) for each in target.columns):
        index = step.op("Reshape", place, step.ints(1, 1))
        pairs = zip(target.columns, one.columns, strict=True)
        return ListColumns(tuple([_put_row(step, index, *pair) for pair in pairs]))
    places = places_of(step, target)
    at = step.op("Reshape", place, step.ints(1))
    order = step.op("ScatterElements", places, at, length(step, target), axis=0)
    return taken(step, concatenated(step, target, one), order)


def _put_row(
    step: OnnxNodeLowering, index: ModelTensor, column: DenseColumn, one: DenseColumn
) -> DenseColumn:
    return DenseColumn(step.op("ScatterND", column.rows, index, one.rows), column.shape)


def cut(
    step: OnnxNodeLowering, target: ListColumns, start: ModelTensor, stop: ModelTensor, by: int = 1
) -> ListColumns:
    """Return a slice of a list, with bounds as Python counts them."""
    bounds = (start, stop, step.ints(0), step.ints(by))
    if all(isinstance(each, DenseColumn) for each in target.columns):
        rows = [step.op("Slice", each.rows, *bounds) for each in target.columns]
        pairs = zip(rows, target.columns)
        return ListColumns(tuple([DenseColumn(row, column.shape) for row, column in pairs]))
    return taken(step, target, step.op("Slice", places_of(step, target), *bounds))


def without(step: OnnxNodeLowering, target: ListColumns, place: ModelTensor) -> ListColumns:
    """Return a list without the item at a position; the model fails if there is none."""
    places = places_of(step, target)
    own = step.op("Gather", places, place, axis=0)
    other = step.op("Not", step.op("Equal", places, own))
    return taken(step, target, step.op("Compress", places, other, axis=0))


def to_the_end(step: OnnxNodeLowering) -> ModelTensor:
    """Return the bound of a slice that ends with the list."""
    return step.ints(LAST)
