"""Lowering of reads and writes of variables, and of writes to their rows, elements and slices."""

from __future__ import annotations

from typing import Any

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


RULES: dict[str, Rule] = {
    "read_variable": _read,
    "assign_variable": _write("AssignVariableOp", validate_shape=False),
    "assign_add_variable": _write("AssignAddVariableOp"),
    "assign_sub_variable": _write("AssignSubVariableOp"),
    "assign_item_variable": _assign_item,
    "scatter_nd_variable": _scatter_nd,
    "scatter_variable": _scatter,
}
