"""TensorFlow's ops that LiteRT lacks, as others that it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from runtime.export.graphdef.function_body import NodeFacts
from runtime.core.spec import TensorSpec
from runtime.export.tflite.lines import INT, Value
from runtime.export.tflite.shape_inference import inferred

if TYPE_CHECKING:
    from runtime.export.tflite.module import FunctionText

_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def _inverted(step: FunctionText, facts: NodeFacts, given: Sequence[Value]) -> list[Value]:
    """Return `-1 - x`, which has the bits of `x` the other way round."""
    spec = given[0].spec
    ones = np.array(-1).astype(spec.dtype.np_dtype)
    return [step.one("Sub", [step.const(ones, spec.dtype), given[0]], spec)]


def written(step: FunctionText, facts: NodeFacts, given: Sequence[Value]) -> list[Value]:
    """Write a slice: the same slice of the numbers of the elements says where they are."""
    x, *bounds, value = given
    rank = x.spec.shape.rank
    if rank is None:
        raise step.unsupported("a slice is written into a tensor of known rank")
    shape = step.one("Shape", [x], TensorSpec((rank,), "int32"))
    size = step.one("Size", [x], INT)
    vector = TensorSpec((None,), "int32")
    numbers = step.one("Range", [step.ints(0), size, step.ints(1)], vector)
    placed = step.one("Reshape", [numbers, shape], TensorSpec((None,) * rank, "int32"))
    known = [(each.spec.shape, None) for each in (placed, *bounds)]
    masks = {key: facts.attrs[key] for key in _MASKS}
    places = TensorSpec(inferred("StridedSlice", known, masks), "int32")
    at = step.one("StridedSlice", [placed, *bounds], places, **masks)
    flat = TensorSpec((None,), x.spec.dtype)
    column = step.one("Reshape", [at, step.ints([-1, 1])], TensorSpec((None, 1), "int32"))
    parts = [step.one("Reshape", [each, step.ints([-1])], flat) for each in (x, value)]
    made = step.one("TensorScatterUpdate", [parts[0], column, parts[1]], flat)
    return [step.one("Reshape", [made, shape], x.spec)]


RULES: dict[str, Callable[[FunctionText, NodeFacts, Sequence[Value]], list[Value]]] = {
    "Invert": _inverted,
    "TensorStridedSliceUpdate": written,
}
