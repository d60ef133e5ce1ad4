"""Lowering of scattering, partitioning and stitching at index tensors."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import (
    as_index,
    counted_from_the_end,
    dims,
    masks,
    size_of,
)


def _gather(step: GraphDefNodeLowering) -> Any:
    x, indices = step.inputs
    axis = step.attrs["axis"]
    indices = as_index(step, indices)
    if step.attrs.get("wrap", False):
        indices = counted_from_the_end(step, indices, size_of(step, x, axis))
    batch = step.attrs.get("batch_dims", 0)
    return step.last("GatherV2", x, indices, step.const(axis, "axis"), batch_dims=batch)


def _gather_nd(step: GraphDefNodeLowering) -> Any:
    if step.attrs.get("batch_dims", 0):
        raise step.unsupported("TensorFlow's node has no batch_dims")
    x, indices = step.inputs
    return step.last("GatherNd", x, as_index(step, indices))


def _merged(step: GraphDefNodeLowering, x: ValueRef, axis: int, width: int) -> ValueRef:
    """Return the shape of an operand with some of its axes merged into one."""
    dims: Any = step.node.inputs[0].shape.dims
    kept = [*dims[:axis], -1, *dims[axis + width :]]
    if None not in kept:
        return step.const(kept, "shape")
    shape = step.add("Shape", x, out_type=int32)
    order = [step.const([-1], "joined")]
    for place, (first, last) in ((0, (0, axis)), (2, (axis + width, len(dims)))):
        bounds = [step.const([at], "part") for at in (first, last, 1)]
        order.insert(place, step.add("StridedSlice", shape, *bounds, **masks()))
    found: ValueRef = step.add("ConcatV2", order, step.const(0, "concat_dim"))
    return found


def _boolean_mask(step: GraphDefNodeLowering) -> Any:
    """Merge the axes under the mask into one, and gather the indices where it is true."""
    x, mask = step.inputs
    rank, width = step.rank(), step.rank(1)
    axis = step.attrs["axis"] % rank
    if width > 1:
        x = step.add("Reshape", x, _merged(step, x, axis, width))
        mask = step.add("Reshape", mask, step.const([-1], "flat"))
    places = step.add("Squeeze", step.add("Where", mask), squeeze_dims=[1])
    return step.last("GatherV2", x, places, step.const(axis, "axis"), batch_dims=0)


def _partition(step: GraphDefNodeLowering) -> Any:
    count = step.attrs["num_partitions"]
    found = step.last("DynamicPartition", *step.inputs, num_partitions=count)
    return list(found) if count > 1 else [found]


def _stitch(step: GraphDefNodeLowering) -> Any:
    half = len(step.inputs) // 2
    return step.last("DynamicStitch", list(step.inputs[:half]), list(step.inputs[half:]))


def _scatter_nd(step: GraphDefNodeLowering) -> Any:
    indices, updates = step.inputs[:2]
    shape = dims(step, 2, "shape", "shape")
    indices = as_index(step, indices)
    if shape.kind != indices.kind:
        kind: Any = indices.kind
        shape = step.add("Cast", shape, DstT=kind)
    return step.last("ScatterNd", indices, updates, shape)


def _scattered(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        x, indices, updates = step.inputs
        return step.last(op, x, as_index(step, indices), updates)

    return rule


RULES: dict[str, Rule] = {
    "dynamic_partition": _partition,
    "dynamic_stitch": _stitch,
    "scatter_nd": _scatter_nd,
    "tensor_scatter_nd_update": _scattered("TensorScatterUpdate"),
    "tensor_scatter_nd_add": _scattered("TensorScatterAdd"),
    "tensor_scatter_nd_max": _scattered("TensorScatterMax"),
    "tensor_scatter_nd_min": _scattered("TensorScatterMin"),
    "gather": _gather,
    "gather_nd": _gather_nd,
    "boolean_mask": _boolean_mask,
}
