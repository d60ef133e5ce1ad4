"""Pools and their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.convolution import spread
from runtime.export.onnx.rules.creation import full
from runtime.export.onnx.rules.indexing import added_at, numbered
from runtime.export.onnx.rules.windows import (
    as_given,
    channels_first,
    window_attrs,
)
from runtime.export.onnx.values import ModelTensor
from runtime.ops.neural.pool_kernels import counts
from runtime.ops.neural.windows import Sliding


def _pool(operator: str, **attrs: Any) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        x, rank = step.inputs[0], step.rank()
        how: Sliding = step.attrs["sliding"]
        found = step.op(
            operator,
            channels_first(step, x, how, rank),
            kernel_shape=list(step.attrs["window"]),
            **window_attrs(step, how, step.attrs["window"]),
            **attrs,
        )
        return as_given(step, found, x, how, rank)

    return rule


def _largest(step: OnnxNodeLowering) -> tuple[ModelTensor, ModelTensor]:
    """Return the images, channels first, and the number of the largest element of each window."""
    how, window = step.attrs["sliding"], step.attrs["window"]
    x = channels_first(step, step.inputs[0], how, step.rank())
    attrs = window_attrs(step, how, window)
    return x, step.ops("MaxPool", 2, x, kernel_shape=list(window), **attrs)[1]


def _max_pool_back(step: OnnxNodeLowering) -> Any:
    how = step.attrs["sliding"]
    x, places = _largest(step)
    dy = channels_first(step, step.inputs[1], how, step.rank(1))
    return as_given(step, added_at(step, x, places, dy), step.inputs[0], how, step.rank())


def _max_pool_picked(step: OnnxNodeLowering) -> Any:
    how = step.attrs["sliding"]
    d = channels_first(step, step.inputs[1], how, step.rank(1))
    return as_given(step, _numbers_at(step, d), step.inputs[0], how, step.rank())


def _numbers_at(step: OnnxNodeLowering, d: ModelTensor) -> ModelTensor:
    """Return the elements at the largest ones of the windows, channels first."""
    places = _largest(step)[1]
    return step.op("Gather", step.op("Reshape", d, step.ints(-1)), places, axis=0)


def _max_pool_places(step: OnnxNodeLowering) -> Any:
    """Return the numbers of elements in the layout of the images."""
    x, how, rank = step.inputs[0], step.attrs["sliding"], step.rank()
    numbers = channels_first(step, numbered(step, x), how, rank)
    found = as_given(step, _numbers_at(step, numbers), x, how, rank)
    if not step.attrs["in_batch"]:
        found = step.op("Mod", found, step.op("ReduceProd", step.shape(x, 1), keepdims=0))
    return step.cast(found, step.dtype)


def _avg_pool_back(step: OnnxNodeLowering) -> Any:
    """Divide each gradient among the elements of its window."""
    dy, how, window = step.inputs[0], step.attrs["sliding"], step.attrs["window"]
    _, sizes, channels = how.split_shape(step.node.outputs[0].shape)
    if None in (*sizes, channels):
        raise step.unsupported("the sizes of its images are found when it runs: give them")
    # One number if all windows are full, else the channels of each window are last.
    among = np.asarray(counts(sizes, window, how))
    among = np.moveaxis(among, -1, 1) if among.ndim else among
    share = step.op("Div", channels_first(step, dy, how, step.rank()), step.const(among, dy.dtype))
    ones = full(step, 1, dy.dtype, step.ints(channels, 1, *window))
    return as_given(
        step, spread(step, share, ones, (how, window), group=channels), dy, how, step.rank()
    )


RULES: dict[str, Rule] = {
    "max_pool": _pool("MaxPool"),
    "avg_pool": _pool("AveragePool", count_include_pad=0),
    "avg_pool_back": _avg_pool_back,
    "max_pool_back": _max_pool_back,
    "max_pool_picked": _max_pool_picked,
    "max_pool_places": _max_pool_places,
}
