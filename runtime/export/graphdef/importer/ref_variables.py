"""Variables of TensorFlow 1 as those of TensorFlow 2: a node that is its value, and its handle.

v = VariableV2            ->    v/handle = VarHandleOp,  v = ReadVariableOp(v/handle)
n = AssignAdd(v, x)       ->    n/write = AssignAddVariableOp(v/handle, x)
                                n = ReadVariableOp(v/handle, ^n/write)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runtime.export.graphdef.attribute_values import attr_value
from runtime.export.graphdef.importer.body import source_of
from runtime.export.graphdef.messages import NodeDef

_VARIABLES = ("Variable", "VariableV2")
_WRITES = {
    "Assign": "AssignVariableOp",
    "AssignAdd": "AssignAddVariableOp",
    "AssignSub": "AssignSubVariableOp",
}


def with_handles(nodes: Sequence[NodeDef]) -> list[NodeDef]:
    """Return the nodes of a graph with handles in the place of variables of TensorFlow 1.

    >>> variable = NodeDef(name="v", op="VariableV2", attr={"dtype": attr_value(3)})
    >>> [(node.name, node.op) for node in with_handles([variable])]
    [('v/handle', 'VarHandleOp'), ('v', 'ReadVariableOp')]
    """
    variables = {node.name: node for node in nodes if node.op in _VARIABLES}
    found: list[NodeDef] = []
    for node in nodes:
        variable = _variable_of(node, variables)
        found += [node] if variable is None else _split(node, variable)
    return found


def _variable_of(node: NodeDef, variables: Mapping[str, NodeDef]) -> NodeDef | None:
    """Return the variable that a node is or writes; None for other nodes."""
    if node.op in _VARIABLES:
        return node
    return variables.get(source_of(node.input[0])) if node.op in _WRITES and node.input else None


def _split(node: NodeDef, variable: NodeDef) -> Iterator[NodeDef]:
    handle = f"{variable.name}/handle"
    dtype = {"dtype": variable.attr["dtype"]}
    if node is variable:
        shape = {key: value for key, value in node.attr.items() if key == "shape"}
        attrs = {**dtype, **shape, "shared_name": attr_value(node.name)}
        yield NodeDef(name=handle, op="VarHandleOp", attr=attrs)
        yield NodeDef(name=node.name, op="ReadVariableOp", input=[handle], attr=dtype)
        return
    write = f"{node.name}/write"
    yield NodeDef(name=write, op=_WRITES[node.op], input=[handle, *node.input[1:]], attr=dtype)
    waits = [handle, f"^{write}"]
    yield NodeDef(name=node.name, op="ReadVariableOp", input=waits, attr=dtype)
