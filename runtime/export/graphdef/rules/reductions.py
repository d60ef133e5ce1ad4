"""Lowering of reductions and running sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.dtypes import int32, int64, string
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule


def _axes(step: GraphDefNodeLowering, name: str = "reduction_indices") -> ValueRef:
    """Return the axes as a constant; None means all of them."""
    axis = step.attrs["axis"]
    if axis is not None:
        single = axis[0] if len(axis) == 1 else list(axis)
        return step.const(np.array(single, np.int32), name)
    rank = step.spec(0).shape.rank
    if rank is None:
        found = step.add("Rank", step.inputs[0])
        zero, one = step.const(0, "start"), step.const(1, "delta")
        return step.add("Range", zero, found, one)
    full = step.body.names.fresh("Const")
    return step.body.const(np.arange(rank, dtype=np.int32), full)


def _reduces(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        return step.last(op, step.inputs[0], _axes(step), keep_dims=step.attrs["keepdims"])

    return rule


def _count(step: GraphDefNodeLowering) -> Any:
    x, dtype = step.inputs[0], step.spec(0).dtype
    zero = step.const("" if dtype.is_string else 0, "zero", dtype)
    found = step.add("NotEqual", x, zero)
    ones = step.add("Cast", found, DstT=step.attrs["output_type"])
    return step.last("Sum", ones, _axes(step), keep_dims=step.attrs["keepdims"])


def _deviations(step: GraphDefNodeLowering, op: str) -> Any:
    """Return the mean squared distance from the mean, in the last node if it is the result."""
    x, axes = step.inputs[0], _axes(step)
    mean = step.add("Mean", x, axes, keep_dims=True)
    squares = step.add("SquaredDifference", x, mean)
    add = step.last if op == "variance" else step.add
    return add("Mean", squares, axes, keep_dims=step.attrs["keepdims"])


def _variance(step: GraphDefNodeLowering) -> Any:
    return _deviations(step, "variance")


def _std(step: GraphDefNodeLowering) -> Any:
    return step.last("Sqrt", _deviations(step, "std"))


def _logsumexp(step: GraphDefNodeLowering) -> Any:
    """Subtract the largest element first, so that no exponential overflows."""
    x, axes, kept = step.inputs[0], _axes(step), step.attrs["keepdims"]
    peak = step.add("Max", x, axes, keep_dims=True)
    zero = step.const(0, "zero", step.dtype)
    peak = step.add("SelectV2", step.add("IsFinite", peak), peak, zero)
    powers = step.add("Exp", step.add("Sub", x, peak))
    total = step.add("Log", step.add("Sum", powers, axes, keep_dims=kept))
    if not kept:
        peak = step.add("Reshape", peak, step.add("Shape", total, out_type=int32))
    return step.last("AddV2", total, peak)


def _arg(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        x, wanted = step.inputs[0], step.attrs["output_type"]
        axis = step.const(step.attrs["axis"], "dimension")
        if wanted.name in ("int32", "int64"):
            return step.last(op, x, axis, output_type=wanted)
        return step.last("Cast", step.add(op, x, axis, output_type=int64), DstT=wanted)

    return rule


def _runs(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        axis = step.const(step.attrs["axis"], "axis")
        flags = {"exclusive": step.attrs["exclusive"], "reverse": step.attrs["reverse"]}
        return step.last(op, step.inputs[0], axis, **flags)

    return rule


def _reduce_join(step: GraphDefNodeLowering) -> Any:
    assert step.spec(0).dtype is string
    flags = {"keep_dims": step.attrs["keepdims"], "separator": step.attrs["separator"]}
    return step.last("ReduceJoin", step.inputs[0], _axes(step), **flags)


RULES: dict[str, Rule] = {
    "reduce_sum": _reduces("Sum"),
    "reduce_mean": _reduces("Mean"),
    "reduce_prod": _reduces("Prod"),
    "reduce_max": _reduces("Max"),
    "reduce_min": _reduces("Min"),
    "reduce_any": _reduces("Any"),
    "reduce_all": _reduces("All"),
    "reduce_logsumexp": _logsumexp,
    "reduce_variance": _variance,
    "reduce_std": _std,
    "reduce_join": _reduce_join,
    "count_nonzero": _count,
    "argmax": _arg("ArgMax"),
    "argmin": _arg("ArgMin"),
    "cumsum": _runs("Cumsum"),
    "cumulative_logsumexp": _runs("CumulativeLogsumexp"),
    "cumprod": _runs("Cumprod"),
}
