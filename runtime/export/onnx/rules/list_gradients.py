"""Gradients of lists in sparse form: each element with its index and that of its item.

place_item_gradients(xs, 3, dy)      items [3 3 3], elements [0 1 2], values dy
join_item_gradients(one, other)      the elements of both
pick_item_gradients(..., 3, like)    zeros, with the values of item 3 added at their elements
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, int64
from runtime.core.shapes import TensorShape
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules import list_columns as columns
from runtime.export.onnx.rules import lists
from runtime.export.onnx.rules.creation import arange, full
from runtime.export.onnx.rules.manipulation import repeated_places
from runtime.export.onnx.values import (
    DenseColumn,
    GradientColumn,
    ListColumns,
    ModelTensor,
    ShapedColumn,
)


def _types(step: OnnxNodeLowering, gradients: Any) -> tuple[DType, ...]:
    """Return the dtypes of the parts of an item.

    Raises:
        UnimplementedError: a part is a list.
    """
    found = step.graph.types.of(gradients)
    if any(dtype.is_variant for dtype in found):
        raise step.unsupported("a model has no gradients of lists of lists")
    return tuple(found)


def _none_of(step: OnnxNodeLowering, dtype: DType) -> GradientColumn:
    nothing = step.const(np.zeros(0), int64)
    return GradientColumn(nothing, nothing, step.const(np.zeros(0), dtype))


def _flat(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
    return step.op("Reshape", x, step.ints(-1))


def _count(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
    """Return the number of elements, a vector with one element."""
    return step.op("Reshape", step.op("Size", x), step.ints(1))


def _kept(
    step: OnnxNodeLowering, gradients: ListColumns, holds: Callable[[ModelTensor], ModelTensor]
) -> ListColumns:
    """Return the elements of the items for whose places a condition holds."""

    def kept(column: GradientColumn) -> GradientColumn:
        mask = holds(column.items)
        return GradientColumn(*(step.op("Compress", each, mask, axis=0) for each in column))

    return ListColumns(tuple(map(kept, gradients.columns)))


def _summed(
    step: OnnxNodeLowering, column: GradientColumn, places: ModelTensor, like: ModelTensor
) -> ModelTensor:
    """Return zeros of the shape of `like`, with the values added at the numbers of elements."""
    zeros = full(step, 0, column.values.dtype, _count(step, like))
    total = step.op("ScatterElements", zeros, places, column.values, axis=0, reduction="add")
    return step.op("Reshape", total, step.shape(like), allowzero=1)


def _place(step: OnnxNodeLowering, target: Any, position: int) -> ModelTensor:
    """Return the place of an item, counted from the start of its list."""
    place = step.index(position)
    if step.graph.bounds.is_not_negative(step.node.inputs[position]):
        return place
    if isinstance(target.columns[0], GradientColumn):
        return place
    length = columns.length(step, target)
    length = length if step.spec(position).shape.rank else step.op("Squeeze", length)
    is_negative = step.op("Less", place, step.number(0))
    return step.where(is_negative, step.op("Add", place, length), place)


# -- items -----------------------------------------------------------------------------------------


def _none(step: OnnxNodeLowering) -> Any:
    kinds = _types(step, step.node.outputs[0])
    return ListColumns(tuple([_none_of(step, dtype) for dtype in kinds]))


def _join(step: OnnxNodeLowering) -> Any:
    _types(step, step.node.outputs[0])
    return columns.concatenated(step, *step.inputs)


def _limit(step: OnnxNodeLowering) -> Any:
    length = step.index(1)
    return _kept(step, step.inputs[0], lambda items: step.op("Less", items, length))


def _put(step: OnnxNodeLowering) -> Any:
    target, _, *dys = step.inputs
    place, given = _place(step, target, 1), iter(dys)
    pairs = zip(_types(step, step.node.outputs[0]), step.attrs["present"])
    return ListColumns(
        tuple(
            [
                _of_item(step, place, next(given)) if is_present else _none_of(step, dtype)
                for dtype, is_present in pairs
            ]
        )
    )


def _of_item(step: OnnxNodeLowering, place: ModelTensor, dy: ModelTensor) -> GradientColumn:
    count = _count(step, dy)
    return GradientColumn(step.op("Expand", place, count), arange(step, count), _flat(step, dy))


def _pick(step: OnnxNodeLowering) -> Any:
    gradients, target, _, *likes = step.inputs
    place, given = _place(step, target, 2), iter(likes)
    found = _kept(step, gradients, lambda items: step.op("Equal", items, place))
    return [
        _summed(step, column, column.elements, next(given))
        for column, is_present in zip(found.columns, step.attrs["present"])
        if is_present
    ]


def _drop(step: OnnxNodeLowering) -> Any:
    gradients, target = step.inputs[:2]
    places = step.op("Reshape", _place(step, target, 2), step.ints(1, -1))

    def is_kept(items: ModelTensor) -> ModelTensor:
        same = step.op("Equal", step.op("Unsqueeze", items, step.ints(1)), places)
        found = step.op("ReduceSum", step.cast(same, int64), step.ints(1), keepdims=0)
        return step.op("Equal", found, step.number(0))

    return _kept(step, gradients, is_kept)


def _gather(step: OnnxNodeLowering) -> Any:
    return _gathered(step, step.inputs[0], step.index(1))


def _gathered(step: OnnxNodeLowering, gradients: ListColumns, places: ModelTensor) -> ListColumns:
    """Return the elements of items in the order of places, which may repeat."""

    def moved(column: GradientColumn) -> GradientColumn:
        rows = step.op("Unsqueeze", column.items, step.ints(1))
        pairs = step.op("NonZero", step.op("Equal", rows, places))
        which, item = (step.op("Gather", pairs, step.number(at), axis=0) for at in (0, 1))
        elements, values = (step.op("Gather", each, which, axis=0) for each in column[1:])
        return GradientColumn(item, elements, values)

    return ListColumns(tuple(map(moved, gradients.columns)))


def _scatter(step: OnnxNodeLowering) -> Any:
    """Return the elements of items at the places that these were read from."""
    gradients, places = step.inputs[0], step.index(1)
    size = step.size(places, 0)
    known = _kept(step, gradients, lambda items: step.op("Less", items, size))
    return ListColumns(
        tuple(
            [
                each._replace(items=step.op("Gather", places, each.items, axis=0))
                for each in known.columns
            ]
        )
    )


# -- items that an op moves ------------------------------------------------------------------------


def _moves(step: OnnxNodeLowering) -> Any:
    """Return the gradients of the lists, and of a new item, from whose items a list was made.

    The op itself, on lists of numbers in place of items, tells where each item comes from.
    """
    gradients, *inputs = step.inputs
    origins, starts, ends = _origins(step, inputs)
    size = step.size(origins, 0)
    found = _kept(step, gradients, lambda items: step.op("Less", items, size))
    found = ListColumns(
        tuple(
            [
                each._replace(items=step.op("Gather", origins, each.items, axis=0))
                for each in found.columns
            ]
        )
    )
    return [
        *(_between(step, found, *pair) for pair in zip(starts, ends)),
        *_new_item_gradients(step, found, inputs),
    ]


def _moves_back(step: OnnxNodeLowering) -> Any:
    """Return the gradients of the items of a list, which were made of others' and a new item."""
    count = len(step.attrs["lists"])
    inputs, dys = list(step.inputs[:count]), iter(step.inputs[count:])
    origins, starts, _ = _origins(step, inputs)
    kinds = _types(step, step.node.outputs[0])
    given = ListColumns(tuple([_none_of(step, dtype) for dtype in kinds]))
    for start, dy in zip(starts, dys):
        given = columns.concatenated(step, given, _after(step, dy, start))
    found = _gathered(step, given, origins)
    leaves = inputs[2:] if step.attrs["forward"] == "list_insert" else []
    if not leaves:
        return found
    place = step.op("ArgMax", step.cast(_is_new(step, origins), int64), axis=0, keepdims=0)
    new = [
        _of_item(step, place, next(dys)) if like.dtype.is_floating else _none_of(step, like.dtype)
        for like in leaves
    ]
    return columns.concatenated(step, found, ListColumns(tuple(new)))


