"""Lowering of convolutions along one to three spatial axes, and of their gradients."""

from __future__ import annotations

from typing import Any

from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.windows import (
    all_axes,
    as_image,
    check_rank,
    height_axis,
    last_node,
    planar_sliding,
    requested_shape,
    window_attrs,
    with_height,
)
from runtime.ops.neural.windows import Sliding


def _filtered(step: GraphDefNodeLowering) -> dict[str, Any]:
    how = planar_sliding(step)
    return {**window_attrs(step), "dilations": all_axes(how.dilations, how)}


def _check_dilations(step: GraphDefNodeLowering) -> None:
    if set(step.attrs["sliding"].dilations) != {1}:
        raise step.unsupported("TensorFlow's CPU has no gradients of dilated convolutions")


def _check_groups(step: GraphDefNodeLowering, images: Any, filters: Any) -> None:
    """Refuse volumes with more channels than the filters have."""
    how: Sliding = step.attrs["sliding"]
    if how.rank == 3 and None not in (images, filters):
        channels = images[1 if how.channels_first else -1]
        if channels != filters[-2]:
            raise step.unsupported("TensorFlow has no groups of channels for volumes")
    if how.rank == 3 and not step.dtype.is_floating:
        raise step.unsupported("TensorFlow's convolutions of volumes take only floats")


def _filter(step: GraphDefNodeLowering, filters: ValueRef) -> ValueRef:
    """Return filters for sequences as filters for images of height 1."""
    return with_height(step, filters, 0)


def _convolution(step: GraphDefNodeLowering) -> Any:
    attrs = _filtered(step)
    check_rank(step)
    _check_groups(step, step.spec(0).shape.dims, step.spec(1).shape.dims)
    x, filters = step.inputs
    return last_node(
        step, "Conv2D", height_axis(step), as_image(step, x), _filter(step, filters), **attrs
    )


def _to_input(step: GraphDefNodeLowering) -> Any:
    attrs = _filtered(step)
    check_rank(step, 1)
    _check_dilations(step)
    _check_groups(step, step.attrs["shape"], step.spec(0).shape.dims)
    filters, dy = step.inputs[:2]
    axis = height_axis(step)
    sizes = requested_shape(step, 2, axis)
    given = sizes, _filter(step, filters), as_image(step, dy)
    return last_node(step, "Conv2DBackpropInput", axis, *given, **attrs)


def _to_filter(step: GraphDefNodeLowering) -> Any:
    attrs = _filtered(step)
    check_rank(step)
    _check_dilations(step)
    _check_groups(step, step.spec(0).shape.dims, step.attrs["shape"])
    x, dy = step.inputs[:2]
    given = as_image(step, x), requested_shape(step, 2, 0), as_image(step, dy)
    return last_node(step, "Conv2DBackpropFilter", 0, *given, **attrs)


RULES: dict[str, Rule] = {
    "convolution": _convolution,
    "convolution_to_input": _to_input,
    "convolution_to_filter": _to_filter,
}
