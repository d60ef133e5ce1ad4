"""Steps of optimizers as TensorFlow's nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.node_lowering import NodeLowering, Rule


def _adam(step: NodeLowering) -> Any:
    # TensorFlow's fused node computes 1 - beta from a rounded beta, which gives another step.
    variable, mean, squares, gradient, rate = step.inputs
    dtype = step.spec(0).dtype
    now, part, kept = (step.add("ReadVariableOp", each, dtype=dtype) for each in step.inputs[:3])

    def number(value: float, name: str) -> Any:
        return step.const(np.array(value, dtype.np_dtype), name, dtype)

    def toward(old: Any, new: Any, share: float, name: str) -> Any:
        apart = step.add("Mul", step.add("Sub", new, old), number(share, name))
        return step.add("AddV2", apart, old)

    part = toward(part, gradient, 1 - step.attrs["beta_1"], "first")
    kept = toward(kept, step.add("Square", gradient), 1 - step.attrs["beta_2"], "second")
    step.add("AssignVariableOp", mean, part, validate_shape=False)
    step.add("AssignVariableOp", squares, kept, validate_shape=False)
    below = step.add("AddV2", step.add("Sqrt", kept), number(step.attrs["epsilon"], "epsilon"))
    moved = step.add("RealDiv", step.add("Mul", part, rate), below)
    return step.last(
        "AssignVariableOp", variable, step.add("Sub", now, moved), validate_shape=False
    )


RULES: dict[str, Rule] = {"adam_variable": _adam}
