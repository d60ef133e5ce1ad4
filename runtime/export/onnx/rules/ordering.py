"""Sorting, searching, and distinct elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import bool_, int32, int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.creation import arange, element_at
from runtime.export.onnx.values import ModelTensor


def ordered(
    step: OnnxNodeLowering, x: ModelTensor, axis: int, descending: bool, rank: int
) -> tuple[ModelTensor, ModelTensor]:
    """Return sorted elements and their places; equal ones stay in order, as TopK keeps them."""
    if x.dtype.is_string:
        raise step.unsupported("ONNX has no order of texts")
    _note_nan(step, x)
    count = step.size(x, axis % rank)
    kind = int32 if x.dtype is bool_ else x.dtype
    values, places = step.ops(
        "TopK", 2, step.cast(x, kind), count, axis=axis, largest=int(descending), sorted=1
    )
    return step.cast(values, x.dtype), _second(places)


def _note_nan(step: OnnxNodeLowering, x: ModelTensor) -> None:
    """Note that NaN has a place of its own in an order of floats."""
    known = step.builder.known(x)
    if x.dtype.is_floating and (known is None or np.isnan(known).any()):
        step.omit("NaN", "engines put NaN elsewhere when they order floats")


def _second(places: ModelTensor) -> ModelTensor:
    return places._replace(dtype=int64)


def _sort(step: OnnxNodeLowering) -> Any:
    return ordered(step, step.inputs[0], step.attrs["axis"], step.attrs["descending"], step.rank())[
        0
    ]


def _argsort(step: OnnxNodeLowering) -> Any:
    x, axis = step.inputs[0], step.attrs["axis"]
    found = ordered(step, x, axis, step.attrs["descending"], step.rank())[1]
    return step.cast(found, step.dtype)


def _python_order(step: OnnxNodeLowering) -> Any:
    return step.cast(_tuple_order(step, step.inputs, step.attrs["descending"]), step.dtype)


def _tuple_order(
    step: OnnxNodeLowering, columns: Sequence[ModelTensor], descending: bool
) -> ModelTensor:
    """Return the places that sort tuples of elements.

    The last column is sorted first: each further order keeps equal items where they are.
    """
    *others, last = columns
    places = ordered(step, last, 0, descending, 1)[1]
    for column in reversed(others):
        now = step.op("Gather", column, places, axis=0)
        places = step.op("Gather", places, ordered(step, now, 0, descending, 1)[1], axis=0)
    return places


def _first_extreme(step: OnnxNodeLowering) -> Any:
    """Return the first place of the largest item; of tuples, that of an order, which is stable."""
    largest = step.attrs["largest"]
    if len(step.inputs) > 1:
        places = _tuple_order(step, step.inputs, largest)
        return step.cast(element_at(step, places, 0), step.dtype)
    x = step.inputs[0]
    if x.dtype.is_string:
        raise step.unsupported("ONNX has no order of texts")
    x = step.cast(x, int32) if x.dtype is bool_ else x
    operator = "ArgMax" if largest else "ArgMin"
    if not x.dtype.is_floating:
        return step.cast(step.op(operator, x, axis=0, keepdims=0), step.dtype)
    # Comparisons with NaN are false: Python chooses a NaN only if it comes first.
    first = element_at(step, x, 0)
    found = step.op(operator, step.where(step.op("IsNaN", x), first, x), axis=0, keepdims=0)
    return step.cast(step.where(step.op("IsNaN", first), step.number(0), found), step.dtype)


def _top_k(step: OnnxNodeLowering) -> Any:
    _note_nan(step, step.inputs[0])
    count = step.ints(step.attrs["k"])
    values, places = step.ops("TopK", 2, step.inputs[0], count, axis=-1, largest=1, sorted=1)
    return [values, step.cast(_second(places), step.node.outputs[1].dtype)]


def _in_top_k(step: OnnxNodeLowering) -> Any:
    """Return whether fewer than k predictions are larger than that of the target."""
    targets, predictions, k = step.inputs
    place = step.op("Unsqueeze", step.cast(targets, int64), step.ints(1))
    last = step.op("Sub", step.size(predictions, 1), step.ints(1))
    within = step.op("Max", step.op("Min", place, last), step.ints(0))
    is_class, place = step.op("Equal", place, within), within
    own = step.op("GatherElements", predictions, place, axis=1)
    larger = step.cast(step.op("Greater", predictions, own), int64)
    count = step.op("ReduceSum", larger, step.ints(1), keepdims=0)
    finite = step.op("Not", step.op("Or", step.op("IsNaN", own), step.op("IsInf", own)))
    few = step.op("Less", count, step.cast(k, int64))
    counted = step.op("And", finite, is_class)
    return step.op("And", few, step.op("Squeeze", counted, step.ints(1)))


def _nonzero(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    if x.dtype.is_string:
        x = step.op("Not", step.op("Equal", x, step.like("", x)))
    found = step.op("NonZero", step.cast(x, bool_))
    return step.cast(step.op("Transpose", found, perm=[1, 0]), step.dtype)


def _unique(step: OnnxNodeLowering) -> Any:
    """Return distinct elements in the order of their first places, and their numbers."""
    values, _, numbers, counts = step.ops("Unique", 4, step.inputs[0], sorted=0)
    found = [values, *(each._replace(dtype=int64) for each in (numbers, counts))]
    kinds = [each.dtype for each in step.node.outputs]
    return [step.cast(each, kind) for each, kind in zip(found, kinds)]


def _searchsorted(step: OnnxNodeLowering) -> Any:
    """Count the elements before each value."""
    ordered_, values = step.inputs
    row = step.op("Unsqueeze", ordered_, step.ints(-2))
    column = step.op("Unsqueeze", values, step.ints(-1))
    operator = "Less" if step.attrs["side"] == "left" else "LessOrEqual"
    before = step.cast(step.op(operator, row, column), int64)
    return step.cast(step.op("ReduceSum", before, step.ints(-1), keepdims=0), step.dtype)


def _invert_permutation(step: OnnxNodeLowering) -> Any:
    step.note_negative(0)
    x = step.index(0)
    places = arange(step, step.size(x, 0))
    return step.cast(step.op("ScatterElements", x, x, places, axis=0), step.dtype)


RULES: dict[str, Rule] = {
    "sort": _sort,
    "argsort": _argsort,
    "python_order": _python_order,
    "first_extreme": _first_extreme,
    "top_k": _top_k,
    "in_top_k": _in_top_k,
    "nonzero": _nonzero,
    "unique": _unique,
    "unique_with_counts": _unique,
    "searchsorted": _searchsorted,
    "invert_permutation": _invert_permutation,
}
