"""Random numbers of streams, which engines draw too, with other values.

A stateless op has no rule: its numbers follow from its seed, so other ones are wrong.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, float32, float64, int32, int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.creation import full
from runtime.export.onnx.values import ModelTensor
from runtime.export.report import OTHER_NUMBERS

# Standard normal numbers of a truncated distribution are nearer to 0.
_LIMIT = 2.0


def _drawn(step: OnnxNodeLowering, operator: str, shape: ModelTensor, dtype: DType) -> ModelTensor:
    """Return numbers of an operator that takes its shape from another tensor."""
    wide = dtype if dtype is float64 else float32
    return step.cast(_by(step, operator, full(step, 0, wide, shape), wide), dtype)


def _by(
    step: OnnxNodeLowering, operator: str, x: ModelTensor, dtype: DType, **attrs: Any
) -> ModelTensor:
    """Return the numbers of an operator that draws."""
    base = f"{step.node.name}/{operator}"
    return step.builder.add(operator, [x], 1, base, dtype, **attrs, **_seed(step))[0]


def _seed(step: OnnxNodeLowering) -> dict[str, float]:
    """Return a seed for the operator if the numbers are reproducible here."""
    seeds = repr(step.attrs["seed"])
    # The attribute is a float32, which holds whole numbers of 24 bits.
    return {} if seeds == "None" else {"seed": float(zlib.crc32(seeds.encode()) % 2**24)}


def _fraction(step: OnnxNodeLowering, shape: ModelTensor, dtype: DType) -> ModelTensor:
    """Return numbers from 0 to 1, which is excluded: an engine may round up to it."""
    one, zero = dtype.np_dtype.type(1), dtype.np_dtype.type(0)
    drawn = _drawn(step, "RandomUniformLike", shape, dtype)
    return step.op("Min", drawn, step.const(np.nextafter(one, zero), dtype))


def _uniform(step: OnnxNodeLowering) -> Any:
    return _fraction(step, step.dims(0, "shape"), step.dtype)


def _uniform_int(step: OnnxNodeLowering) -> Any:
    low, high = (step.cast(each, int64) for each in step.inputs[:2])
    span = step.op("Sub", step.cast(high, float64), step.cast(low, float64))
    above = step.op("Mul", _fraction(step, step.dims(2, "shape"), float64), span)
    # The whole span of int64 is one of uint64: each half of the distance fits.
    half = step.op("Floor", step.op("Div", above, step.const(2, float64)))
    rest = step.op("Sub", step.op("Floor", above), half)
    found = step.op("Add", step.op("Add", low, step.cast(half, int64)), step.cast(rest, int64))
    # A span of more than 53 bits is rounded.
    return step.cast(step.op("Min", found, step.op("Sub", high, step.number(1))), step.dtype)


def _normal(step: OnnxNodeLowering) -> Any:
    return _drawn(step, "RandomNormalLike", step.dims(0, "shape"), step.dtype)


def _truncated_normal(step: OnnxNodeLowering) -> Any:
    """Draw the numbers again that are too far from 0."""
    shape = step.dims(0, "shape")
    wide = step.dtype if step.dtype is float64 else float32

    def is_far(x: ModelTensor) -> ModelTensor:
        return step.op("GreaterOrEqual", step.op("Abs", x), step.const(_LIMIT, wide))

    def body(_: ModelTensor, held: list[ModelTensor]) -> tuple[ModelTensor, list[ModelTensor]]:
        again = _drawn(step, "RandomNormalLike", shape, wide)
        found = step.where(is_far(held[0]), again, held[0])
        far = step.cast(is_far(found), float32)
        left = step.op("Greater", step.op("ReduceSum", far, keepdims=0), step.const(0, float32))
        return left, [found]

    (found,) = step.repeated(None, [full(step, _LIMIT, wide, shape)], body)
    return step.cast(found, step.dtype)


def _shuffle(step: OnnxNodeLowering) -> Any:
    """Return the rows in the order of random numbers."""
    x = step.inputs[0]
    count = step.size(x, 0)
    keys = _drawn(step, "RandomUniformLike", count, float64)
    _, order = step.ops("TopK", 2, keys, count)
    return step.op("Gather", x, order, axis=0)


def _categorical(step: OnnxNodeLowering) -> Any:
    logits, count = step.cast(step.inputs[0], float32), step.attrs["num_samples"]
    if count == 0:
        shape = step.op("Concat", step.size(logits, 0), step.ints(0), axis=0)
        return full(step, 0, step.dtype, shape)
    # onnxruntime fails for no rows: there is one more, which is dropped.
    padded = step.op("Pad", logits, step.ints(0, 0, 1, 0))
    drawn = _by(step, "Multinomial", padded, int32, sample_size=count)
    rows = step.op("Slice", drawn, step.ints(0), step.ints(-1), step.ints(0))
    return step.cast(rows, step.dtype)


def _noted(rule: Rule) -> Rule:
    def lowered(step: OnnxNodeLowering) -> Any:
        step.omit(step.node.op.name, OTHER_NUMBERS)
        return rule(step)

    return lowered


RULES: dict[str, Rule] = {
    "random_categorical": _noted(_categorical),
    "random_normal": _noted(_normal),
    "random_shuffle": _noted(_shuffle),
    "random_uniform": _noted(_uniform),
    "random_uniform_int": _noted(_uniform_int),
    "truncated_normal": _noted(_truncated_normal),
}
