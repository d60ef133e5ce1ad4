"""Shapes, reshapes, transposes and broadcasts."""

from __future__ import annotations

from typing import Any

from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.values import ModelTensor


def _shape(step: OnnxNodeLowering) -> Any:
    return step.cast(step.shape(step.inputs[0]), step.dtype)


def _size(step: OnnxNodeLowering) -> Any:
    return step.cast(step.op("Size", step.inputs[0]), step.dtype)


def _rank(step: OnnxNodeLowering) -> Any:
    return step.cast(step.op("Size", step.shape(step.inputs[0])), step.dtype)


def _reshape(step: OnnxNodeLowering) -> Any:
    shape = step.dims(1, "shape")
    known = step.builder.known(shape)
    # A literal 0 is a size here, and -1 cannot stand beside one.
    exact = {} if known is not None and -1 in known else {"allowzero": 1}
    return step.op("Reshape", step.inputs[0], shape, **exact)


def _broadcast_to(step: OnnxNodeLowering) -> Any:
    return step.op("Expand", step.inputs[0], step.dims(1, "shape"))


def _broadcast_like(step: OnnxNodeLowering) -> Any:
    x, like = step.inputs
    return step.op("Expand", x, step.shape(like))


def _spread(step: OnnxNodeLowering) -> Any:
    x, like = step.inputs
    axes = sorted(each % step.rank(1) for each in step.attrs["axis"])
    return step.op("Expand", step.op("Unsqueeze", x, step.ints(*axes)), step.shape(like))


def _transpose(step: OnnxNodeLowering) -> Any:
    perm = step.attrs["perm"]
    attrs = {} if perm is None else {"perm": [each % len(perm) for each in perm]}
    return step.op("Transpose", step.inputs[0], **attrs)


def swapped(step: OnnxNodeLowering, x: ModelTensor, rank: int) -> ModelTensor:
    """Return a tensor with its last two axes exchanged."""
    order = [*range(rank - 2), rank - 1, rank - 2]
    return step.op("Transpose", x, perm=order)


def _matrix_transpose(step: OnnxNodeLowering) -> Any:
    return swapped(step, step.inputs[0], step.rank())


def _expand_dims(step: OnnxNodeLowering) -> Any:
    return step.op("Unsqueeze", step.inputs[0], step.ints(step.attrs["axis"]))


def _squeeze(step: OnnxNodeLowering) -> Any:
    axis = step.attrs["axis"]
    if axis is None or axis == ():
        return step.op("Squeeze", step.inputs[0])
    axes = axis if isinstance(axis, tuple) else (axis,)
    return step.op("Squeeze", step.inputs[0], step.ints(*axes))


RULES: dict[str, Rule] = {
    "shape": _shape,
    "size": _size,
    "rank": _rank,
    "reshape": _reshape,
    "broadcast_to": _broadcast_to,
    "broadcast_like": _broadcast_like,
    "spread": _spread,
    "transpose": _transpose,
    "matrix_transpose": _matrix_transpose,
    "expand_dims": _expand_dims,
    "squeeze": _squeeze,
}
