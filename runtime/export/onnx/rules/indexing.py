"""Indexing: elements, slices, and their functional updates."""

from __future__ import annotations

from typing import Any, NamedTuple

from runtime.core.dtypes import int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.creation import arange, full
from runtime.export.onnx.rules.manipulation import LAST
from runtime.export.onnx.values import ModelTensor
from runtime.ops.arrays.index import ELLIPSIS, NEWAXIS, HashableSlice, Index, Input


class _Item(NamedTuple):
    """An item of an index, with the axis of the operand that it selects from."""

    axis: int
    item: Any


def _items(index: Index, rank: int) -> list[_Item]:
    """Return the items of an index with their axes; a new axis has the axis that follows it."""
    axis, found = 0, []
    for item in index.items:
        if item == ELLIPSIS:
            axis += rank - index.consumed()
            continue
        found.append(_Item(axis, item))
        axis += item != NEWAXIS
    return found


def bound(
    step: OnnxNodeLowering, part: Any, default: int, inputs: list[ModelTensor]
) -> ModelTensor:
    """Return a bound of a slice as a vector with one element."""
    if part is None:
        return step.ints(default)
    if isinstance(part, Input):
        return step.vector(inputs[part.position])
    return step.ints(max(min(part, LAST), -LAST))


def stride(step: OnnxNodeLowering, span: HashableSlice, inputs: list[ModelTensor]) -> int:
    """Return the step of a slice, which must be known."""
    if not isinstance(span.step, Input):
        return 1 if span.step is None else span.step
    known = step.builder.known(inputs[span.step.position])
    if known is None:
        raise step.unsupported("the step of the slice is found when it runs: give a number")
    return int(known)


def sliced(
    step: OnnxNodeLowering,
    x: ModelTensor,
    spans: list[tuple[int, HashableSlice]],
    inputs: list[ModelTensor],
) -> ModelTensor:
    """Return slices along axes."""
    spans = [(axis, span) for axis, span in spans if span != HashableSlice()]
    if not spans:
        return x
    starts, ends, steps = [], [], []
    for _, span in spans:
        by = stride(step, span, inputs)
        starts.append(bound(step, span.start, 0 if by > 0 else LAST, inputs))
        ends.append(bound(step, span.stop, LAST if by > 0 else -LAST, inputs))
        steps.append(by)
    axes = step.ints(*(axis for axis, _ in spans))
    return step.op("Slice", x, _joined(step, starts), _joined(step, ends), axes, step.ints(*steps))


def _joined(step: OnnxNodeLowering, parts: list[ModelTensor]) -> ModelTensor:
    return parts[0] if len(parts) == 1 else step.op("Concat", *parts, axis=0)


def _strided_slice(step: OnnxNodeLowering) -> Any:
    x, *inputs = step.inputs
    return picked(step, x, inputs, step.rank())


def _set_item(step: OnnxNodeLowering) -> Any:
    x, value, *inputs = step.inputs
    return placed(step, x, value, inputs)


def placed(
    step: OnnxNodeLowering, x: ModelTensor, value: ModelTensor, inputs: list[ModelTensor]
) -> ModelTensor:
    """Return a copy of `x`, the first operand of a node, with a value at the node's index."""
    own = step.node.inputs[2:]
    if any(tensor.dtype.is_bool for tensor in own):
        index = step.attrs["index"]
        rank, given = own[0].shape.rank, step.spec(1).shape.rank
        if index.items != (Input(0),) or rank is None:
            raise step.unsupported("its index has a mask beside other parts: write them apart")
        if given == 0:
            later = step.ints(*range(rank, step.rank()))
            mask = inputs[0] if rank == step.rank() else step.op("Unsqueeze", inputs[0], later)
            return step.where(mask, value, x)
        chosen = step.op("Transpose", step.op("NonZero", inputs[0]), perm=[1, 0])
        return written(step, x, step.op("GatherND", numbered(step, x), chosen), value)
    return written(step, x, elements(step, numbered(step, x), inputs, step.rank()), value)


def written(
    step: OnnxNodeLowering, x: ModelTensor, places: ModelTensor, value: ModelTensor
) -> ModelTensor:
    """Return a copy of a tensor with a value at the places with numbers, of which the last counts.

    ScatterND writes rows to one place in any order.
    """
    filled = step.op("Expand", value, step.shape(places))
    flat = (step.op("Reshape", each, step.ints(-1)) for each in (x, places, filled))
    made = step.op("ScatterElements", *flat, axis=0)
    return step.op("Reshape", made, step.shape(x), allowzero=1)


