"""Sums, means, extremes and logical reductions, their indices, and running sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import bool_, int32, int64
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule
from runtime.export.onnx.rules.creation import full
from runtime.export.onnx.rules.manipulation import reversed_along
from runtime.export.onnx.values import ModelTensor


def reduced(step: OnnxNodeLowering, operator: str, x: ModelTensor) -> ModelTensor:
    """Return a reduction along the axes of a node."""
    if step.attrs["axis"] == ():
        return x
    return step.op(operator, x, _axes(step), keepdims=int(step.attrs["keepdims"]))


def _axes(step: OnnxNodeLowering) -> ModelTensor | None:
    axis = step.attrs["axis"]
    return None if axis is None else step.ints(*(axis if isinstance(axis, tuple) else (axis,)))


def _extreme(operator: str) -> Rule:
    """Return the rule of an extreme, which is NaN if one of the floats is: ONNX may skip NaN."""

    def rule(step: OnnxNodeLowering) -> Any:
        x = step.inputs[0]
        found = reduced(step, operator, x)
        if not x.dtype.is_floating or step.attrs["axis"] == ():
            return found
        marks = reduced(step, "ReduceMax", step.cast(step.op("IsNaN", x), int32))
        has_nan = step.op("Greater", marks, step.like(0, marks))
        return step.where(has_nan, step.like(np.nan, found), found)

    return rule


def _nan_if_empty(step: OnnxNodeLowering, found: ModelTensor) -> ModelTensor:
    """Return a mean as it is, or NaN if it is one of no elements: engines give 0 then."""
    axis, dims = step.attrs["axis"], step.spec().shape.dims
    if axis == ():
        return found
    axes = axis if isinstance(axis, tuple) or axis is None else (axis,)
    if dims is not None and all(dims if axes is None else (dims[each] for each in axes)):
        return found
    x = step.inputs[0]
    if axes is None:
        count = step.op("Size", x)
    else:
        sizes = step.op("Gather", step.shape(x), step.ints(*axes), axis=0)
        count = step.op("ReduceProd", sizes, keepdims=0)
    is_empty = step.op("Equal", count, step.number(0))
    return step.where(is_empty, step.like(np.nan, found), found)


def _plain(operator: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        return reduced(step, operator, step.inputs[0])

    return rule


def _sum(step: OnnxNodeLowering) -> Any:
    """Add integers in parts of 32 bits: engines add them in float64, which has no more than 53."""
    x = step.inputs[0]
    if not x.dtype.is_integer or step.attrs["axis"] == ():
        return reduced(step, "ReduceSum", x)
    if x.dtype.np_dtype.itemsize < _BYTES:
        return step.cast(reduced(step, "ReduceSum", step.cast(x, int64)), x.dtype)
    wide, part = step.cast(x, int64), step.number(2**32)
    low = step.op("Mod", wide, part)
    high = step.op("Div", step.op("Sub", wide, low), part)
    more = step.op("Mul", reduced(step, "ReduceSum", high), part)
    return step.cast(step.op("Add", more, reduced(step, "ReduceSum", low)), x.dtype)


def _product(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    if x.dtype.is_integer and step.attrs["axis"] != ():
        step.omit("reduce_prod", "engines round a product of integers above 2**53")
    return reduced(step, "ReduceProd", x)


_BYTES = 8


def _mean(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    if not x.dtype.is_integer:
        return _nan_if_empty(step, reduced(step, "ReduceMean", x))
    raise step.unsupported("a mean of integers rounds in its own way: cast to floats first")


def _logical(operator: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        found = reduced(step, operator, step.cast(step.inputs[0], int32))
        # The largest of no integers is the least of them all, which is not 0.
        return step.op("Greater", found, step.like(0, found))

    return rule


def _variance_of(step: OnnxNodeLowering) -> ModelTensor:
    x = step.inputs[0]
    if step.attrs["axis"] != ():
        apart = step.op("Sub", x, step.op("ReduceMean", x, _axes(step), keepdims=1))
    else:
        apart = step.op("Sub", x, x)
    return _nan_if_empty(step, reduced(step, "ReduceMean", step.op("Mul", apart, apart)))


def _variance(step: OnnxNodeLowering) -> Any:
    return _variance_of(step)


def _std(step: OnnxNodeLowering) -> Any:
    return step.op("Sqrt", _variance_of(step))


def _count_nonzero(step: OnnxNodeLowering) -> Any:
    x = step.inputs[0]
    if x.dtype.is_string:
        x = step.op("Not", step.op("Equal", x, step.like("", x)))
    else:
        x = step.cast(x, bool_)
    return step.cast(reduced(step, "ReduceSum", step.cast(x, int64)), step.dtype)


def _sum_to_like(step: OnnxNodeLowering) -> Any:
    """Sum over the axes that broadcasting has added or stretched."""
    x, like = step.inputs
    axes = _stretched(step)
    if axes is not None:
        lead, stretched = axes
        x = step.op("ReduceSum", x, step.ints(*lead), keepdims=0) if lead else x
        return step.op("ReduceSum", x, step.ints(*stretched), keepdims=1) if stretched else x
    mine, theirs = step.shape(x), step.shape(like)
    added = step.op("Sub", step.size(mine, 0), step.size(theirs, 0))
    whole = step.op("Concat", step.op("Expand", step.ints(1), added), theirs, axis=0)
    differ = step.op("Not", step.op("Equal", mine, whole))
    places = step.op("Reshape", step.op("NonZero", differ), step.ints(-1))
    total = step.op("ReduceSum", x, places, keepdims=1, noop_with_empty_axes=1)
    return step.op("Reshape", total, theirs, allowzero=1)


def _stretched(step: OnnxNodeLowering) -> tuple[list[int], list[int]] | None:
    """Return the axes that are added, and those of size 1; None if only a run knows them."""
    mine, theirs = (step.spec(at).shape.dims for at in (0, 1))
    if mine is None or theirs is None:
        return None
    lead, found = len(mine) - len(theirs), []
    for axis, (one, other) in enumerate(zip(mine[lead:], theirs)):
        if other == 1 and one != 1:
            found.append(axis)
        elif other is None and one != 1:
            return None
    return list(range(lead)), found


def _arg(operator: str) -> Rule:
    def rule(step: OnnxNodeLowering) -> Any:
        x = step.inputs[0]
        x = step.cast(x, int32) if x.dtype is bool_ else x
        if x.dtype.is_floating:
            # NaN is neither the largest nor the smallest.
            last = step.like(-np.inf if operator == "ArgMax" else np.inf, x)
            x = step.where(step.op("IsNaN", x), last, x)
        return step.cast(step.op(operator, x, axis=step.attrs["axis"], keepdims=0), step.dtype)

    return rule


def _cumsum(step: OnnxNodeLowering) -> Any:
    flags = {name: int(step.attrs[name]) for name in ("exclusive", "reverse")}
    return step.op("CumSum", step.inputs[0], step.number(step.attrs["axis"]), **flags)


def _cumprod(step: OnnxNodeLowering) -> Any:
    """Multiply along an axis, an iteration of a loop for each place."""
    x, axis, rank = step.inputs[0], step.attrs["axis"] % step.rank(), step.rank()
    backwards = step.attrs["reverse"]
    x = reversed_along(step, x, [axis]) if backwards else x
    rows = step.op("Transpose", x, perm=_front(axis, rank)) if axis else x
    ones = full(step, 1, x.dtype, step.shape(rows, 1)) if rank > 1 else step.like(1, x)
    made = step.op("Slice", rows, step.ints(0), step.ints(0), step.ints(0))

    def body(iteration: ModelTensor, values: list[ModelTensor]) -> tuple[None, list[ModelTensor]]:
        total, found = values
        new = step.op("Mul", total, step.op("Gather", rows, iteration, axis=0))
        kept = step.op("Unsqueeze", total if step.attrs["exclusive"] else new, step.ints(0))
        return None, [new, step.op("Concat", found, kept, axis=0)]

    iterations = step.op("Squeeze", step.size(rows, 0))
    found = step.repeated(iterations, [ones, made], body)[1]
    found = step.op("Transpose", found, perm=_back(axis, rank)) if axis else found
    return reversed_along(step, found, [axis]) if backwards else found


def _front(axis: int, rank: int) -> list[int]:
    return [axis, *(each for each in range(rank) if each != axis)]


def _back(axis: int, rank: int) -> list[int]:
    return [int(place) for place in np.argsort(_front(axis, rank))]


RULES: dict[str, Rule] = {
    "reduce_sum": _sum,
    "reduce_prod": _product,
    "reduce_max": _extreme("ReduceMax"),
    "reduce_min": _extreme("ReduceMin"),
    "reduce_mean": _mean,
    "reduce_any": _logical("ReduceMax"),
    "reduce_all": _logical("ReduceMin"),
    "reduce_logsumexp": _plain("ReduceLogSumExp"),
    "reduce_variance": _variance,
    "reduce_std": _std,
    "count_nonzero": _count_nonzero,
    "sum_to_like": _sum_to_like,
    "argmax": _arg("ArgMax"),
    "argmin": _arg("ArgMin"),
    "cumsum": _cumsum,
    "cumprod": _cumprod,
}
