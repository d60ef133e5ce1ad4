"""Import of convolutions and their gradients."""

from __future__ import annotations

from typing import Any

from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.export.graphdef.importer.rules.windows import padding_of, requested_shape, sliding_of
from runtime.ops.neural.depthwise import depthwise_conv2d


def _convolution(rank: int) -> Rule:
    def rule(step: NodeImport) -> Any:
        how = sliding_of(step, rank)
        return step.record("convolution", step.tensor(0), step.tensor(1), sliding=how)

    return rule


def _depthwise(step: NodeImport) -> Any:
    order = step.attrs.text("data_format", "NHWC")
    strides, apart = step.attrs.numbers("strides"), step.attrs.numbers("dilations", (1, 1, 1, 1))
    padding, spatial = padding_of(step, 2), slice(2, 4) if order == "NCHW" else slice(1, 3)
    return depthwise_conv2d(
        step.tensor(0), step.tensor(1), list(strides), padding, order, list(apart[spatial])
    )


def _to_input(rank: int) -> Rule:
    def rule(step: NodeImport) -> Any:
        how, (shape, rest) = sliding_of(step, rank), requested_shape(step, 0)
        filters, dy = step.tensor(1), step.tensor(2)
        return step.record("convolution_to_input", filters, dy, *rest, shape=shape, sliding=how)

    return rule


def _to_filter(rank: int) -> Rule:
    def rule(step: NodeImport) -> Any:
        how, (shape, rest) = sliding_of(step, rank), requested_shape(step, 1)
        x, dy = step.tensor(0), step.tensor(2)
        return step.record("convolution_to_filter", x, dy, *rest, shape=shape, sliding=how)

    return rule


RULES: dict[str, Rule] = {
    "Conv2D": _convolution(2),
    "Conv2DBackpropFilter": _to_filter(2),
    "Conv2DBackpropInput": _to_input(2),
    "Conv3D": _convolution(3),
    "Conv3DBackpropFilterV2": _to_filter(3),
    "Conv3DBackpropInputV2": _to_input(3),
    "DepthwiseConv2dNative": _depthwise,
}
