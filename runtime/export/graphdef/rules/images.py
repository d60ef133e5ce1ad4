"""Lowering of convolutions and pools with one to three spatial axes, and of `in_top_k`.

TensorFlow has nodes for two and three axes. A sequence is an image of height 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import float64
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.ops.neural.windows import FORMATS, Sliding

# The nodes for three axes, by those for two.
_OF_VOLUMES = {
    "Conv2D": "Conv3D",
    "Conv2DBackpropInput": "Conv3DBackpropInputV2",
    "Conv2DBackpropFilter": "Conv3DBackpropFilterV2",
    "MaxPool": "MaxPool3D",
    "AvgPool": "AvgPool3D",
    "AvgPoolGrad": "AvgPool3DGrad",
}


def _sliding(step: GraphDefNodeLowering) -> Sliding:
    """Return the sliding over images or volumes; over images of height 1 for sequences."""
    how: Sliding = step.attrs["sliding"]
    if how.rank != 1:
        return how
    padding = how.padding if isinstance(how.padding, str) else ((0, 0), *how.padding)
    return Sliding((1, *how.strides), padding, (1, *how.dilations), how.channels_first)


def _numbers(values: Any, how: Sliding) -> list[int]:
    """Return numbers of the spatial axes, with 1 for batch and channels."""
    return [1, 1, *values] if how.channels_first else [1, *values, 1]


def _attrs(step: GraphDefNodeLowering) -> dict[str, Any]:
    how = _sliding(step)
    attrs: dict[str, Any] = {
        "strides": _numbers(how.strides, how),
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


def _filtered(step: GraphDefNodeLowering) -> dict[str, Any]:
    how = _sliding(step)
    return {**_attrs(step), "dilations": _numbers(how.dilations, how)}


def _pooled(step: GraphDefNodeLowering) -> dict[str, Any]:
    how = _sliding(step)
    if set(how.dilations) != {1}:
        raise step.unsupported("TensorFlow's pools have no dilations")
    lead = how.rank - len(step.attrs["window"])
    return {**_attrs(step), "ksize": _numbers([1] * lead + [*step.attrs["window"]], how)}


def _check_rank(step: GraphDefNodeLowering, position: int = 0) -> None:
    if step.rank(position) != step.attrs["sliding"].rank + 2:
        raise step.unsupported("images with more than one axis before the spatial ones")


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


def _height(step: GraphDefNodeLowering) -> int:
    """Return the axis that an image has and a sequence lacks."""
    return 2 if step.attrs["sliding"].channels_first else 1


def _image(step: GraphDefNodeLowering, x: ValueRef) -> ValueRef:
    """Return a sequence as an image of height 1; images and volumes as they are."""
    return _expanded(step, x, _height(step))


def _filter(step: GraphDefNodeLowering, filters: ValueRef) -> ValueRef:
    """Return filters for sequences as filters for images of height 1."""
    return _expanded(step, filters, 0)


def _expanded(step: GraphDefNodeLowering, x: ValueRef, axis: int) -> ValueRef:
    if step.attrs["sliding"].rank != 1:
        return x
    found: ValueRef = step.add("ExpandDims", x, step.const(axis, "dim"))
    return found


def _result(step: GraphDefNodeLowering, op: str, axis: int, *inputs: Any, **attrs: Any) -> Any:
    """Add a node for images or volumes; for a sequence without the axis that was added."""
    rank = step.attrs["sliding"].rank
    if rank == 1:
        return step.last("Squeeze", step.add(op, *inputs, **attrs), squeeze_dims=[axis])
    return step.last(op if rank == 2 else _OF_VOLUMES[op], *inputs, **attrs)


def _convolution(step: GraphDefNodeLowering) -> Any:
    attrs = _filtered(step)
    _check_rank(step)
    _check_groups(step, step.spec(0).shape.dims, step.spec(1).shape.dims)
    x, filters = step.inputs
    return _result(step, "Conv2D", _height(step), _image(step, x), _filter(step, filters), **attrs)


def _sizes(step: GraphDefNodeLowering, position: int, axis: int) -> ValueRef:
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


def _to_input(step: GraphDefNodeLowering) -> Any:
    attrs = _filtered(step)
    _check_rank(step, 1)
    _check_dilations(step)
    _check_groups(step, step.attrs["shape"], step.spec(0).shape.dims)
    filters, dy = step.inputs[:2]
    axis = _height(step)
    sizes = _sizes(step, 2, axis)
    given = sizes, _filter(step, filters), _image(step, dy)
    return _result(step, "Conv2DBackpropInput", axis, *given, **attrs)


def _to_filter(step: GraphDefNodeLowering) -> Any:
    attrs = _filtered(step)
    _check_rank(step)
    _check_dilations(step)
    _check_groups(step, step.spec(0).shape.dims, step.attrs["shape"])
    x, dy = step.inputs[:2]
    given = _image(step, x), _sizes(step, 2, 0), _image(step, dy)
    return _result(step, "Conv2DBackpropFilter", 0, *given, **attrs)


def _pool(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        attrs = _pooled(step)
        _check_rank(step)
        if step.attrs["sliding"].rank == 3 and (
            not step.dtype.is_floating or (op == "MaxPool" and step.dtype is float64)
        ):
            raise step.unsupported(
                f"TensorFlow's {_OF_VOLUMES[op]} does not take {step.dtype.name}"
            )
        return _result(step, op, _height(step), _image(step, step.inputs[0]), **attrs)

    return rule


def _of_largest(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        if step.attrs["sliding"].rank == 3:
            raise step.unsupported("TensorFlow gives the gradient to all equal largest elements")
        attrs = _pooled(step)
        _check_rank(step)
        x, other = (_image(step, each) for each in step.inputs)
        largest = step.add("MaxPool", x, **attrs)
        return _result(step, op, _height(step), x, largest, other, **attrs)

    return rule


def _mean_back(step: GraphDefNodeLowering) -> Any:
    attrs = _pooled(step)
    _check_rank(step)
    if step.attrs["sliding"].rank == 3 and not step.dtype.is_floating:
        raise step.unsupported(f"TensorFlow's AvgPool3DGrad does not take {step.dtype.name}")
    axis = _height(step)
    sizes, dy = _sizes(step, 1, axis), _image(step, step.inputs[0])
    return _result(step, "AvgPoolGrad", axis, sizes, dy, **attrs)


def _in_top_k(step: GraphDefNodeLowering) -> Any:
    targets, predictions, k = step.inputs
    counts = step.add("Cast", k, DstT=step.spec(0).dtype, Truncate=False)
    return step.last("InTopKV2", predictions, targets, counts)


def _places(step: GraphDefNodeLowering) -> Any:
    if step.attrs["sliding"].rank != 2:
        raise step.unsupported("only windows with two spatial axes have such a node")
    attrs = _pooled(step)
    del attrs["data_format"]
    within = step.attrs["in_batch"]
    op, wanted = "MaxPoolWithArgmax", step.attrs["dtype"]
    _, places = step.last(
        op, step.inputs[0], Targmax=wanted, include_batch_in_index=within, **attrs
    )
    return places


RULES: dict[str, Rule] = {
    "max_pool_places": _places,
    "in_top_k": _in_top_k,
    "convolution": _convolution,
    "convolution_to_input": _to_input,
    "convolution_to_filter": _to_filter,
    "max_pool": _pool("MaxPool"),
    "max_pool_back": _of_largest("MaxPoolGrad"),
    "max_pool_picked": _of_largest("MaxPoolGradGrad"),
    "avg_pool": _pool("AvgPool"),
    "avg_pool_back": _mean_back,
}
