"""Reductions over segments."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.creation import full
from runtime.export.onnx.values import ModelTensor

_SEGMENTS = {"sum": ("add", 0), "prod": ("mul", 1), "max": ("max", None), "min": ("min", None)}


def _segments(how: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        step.note_negative(1)
        data, ids = step.inputs[0], step.index(1)
        count = step.op("Add", step.op("ReduceMax", ids, keepdims=0), step.number(1))
        if how == "mean":
            total = _scattered(step, "sum", data, ids, step.vector(count))
            ones = full(step, 1, data.dtype, step.shape(data))
            found = _scattered(step, "sum", ones, ids, step.vector(count))
            return step.op("Div", total, step.op("Max", found, step.like(1, data)))
        return _empty_as_zero(step, how, data, ids, step.vector(count))

    return rule


def _unsorted(how: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        width = step.rank(1)
        data, ids = step.inputs[0], step.op("Reshape", step.index(1), step.ints(-1))
        rest = step.shape(data, width)
        data = step.op("Reshape", data, step.op("Concat", step.ints(-1), rest, axis=0))
        given = step.attrs["num_segments"]
        count = step.index(2) if len(step.inputs) > 2 else step.number(given)
        # Rows of a negative number are dropped: they go to one more segment.
        ids = step.where(step.op("Less", ids, step.number(0)), count, ids)
        count = step.op("Reshape", count, step.ints(1))
        found = _scattered(step, how, data, ids, step.op("Add", count, step.ints(1)))
        return step.op("Slice", found, step.ints(0), count, step.ints(0))

    return rule


def _scattered(
    step: OnnxNodeLowering, how: str, data: ModelTensor, ids: ModelTensor, count: ModelTensor
) -> ModelTensor:
    reduction, neutral = _SEGMENTS[how]
    if neutral is None:
        neutral = data.dtype.min if how == "max" else data.dtype.max
    rest = step.op("Slice", step.shape(data), step.ints(1), step.ints(2**62))
    first = full(step, neutral, data.dtype, step.op("Concat", count, rest, axis=0))
    column = step.op("Unsqueeze", ids, step.ints(1))
    return step.op("ScatterND", first, column, data, reduction=reduction)


def _empty_as_zero(
    step: OnnxNodeLowering, how: str, data: ModelTensor, ids: ModelTensor, count: ModelTensor
) -> ModelTensor:
    """Combine segments; one without rows is 0, or 1 of a product."""
    found = _scattered(step, how, data, ids, count)
    if how in ("sum", "prod"):
        return found
    ones = full(step, 1, int64, step.shape(data))
    filled = step.op("Greater", _scattered(step, "sum", ones, ids, count), step.number(0))
    return step.where(filled, found, step.like(0, data))


RULES: dict[str, Rule] = {
    "segment_sum": _segments("sum"),
    "segment_prod": _segments("prod"),
    "segment_max": _segments("max"),
    "segment_min": _segments("min"),
    "segment_mean": _segments("mean"),
    "unsorted_segment_sum": _unsorted("sum"),
    "unsorted_segment_prod": _unsorted("prod"),
    "unsorted_segment_max": _unsorted("max"),
    "unsorted_segment_min": _unsorted("min"),
}
