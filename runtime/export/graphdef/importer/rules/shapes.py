"""Import of shapes, reshapes, transposes, and broadcasts."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import int32
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arrays import creation, shape


def _shape(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record(name, step.tensor(0), out_type=step.attrs.dtype("out_type"))

    return rule


def _shapes(step: NodeImport) -> Any:
    wanted = step.attrs.dtype("out_type")
    return [step.record("shape", each, out_type=wanted) for each in step.tensors()]


def _rank(step: NodeImport) -> Any:
    return step.record("rank", step.tensor(0))


def _reshape(step: NodeImport) -> Any:
    return shape.reshape(step.tensor(0), step.sizes(1))


def _broadcast_to(step: NodeImport) -> Any:
    return shape.broadcast_to(step.tensor(0), step.sizes(1))


def _expand_dims(step: NodeImport) -> Any:
    return step.record("expand_dims", step.tensor(0), axis=step.number(1, "axes"))


def _squeeze(step: NodeImport) -> Any:
    name = "axis" if step.attrs.has("axis") else "squeeze_dims"
    return step.record("squeeze", step.tensor(0), axis=step.attrs.numbers(name, ()) or None)


def _ensure_shape(step: NodeImport) -> Any:
    return step.record("ensure_shape", step.tensor(0), shape=step.attrs.shape("shape"))


def _transpose(step: NodeImport) -> Any:
    order = step.numbers(1, "permutations")
    return step.record("transpose", step.tensor(0), perm=order)


def _broadcast_args(step: NodeImport) -> Any:
    return shape.broadcast_dynamic_shape(step.tensor(0), step.tensor(1))


def _gradient_axes(step: NodeImport) -> Any:
    """Return the axes along which each of two shapes is broadcast: those of size 1."""
    counts = [step.record("size", step.tensor(at), out_type=int32) for at in range(2)]
    rank = step.record("maximum", *counts)
    return [_axes_of_one(step, step.tensor(at), rank, counts[at]) for at in range(2)]


def _axes_of_one(step: NodeImport, sizes: Any, rank: Any, count: Any) -> Any:
    """Return the axes of size 1 of a shape, to which axes are added in front."""
    missing = step.record("subtract", rank, count)
    before = creation.fill(missing, step.constant(1, sizes.dtype))
    full = step.record("concat", before, sizes, axis=0)
    known = step.body.static.whole(full)
    if known is not None:
        return step.constant([at for at, size in enumerate(known) if size == 1], sizes.dtype)
    places = step.record("nonzero", step.record("equal", full, step.constant(1, sizes.dtype)))
    axes = step.record("cast", step.record("squeeze", places, axis=(1,)), dtype=sizes.dtype)
    step.body.static.broadcast[id(axes)] = axes, sizes
    return axes


RULES: dict[str, Rule] = {
    "BroadcastArgs": _broadcast_args,
    "BroadcastGradientArgs": _gradient_axes,
    "BroadcastTo": _broadcast_to,
    "EnsureShape": _ensure_shape,
    "ExpandDims": _expand_dims,
    "Rank": _rank,
    "Reshape": _reshape,
    "Shape": _shape("shape"),
    "ShapeN": _shapes,
    "Size": _shape("size"),
    "Squeeze": _squeeze,
    "Transpose": _transpose,
}
