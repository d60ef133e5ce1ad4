"""Windows over images as attributes of nodes, for convolutions and pools.

TensorFlow has nodes for two and three axes. A sequence is an image of height 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering
from runtime.ops.neural.windows import FORMATS, Sliding

# The nodes for three axes, by those for two.
OF_VOLUMES = {
    "Conv2D": "Conv3D",
    "Conv2DBackpropInput": "Conv3DBackpropInputV2",
    "Conv2DBackpropFilter": "Conv3DBackpropFilterV2",
    "MaxPool": "MaxPool3D",
    "AvgPool": "AvgPool3D",
    "AvgPoolGrad": "AvgPool3DGrad",
}


def planar_sliding(step: GraphDefNodeLowering) -> Sliding:
    """Return the sliding over images or volumes; over images of height 1 for sequences."""
    how: Sliding = step.attrs["sliding"]
    if how.rank != 1:
        return how
    padding = how.padding if isinstance(how.padding, str) else ((0, 0), *how.padding)
    return Sliding((1, *how.strides), padding, (1, *how.dilations), how.channels_first)


def all_axes(values: Any, how: Sliding) -> list[int]:
    """Return numbers of the spatial axes, with 1 for batch and channels."""
    return [1, 1, *values] if how.channels_first else [1, *values, 1]


def window_attrs(step: GraphDefNodeLowering) -> dict[str, Any]:
    how = planar_sliding(step)
    attrs: dict[str, Any] = {
        "strides": all_axes(how.strides, how),
        "padding": how.padding if isinstance(how.padding, str) else "EXPLICIT",
        "data_format": FORMATS[how.rank][how.channels_first],
    }
    if not isinstance(how.padding, str):
        if how.rank == 3:
            raise step.unsupported("TensorFlow's volumes have no padding of given sizes")
        lead = 4 if how.channels_first else 2
        pads = [n for pair in how.padding for n in pair]
        attrs["explicit_paddings"] = [0] * lead + pads + [0] * (4 - lead)
    return attrs


def check_rank(step: GraphDefNodeLowering, position: int = 0) -> None:
    if step.rank(position) != step.attrs["sliding"].rank + 2:
        raise step.unsupported("images with more than one axis before the spatial ones")


def height_axis(step: GraphDefNodeLowering) -> int:
    """Return the axis that an image has and a sequence lacks."""
    return 2 if step.attrs["sliding"].channels_first else 1


def as_image(step: GraphDefNodeLowering, x: ValueRef) -> ValueRef:
    """Return a sequence as an image of height 1; images and volumes as they are."""
    return with_height(step, x, height_axis(step))


def with_height(step: GraphDefNodeLowering, x: ValueRef, axis: int) -> ValueRef:
    if step.attrs["sliding"].rank != 1:
        return x
    found: ValueRef = step.add("ExpandDims", x, step.const(axis, "dim"))
    return found


def last_node(step: GraphDefNodeLowering, op: str, axis: int, *inputs: Any, **attrs: Any) -> Any:
    """Add a node for images or volumes; for a sequence without the axis that was added."""
    rank = step.attrs["sliding"].rank
    if rank == 1:
        return step.last("Squeeze", step.add(op, *inputs, **attrs), squeeze_dims=[axis])
    return step.last(op if rank == 2 else OF_VOLUMES[op], *inputs, **attrs)


def requested_shape(step: GraphDefNodeLowering, position: int, axis: int) -> ValueRef:
    """Return the requested shape: the operand that holds it, or a constant.

    For a sequence it is that of an image of height 1: `axis` is the axis of the height.
    """
    is_sequence = step.attrs["sliding"].rank == 1
    if len(step.inputs) > position:
        given: ValueRef = step.inputs[position]
        if is_sequence:
            parts = list(step.add("Unpack", given, num=3, axis=0))
            parts.insert(axis, step.const(1, "height"))
            given = step.add("Pack", parts, axis=0)
        return given
    sizes = list(step.attrs["shape"])
    if is_sequence:
        sizes.insert(axis, 1)
    return step.const(np.array(sizes, np.int32), "sizes")
