"""Lists and TensorArrays, as columns of tensors that grow."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int32, int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules import list_columns as columns
from runtime.export.onnx.rules.creation import arange, full
from runtime.export.onnx.rules.indexing import bound, sliced, stride
from runtime.export.onnx.rules.manipulation import LAST
from runtime.export.onnx.values import DenseColumn, ListColumns, ModelTensor, ShapedColumn
from runtime.ops.arrays.index import HashableSlice

_NOTHING = "an empty list gives an empty tensor: Python raises here"


def _parts(step: OnnxNodeLowering, position: int = 0) -> Any:
    return columns.parts_of(step, step.node.inputs[position])


def _list_of(step: OnnxNodeLowering) -> Any:
    width = step.attrs["width"]
    parts = columns.parts_of(step, step.node.outputs[0])
    if not step.inputs:
        return columns.empty(step, parts)
    items = [step.inputs[at : at + width] for at in range(0, len(step.inputs), width)]
    lists = [columns.single(step, parts, each) for each in items]
    found = lists[0]
    for each in lists[1:]:
        found = columns.concatenated(step, found, each)
    return found


def _append(step: OnnxNodeLowering) -> Any:
    target, *leaves = step.inputs
    return columns.concatenated(step, target, columns.single(step, _parts(step), leaves))


def _extend(step: OnnxNodeLowering) -> Any:
    return columns.concatenated(step, *step.inputs)


def _length(step: OnnxNodeLowering) -> Any:
    return step.cast(step.op("Squeeze", columns.length(step, step.inputs[0])), int32)


def _get(step: OnnxNodeLowering) -> Any:
    found = columns.item(step, step.inputs[0], step.index(1))
    return found[: len(step.node.outputs)]


def _set(step: OnnxNodeLowering) -> Any:
    target, _, *leaves = step.inputs
    one = columns.single(step, _parts(step), leaves)
    return columns.replaced(step, target, step.index(1), one)


def _pop(step: OnnxNodeLowering) -> Any:
    target, count = step.inputs[0], len(step.node.outputs) - 1
    if len(step.inputs) > 1:
        place = step.index(1)
        return [columns.without(step, target, place), *columns.item(step, target, place)[:count]]
    last = columns.item(step, target, step.number(-1))
    return [columns.cut(step, target, step.ints(0), step.ints(-1)), *last[:count]]


def _insert(step: OnnxNodeLowering) -> Any:
    target, index, *leaves = step.inputs
    return inserted(step, target, index, columns.single(step, _parts(step), leaves))


def inserted(
    step: OnnxNodeLowering, target: ListColumns, index: ModelTensor, one: ListColumns
) -> ListColumns:
    """Return a list with the item of a list of one item before a position."""
    at = step.vector(index)
    start = columns.cut(step, target, step.ints(0), at)
    end = columns.cut(step, target, at, columns.to_the_end(step))
    found: ListColumns = columns.concatenated(step, columns.concatenated(step, start, one), end)
    return found


def _delete(step: OnnxNodeLowering) -> Any:
    return columns.without(step, step.inputs[0], step.index(1))


def _span(
    step: OnnxNodeLowering, bounds: list[ModelTensor]
) -> tuple[ModelTensor, ModelTensor, int]:
    span: HashableSlice = step.attrs["span"]
    by = stride(step, span, bounds)
    start = bound(step, span.start, 0 if by > 0 else LAST, bounds)
    return start, bound(step, span.stop, LAST if by > 0 else -LAST, bounds), by


def _slice(step: OnnxNodeLowering) -> Any:
    target, *bounds = step.inputs
    return columns.cut(step, target, *_span(step, bounds))


def _delete_slice(step: OnnxNodeLowering) -> Any:
    """Keep the positions outside of the slice."""
    target, *bounds = step.inputs
    places = columns.places_of(step, target)
    gone = sliced(step, places, [(0, step.attrs["span"])], bounds)
    ones = full(step, 1, int64, step.shape(places))
    zeros = full(step, 0, int64, step.shape(gone))
    kept = step.op("ScatterElements", ones, gone, zeros, axis=0)
    left = step.op("Compress", places, step.op("Equal", kept, step.number(1)), axis=0)
    return columns.taken(step, target, left)


def _set_slice(step: OnnxNodeLowering) -> Any:
    target, other, *bounds = step.inputs
    places = columns.places_of(step, target)
    span: HashableSlice = step.attrs["span"]
    if span.step not in (None, 1):
        return _set_each(step, places, bounds)
    begin = bound(step, span.start, 0, bounds)
    gone = step.op("Slice", places, *_span(step, bounds)[:2], step.ints(0))
    before = step.op("Slice", places, step.ints(0), begin, step.ints(0))
    rest = step.op("Add", step.size(before, 0), step.size(gone, 0))
    start = columns.cut(step, target, step.ints(0), begin)
    end = columns.cut(step, target, rest, columns.to_the_end(step))
    return columns.concatenated(step, columns.concatenated(step, start, other), end)


def _set_each(
    step: OnnxNodeLowering, places: ModelTensor, bounds: list[ModelTensor]
) -> ListColumns:
    """Put items at the positions of a slice with a step, of which there must be as many."""
    target, other = step.inputs[:2]
    at = sliced(step, places, [(0, step.attrs["span"])], bounds)
    new = step.op("Add", columns.places_of(step, other), columns.length(step, target))
    order = step.op("ScatterElements", places, at, new, axis=0)
    return columns.taken(step, columns.concatenated(step, target, other), order)


def _reverse(step: OnnxNodeLowering) -> Any:
    return columns.cut(step, step.inputs[0], step.ints(LAST), step.ints(-LAST), -1)


def _repeat(step: OnnxNodeLowering) -> Any:
    target = step.inputs[0]
    times = step.op("Max", step.vector(step.inputs[1]), step.ints(0))
    return columns.taken(step, target, step.op("Tile", columns.places_of(step, target), times))


def _take(step: OnnxNodeLowering) -> Any:
    return columns.taken(step, step.inputs[0], step.index(1))


# -- lists and tensors -----------------------------------------------------------------------------


def _stack(step: OnnxNodeLowering) -> Any:
    """Return the items as rows; items of unknown shapes must be equal, or the model fails."""
    column = _column(step)
    dims = _known_dims(step)
    if column is None:
        return step.const(np.empty((0, *(dim or 0 for dim in dims))), step.dtype)
    if isinstance(column, DenseColumn):
        return column.rows if None not in dims else _no_rows(step, column.rows, dims)
    row = _largest(step, column.shapes, [dim or 0 for dim in dims])
    shape = step.op("Concat", step.size(column.shapes, 0), row, axis=0)
    return step.op("Reshape", column.elements, shape, allowzero=1)


def _column(step: OnnxNodeLowering) -> Any:
    """Return the column of the items; None if nothing is ever put into the list."""
    if step.attrs.get("needed") and not step.graph.bounds.is_not_empty(step.node.inputs[0]):
        step.omit("an empty list", _NOTHING)
    leaf, types = step.attrs["leaf"], _parts(step)
    if leaf >= len(types) or types[leaf].dtype is not step.dtype:
        return None
    return step.inputs[0].columns[leaf]


def _known_dims(step: OnnxNodeLowering) -> list[int | None]:
    dims = step.attrs["spec"].shape.dims
    if dims is None:
        raise step.unsupported("the items of the list have any rank: put items of one rank into it")
    return list(dims)


def _no_rows(step: OnnxNodeLowering, rows: ModelTensor, dims: list[int | None]) -> ModelTensor:
    """Return rows; if there are none, unknown sizes are 0."""
    none = step.ints(0, *(dim or 0 for dim in dims))
    is_empty = step.op("Equal", step.size(rows, 0), step.ints(0))
    shape = step.where(is_empty, none, step.shape(rows))
    return step.op("Reshape", rows, shape, allowzero=1)


def _largest(step: OnnxNodeLowering, shapes: ModelTensor, least: list[int]) -> ModelTensor:
    """Return the largest size of each axis: with others, the elements would not fill the rows."""
    row = step.op("Unsqueeze", step.ints(*least), step.ints(0))
    rows = step.op("Concat", shapes, row, axis=0)
    return step.op("ReduceMax", rows, step.ints(0), keepdims=0)


def _concat(step: OnnxNodeLowering) -> Any:
    column = _column(step)
    dims = _known_dims(step)
    if column is None:
        return step.const(np.empty((0, *(dim or 0 for dim in dims[1:]))), step.dtype)
    if isinstance(column, DenseColumn):
        rows = _no_rows(step, column.rows, dims) if None in dims else column.rows
        size = step.op("Mul", step.size(rows, 0), step.size(rows, 1))
        shape = step.op("Concat", size, step.shape(rows, 2), axis=0)
        return step.op("Reshape", rows, shape, allowzero=1)
    first = step.op("Slice", column.shapes, step.ints(0), step.ints(1), step.ints(1))
    size = step.op("Reshape", step.op("ReduceSum", first, keepdims=0), step.ints(1))
    if len(dims) == 1:
        return step.op("Reshape", column.elements, size, allowzero=1)
    others = step.op("Slice", column.shapes, step.ints(1), step.ints(LAST), step.ints(1))
    rest = _largest(step, others, [dim or 0 for dim in dims[1:]])
    return step.op("Reshape", column.elements, step.op("Concat", size, rest, axis=0), allowzero=1)


def _from_rows(step: OnnxNodeLowering) -> Any:
    parts = columns.parts_of(step, step.node.outputs[0])
    pairs = zip(parts, step.inputs, strict=True)
    return ListColumns(tuple([columns.from_rows(step, *pair) for pair in pairs]))


def _from_parts(step: OnnxNodeLowering) -> Any:
    tensor, lengths = step.inputs[0], step.index(1)
    (part,) = columns.parts_of(step, step.node.outputs[0])
    shape = columns.shape_of(step, part)
    count = step.size(lengths, 0)
    rest = step.shape(tensor, 1)
    sizes = step.op("Concat", count, step.shape(rest), axis=0)
    shapes = step.op(
        "Concat",
        step.op("Unsqueeze", lengths, step.ints(1)),
        step.op("Expand", rest, sizes),
        axis=1,
    )
    if shape.is_fully_defined():
        raise step.unsupported("its parts stand beside items of one size")
    return ListColumns((ShapedColumn(step.op("Reshape", tensor, step.ints(-1)), shapes, shape),))


# -- TensorArrays ----------------------------------------------------------------------------------


def _unwritten(step: OnnxNodeLowering, part: Any, count: ModelTensor) -> ListColumns:
    """Return slots that were never written: zeros, or elements of no size."""
    shape = columns.shape_of(step, part)
    zero: Any = "" if part.dtype.is_string else 0
    if shape.is_fully_defined():
        dims = step.op("Concat", count, step.ints(*shape), axis=0) if shape.rank else count
        return ListColumns((DenseColumn(full(step, zero, part.dtype, dims), shape),))
    elements = step.const(np.empty(0, part.dtype.np_dtype), part.dtype)
    dims = step.op("Concat", count, step.ints(shape.rank or 0), axis=0)
    return ListColumns((ShapedColumn(elements, full(step, 0, int64, dims), shape),))


def _new_array(step: OnnxNodeLowering) -> Any:
    (part,) = columns.parts_of(step, step.node.outputs[0])
    return _unwritten(step, part, step.vector(step.inputs[0]))


def _from_zero(step: OnnxNodeLowering, place: ModelTensor, target: ListColumns) -> ModelTensor:
    """Return a position; a negative one becomes one at which the model fails."""
    known = step.builder.known(place)
    if known is not None and np.all(known >= 0):
        return place
    beyond = step.op("Squeeze", columns.length(step, target))
    return step.where(step.op("Less", place, step.number(0)), beyond, place)


def _grown(step: OnnxNodeLowering, target: ListColumns, place: ModelTensor) -> ListColumns:
    """Return slots with new ones up to a position."""
    wanted = step.op("Add", step.op("Reshape", place, step.ints(1)), step.ints(1))
    more = step.op("Sub", wanted, columns.length(step, target))
    more = step.op("Max", more, step.ints(0))
    (part,) = _parts(step)
    return columns.concatenated(step, target, _unwritten(step, part, more))


def _write(step: OnnxNodeLowering) -> Any:
    target, _, value = step.inputs
    place = step.index(1)
    if step.attrs["dynamic"]:
        target = _grown(step, target, place)
    one = columns.single(step, _parts(step), [value])
    return columns.replaced(step, target, _from_zero(step, place, target), one)


def _scatter(step: OnnxNodeLowering) -> Any:
    target, _, values = step.inputs
    places = step.index(1)
    if step.attrs["dynamic"]:
        least = step.op("Concat", places, step.ints(-1), axis=0)
        target = _grown(step, target, step.op("ReduceMax", least, keepdims=0))
    own = columns.places_of(step, target)
    new = step.op("Add", arange(step, step.size(places, 0)), columns.length(step, target))
    order = step.op("ScatterElements", own, _from_zero(step, places, target), new, axis=0)
    return columns.taken(step, columns.concatenated(step, target, values), order)


def _fill(step: OnnxNodeLowering) -> Any:
    return step.inputs[1]


def _read(step: OnnxNodeLowering) -> Any:
    target = step.inputs[0]
    if isinstance(target.columns[0], ShapedColumn):
        step.omit("TensorArray.read", "an element that was never written is empty")
    return columns.item(step, target, _from_zero(step, step.index(1), target))


def _items(step: OnnxNodeLowering) -> Any:
    if len(step.inputs) == 1:
        return step.inputs[0]
    target = step.inputs[0]
    return columns.taken(step, target, _from_zero(step, step.index(1), target))


RULES: dict[str, Rule] = {
    "list_of": _list_of,
    "list_append": _append,
    "list_extend": _extend,
    "list_length": _length,
    "list_get": _get,
    "list_set": _set,
    "list_pop": _pop,
    "list_insert": _insert,
    "list_slice": _slice,
    "list_set_slice": _set_slice,
    "list_delete": _delete,
    "list_delete_slice": _delete_slice,
    "list_reverse": _reverse,
    "list_repeat": _repeat,
    "list_take": _take,
    "list_stack": _stack,
    "list_concat": _concat,
    "list_from_rows": _from_rows,
    "list_from_parts": _from_parts,
    "tensor_array": _new_array,
    "tensor_array_write": _write,
    "tensor_array_scatter": _scatter,
    "tensor_array_fill": _fill,
    "tensor_array_read": _read,
    "tensor_array_items": _items,
    "tensor_array_size": _length,
}
