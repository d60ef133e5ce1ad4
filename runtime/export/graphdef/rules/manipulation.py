"""Lowering of ops that join, split, repeat, pad and reverse tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_index, as_int32, dims, size_of


def _stack(step: GraphDefNodeLowering) -> Any:
    return step.last("Pack", list(step.inputs), axis=step.attrs["axis"])


def _concat(step: GraphDefNodeLowering) -> Any:
    if len(step.inputs) == 1:
        return step.last("Identity", step.inputs[0])
    return step.last("ConcatV2", list(step.inputs), step.const(step.attrs["axis"], "axis"))


def _unstack(step: GraphDefNodeLowering) -> Any:
    return step.last("Unpack", step.inputs[0], num=step.attrs["num"], axis=step.attrs["axis"])


def _split(step: GraphDefNodeLowering) -> Any:
    sizes, axis = step.attrs["sizes"], step.const(step.attrs["axis"], "split_dim")
    if isinstance(sizes, int):
        return step.last("Split", axis, step.inputs[0], num_split=sizes)
    lengths = step.const(np.array(sizes, np.int32), "Const")
    return step.last("SplitV", step.inputs[0], lengths, axis, num_split=len(sizes))


def _tile(step: GraphDefNodeLowering) -> Any:
    return step.last("Tile", step.inputs[0], dims(step, 1, "multiples", "multiples"))


def _pad(step: GraphDefNodeLowering) -> Any:
    x, value = step.inputs[:2]
    widths = dims(step, 2, "paddings", "paddings")
    mode = step.attrs["mode"]
    if mode == "constant":
        return step.last("PadV2", x, widths, value)
    return step.last("MirrorPad", x, widths, mode=mode.upper())


def _repeat(step: GraphDefNodeLowering) -> Any:
    """Repeat the position of each element in a padded row, and gather the elements."""
    x, repeats = step.inputs
    if step.attrs["count"] is None:
        raise step.unsupported("elements are repeated equally often, or one by one in a loop")
    axis = step.attrs["axis"]
    zero, one = step.const(0, "start"), step.const(1, "delta")
    places = step.add("Range", zero, size_of(step, x, axis), one)
    column = step.add("ExpandDims", places, step.const(-1, "dim"))
    count = step.add(
        "Reshape", as_int32(step, repeats), step.const(np.zeros(0, np.int32), "scalar")
    )
    rows = step.add("Tile", column, step.add("Pack", [one, count], axis=0))
    flat = step.add("Reshape", rows, step.const([-1], "flat"))
    return step.last("GatherV2", x, flat, step.const(axis, "axis"), batch_dims=0)


def _reverse(step: GraphDefNodeLowering) -> Any:
    return step.last("ReverseV2", step.inputs[0], step.const(list(step.attrs["axis"]), "axis"))


def _roll(step: GraphDefNodeLowering) -> Any:
    x, shift = step.inputs
    flat = step.add("Reshape", as_index(step, shift), step.const([-1], "flat"))
    return step.last("Roll", x, flat, step.const(list(step.attrs["axis"]), "axis"))


def _reversed(step: GraphDefNodeLowering) -> Any:
    x, lengths = step.inputs
    axes = {"seq_dim": step.attrs["seq_axis"], "batch_dim": step.attrs["batch_axis"]}
    return step.last("ReverseSequence", x, as_index(step, lengths), **axes)


RULES: dict[str, Rule] = {
    "stack": _stack,
    "concat": _concat,
    "unstack": _unstack,
    "split": _split,
    "tile": _tile,
    "pad": _pad,
    "repeat": _repeat,
    "reverse": _reverse,
    "roll": _roll,
    "reverse_sequence": _reversed,
}
