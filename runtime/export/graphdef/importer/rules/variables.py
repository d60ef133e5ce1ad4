"""Import of reads and writes of variables, whose handles are the variables themselves."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import bool_
from runtime.errors import DataLossError
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.export.graphdef.importer.rules.indexing import key_of
from runtime.ops.arrays.index import Index
from runtime.ops.arrays.indexing import place_of


def _handle(step: NodeImport) -> Any:
    """Return the variable that the importer was given for a shared name."""
    step.attrs.skip("dtype", "shape")
    name = step.attrs.text("shared_name", "") or step.node.name
    found = step.body.functions.variables.get(name)
    if found is None:
        raise step.unsupported(f"no variable is given for the name {name!r}")
    return found


def _read(step: NodeImport) -> Any:
    return _value(step, 0)


def _value(step: NodeImport, position: int) -> Any:
    return step.record("read_variable", step.variable(position))


def _write(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        step.record(name, step.variable(0), step.tensor(1))

    return rule


def _scatter(how: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        handle, places, updates = step.variable(0), step.tensor(1), step.tensor(2)
        step.record("scatter_variable", handle, places, updates, how=how)

    return rule


def _scatter_nd(how: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        if step.attrs.text("bad_indices_policy", "") not in ("", "DEFAULT", "ERROR"):
            raise step.unsupported("indices out of bounds are ignored")
        handle, places, updates = step.variable(0), step.tensor(1), step.tensor(2)
        step.record("scatter_nd_variable", handle, places, updates, how=how)

    return rule


def _assign_item(step: NodeImport) -> Any:
    place = place_of(key_of(step, 1))
    if place is None:
        raise DataLossError("its slice is not a place in a variable")
    index: Index = place[0]
    step.record("assign_item_variable", step.variable(0), step.tensor(4), *place[1], index=index)


def _gather(step: NodeImport) -> Any:
    batch = step.attrs.number("batch_dims", 0)
    rows = _value(step, 0)
    return step.record("gather", rows, step.tensor(1), axis=batch, batch_dims=batch)


def _gather_nd(step: NodeImport) -> Any:
    return step.record("gather_nd", _value(step, 0), step.tensor(1))


def _shape(step: NodeImport) -> Any:
    return step.record("shape", _value(step, 0), out_type=step.attrs.dtype("out_type"))


def _is_initialized(step: NodeImport) -> Any:
    step.variable(0)
    return step.constant(True, bool_)


def _nothing(step: NodeImport) -> Any:
    return None


_ROWS = ("add", "sub", "mul", "div", "max", "min", "update")
_ELEMENTS = ("add", "sub", "max", "min", "update")

RULES: dict[str, Rule] = {
    **{f"ResourceScatter{how.title()}": _scatter(how) for how in _ROWS},
    **{f"ResourceScatterNd{how.title()}": _scatter_nd(how) for how in _ELEMENTS},
    "AssignAddVariableOp": _write("assign_add_variable"),
    "AssignSubVariableOp": _write("assign_sub_variable"),
    "AssignVariableOp": _write("assign_variable"),
    "DisableCopyOnRead": _nothing,
    "ReadVariableOp": _read,
    "ResourceGather": _gather,
    "ResourceGatherNd": _gather_nd,
    "ResourceStridedSliceAssign": _assign_item,
    "VarHandleOp": _handle,
    "VarIsInitializedOp": _is_initialized,
    "VariableShape": _shape,
}
