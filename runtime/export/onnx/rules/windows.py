"""Windows over images as attributes of operators, for convolutions and pools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runtime.export.onnx.node_lowering import OnnxNodeLowering
from runtime.export.onnx.values import ModelTensor
from runtime.ops.neural.windows import Pads, Sliding


def channels_first(step: OnnxNodeLowering, x: ModelTensor, how: Sliding, rank: int) -> ModelTensor:
    """Return images with one axis for the batch and the channels second."""
    if how.channels_first:
        return x
    if rank != how.rank + 2:
        tail = step.shape(x, rank - how.rank - 1)
        x = step.op("Reshape", x, step.op("Concat", step.ints(-1), tail, axis=0))
    last = how.rank + 1
    return step.op("Transpose", x, perm=[0, last, *range(1, last)])


def as_given(
    step: OnnxNodeLowering, found: ModelTensor, like: ModelTensor, how: Sliding, rank: int
) -> ModelTensor:
    """Return images in the layout of those of the node."""
    if how.channels_first:
        return found
    found = step.op("Transpose", found, perm=[0, *range(2, how.rank + 2), 1])
    if rank == how.rank + 2:
        return found
    lead = step.shape(like, 0, rank - how.rank - 1)
    tail = step.shape(found, 1)
    return step.op("Reshape", found, step.op("Concat", lead, tail, axis=0))


def window_attrs(step: OnnxNodeLowering, how: Sliding, window: Sequence[Any]) -> dict[str, Any]:
    """Return the attributes of an operator with windows."""
    attrs: dict[str, Any] = {"strides": list(how.strides)}
    if set(dilations_of(how)) != {1}:
        attrs["dilations"] = dilations_of(how)
    if how.padding == "SAME" and "dilations" in attrs:
        attrs["pads"] = sides(pads_of(step, how, window))
    elif how.padding == "SAME":
        attrs["auto_pad"] = "SAME_UPPER"
    elif not isinstance(how.padding, str):
        attrs["pads"] = sides(how.padding)
    return attrs


def pads_of(step: OnnxNodeLowering, how: Sliding, window: Sequence[Any]) -> Pads:
    """Return the padding of the windows over the first operand.

    If the strides are 1, it is the same for images of all sizes.
    """
    how = replace(how, dilations=tuple(dilations_of(how)))
    sizes = how.split_shape(step.spec().shape)[1]
    if set(how.strides) == {1} or how.padding != "SAME":
        sizes = (1,) * how.rank
    if None in (*sizes, *window):
        raise step.unsupported("the sizes of its windows or images are unknown: give them")
    return how.all_pads(sizes, window)


def sides(pads: Pads) -> list[int]:
    """Return the padding before all axes, then that after them."""
    return [pair[side] for side in (0, 1) for pair in pads]


def dilations_of(how: Sliding) -> list[int]:
    """Return the dilation of each axis."""
    given = list(how.dilations)
    return given if len(given) == how.rank else given * how.rank
