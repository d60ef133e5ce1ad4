"""Lists as tensors: LiteRT has no lists.

    TensorListPushBack(list, item)    ->    ConcatV2(list, ExpandDims(item, 0), 0)

The rows are a row of zeros and the items: a loop of LiteRT cannot have a variable without elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runtime.core.dtypes import int64
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.export.graphdef.function_body import NodeFacts
from runtime.export.tflite.lines import (
    INT,
    SEVERAL_SHAPES,
    FunctionValue,
    Lines,
    NodeLines,
    any_length,
    item,
    rows,
)

NO_ITEMS = FunctionValue("", TensorSpec(None))
"""A list without items, of which nothing else is known."""

_ONE = TensorSpec((1,), "int32")
_NOWHERE = 2**30
_SLICED = dict.fromkeys(
    ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0
)


def length(lines: Lines, target: FunctionValue) -> FunctionValue:
    """Add the number of items; return it."""
    return lines.one("Sub", [_count(lines, target), lines.ints(1)], INT)


def taken(lines: Lines, target: FunctionValue, places: FunctionValue) -> FunctionValue:
    """Add a list of the items at the positions in a vector; return it."""
    return list_of(lines, _at(lines, target, places, any_length(target.spec)))


def list_of(lines: Lines, values: FunctionValue) -> FunctionValue:
    """Add a list of the rows of a tensor; return it."""
    own = item(values.spec)
    if own.shape.is_fully_defined():
        return _joined(lines, _zero(lines, own), values)
    rank = len(values.spec.shape.as_list())
    shape = lines.one("Shape", [values], TensorSpec((rank,), "int32"))
    sizes = _cut(lines, shape, 1, None, TensorSpec((rank - 1,), "int32"))
    first = _filled(lines, _joined(lines, lines.ints([1]), sizes), own)
    return _joined(lines, first, values)


def items(lines: Lines, target: FunctionValue) -> FunctionValue:
    """Add the tensor of all items; return it."""
    size = target.spec.shape.as_list()[0]
    left = TensorShape.of((None if size is None else size - 1,)) + target.spec.shape[1:]
    return _cut(lines, target, 1, None, TensorSpec(left, target.spec.dtype))


def _at(
    lines: Lines, target: FunctionValue, places: FunctionValue, spec: TensorSpec
) -> FunctionValue:
    return _picked(lines, target, _row(lines, places), spec)


def _picked(
    lines: Lines, target: FunctionValue, numbers: FunctionValue, spec: TensorSpec
) -> FunctionValue:
    return lines.one("GatherV2", [target, numbers, lines.ints(0)], spec, batch_dims=0)


def _count(lines: Lines, target: FunctionValue) -> FunctionValue:
    rank = len(target.spec.shape.as_list())
    shape = lines.one("Shape", [target], TensorSpec((rank,), "int32"))
    bounds = [lines.ints([at]) for at in (0, 1, 1)]
    return lines.one("StridedSlice", [shape, *bounds], INT, **{**_SLICED, "shrink_axis_mask": 1})


def _row(lines: Lines, places: FunctionValue) -> FunctionValue:
    """Add the numbers of rows of positions; a position below 0 has none."""
    is_below = lines.one("Less", [places, lines.ints(0)], TensorSpec(places.spec.shape, "bool"))
    following = lines.one("AddV2", [places, lines.ints(1)], places.spec)
    return lines.one("SelectV2", [is_below, lines.ints(_NOWHERE), following], places.spec)


def _cut(
    lines: Lines, target: FunctionValue, start: int, stop: FunctionValue | None, spec: TensorSpec
) -> FunctionValue:
    """Add the rows between two; return them."""
    end = lines.ints([0]) if stop is None else lines.one("Reshape", [stop, lines.ints([1])], _ONE)
    masks = {**_SLICED, "end_mask": int(stop is None)}
    given = [target, lines.ints([start]), end, lines.ints([1])]
    return lines.one("StridedSlice", given, spec, **masks)


def _joined(lines: Lines, *parts: FunctionValue) -> FunctionValue:
    sizes = [each.spec.shape.as_list()[0] for each in parts]
    known = [size for size in sizes if size is not None]
    size = sum(known) if len(known) == len(sizes) else None
    own = item(parts[0].spec)
    spec = TensorSpec(TensorShape.of((size,)) + own.shape, own.dtype)
    return lines.one("ConcatV2", [*parts, lines.ints(0)], spec)


def _single(lines: Lines, value: FunctionValue, spec: TensorSpec) -> FunctionValue:
    row = TensorSpec(TensorShape.of((1,)) + spec.shape, spec.dtype)
    return lines.one("ExpandDims", [value, lines.ints(0)], row)


def _zero(lines: Lines, spec: TensorSpec) -> FunctionValue:
    """Add one row of zeros; return it."""
    sizes = [1, *(dim or 0 for dim in spec.shape.as_list())]
    return lines.const(np.zeros(sizes, spec.dtype.np_dtype), spec.dtype)


def _zeros(lines: Lines, count: FunctionValue, spec: TensorSpec) -> FunctionValue:
    """Add as many rows of zeros as a number says; return them."""
    size = lines.one("Reshape", [count, lines.ints([1])], _ONE)
    dims = [dim or 0 for dim in spec.shape.as_list()]
    parts = [size, lines.ints(dims), lines.ints(0)]
    rank = TensorSpec((1 + len(dims),), "int32")
    shape = lines.one("ConcatV2", parts, rank) if dims else size
    return _filled(lines, shape, spec)


def _filled(lines: Lines, shape: FunctionValue, spec: TensorSpec) -> FunctionValue:
    zero = lines.const(np.zeros((), spec.dtype.np_dtype), spec.dtype)
    return lines.one("Fill", [shape, zero], rows(spec))


# -- rules -----------------------------------------------------------------------------------------


def _empty(
    step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    if not facts.specs:
        return [NO_ITEMS]
    own = item(step.spec(facts, 0))
    if own.shape.is_fully_defined():
        return [_zero(step, own)]
    return [_filled(step, step.ints([1, *(dim or 1 for dim in own.shape.as_list())]), own)]


def _reserved(
    step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    own, known = item(step.spec(facts, 0)), step.constants.get(given[1].name)
    if not own.shape.is_fully_defined():
        raise step.unsupported(SEVERAL_SHAPES)
    if known is not None:
        sizes = [1 + int(known), *(dim or 0 for dim in own.shape.as_list())]
        return [step.const(np.zeros(sizes, own.dtype.np_dtype), own.dtype)]
    count = step.one("AddV2", [given[1], step.ints(1)], INT)
    return [_zeros(step, count, own)]


def _pushed(
    step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    target, value = given
    own = item(target.spec) if target.name else value.spec
    if own.shape.rank is None:
        raise step.unsupported(SEVERAL_SHAPES)
    row = _single(step, value, own)
    if own.shape.is_fully_defined():
        return [_joined(step, target if target.name else _zero(step, own), row)]
    zero = step.one("ZerosLike", [row], row.spec)
    return [_joined(step, zero, *_before(step, target, row), row)]


def _before(lines: Lines, target: FunctionValue, row: FunctionValue) -> list[FunctionValue]:
    """Return the tensor of the items; it has the sizes of a row if there are no items.

    ConcatV2 fails for a row of other sizes than theirs.
    """
    if not target.name:
        return []
    rank = len(target.spec.shape.as_list())
    sizes, rest = TensorSpec((rank,), "int32"), TensorSpec((rank - 1,), "int32")
    shapes = [lines.one("Shape", [each], sizes) for each in (target, row)]
    count = lines.one("Reshape", [length(lines, target), lines.ints([1])], _ONE)
    held, new = (_cut(lines, each, 1, None, rest) for each in shapes)
    is_empty = lines.one("Equal", [count, lines.ints([0])], TensorSpec((1,), "bool"))
    chosen = lines.one("SelectV2", [is_empty, new, held], rest)
    shape = lines.one("ConcatV2", [count, chosen, lines.ints(0)], sizes)
    found = items(lines, target)
    return [lines.one("Reshape", [found, shape], found.spec)]


def _popped(
    step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    target = given[0]
    last = length(step, target)
    rest = _cut(step, target, 0, last, any_length(target.spec))
    place = step.one("Sub", [last, step.ints(1)], INT)
    return [rest, _at(step, target, place, item(target.spec))]


def _got(step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]) -> list[FunctionValue]:
    return [_at(step, given[0], given[1], item(given[0].spec))]


def _set(step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]) -> list[FunctionValue]:
    target, place, value = given
    if facts.attrs["resize_if_index_out_of_bounds"]:
        target = _resized(step, target, place)
    at = step.one("Reshape", [_row(step, place), step.ints([1, 1])], TensorSpec((1, 1), "int32"))
    count = step.one("Reshape", [_count(step, target), step.ints([1])], _ONE)
    rows_of = target.spec.shape[:1]
    # A row outside of the list is an error of this op.
    marks = step.one("ScatterNd", [at, step.ints([1]), count], TensorSpec(rows_of, "int32"))
    there = step.one("Equal", [marks, step.ints(1)], TensorSpec(rows_of, "bool"))
    ones = [1] * len(item(target.spec).shape.as_list())
    shape = TensorSpec(rows_of + TensorShape.of(tuple(ones)), "bool")
    column = step.one("Reshape", [there, step.ints([-1, *ones])], shape)
    row = _single(step, value, item(target.spec))
    if not row.spec.shape.is_fully_defined():
        # SelectV2 would repeat an item of size 1; ConcatV2 fails for items of other sizes.
        two = _joined(step, row, _picked(step, target, step.ints([0]), row.spec))
        row = _picked(step, two, step.ints([0]), row.spec)
    return [step.one("SelectV2", [column, row, target], target.spec)]


def _resized(lines: Lines, target: FunctionValue, place: FunctionValue) -> FunctionValue:
    """Add a list with items of zeros up to a position; return it."""
    needed = lines.one("AddV2", [place, lines.ints(1)], INT)
    more = lines.one("Sub", [needed, length(lines, target)], INT)
    count = lines.one("Maximum", [more, lines.ints(0)], INT)
    return _joined(lines, target, _zeros(lines, count, item(target.spec)))


def _length(
    step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    return [length(step, given[0])]


def _stacked(
    step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    return [items(step, given[0])]


def _from_rows(
    step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    if given[0].spec.shape.rank is None:
        raise step.unsupported(SEVERAL_SHAPES)
    return [list_of(step, given[0])]


def _together(
    step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    one, other = given
    if not (one.name and other.name):
        return [one if one.name else other]
    return [_joined(step, one, items(step, other))]


def _concatenated(
    step: NodeLines, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    """Join the rows of the items, which all have the same number of them."""
    target = given[0]
    first, *rest = item(target.spec).shape.as_list()
    flat = TensorSpec((None, *rest), target.spec.dtype)
    if None in (first, *rest):
        raise step.unsupported(SEVERAL_SHAPES)
    shape = step.ints([-1, *(dim or 0 for dim in rest)])
    made = step.one("Reshape", [items(step, target), shape], flat)
    count = step.one("Reshape", [length(step, target), step.ints([1])], _ONE)
    each = step.const(np.array(first, np.int64), int64)
    return [made, step.one("Fill", [count, each], TensorSpec((None,), int64))]


UNKNOWN_SHAPE = "nothing tells the shape of the items of a list"
JOINING = frozenset(("TensorListPushBack", "TensorListConcatLists"))
"""Ops that take a list of which nothing is known."""
RULES: dict[str, Callable[[NodeLines, NodeFacts, Sequence[FunctionValue]], list[FunctionValue]]] = {
    "EmptyTensorList": _empty,
    "TensorListReserve": _reserved,
    "TensorListPushBack": _pushed,
    "TensorListPopBack": _popped,
    "TensorListGetItem": _got,
    "TensorListSetItem": _set,
    "TensorListLength": _length,
    "TensorListStack": _stacked,
    "TensorListFromTensor": _from_rows,
    "TensorListConcatLists": _together,
    "TensorListConcatV2": _concatenated,
}
