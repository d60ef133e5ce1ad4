"""Convolutions and their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.windows import (
    as_given,
    channels_first,
    dilations_of,
    pads_of,
    sides,
    window_attrs,
)
from runtime.export.onnx.values import ModelTensor
from runtime.ops.neural.windows import Sliding

_SIZES = "the sizes of its images are found when it runs: give them"


def _groups(step: OnnxNodeLowering, position: int, filters: int, how: Sliding) -> int:
    channels = how.split_shape(step.spec(position).shape)[2]
    depth = step.spec(filters).shape[-2] if step.spec(filters).shape.rank is not None else None
    if channels is None or depth is None:
        raise step.unsupported("the number of its channels is found when it runs: give it")
    return int(channels // depth)


def _convolution(step: OnnxNodeLowering) -> Any:
    x, filters = step.inputs
    how: Sliding = step.attrs["sliding"]
    rank, axes = step.rank(), how.rank
    weights = step.op("Transpose", filters, perm=[axes + 1, axes, *range(axes)])
    filters_shape = tuple(step.spec(1).shape.dims or (None,) * axes)
    found = step.op(
        "Conv",
        channels_first(step, x, how, rank),
        weights,
        group=_groups(step, 0, 1, how),
        **window_attrs(step, how, filters_shape[:axes]),
    )
    return as_given(step, found, x, how, rank)


def _to_input(step: OnnxNodeLowering) -> Any:
    """Lower a transposed convolution, whose padding follows from the sizes of its results."""
    filters, dy = step.inputs[:2]
    how: Sliding = step.attrs["sliding"]
    rank, axes = step.rank(1), how.rank
    channels = how.split_shape(step.node.outputs[0].shape)[2]
    window: Any = list(step.spec(0).shape[:axes])
    depth = step.spec(0).shape[-2]
    if None in (*window, channels, depth):
        raise step.unsupported(_SIZES)
    weights = step.op("Transpose", filters, perm=[axes + 1, axes, *range(axes)])
    first = channels_first(step, dy, how, rank)
    found = spread(step, first, weights, (how, window), group=int(channels // depth))
    return as_given(step, found, dy, how, rank)


def spread(
    step: OnnxNodeLowering,
    dy: ModelTensor,
    weights: ModelTensor,
    windows: tuple[Sliding, Sequence[int]],
    **attrs: Any,
) -> ModelTensor:
    """Return the sums of windows over the elements of the images that a node results in.

    Args:
        dy: the factors of the windows, channels first.
        windows: their way of sliding, and their sizes.
    """
    how, window = windows
    sizes = how.split_shape(step.node.outputs[0].shape)[1]
    if None in sizes:
        return _spread_to_size(step, dy, weights, how, **attrs)
    pads, steps = how.all_pads(sizes, window), how.all_steps(sizes, window)
    attrs["output_padding"] = _output_padding(how, sizes, steps, window, pads)
    return step.op(
        "ConvTranspose",
        dy,
        weights,
        dilations=dilations_of(how),
        strides=list(how.strides),
        pads=sides(pads),
        **attrs,
    )


def _spread_to_size(
    step: OnnxNodeLowering, dy: ModelTensor, weights: ModelTensor, how: Sliding, **attrs: Any
) -> ModelTensor:
    """Return the sums of windows, cut or padded to the sizes that an operand has."""
    if len(step.inputs) < 3 or step.node.op.name != "convolution_to_input":
        raise step.unsupported(_SIZES)
    attrs.update(dilations=dilations_of(how), strides=list(how.strides))
    whole = step.op("ConvTranspose", dy, weights, **attrs)
    first = 2 if how.channels_first else 1
    place = step.ints(first), step.ints(first + how.rank)
    wanted, have = step.op("Slice", step.index(2), *place), step.shape(whole, 2)
    none = step.ints(*[0] * how.rank)
    before = none
    if how.padding == "SAME":
        before = step.op("Div", step.op("Max", step.op("Sub", have, wanted), none), step.number(2))
    elif not isinstance(how.padding, str):
        before = step.ints(*(pair[0] for pair in how.padding))
    end = step.op("Add", before, wanted)
    after = step.op("Max", step.op("Sub", end, have), none)
    pads = step.op("Concat", step.ints(*[0] * (how.rank + 4)), after, axis=0)
    axes = step.ints(*range(2, how.rank + 2))
    return step.op("Slice", step.op("Pad", whole, pads), before, end, axes)


def _output_padding(
    how: Sliding, sizes: Sequence[int], steps: Sequence[int], window: Sequence[int], pads: Any
) -> list[int]:
    """Return the elements after the last window along each axis."""
    return [
        size + sum(pad) - ((count - 1) * stride + how.extent(axis, width))
        for axis, (size, count, stride, width, pad) in enumerate(
            zip(sizes, steps, how.strides, window, pads)
        )
    ]


def _to_filter(step: OnnxNodeLowering) -> Any:
    """Convolve the images with the gradients: the batch is summed over as channels are."""
    how: Sliding = step.attrs["sliding"]
    axes = how.rank
    dims: Any = step.node.outputs[0].shape.dims or (None,) * (axes + 2)
    *window, depth, _ = dims
    channels = how.split_shape(step.spec().shape)[2]
    if None in (*window, depth, channels):
        raise step.unsupported("the sizes of its filters are found when it runs: give them")
    groups = int(channels // depth)
    x = channels_first(step, step.inputs[0], how, step.rank())
    dy = channels_first(step, step.inputs[1], how, step.rank(1))
    sizes = step.shape(x, 2)
    split = step.op("Concat", step.size(x, 0), step.ints(groups, depth), sizes, axis=0)
    parts = step.op("Reshape", x, split)
    parts = step.op("Transpose", parts, perm=[2, 1, 0, *range(3, axes + 3)])
    parts = step.op("Reshape", parts, step.op("Concat", step.ints(depth, -1), sizes, axis=0))
    found = step.op(
        "Conv",
        parts,
        step.op("Transpose", dy, perm=[1, 0, *range(2, axes + 2)]),
        group=groups,
        strides=dilations_of(how),
        dilations=list(how.strides),
        pads=sides(pads_of(step, how, window)),
    )
    spatial = step.ints(*range(2, axes + 2))
    found = step.op("Slice", found, step.ints(*[0] * axes), step.ints(*window), spatial)
    return step.op("Transpose", found, perm=[*range(2, axes + 2), 0, 1])


RULES: dict[str, Rule] = {
    "convolution": _convolution,
    "convolution_to_input": _to_input,
    "convolution_to_filter": _to_filter,
}
