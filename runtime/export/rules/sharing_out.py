"""Rows dealt out and put together, places in orders, and sequences that are turned round."""

from __future__ import annotations

from typing import Any

from runtime.export.rules.axes import as_index
from runtime.export.rules.reduction import distinct
from runtime.export.step import Rule, Step


def _partition(step: Step) -> Any:
    count = step.attrs["num_partitions"]
    found = step.last("DynamicPartition", *step.inputs, num_partitions=count)
    return list(found) if count > 1 else [found]


def _stitch(step: Step) -> Any:
    half = len(step.inputs) // 2
    return step.last("DynamicStitch", list(step.inputs[:half]), list(step.inputs[half:]))


def _searched(step: Step) -> Any:
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


def _reversed(step: Step) -> Any:
    x, lengths = step.inputs
    axes = {"seq_dim": step.attrs["seq_axis"], "batch_dim": step.attrs["batch_axis"]}
    return step.last("ReverseSequence", x, as_index(step, lengths), **axes)


RULES: dict[str, Rule] = {
    "dynamic_partition": _partition,
    "dynamic_stitch": _stitch,
    "searchsorted": _searched,
    "reverse_sequence": _reversed,
    "unique_with_counts": distinct("UniqueWithCounts"),
}
