"""Lowering of convolutions and pools with two spatial axes, and of `in_top_k`."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import NodeLowering, Rule
from runtime.ops.neural.windows import Sliding


def _numbers(values: Any, how: Sliding) -> list[int]:
    """Return numbers of the spatial axes, with 1 for batch and channels."""
    return [1, 1, *values] if how.channels_first else [1, *values, 1]


def _attrs(step: NodeLowering) -> dict[str, Any]:
    how: Sliding = step.attrs["sliding"]
    if how.rank != 2:
        raise step.unsupported("only windows with two spatial axes have nodes of their own here")
    attrs: dict[str, Any] = {
        "strides": _numbers(how.strides, how),
        "padding": how.padding if isinstance(how.padding, str) else "EXPLICIT",
        "data_format": "NCHW" if how.channels_first else "NHWC",
    }
    if not isinstance(how.padding, str):
        lead = 4 if how.channels_first else 2
        pads = [n for pair in how.padding for n in pair]
        attrs["explicit_paddings"] = [0] * lead + pads + [0] * (4 - lead)
    return attrs


def _filtered(step: NodeLowering) -> dict[str, Any]:
    how: Sliding = step.attrs["sliding"]
    return {**_attrs(step), "dilations": _numbers(how.dilations, how)}


def _pooled(step: NodeLowering) -> dict[str, Any]:
    if set(step.attrs["sliding"].dilations) != {1}:
        raise step.unsupported("TensorFlow's pools have no dilations")
    return {**_attrs(step), "ksize": _numbers(step.attrs["window"], step.attrs["sliding"])}


def _check_rank(step: NodeLowering, position: int = 0) -> None:
    if step.rank(position) != 4:
        raise step.unsupported("images with more than one axis before the spatial ones")


def _check_dilations(step: NodeLowering) -> None:
    if set(step.attrs["sliding"].dilations) != {1}:
        raise step.unsupported("TensorFlow's CPU has no gradients of dilated convolutions")


def _convolution(step: NodeLowering) -> Any:
    attrs = _filtered(step)
    _check_rank(step)
    return step.last("Conv2D", *step.inputs, **attrs)


def _sizes(step: NodeLowering, position: int) -> ValueRef:
    """Return the requested shape: the operand that holds it, or a constant."""
    if len(step.inputs) > position:
        return step.inputs[position]
    return step.const(np.array(step.attrs["shape"], np.int32), "sizes")


def _to_input(step: NodeLowering) -> Any:
    attrs = _filtered(step)
    _check_rank(step, 1)
    _check_dilations(step)
    return step.last("Conv2DBackpropInput", _sizes(step, 2), *step.inputs[:2], **attrs)


def _to_filter(step: NodeLowering) -> Any:
    attrs = _filtered(step)
    _check_rank(step)
    _check_dilations(step)
    x, dy = step.inputs[:2]
    return step.last("Conv2DBackpropFilter", x, _sizes(step, 2), dy, **attrs)


def _pool(op: str) -> Rule:
    def rule(step: NodeLowering) -> Any:
        attrs = _pooled(step)
        _check_rank(step)
        return step.last(op, step.inputs[0], **attrs)

    return rule


def _of_largest(op: str) -> Rule:
    def rule(step: NodeLowering) -> Any:
        attrs = _pooled(step)
        _check_rank(step)
        x, other = step.inputs
        return step.last(op, x, step.add("MaxPool", x, **attrs), other, **attrs)

    return rule


def _mean_back(step: NodeLowering) -> Any:
    attrs = _pooled(step)
    _check_rank(step)
    return step.last("AvgPoolGrad", _sizes(step, 1), step.inputs[0], **attrs)


def _in_top_k(step: NodeLowering) -> Any:
    targets, predictions, k = step.inputs
    counts = step.add("Cast", k, DstT=step.spec(0).dtype, Truncate=False)
    return step.last("InTopKV2", predictions, targets, counts)


def _places(step: NodeLowering) -> Any:
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
