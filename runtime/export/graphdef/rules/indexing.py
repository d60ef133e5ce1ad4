"""Lowering of indexing: elements, slices, and their functional updates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.core.dtypes import int32, int64
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import (
    as_index,
    as_int32,
    counted_from_the_end,
    dims,
    masks,
    size_of,
)
from runtime.ops.arrays.index import ELLIPSIS, HashableSlice, Index, Input


@dataclass
class _Bounds:
    """An index in TensorFlow's form: three vectors, and masks that define their items' meaning."""

    begin: list[Any] = field(default_factory=list)
    end: list[Any] = field(default_factory=list)
    strides: list[Any] = field(default_factory=list)
    masks: dict[str, int] = field(default_factory=masks)

    def put(self, begin: Any, end: Any, stride: Any, *marks: str) -> None:
        """Add an item; `marks` are the masks it is in."""
        for mark in marks:
            self.masks[mark] |= 1 << len(self.begin)
        self.begin.append(begin)
        self.end.append(end)
        self.strides.append(stride)


def _bounds(step: GraphDefNodeLowering, index: Index, inputs: list[ValueRef]) -> _Bounds:
    bounds = _Bounds()
    for item in index.items:
        if isinstance(item, HashableSlice):
            _put_span(bounds, item, inputs)
        elif isinstance(item, Input):
            place = inputs[item.position]
            after = step.add("AddV2", place, step.const(1, "one"))
            bounds.put(place, after, 1, "shrink_axis_mask")
        elif isinstance(item, int):
            bounds.put(item, item + 1, 1, "shrink_axis_mask")
        else:
            bounds.put(0, 0, 1, "ellipsis_mask" if item is ELLIPSIS else "new_axis_mask")
    return bounds


def _put_span(bounds: _Bounds, span: HashableSlice, inputs: list[ValueRef]) -> None:
    begin, end, stride = (
        inputs[part.position] if isinstance(part, Input) else part
        for part in (span.start, span.stop, span.step)
    )
    sides = (("begin_mask", begin), ("end_mask", end))
    marks = [mark for mark, part in sides if part is None]
    first, last = (0 if part is None else part for part in (begin, end))
    bounds.put(first, last, 1 if stride is None else stride, *marks)


def _vector(step: GraphDefNodeLowering, parts: Iterable[Any], name: str) -> ValueRef:
    parts = list(parts)
    if not any(isinstance(part, ValueRef) for part in parts):
        return step.const(np.array(parts, np.int32), name)
    scalars = [part if isinstance(part, ValueRef) else step.const(part, "part") for part in parts]
    packed: ValueRef = step.add("Pack", scalars, axis=0)
    return packed


def three(
    step: GraphDefNodeLowering, inputs: list[ValueRef]
) -> tuple[list[ValueRef], dict[str, int]]:
    """Return begins, ends and strides of the index of a node, and the masks."""
    scalars = [as_int32(step, each) for each in inputs]
    bounds = _bounds(step, step.attrs["index"], scalars)
    vectors = zip((bounds.begin, bounds.end, bounds.strides), ("stack", "stack_1", "stack_2"))
    return [_vector(step, parts, name) for parts, name in vectors], bounds.masks


def read(step: GraphDefNodeLowering) -> Any:
    """Lower a node that reads the index of its attributes from its first operand."""
    x, *inputs = step.inputs
    vectors, marks = three(step, inputs)
    return step.last("StridedSlice", x, *vectors, **marks)


def _set_item(step: GraphDefNodeLowering) -> Any:
    """Write into a copy; the value is broadcast to the shape of the item first."""
    x, value, *inputs = step.inputs
    if any(tensor.shape.rank != 0 for tensor in step.node.inputs[2:]):
        return _set_by_array(step)
    vectors, marks = three(step, inputs)
    if marks["new_axis_mask"]:
        raise step.unsupported("TensorFlow writes to no new axis")
    place = step.add("StridedSlice", x, *vectors, **marks)
    filled = step.add("BroadcastTo", value, step.add("Shape", place, out_type=int32))
    return step.last("TensorStridedSliceUpdate", x, *vectors, filled, **marks)


def _set_by_array(step: GraphDefNodeLowering) -> Any:
    x, value, *inputs = step.inputs
    items = step.attrs["index"].items
    if len(items) > 1 or step.spec(2).shape.rank is None:
        raise step.unsupported("TensorFlow writes to places that one array gives")
    if step.spec(2).dtype.is_bool:
        return _set_under_mask(step, x, value, inputs[0])
    index = counted_from_the_end(step, as_index(step, inputs[0]), size_of(step, x, 0))
    rows = step.add("GatherV2", x, index, step.const(0, "axis"), batch_dims=0)
    filled = step.add("BroadcastTo", value, step.add("Shape", rows, out_type=int32))
    column = step.add("ExpandDims", index, step.const(-1, "dim"))
    return step.last("TensorScatterUpdate", x, column, filled)


def _set_under_mask(
    step: GraphDefNodeLowering, x: ValueRef, value: ValueRef, mask: ValueRef
) -> Any:
    """Write a number, or an array to the places where a mask is true, which are different ones."""
    if step.spec(1).shape.rank != 0:
        places = step.add("Where", mask)
        sizes = step.add("Shape", step.add("GatherNd", x, places), out_type=int32)
        filled = step.add("BroadcastTo", value, sizes)
        shape = step.add("Shape", x, out_type=int64)
        value = step.add("ScatterNd", places, filled, shape)
    for _ in range((step.spec(0).shape.rank or 0) - (step.spec(2).shape.rank or 0)):
        mask = step.add("ExpandDims", mask, step.const(-1, "dim"))
    return step.last("SelectV2", mask, value, x)


def _slice(step: GraphDefNodeLowering) -> Any:
    x, begin = step.inputs[:2]
    sizes, begin = dims(step, 2, "size", "size"), as_index(step, begin)
    if sizes.kind != begin.kind:
        kind: Any = begin.kind
        sizes = step.add("Cast", sizes, DstT=kind)
    return step.last("Slice", x, begin, sizes)


RULES: dict[str, Rule] = {
    "strided_slice": read,
    "set_item": _set_item,
    "slice": _slice,
}
