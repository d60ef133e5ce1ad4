"""Prints, checks and exceptions, which ONNX cannot have: they are left out, and noted."""

from __future__ import annotations

from typing import Any

from runtime.export.onnx.node_lowering import NodeLowering, Rule

_GOES_ON = "ONNX has no exceptions: the model goes on where Python raises"


def _raise(step: NodeLowering) -> Any:
    kind = step.attrs["exception"].pattern.kind.__name__
    step.omit(f"raise {kind}", _GOES_ON)
    return []


def _check(step: NodeLowering) -> Any:
    kind = step.attrs.get("error", AssertionError).__name__
    step.omit(f"a check that raises {kind}", _GOES_ON)
    return []


def _asserted(step: NodeLowering) -> Any:
    step.omit("assert", _GOES_ON)
    return []


def _print(step: NodeLowering) -> Any:
    step.omit("print", "a model prints nothing")
    return []


def _checked(step: NodeLowering) -> Any:
    step.omit("check", _GOES_ON)
    return step.inputs[0]


RULES: dict[str, Rule] = {
    "raise": _raise,
    "check": _check,
    "refuse": _check,
    "assert": _asserted,
    "assert_data": _asserted,
    "assert_relation": _asserted,
    "assert_rank": _asserted,
    "assert_shapes": _asserted,
    "print": _print,
    "check_numerics": _checked,
    "ensure_shape": _checked,
}
