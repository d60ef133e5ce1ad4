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
from runtime.export.tflite.mlir_function import (
    INT,
    SEVERAL_SHAPES,
    FunctionValue,
    MlirFunction,
    NodeMlirFunction,
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


def length(function: MlirFunction, target: FunctionValue) -> FunctionValue:
    """Add the number of items; return it."""
    return function.one("Sub", [_count(function, target), function.ints(1)], INT)


def taken(function: MlirFunction, target: FunctionValue, places: FunctionValue) -> FunctionValue:
    """Add a list of the items at the positions in a vector; return it."""
    return list_of(function, _at(function, target, places, any_length(target.spec)))


def list_of(function: MlirFunction, values: FunctionValue) -> FunctionValue:
    """Add a list of the rows of a tensor; return it."""
    own = item(values.spec)
    if own.shape.is_fully_defined():
        return _joined(function, _zero(function, own), values)
    rank = len(values.spec.shape.as_list())
    shape = function.one("Shape", [values], TensorSpec((rank,), "int32"))
    sizes = _cut(function, shape, 1, None, TensorSpec((rank - 1,), "int32"))
    first = _filled(function, _joined(function, function.ints([1]), sizes), own)
    return _joined(function, first, values)


def items(function: MlirFunction, target: FunctionValue) -> FunctionValue:
    """Add the tensor of all items; return it."""
    size = target.spec.shape.as_list()[0]
    left = TensorShape.of((None if size is None else size - 1,)) + target.spec.shape[1:]
    return _cut(function, target, 1, None, TensorSpec(left, target.spec.dtype))


def _at(
    function: MlirFunction, target: FunctionValue, places: FunctionValue, spec: TensorSpec
) -> FunctionValue:
    return _picked(function, target, _row(function, places), spec)


def _picked(
    function: MlirFunction, target: FunctionValue, numbers: FunctionValue, spec: TensorSpec
) -> FunctionValue:
    return function.one("GatherV2", [target, numbers, function.ints(0)], spec, batch_dims=0)


def _count(function: MlirFunction, target: FunctionValue) -> FunctionValue:
    rank = len(target.spec.shape.as_list())
    shape = function.one("Shape", [target], TensorSpec((rank,), "int32"))
    bounds = [function.ints([at]) for at in (0, 1, 1)]
    return function.one("StridedSlice", [shape, *bounds], INT, **{**_SLICED, "shrink_axis_mask": 1})


def _row(function: MlirFunction, places: FunctionValue) -> FunctionValue:
    """Add the numbers of rows of positions; a position below 0 has none."""
    is_below = function.one(
        "Less", [places, function.ints(0)], TensorSpec(places.spec.shape, "bool")
    )
    following = function.one("AddV2", [places, function.ints(1)], places.spec)
    return function.one("SelectV2", [is_below, function.ints(_NOWHERE), following], places.spec)


def _cut(
    function: MlirFunction,
    target: FunctionValue,
    start: int,
    stop: FunctionValue | None,
    spec: TensorSpec,
) -> FunctionValue:
    """Add the rows between two; return them."""
    end = (
        function.ints([0])
        if stop is None
        else function.one("Reshape", [stop, function.ints([1])], _ONE)
    )
    masks = {**_SLICED, "end_mask": int(stop is None)}
    given = [target, function.ints([start]), end, function.ints([1])]
    return function.one("StridedSlice", given, spec, **masks)


def _joined(function: MlirFunction, *parts: FunctionValue) -> FunctionValue:
    sizes = [each.spec.shape.as_list()[0] for each in parts]
    known = [size for size in sizes if size is not None]
    size = sum(known) if len(known) == len(sizes) else None
    own = item(parts[0].spec)
    spec = TensorSpec(TensorShape.of((size,)) + own.shape, own.dtype)
    return function.one("ConcatV2", [*parts, function.ints(0)], spec)


def _single(function: MlirFunction, value: FunctionValue, spec: TensorSpec) -> FunctionValue:
    row = TensorSpec(TensorShape.of((1,)) + spec.shape, spec.dtype)
    return function.one("ExpandDims", [value, function.ints(0)], row)


def _zero(function: MlirFunction, spec: TensorSpec) -> FunctionValue:
    """Add one row of zeros; return it."""
    sizes = [1, *(dim or 0 for dim in spec.shape.as_list())]
    return function.const(np.zeros(sizes, spec.dtype.np_dtype), spec.dtype)


def _zeros(function: MlirFunction, count: FunctionValue, spec: TensorSpec) -> FunctionValue:
    """Add as many rows of zeros as a number says; return them."""
    size = function.one("Reshape", [count, function.ints([1])], _ONE)
    dims = [dim or 0 for dim in spec.shape.as_list()]
    parts = [size, function.ints(dims), function.ints(0)]
    rank = TensorSpec((1 + len(dims),), "int32")
    shape = function.one("ConcatV2", parts, rank) if dims else size
    return _filled(function, shape, spec)


def _filled(function: MlirFunction, shape: FunctionValue, spec: TensorSpec) -> FunctionValue:
    zero = function.const(np.zeros((), spec.dtype.np_dtype), spec.dtype)
    return function.one("Fill", [shape, zero], rows(spec))


# -- rules -----------------------------------------------------------------------------------------


def _empty(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    if not facts.specs:
        return [NO_ITEMS]
    own = item(step.spec(facts, 0))
    if own.shape.is_fully_defined():
        return [_zero(step, own)]
    return [_filled(step, step.ints([1, *(dim or 1 for dim in own.shape.as_list())]), own)]


def _reserved(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
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
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
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


def _before(
    function: MlirFunction, target: FunctionValue, row: FunctionValue
) -> list[FunctionValue]:
    """Return the tensor of the items; it has the sizes of a row if there are no items.

    ConcatV2 fails for a row of other sizes than theirs.
    """
    if not target.name:
        return []
    rank = len(target.spec.shape.as_list())
    sizes, rest = TensorSpec((rank,), "int32"), TensorSpec((rank - 1,), "int32")
    shapes = [function.one("Shape", [each], sizes) for each in (target, row)]
    count = function.one("Reshape", [length(function, target), function.ints([1])], _ONE)
    held, new = (_cut(function, each, 1, None, rest) for each in shapes)
    is_empty = function.one("Equal", [count, function.ints([0])], TensorSpec((1,), "bool"))
    chosen = function.one("SelectV2", [is_empty, new, held], rest)
    shape = function.one("ConcatV2", [count, chosen, function.ints(0)], sizes)
    found = items(function, target)
    return [function.one("Reshape", [found, shape], found.spec)]


def _popped(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    target = given[0]
    last = length(step, target)
    rest = _cut(step, target, 0, last, any_length(target.spec))
    place = step.one("Sub", [last, step.ints(1)], INT)
    return [rest, _at(step, target, place, item(target.spec))]


def _got(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    return [_at(step, given[0], given[1], item(given[0].spec))]


def _set(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
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


def _resized(function: MlirFunction, target: FunctionValue, place: FunctionValue) -> FunctionValue:
    """Add a list with items of zeros up to a position; return it."""
    needed = function.one("AddV2", [place, function.ints(1)], INT)
    more = function.one("Sub", [needed, length(function, target)], INT)
    count = function.one("Maximum", [more, function.ints(0)], INT)
    return _joined(function, target, _zeros(function, count, item(target.spec)))


def _length(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    return [length(step, given[0])]


def _stacked(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    return [items(step, given[0])]


def _from_rows(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    if given[0].spec.shape.rank is None:
        raise step.unsupported(SEVERAL_SHAPES)
    return [list_of(step, given[0])]


def _together(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
) -> list[FunctionValue]:
    one, other = given
    if not (one.name and other.name):
        return [one if one.name else other]
    return [_joined(step, one, items(step, other))]


def _concatenated(
    step: NodeMlirFunction, facts: NodeFacts, given: Sequence[FunctionValue]
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
RULES: dict[
    str, Callable[[NodeMlirFunction, NodeFacts, Sequence[FunctionValue]], list[FunctionValue]]
] = {
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
