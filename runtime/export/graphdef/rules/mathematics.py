"""Lowering of complex numbers, bit casts, special functions and segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_index


def _typed(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        return step.last(op, *step.inputs, Tout=step.dtype)

    return rule


def _bitcast(step: GraphDefNodeLowering) -> Any:
    return step.last("Bitcast", step.inputs[0], type=step.attrs["type"])


def _broadcast(op: str) -> Rule:
    """Return a rule for a node with operands of one shape: adding zeros broadcasts them."""

    def rule(step: GraphDefNodeLowering) -> Any:
        shapes = {tensor.shape for tensor in step.node.inputs}
        if len(shapes) == 1 and all(shape.is_fully_defined() for shape in shapes):
            return step.last(op, *step.inputs)
        zeros = [step.add("ZerosLike", each) for each in step.inputs]
        nothing = zeros[0]
        for each in zeros[1:]:
            nothing = step.add("AddV2", nothing, each)
        return step.last(op, *(step.add("AddV2", each, nothing) for each in step.inputs))

    return rule


def _relu_grad(step: GraphDefNodeLowering) -> Any:
    is_above = step.add("Greater", step.inputs[0], step.const(0, "zero", step.dtype))
    return step.last("Cast", is_above, DstT=step.dtype)


def _segment(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        data, ids = step.inputs
        return step.last(op, data, as_index(step, ids))

    return rule


def _unsorted_segment(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        data, ids, *dims = step.inputs
        if dims:
            count = as_index(step, dims[0])
        else:
            count = step.const(np.array(step.attrs["num_segments"], np.int32), "num_segments")
        return step.last(op, data, as_index(step, ids), count, **_separator(step))

    return rule


def _separator(step: GraphDefNodeLowering) -> dict[str, Any]:
    separator = step.attrs.get("separator")
    return {} if separator is None else {"separator": separator}


RULES: dict[str, Rule] = {
    "real": _typed("Real"),
    "imag": _typed("Imag"),
    "angle": _typed("Angle"),
    "complex": _typed("Complex"),
    "bitcast": _bitcast,
    "betainc": _broadcast("Betainc"),
    "relu_grad": _relu_grad,
    **{
        f"segment_{how}": _segment(f"Segment{how.title()}")
        for how in ("sum", "mean", "prod", "max", "min")
    },
    **{
        f"unsorted_segment_{how}": _unsorted_segment(f"UnsortedSegment{how.title()}")
        for how in ("sum", "prod", "max", "min", "join")
    },
}
