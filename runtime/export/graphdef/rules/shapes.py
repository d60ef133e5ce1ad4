"""Lowering of `shape`, `reshape`, `transpose` and their like."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import dims


def _shape(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        wanted = step.attrs["out_type"]
        if wanted.name in ("int32", "int64"):
            return step.last(op, step.inputs[0], out_type=wanted)
        found = step.add(op, step.inputs[0], out_type=step.dtype)
        return step.last("Cast", found, DstT=wanted)

    return rule


def _reshape(step: GraphDefNodeLowering) -> Any:
    return step.last("Reshape", step.inputs[0], dims(step, 1, "shape", "shape"))


def _broadcast_to(step: GraphDefNodeLowering) -> Any:
    return step.last("BroadcastTo", step.inputs[0], dims(step, 1, "shape", "shape"))


def _expand_dims(step: GraphDefNodeLowering) -> Any:
    return step.last("ExpandDims", step.inputs[0], step.const(step.attrs["axis"], "dim"))


def _squeeze(step: GraphDefNodeLowering) -> Any:
    axes = list(step.attrs["axis"] or ())
    return step.last("Squeeze", step.inputs[0], squeeze_dims=axes)


def _ensure_shape(step: GraphDefNodeLowering) -> Any:
    return step.last("EnsureShape", step.inputs[0], shape=step.attrs["shape"])


def _transpose(step: GraphDefNodeLowering) -> Any:
    perm = step.attrs["perm"]
    rank = step.rank() if perm is None or min(perm, default=0) < 0 else len(perm)
    order = range(rank)[::-1] if perm is None else [axis % rank for axis in perm]
    return step.last("Transpose", step.inputs[0], step.const(np.array(order, np.int32), "perm"))


def _matrix_transpose(step: GraphDefNodeLowering) -> Any:
    order = np.arange(step.rank(), dtype=np.int32)
    order[[-2, -1]] = order[[-1, -2]]
    return step.last("Transpose", step.inputs[0], step.const(order, "perm"))


RULES: dict[str, Rule] = {
    "shape": _shape("Shape"),
    "size": _shape("Size"),
    "reshape": _reshape,
    "broadcast_to": _broadcast_to,
    "expand_dims": _expand_dims,
    "squeeze": _squeeze,
    "ensure_shape": _ensure_shape,
    "transpose": _transpose,
    "matrix_transpose": _matrix_transpose,
}