def _origins(step: OnnxNodeLowering, inputs: list[Any]) -> tuple[ModelTensor, Any, Any]:
    """Return a number for the origin of each item, and the numbers of the lists' items.

    Returns:
        the origins, a vector; the first number of each list, and the one after its last.
    """
    are_lists = step.attrs["lists"]
    sources = [each for each, is_list in zip(inputs, are_lists) if is_list]
    lengths = [columns.length(step, each) for each in sources]
    ends = [lengths[0]]
    for each in lengths[1:]:
        ends.append(step.op("Add", ends[-1], each))
    starts = [step.ints(0), *ends[:-1]]
    marks = iter([_numbers(step, *pair) for pair in zip(starts, ends)])
    marked = [next(marks) if is_list else x for x, is_list in zip(inputs, are_lists)]
    return _moved(step, marked), starts, ends


def _after(step: OnnxNodeLowering, gradients: ListColumns, start: ModelTensor) -> ListColumns:
    """Return gradients whose items have numbers from a start on."""
    moved = [each._replace(items=step.op("Add", each.items, start)) for each in gradients.columns]
    return ListColumns(tuple(moved))


def _is_new(step: OnnxNodeLowering, origins: ModelTensor) -> ModelTensor:
    return step.op("Equal", origins, step.number(_NEW))


_NEW = -1


def _numbers(step: OnnxNodeLowering, start: ModelTensor, end: ModelTensor) -> ListColumns:
    bounds = (step.op("Squeeze", each, step.ints(0)) for each in (start, end))
    rows = step.op("Range", *bounds, step.number(1))
    return ListColumns((DenseColumn(rows, TensorShape.of(())),))


