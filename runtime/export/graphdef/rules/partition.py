"""Lowering of partitions, sorted search, sequence reversal, counts and Fourier transforms."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_index
from runtime.export.graphdef.rules.reductions import distinct


def _partition(step: GraphDefNodeLowering) -> Any:
    count = step.attrs["num_partitions"]
    found = step.last("DynamicPartition", *step.inputs, num_partitions=count)
    return list(found) if count > 1 else [found]


def _stitch(step: GraphDefNodeLowering) -> Any:
    half = len(step.inputs) // 2
    return step.last("DynamicStitch", list(step.inputs[:half]), list(step.inputs[half:]))


def _searched(step: GraphDefNodeLowering) -> Any:
    op = "LowerBound" if step.attrs["side"] == "left" else "UpperBound"
    rank, wanted = step.rank(), step.attrs["out_type"]
    if rank == 2:
        return step.last(op, *step.inputs, out_type=wanted)
    if rank > 2:
        raise step.unsupported("TensorFlow's node takes matrices and vectors only")
    axis = step.const(0, "axis")
    rows = [step.add("ExpandDims", each, axis) for each in step.inputs]
    found = step.add(op, *rows, out_type=wanted)
    return step.last("Squeeze", found, squeeze_dims=[0])


def _reversed(step: GraphDefNodeLowering) -> Any:
    x, lengths = step.inputs
    axes = {"seq_dim": step.attrs["seq_axis"], "batch_dim": step.attrs["batch_axis"]}
    return step.last("ReverseSequence", x, as_index(step, lengths), **axes)


def _fourier(step: GraphDefNodeLowering) -> Any:
    axes = step.attrs["axes"]
    if axes != tuple(range(-len(axes), 0)) or len(axes) > 3:
        raise step.unsupported("TensorFlow's nodes transform the last axes, up to three")
    size = {1: "", 2: "2D", 3: "3D"}[len(axes)]
    back = "I" if step.attrs["inverse"] else ""
    return step.last(f"{back}FFT{size}", step.inputs[0])


def _real_fourier(step: GraphDefNodeLowering) -> Any:
    shape = step.add("Shape", step.inputs[0], out_type=int32)
    begin, end, by = (step.const([n], w) for n, w in ((-1, "begin"), (0, "end"), (1, "strides")))
    masks = dict.fromkeys(("begin_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    length = step.add("StridedSlice", shape, begin, end, by, end_mask=1, **masks)
    return step.last("RFFT", step.inputs[0], length, Tcomplex=step.dtype)


def _real_from_fourier(step: GraphDefNodeLowering) -> Any:
    length = step.const([step.attrs["length"]], "fft_length")
    return step.last("IRFFT", step.inputs[0], length, Treal=step.dtype)


RULES: dict[str, Rule] = {
    "fourier": _fourier,
    "real_fourier": _real_fourier,
    "real_from_fourier": _real_from_fourier,
    "dynamic_partition": _partition,
    "dynamic_stitch": _stitch,
    "searchsorted": _searched,
    "reverse_sequence": _reversed,
    "unique_with_counts": distinct("UniqueWithCounts"),
}
