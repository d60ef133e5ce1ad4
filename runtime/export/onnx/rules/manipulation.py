"""Ops that join, split, repeat, pad and reverse tensors."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.creation import arange, element_at
from runtime.export.onnx.values import ModelTensor

LAST = 2**62


def _concat(step: OnnxNodeLowering) -> Any:
    return step.op("Concat", *step.inputs, axis=step.attrs["axis"])


def _stack(step: OnnxNodeLowering) -> Any:
    axis = step.attrs["axis"]
    return step.op(
        "Concat", *(step.op("Unsqueeze", x, step.ints(axis)) for x in step.inputs), axis=axis
    )


def _unstack(step: OnnxNodeLowering) -> Any:
    x, axis = step.inputs[0], step.attrs["axis"]
    return [step.op("Gather", x, step.number(at), axis=axis) for at in range(step.attrs["num"])]


def _split(step: OnnxNodeLowering) -> Any:
    sizes, axis, count = step.attrs["sizes"], step.attrs["axis"], len(step.node.outputs)
    if isinstance(sizes, int):
        return step.ops("Split", count, step.inputs[0], axis=axis, num_outputs=count)
    return step.ops("Split", count, step.inputs[0], _part_sizes(step, list(sizes)), axis=axis)


def _part_sizes(step: OnnxNodeLowering, sizes: list[int]) -> ModelTensor:
    """Return the sizes of parts; -1 stands for the rest."""
    if -1 not in sizes:
        return step.ints(*sizes)
    rest = step.size(step.inputs[0], step.attrs["axis"] % step.rank())
    rest = step.op("Sub", rest, step.ints(sum(sizes) + 1))
    parts = [rest if each == -1 else step.ints(each) for each in sizes]
    return step.op("Concat", *parts, axis=0)


def _tile(step: OnnxNodeLowering) -> Any:
    return step.op("Tile", step.inputs[0], step.dims(1, "multiples"))


def _repeat(step: OnnxNodeLowering) -> Any:
    step.note_negative(1, "a negative number of times is like 0: here it is an error")
    x, times = step.inputs[0], step.index(1)
    return repeated(step, x, times, step.attrs["axis"] % step.rank())


def repeated(step: OnnxNodeLowering, x: ModelTensor, times: ModelTensor, axis: int) -> ModelTensor:
    """Repeat rows: the row of each result is the number of ends before it."""
    times = step.op("Expand", times, step.size(x, axis))
    return step.op("Gather", x, repeated_places(step, times), axis=axis)


def repeated_places(step: OnnxNodeLowering, times: ModelTensor) -> ModelTensor:
    """Return 0, 1, ... each as often as the numbers of a vector say."""
    ends = step.op("CumSum", times, step.number(0))
    places = arange(step, step.op("ReduceSum", times, keepdims=0))
    column = step.op("Unsqueeze", places, step.ints(1))
    is_after = step.cast(step.op("GreaterOrEqual", column, ends), int64)
    return step.op("ReduceSum", is_after, step.ints(1), keepdims=0)


def reversed_along(step: OnnxNodeLowering, x: ModelTensor, axes: list[int]) -> ModelTensor:
    """Return a tensor with axes from their end to their start."""
    count = len(axes)
    starts, ends = step.ints(*[-1] * count), step.ints(*[-LAST] * count)
    return step.op("Slice", x, starts, ends, step.ints(*axes), step.ints(*[-1] * count))


def _reverse(step: OnnxNodeLowering) -> Any:
    axes = list(step.attrs["axis"])
    return reversed_along(step, step.inputs[0], axes) if axes else step.inputs[0]


def _roll(step: OnnxNodeLowering) -> Any:
    """Roll axes: the element at a place comes from the place that many before."""
    x, axes = step.inputs[0], step.attrs["axis"]
    shifts = step.op("Expand", step.index(1), step.ints(len(axes)))
    for number, axis in enumerate(axes):
        size = step.size(x, axis % step.rank())
        places = step.op("Sub", arange(step, size), element_at(step, shifts, number))
        x = step.op("Gather", x, step.op("Mod", places, size), axis=axis)
    return x


def _pad(step: OnnxNodeLowering) -> Any:
    x, value = step.inputs[:2]
    return padded(step, x, padding_widths(step), value)


def padded(
    step: OnnxNodeLowering, x: ModelTensor, widths: ModelTensor, value: ModelTensor | None = None
) -> ModelTensor:
    """Return a tensor padded in the mode of a node; ONNX has no symmetric one."""
    mode = step.attrs["mode"]
    if mode != "symmetric":
        return step.op("Pad", x, widths, value if mode == "constant" else None, mode=mode)
    rank = step.rank()
    for axis in range(rank):
        size = step.op("Squeeze", step.size(x, axis))
        before, after = (step.op("Gather", widths, step.number(at)) for at in (axis, axis + rank))
        end, one = step.op("Add", size, after), step.number(1)
        places = step.op("Range", step.op("Neg", before), end, one)
        period = step.op("Add", size, size)
        forth = step.op("Mod", places, step.op("Max", period, one))
        back = step.op("Sub", step.op("Sub", period, one), forth)
        x = step.op("Gather", x, step.op("Min", forth, back), axis=axis)
    return x


def padding_widths(step: OnnxNodeLowering) -> ModelTensor:
    """Return the widths before all axes, then those after them."""
    if len(step.inputs) > 2:
        pairs = step.op("Transpose", step.index(2), perm=[1, 0])
        return step.op("Reshape", pairs, step.ints(-1))
    pairs = step.attrs["paddings"]
    return step.ints(*(a for a, _ in pairs), *(b for _, b in pairs))


def _reverse_sequence(step: OnnxNodeLowering) -> Any:
    """Reverse the start of each row, by the places that its elements come from."""
    x, lengths = step.inputs[0], step.index(1)
    rank = step.rank()
    along, batch = (step.attrs[name] % rank for name in ("seq_axis", "batch_axis"))
    places = _on_axis(step, arange(step, step.size(x, along)), along, rank)
    count = _on_axis(step, lengths, batch, rank)
    turned = step.op("Sub", step.op("Sub", count, step.number(1)), places)
    places = step.where(step.op("Less", places, count), turned, places)
    return step.op("GatherElements", x, step.op("Expand", places, step.shape(x)), axis=along)


def _on_axis(step: OnnxNodeLowering, vector: ModelTensor, axis: int, rank: int) -> ModelTensor:
    others = [each for each in range(rank) if each != axis]
    return step.op("Unsqueeze", vector, step.ints(*others)) if others else vector


RULES: dict[str, Rule] = {
    "concat": _concat,
    "stack": _stack,
    "unstack": _unstack,
    "split": _split,
    "tile": _tile,
    "repeat": _repeat,
    "reverse": _reverse,
    "roll": _roll,
    "pad": _pad,
    "reverse_sequence": _reverse_sequence,
}
