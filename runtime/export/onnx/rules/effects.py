"""Prints, checks and exceptions, which ONNX cannot have: they are left out, and noted."""

from __future__ import annotations

from typing import Any

from runtime.export.omitted_checks import CHECKS, check_name
from runtime.export.onnx.node_lowering import OnnxNodeLowering, Rule

_GOES_ON = "ONNX has no exceptions: the model goes on where Python raises"


def _left_out(step: OnnxNodeLowering) -> Any:
    name = check_name(step.node)
    assert name is not None
    if not step.graph.bounds.holds(step.node):
        step.omit(name, "a model prints nothing" if name == "print" else _GOES_ON)
    return step.inputs[0] if step.node.outputs else []


RULES: dict[str, Rule] = dict.fromkeys(CHECKS, _left_out)
