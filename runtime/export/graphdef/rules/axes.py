"""Axes, sizes and indices as nodes, for several families of ops."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int32, int64
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering


def last_axis(step: GraphDefNodeLowering, x: ValueRef) -> ValueRef:
    """Return the size of the last axis."""
    return size_of(step, x, -1)


def size_of(step: GraphDefNodeLowering, x: ValueRef, axis: int) -> ValueRef:
    """Return the size of one axis, a scalar of int32."""
    shape = step.add("Shape", x, out_type=int32)
    return element(step, shape, axis)


def element(step: GraphDefNodeLowering, vector: ValueRef, at: int) -> ValueRef:
    """Return one element of a vector."""
    begin, end = step.const([at], "stack"), step.const([at + 1], "stack_1")
    found: ValueRef = step.add("StridedSlice", vector, begin, end, step.const([1], "stack_2"),
                          **masks(shrink=1))  # fmt: skip
    return found


def masks(begin: int = 0, end: int = 0, ellipsis: int = 0, new: int = 0, shrink: int = 0) -> Any:
    """Return the bit-mask attributes that define the meaning of a slice's items."""
    return {
        "begin_mask": begin,
        "end_mask": end,
        "ellipsis_mask": ellipsis,
        "new_axis_mask": new,
        "shrink_axis_mask": shrink,
    }


def moved_last(step: GraphDefNodeLowering, x: ValueRef, axis: int, rank: int) -> ValueRef:
    """Return `x` with an axis and the last one exchanged; a second call undoes it."""
    at = axis % rank
    if at == rank - 1:
        return x
    order = np.arange(rank, dtype=np.int32)
    order[[at, -1]] = order[[-1, at]]
    moved: ValueRef = step.add("Transpose", x, step.const(order, "perm"))
    return moved


def as_index(step: GraphDefNodeLowering, x: ValueRef) -> ValueRef:
    """Return indices in a dtype that TensorFlow accepts for indices."""
    if x.kind in (int32, int64):
        return x
    cast: ValueRef = step.add("Cast", x, DstT=int32)
    return cast


def as_int32(step: GraphDefNodeLowering, x: ValueRef) -> ValueRef:
    """Return integers as int32."""
    if x.kind == int32:
        return x
    cast: ValueRef = step.add("Cast", x, DstT=int32)
    return cast


def counted_from_the_end(step: GraphDefNodeLowering, index: ValueRef, size: ValueRef) -> ValueRef:
    """Return indices with the size added to negative ones, which count from the end."""
    dtype: Any = index.kind
    if size.kind != dtype:
        size = step.add("Cast", size, DstT=dtype)
    is_negative = step.add("Less", index, step.const(0, "zero", dtype))
    found: ValueRef = step.add("SelectV2", is_negative, step.add("AddV2", index, size), index)
    return found


def dims(step: GraphDefNodeLowering, start: int, attribute: str, name: str) -> ValueRef:
    """Return sizes: an attribute if they are known, else the input at `start`."""
    if len(step.inputs) > start:
        return as_index(step, step.inputs[start])
    return step.const(np.array(step.attrs[attribute], np.int32), name)
