"""Lowering of reads and writes of variables, of writes to their parts, and of optimizer steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.graphdef.rules.axes import as_index
from runtime.export.graphdef.rules.indexing import three


def _read(step: GraphDefNodeLowering) -> Any:
    return step.last("ReadVariableOp", step.inputs[0], dtype=step.dtype)


def _write(op: str, **attrs: Any) -> Rule:
    def rule(step: GraphDefNodeLowering) -> Any:
        return step.last(op, *step.inputs, **attrs)

    return rule


def _scatter(step: GraphDefNodeLowering) -> Any:
    handle, indices, updates = step.inputs
    how = step.attrs["how"].capitalize()
    return step.last(f"ResourceScatter{how}", handle, as_index(step, indices), updates)


def _scatter_nd(step: GraphDefNodeLowering) -> Any:
    handle, indices, updates = step.inputs
    how = step.attrs["how"].capitalize()
    return step.last(f"ResourceScatterNd{how}", handle, as_index(step, indices), updates)


def _assign_item(step: GraphDefNodeLowering) -> Any:
    handle, value, *inputs = step.inputs
    vectors, marks = three(step, inputs)
    return step.last("ResourceStridedSliceAssign", handle, *vectors, value, **marks)


# -- optimizer steps -------------------------------------------------------------------------------


def _adam(step: GraphDefNodeLowering) -> Any:
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


RULES: dict[str, Rule] = {
    "read_variable": _read,
    "assign_variable": _write("AssignVariableOp", validate_shape=False),
    "assign_add_variable": _write("AssignAddVariableOp"),
    "assign_sub_variable": _write("AssignSubVariableOp"),
    "assign_item_variable": _assign_item,
    "scatter_nd_variable": _scatter_nd,
    "scatter_variable": _scatter,
    "adam_variable": _adam,
}
