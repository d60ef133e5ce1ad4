"""Lowering of special functions, and of the parts of complex numbers."""

from __future__ import annotations

from typing import Any

from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule


def _typed(op: str) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        return step.last(op, *step.inputs, Tout=step.dtype)

    return rule


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


RULES: dict[str, Rule] = {
    "real": _typed("Real"),
    "imag": _typed("Imag"),
    "angle": _typed("Angle"),
    "complex": _typed("Complex"),
    "betainc": _broadcast("Betainc"),
}
