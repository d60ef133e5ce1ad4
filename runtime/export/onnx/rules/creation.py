"""Tensors that are created from a shape, a count or a range."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import DType, int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.values import ModelTensor


def full(step: OnnxNodeLowering, value: Any, dtype: DType, shape: ModelTensor) -> ModelTensor:
    """Return a tensor of a shape, a vector of int64, with the same number everywhere."""
    return step.op("Expand", step.const(value, dtype), shape)


def _fill(step: OnnxNodeLowering) -> Any:
    return step.op("Expand", step.inputs[0], step.dims(1, "shape"))


def _full_like(number: int) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        value: Any = "" if step.dtype.is_string else number
        return full(step, value, step.dtype, step.shape(step.inputs[0]))

    return rule


def arange(step: OnnxNodeLowering, count: ModelTensor) -> ModelTensor:
    """Return 0, 1, ... as int64, up to a count that is a scalar or a vector with one element."""
    return step.op("Range", step.number(0), step.op("Squeeze", count), step.number(1))


def _range(step: OnnxNodeLowering) -> Any:
    dtype = step.dtype
    if not dtype.is_integer:
        return step.op("Range", *step.inputs)
    bounds = [step.cast(each, int64) for each in step.inputs]
    return step.cast(step.op("Range", *bounds), dtype)


def _linspace(step: OnnxNodeLowering) -> Any:
    """Return evenly spaced numbers; the last one is exact."""
    start, stop = step.inputs
    count = step.attrs["num"]
    if step.rank() or step.rank(1):
        raise step.unsupported("its ends are arrays: compute it with range")
    parts = step.const(np.arange(count - 1), step.dtype)
    delta = step.op("Div", step.op("Sub", stop, start), step.const(max(count - 1, 1), step.dtype))
    first = step.op("Add", start, step.op("Mul", parts, delta))
    end = step.op("Unsqueeze", stop if count > 1 else start, step.ints(0))
    return step.op("Concat", first, end, axis=0) if count > 0 else first


def _eye(step: OnnxNodeLowering) -> Any:
    shape = step.dims(0, "shape")
    one, zero = (step.const(number, step.dtype) for number in (1, 0))
    rows, columns = (arange(step, element_at(step, shape, place)) for place in (-2, -1))
    same = step.op("Equal", step.op("Unsqueeze", rows, step.ints(1)), columns)
    return step.op("Expand", step.where(same, one, zero), shape)


def element_at(step: OnnxNodeLowering, vector: ModelTensor, place: int) -> ModelTensor:
    """Return an element of a vector, a scalar."""
    return step.op("Gather", vector, step.number(place), axis=0)


def _one_hot(step: OnnxNodeLowering) -> Any:
    indices, on, off = step.inputs
    rank = step.rank()
    axis = step.attrs["axis"] % (rank + 1)
    indices = step.op("Unsqueeze", step.cast(indices, int64), step.ints(axis))
    places = np.arange(step.attrs["depth"]).reshape([-1] + [1] * (rank - axis))
    return step.where(step.op("Equal", indices, step.const(places, int64)), on, off)


RULES: dict[str, Rule] = {
    "fill": _fill,
    "zeros_like": _full_like(0),
    "ones_like": _full_like(1),
    "range": _range,
    "linspace": _linspace,
    "eye": _eye,
    "one_hot": _one_hot,
}