def elements(
    step: OnnxNodeLowering, x: ModelTensor, inputs: list[ModelTensor], rank: int
) -> ModelTensor:
    """Return the elements of a tensor at the index of a node, whose parts may be arrays."""
    own = step.node.inputs[len(step.node.inputs) - len(inputs) :]
    items = _items(step.attrs["index"], rank)
    parts = [each.item for each in items if not isinstance(each.item, HashableSlice)]
    arrays = [x for x in parts if isinstance(x, Input) and own[x.position].shape.rank != 0]
    if any(own[each.position].shape.rank is None for each in arrays):
        raise step.unsupported("an array of any rank is a part of its index")
    if not arrays or len(parts) == 1:
        return picked(step, x, inputs, rank)
    at = [place for place, each in enumerate(items) if each.item in parts]
    if len(arrays) == 1 and at[-1] - at[0] < len(at) and NEWAXIS not in parts:
        return picked(step, x, inputs, rank)  # Numbers beside the array only take axes away.
    if len(parts) < len(items) or NEWAXIS in parts or items[-1].axis >= len(parts):
        raise step.unsupported("its index has an array beside slices and numbers: write them apart")
    return step.op("GatherND", x, _together(step, [_number(step, x, inputs) for x in parts]))


def _number(step: OnnxNodeLowering, part: Any, inputs: list[ModelTensor]) -> ModelTensor:
    """Return a number of an index, or an array of numbers, in int64."""
    return step.cast(inputs[part.position], int64) if isinstance(part, Input) else step.number(part)


def _together(step: OnnxNodeLowering, parts: list[ModelTensor]) -> ModelTensor:
    """Return the parts of each place beside each other, after the parts have one shape."""
    total = parts[0]
    for each in parts[1:]:
        total = step.op("Add", total, each)
    shape = step.shape(total)
    rows = [step.op("Unsqueeze", step.op("Expand", x, shape), step.ints(-1)) for x in parts]
    return step.op("Concat", *rows, axis=-1)


def numbered(step: OnnxNodeLowering, x: ModelTensor) -> ModelTensor:
    """Return a tensor of the shape of another, whose elements are 0, 1, ..., of int64."""
    numbers = arange(step, step.op("Size", x))
    return step.op("Reshape", numbers, step.shape(x), allowzero=1)


def picked(
    step: OnnxNodeLowering, x: ModelTensor, inputs: list[ModelTensor], rank: int
) -> ModelTensor:
    """Return the elements of a tensor at the index of a node, whose parts are numbers."""
    items = _items(step.attrs["index"], rank)
    spans = [(axis, item) for axis, item in items if isinstance(item, HashableSlice)]
    x = sliced(step, x, spans, inputs)
    numbers = [each for each in items if isinstance(each.item, (int, Input))]
    for axis, item in reversed(numbers):
        x = step.op("Gather", x, _number(step, item, inputs), axis=axis)
    new = _new_axes(items, [axis for axis, _ in numbers])
    return step.op("Unsqueeze", x, step.ints(*new)) if new else x


def added_at(
    step: OnnxNodeLowering, like: ModelTensor, places: ModelTensor, dy: ModelTensor
) -> ModelTensor:
    """Return zeros of the shape of `like`, with gradients added at the numbers of its elements."""
    zeros = full(step, 0, dy.dtype, step.op("Reshape", step.op("Size", like), step.ints(1)))
    flat = (step.op("Reshape", each, step.ints(-1)) for each in (places, dy))
    total = step.op("ScatterElements", zeros, *flat, axis=0, reduction="add")
    return step.op("Reshape", total, step.shape(like), allowzero=1)


def _new_axes(items: list[_Item], gone: list[int]) -> list[int]:
    """Return the places of new axes, given the axes that numbers take away."""
    found: list[int] = []
    for axis, item in items:
        if item == NEWAXIS:
            found.append(axis - sum(each < axis for each in gone) + len(found))
    return found


def _slice(step: OnnxNodeLowering) -> Any:
    x, begin = step.inputs[0], step.index(1)
    step.note_negative(1)
    sizes = step.dims(2, "size")
    ends = step.op("Add", begin, sizes)
    ends = step.where(step.op("Less", sizes, step.number(0)), step.number(LAST), ends)
    return step.op("Slice", x, begin, ends)


RULES: dict[str, Rule] = {
    "strided_slice": _strided_slice,
    "set_item": _set_item,
    "slice": _slice,
}
