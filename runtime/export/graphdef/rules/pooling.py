"""Lowering of pools along one to three spatial axes, and of their gradients."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import float64
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.windows import (
    OF_VOLUMES,
    all_axes,
    as_image,
    check_rank,
    height_axis,
    last_node,
    planar_sliding,
    requested_shape,
    window_attrs,
)


def _pooled(step: GraphDefNodeLowering) -> dict[str, Any]:
    how = planar_sliding(step)
    if set(how.dilations) != {1}:
        raise step.unsupported("TensorFlow's pools have no dilations")
    lead = how.rank - len(step.attrs["window"])
    return {**window_attrs(step), "ksize": all_axes([1] * lead + [*step.attrs["window"]], how)}


def _pool(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        attrs = _pooled(step)
        check_rank(step)
        if step.attrs["sliding"].rank == 3 and (
            not step.dtype.is_floating or (op == "MaxPool" and step.dtype is float64)
        ):
            raise step.unsupported(f"TensorFlow's {OF_VOLUMES[op]} does not take {step.dtype.name}")
        return last_node(step, op, height_axis(step), as_image(step, step.inputs[0]), **attrs)

    return rule


def _of_largest(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        if step.attrs["sliding"].rank == 3:
            raise step.unsupported("TensorFlow gives the gradient to all equal largest elements")
        attrs = _pooled(step)
        check_rank(step)
        x, other = (as_image(step, each) for each in step.inputs)
        largest = step.add("MaxPool", x, **attrs)
        return last_node(step, op, height_axis(step), x, largest, other, **attrs)

    return rule


def _mean_back(step: GraphDefNodeLowering) -> Any:
    attrs = _pooled(step)
    check_rank(step)
    if step.attrs["sliding"].rank == 3 and not step.dtype.is_floating:
        raise step.unsupported(f"TensorFlow's AvgPool3DGrad does not take {step.dtype.name}")
    axis = height_axis(step)
    sizes, dy = requested_shape(step, 1, axis), as_image(step, step.inputs[0])
    return last_node(step, "AvgPoolGrad", axis, sizes, dy, **attrs)


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
    "max_pool": _pool("MaxPool"),
    "max_pool_back": _of_largest("MaxPoolGrad"),
    "max_pool_picked": _of_largest("MaxPoolGradGrad"),
    "avg_pool": _pool("AvgPool"),
    "avg_pool_back": _mean_back,
}