def _moved(step: OnnxNodeLowering, marked: list[Any]) -> ModelTensor:
    """Return the marks in the order of the list that the op makes."""
    name = step.attrs["forward"]
    forward = OnnxNodeLowering(step.graph, step.node, marked)
    forward.attrs = dict(step.attrs["settings"])
    if name == "list_insert":
        one = ListColumns((DenseColumn(step.ints(_NEW), TensorShape.of(())),))
        made = lists.inserted(forward, marked[0], marked[1], one)
    else:
        made = lists.RULES[name](forward)
    rows: ModelTensor = made.columns[0].rows
    return rows


def _between(
    step: OnnxNodeLowering, gradients: ListColumns, start: ModelTensor, end: ModelTensor
) -> ListColumns:
    """Return the gradients of one of the lists, whose marks are numbers between two bounds."""

    def is_inside(items: ModelTensor) -> ModelTensor:
        after = step.op("GreaterOrEqual", items, start)
        return step.op("And", after, step.op("Less", items, end))

    return ListColumns(
        tuple(
            [
                each._replace(items=step.op("Sub", each.items, start))
                for each in _kept(step, gradients, is_inside).columns
            ]
        )
    )


def _new_item_gradients(
    step: OnnxNodeLowering, gradients: ListColumns, inputs: list[Any]
) -> list[Any]:
    """Return the gradients of the tensors of a new item that have some."""
    if step.attrs["forward"] != "list_insert":
        return []
    found = _kept(step, gradients, lambda items: _is_new(step, items))
    return [
        _summed(step, column, column.elements, like)
        for column, like in zip(found.columns, inputs[2:], strict=True)
        if like.dtype.is_floating
    ]


# -- rows and parts of tensors ---------------------------------------------------------------------


def _row_size(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
    """Return the number of elements of each row, 1 if there are none."""
    return step.op("Max", step.op("ReduceProd", step.shape(x, 1), keepdims=1), step.ints(1))


def _alone(step: OnnxNodeLowering, column: GradientColumn) -> Any:
    """Return the gradients of a list whose other parts have none."""
    kinds, leaf = _types(step, step.node.outputs[0]), step.attrs["leaf"]
    return ListColumns(
        tuple([column if at == leaf else _none_of(step, kind) for at, kind in enumerate(kinds)])
    )


def _of_rows(step: OnnxNodeLowering) -> Any:
    rows = step.inputs[0]
    numbers, size = arange(step, _count(step, rows)), _row_size(step, rows)
    items, elements = step.op("Div", numbers, size), step.op("Mod", numbers, size)
    return _alone(step, GradientColumn(items, elements, _flat(step, rows)))


def _as_rows(step: OnnxNodeLowering) -> Any:
    gradients, like = step.inputs
    size = step.size(like, 0)
    known = _kept(step, gradients, lambda items: step.op("Less", items, size))
    column = known.columns[step.attrs["leaf"]]
    begins = step.op("Mul", column.items, _row_size(step, like))
    return _summed(step, column, step.op("Add", begins, column.elements), like)


def _begins(step: OnnxNodeLowering, lengths: ModelTensor, size: ModelTensor) -> ModelTensor:
    """Return the number of the first element of each part."""
    rows = step.op("CumSum", lengths, step.number(0), exclusive=1)
    return step.op("Mul", rows, size)


def _of_parts(step: OnnxNodeLowering) -> Any:
    whole, lengths = step.inputs[0], step.index(1)
    numbers, size = arange(step, _count(step, whole)), _row_size(step, whole)
    owners = repeated_places(step, lengths)
    items = step.op("Gather", owners, step.op("Div", numbers, size), axis=0)
    begins = step.op("Gather", _begins(step, lengths, size), items, axis=0)
    return _alone(step, GradientColumn(items, step.op("Sub", numbers, begins), _flat(step, whole)))


def _as_parts(step: OnnxNodeLowering) -> Any:
    gradients, like = step.inputs[:2]
    begins = _begins(step, step.index(2), _row_size(step, like))
    column = gradients.columns[step.attrs["leaf"]]
    begins = step.op("Gather", begins, column.items, axis=0)
    return _summed(step, column, step.op("Add", begins, column.elements), like)


def _lengths(step: OnnxNodeLowering) -> Any:
    column = step.inputs[0].columns[step.attrs["leaf"]]
    if isinstance(column, ShapedColumn):
        found = step.op("Gather", column.shapes, step.number(0), axis=1)
    elif isinstance(column, DenseColumn):
        found = full(step, column.shape[0], int64, step.size(column.rows, 0))
    else:
        raise step.unsupported("the items of its list are lists")
    return step.cast(found, step.dtype)


RULES: dict[str, Rule] = {
    "no_item_gradients": _none,
    "join_item_gradients": _join,
    "limit_item_gradients": _limit,
    "place_item_gradients": _put,
    "pick_item_gradients": _pick,
    "drop_item_gradients": _drop,
    "gather_item_gradients": _gather,
    "move_item_gradients": _moves,
    "move_item_gradients_back": _moves_back,
    "scatter_item_gradients": _scatter,
    "rows_as_item_gradients": _of_rows,
    "item_gradients_as_rows": _as_rows,
    "parts_as_item_gradients": _of_parts,
    "item_gradients_as_parts": _as_parts,
    "lengths_of_items": _lengths,
}
