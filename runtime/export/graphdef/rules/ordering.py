"""Lowering of sorting, searching, and of the ops that find or count distinct elements."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.export.graphdef.function_body import ValueRef
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import last_axis, moved_last


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


def _largest_first(step: GraphDefNodeLowering, x: ValueRef, descending: bool) -> Any:
    """Return the sorted elements and their indices along the last axis, by the stable TopKV2."""
    dtype = step.spec(0).dtype
    if dtype.is_bool or dtype.is_string:
        raise step.unsupported(f"TensorFlow puts no {dtype.name} in order")
    count = last_axis(step, x)
    if descending:
        return step.add("TopKV2", x, count, sorted=True, index_type=int32)
    # Negated so that equal elements keep their order; the smallest integer is handled, too.
    turned = step.add("Neg" if dtype.is_floating else "Invert", x)
    values, places = step.add("TopKV2", turned, count, sorted=True, index_type=int32)
    return step.add("Neg" if dtype.is_floating else "Invert", values), places


def _ordered(result: int) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        axis, rank = step.attrs["axis"], step.rank()
        moved = moved_last(step, step.inputs[0], axis, rank)
        found = _largest_first(step, moved, step.attrs["descending"])[result]
        return step.last("Identity", moved_last(step, found, axis, rank))

    return rule


def _python_order(step: GraphDefNodeLowering) -> Any:
    if len(step.inputs) > 1:
        raise step.unsupported("TensorFlow puts no tuples in order")
    _, places = _largest_first(step, step.inputs[0], step.attrs["descending"])
    return step.last("Identity", places)


def _first_extreme(step: GraphDefNodeLowering) -> Any:
    """Return the index that Python's `max` or `min` selects: of a NaN only if it is first."""
    dtype, x = step.spec(0).dtype, step.inputs[0]
    if len(step.inputs) > 1 or dtype.is_string:
        raise step.unsupported("TensorFlow compares no tuples and no texts")
    if dtype.is_bool:
        x = step.add("Cast", x, DstT=int32)
    axis = step.const(0, "dimension")
    op = "ArgMax" if step.attrs["largest"] else "ArgMin"
    if not dtype.is_floating:
        return step.last(op, x, axis, output_type=int32)
    first = step.add("GatherV2", x, step.const(0, "first"), axis, batch_dims=0)
    place = step.add(op, step.add("SelectV2", step.add("IsNan", x), first, x), axis,
                     output_type=int32)  # fmt: skip
    return step.last("SelectV2", step.add("IsNan", first), step.const(0, "zero"), place)


def _top_k(step: GraphDefNodeLowering) -> Any:
    k = step.const(step.attrs["k"], "k")
    return step.last("TopKV2", step.inputs[0], k, sorted=True, index_type=int32)


def _distinct(op: str) -> Rule:
    """Return the rule of a node with the distinct elements."""

    def rule(step: GraphDefNodeLowering) -> Any:
        wanted = step.attrs["out_idx"]
        if wanted.name not in ("int32", "int64"):
            raise step.unsupported(f"indices are int32 or int64, not {wanted.name}")
        return step.last(op, step.inputs[0], out_idx=wanted)

    return rule


def _in_top_k(step: GraphDefNodeLowering) -> Any:
    targets, predictions, k = step.inputs
    counts = step.add("Cast", k, DstT=step.spec(0).dtype, Truncate=False)
    return step.last("InTopKV2", predictions, targets, counts)


RULES: dict[str, Rule] = {
    "searchsorted": _searched,
    "unique_with_counts": _distinct("UniqueWithCounts"),
    "sort": _ordered(0),
    "argsort": _ordered(1),
    "python_order": _python_order,
    "first_extreme": _first_extreme,
    "top_k": _top_k,
    "unique": _distinct("Unique"),
    "in_top_k": _in_top_k,
}
