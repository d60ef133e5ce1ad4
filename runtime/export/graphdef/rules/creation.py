"""Lowering of ops that create tensors from a shape, a count or a range."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int8, int32, int64, uint8
from runtime.core.tensor import Array, SymbolicTensor
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_int32, dims, element


def _fill(step: GraphDefNodeLowering) -> Any:
    return step.last("Fill", dims(step, 1, "shape", "dims"), step.inputs[0])


def _like(op: str, value: int) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        x, wanted = step.inputs[0], step.attrs["dtype"]
        if wanted is step.spec(0).dtype and not wanted.is_string:
            return step.last(op, x)
        filler = step.const("" if wanted.is_string else value, "value", wanted)
        return step.last("Fill", step.add("Shape", x, out_type=int32), filler)

    return rule


def _range(step: GraphDefNodeLowering) -> Any:
    """Move a limit that lies before the start to it, since TensorFlow has no such range."""
    start, limit, delta = step.inputs
    if not _is_in_order(step):
        limit = _limit_after(step, start, limit, delta)
    return step.last("Range", start, limit, delta)


def _is_in_order(step: GraphDefNodeLowering) -> bool:
    """Return whether the limit is known to lie after the start, in the direction of the delta."""
    start, limit, delta = map(_constant, step.node.inputs)
    if start is None or delta is None:
        return False
    if limit is not None:
        return bool(start <= limit if delta > 0 else start >= limit)
    is_above = step.region.library.bounds.is_not_negative(step.node.inputs[1])
    return bool(delta > 0 and start <= 0 and is_above)


def _constant(tensor: SymbolicTensor) -> Array | None:
    node = tensor.node
    return node.attrs["value"].array if node.op.name == "constant" else None


def _limit_after(
    step: GraphDefNodeLowering, start: ValueRef, limit: ValueRef, delta: ValueRef
) -> ValueRef:
    known = _constant(step.node.inputs[2])
    if known is not None:
        found: ValueRef = step.add("Maximum" if known > 0 else "Minimum", start, limit)
        return found
    zero = step.const(0, "zero", step.dtype)
    above, below = step.add("Maximum", start, limit), step.add("Minimum", start, limit)
    found = step.add("SelectV2", step.add("Greater", delta, zero), above, below)
    return found


def _linspace(step: GraphDefNodeLowering) -> Any:
    if any(tensor.shape.rank != 0 for tensor in step.node.inputs):
        raise step.unsupported("TensorFlow spaces numbers between scalars")
    return step.last("LinSpace", *step.inputs, step.const(step.attrs["num"], "num"))


def _one_hot(step: GraphDefNodeLowering) -> Any:
    indices, on, off = step.inputs
    depth = step.const(step.attrs["depth"], "depth")
    return step.last("OneHot", _countable(step, indices), depth, on, off, axis=step.attrs["axis"])


def _countable(step: GraphDefNodeLowering, indices: ValueRef) -> ValueRef:
    if indices.kind in (uint8, int8, int32, int64):
        return indices
    return as_int32(step, indices)


def _eye(step: GraphDefNodeLowering) -> Any:
    wanted = step.attrs["dtype"]
    if not step.inputs:
        shape = step.attrs["shape"]
        matrix = np.broadcast_to(np.eye(*shape[-2:], dtype=wanted.np_dtype), shape)
        return step.last("Const", dtype=wanted, value=np.ascontiguousarray(matrix))
    sizes = as_int32(step, step.inputs[0])
    zero, one = step.const(0, "start"), step.const(1, "delta")
    rows = step.add("Range", zero, element(step, sizes, -2), one)
    columns = step.add("Range", zero, element(step, sizes, -1), one)
    upright = step.add("ExpandDims", rows, step.const(-1, "dim"))
    matrix = step.add("Cast", step.add("Equal", upright, columns), DstT=wanted)
    return step.last("BroadcastTo", matrix, sizes)


RULES: dict[str, Rule] = {
    "fill": _fill,
    "zeros_like": _like("ZerosLike", 0),
    "ones_like": _like("OnesLike", 1),
    "range": _range,
    "linspace": _linspace,
    "one_hot": _one_hot,
    "eye": _eye,
}
