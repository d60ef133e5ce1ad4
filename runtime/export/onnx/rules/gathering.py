"""Gathers, scatters, masks and partitions at index tensors."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import bool_
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.creation import full
from runtime.export.onnx.rules.indexing import numbered, written
from runtime.export.onnx.rules.manipulation import LAST
from runtime.export.onnx.values import ModelTensor


def _gather(step: OnnxNodeLowering) -> Any:
    x, indices = step.inputs[0], step.index(1)
    axis, batch = step.attrs["axis"], step.attrs.get("batch_dims", 0)
    if not step.attrs.get("wrap"):
        step.note_negative(1)
    if not batch:
        return step.op("Gather", x, indices, axis=axis)
    if axis % step.rank() != batch:
        raise step.unsupported("it gathers along an axis behind those of the batch")
    return step.op("GatherND", x, step.op("Unsqueeze", indices, step.ints(-1)), batch_dims=batch)


def _gather_nd(step: OnnxNodeLowering) -> Any:
    batch = step.attrs.get("batch_dims", 0)
    if step.spec(1).shape.dims is None or step.spec(1).shape[-1] == 0:
        raise step.unsupported("its indices have no parts, or are of any rank")
    step.note_negative(1)
    return step.op("GatherND", step.inputs[0], step.index(1), batch_dims=batch)


def _boolean_mask(step: OnnxNodeLowering) -> Any:
    x, mask = step.inputs
    return masked(step, x, mask, step.attrs["axis"] % step.rank())


def masked(step: OnnxNodeLowering, x: ModelTensor, mask: ModelTensor, axis: int) -> ModelTensor:
    """Merge the axes under the mask, the second operand, and keep the places where it is true."""
    width = step.rank(1)
    if width > 1:
        shape = step.shape(x)
        before = step.op("Slice", shape, step.ints(0), step.ints(axis))
        after = step.op("Slice", shape, step.ints(axis + width), step.ints(LAST))
        size = step.op("Reshape", step.op("Size", mask), step.ints(1))
        x = step.op("Reshape", x, step.op("Concat", before, size, after, axis=0), allowzero=1)
        mask = step.op("Reshape", mask, step.ints(-1))
    return step.op("Compress", x, mask, axis=axis)


# -- scatter ---------------------------------------------------------------------------------------


def _scatter_nd(step: OnnxNodeLowering) -> Any:
    step.note_negative(0)
    zero: Any = "" if step.dtype.is_string else 0
    target = full(step, zero, step.dtype, step.dims(2, "shape"))
    reduction = {} if step.dtype.is_string or step.dtype is bool_ else {"reduction": "add"}
    return step.op("ScatterND", target, step.index(0), step.inputs[1], **reduction)


def _scatter_update(step: OnnxNodeLowering) -> Any:
    x, _, updates = step.inputs
    step.note_negative(1)
    return written(step, x, step.op("GatherND", numbered(step, x), step.index(1)), updates)


def _scattered(reduction: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        x, _, updates = step.inputs
        step.note_negative(1)
        return step.op("ScatterND", x, step.index(1), updates, reduction=reduction)

    return rule


def _dynamic_partition(step: OnnxNodeLowering) -> Any:
    step.note_negative(1, "rows of a negative number are dropped: here it is an error")
    data, partitions = step.inputs[0], step.op("Reshape", step.index(1), step.ints(-1))
    rest = step.shape(data, step.rank(1))
    data = step.op("Reshape", data, step.op("Concat", step.ints(-1), rest, axis=0))
    return [
        step.op("Compress", data, step.op("Equal", partitions, step.number(at)), axis=0)
        for at in range(step.attrs["num_partitions"])
    ]


RULES: dict[str, Rule] = {
    "gather": _gather,
    "gather_nd": _gather_nd,
    "boolean_mask": _boolean_mask,
    "scatter_nd": _scatter_nd,
    "tensor_scatter_nd_update": _scatter_update,
    "tensor_scatter_nd_add": _scattered("add"),
    "tensor_scatter_nd_max": _scattered("max"),
    "tensor_scatter_nd_min": _scattered("min"),
    "dynamic_partition": _dynamic_partition,
}
