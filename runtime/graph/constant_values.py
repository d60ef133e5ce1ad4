"""Computes, while tracing, recorded tensors that depend on no parameter of their graph.

Tracing needs the initial value of a variable that a traced function creates.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

from runtime.core.context import caller_origin
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor
from runtime.errors import FailedPreconditionError, of_tracing
from runtime.graph.callee import called_graph
from runtime.graph.node import Node
from runtime.ops.effects.variables import READ_VARIABLE
from runtime.ops.op import run_kernel

if TYPE_CHECKING:
    from runtime.graph.graph import Graph


def known_value(tensor: SymbolicTensor) -> Array:
    """Return the value of `tensor`.

    Raises:
        FailedPreconditionError: it depends on a parameter of its graph, on control flow, or on a
            variable that the graph has changed; its value is only known at run time.
    """
    return _computed(tensor, _captured_values(tensor.graph))


def _computed(tensor: SymbolicTensor, values: dict[int, Any]) -> Array:
    """Compute a tensor from known values, by identity; computed values are added to them."""
    for node in _needed_nodes(tensor):
        if id(node.outputs[0]) in values:
            continue
        called = called_graph(node.attrs)
        if called is not None and called.effect == "none":
            given = [values[id(operand)] for operand in node.inputs]
            inside = dict(zip(map(id, called.graph.inputs), given))
            for output, result in zip(node.outputs, called.graph.outputs):
                values[id(output)] = _computed(result, inside)
            continue
        if node.op.kernel is None or _reads_changed_variable(node):
            raise of_tracing(
                FailedPreconditionError(
                    f"the value of {tensor} is not known while tracing because it depends on "
                    f"'{node.name}': create the variable outside the function, or with a value of "
                    "its own (such as zeros) that .assign(...) replaces",
                    caller_origin(),
                )
            )
        results = run_kernel(node.op, [values[id(operand)] for operand in node.inputs], node.attrs)
        values.update(zip(map(id, node.outputs), results))
    array: Array = values[id(tensor)]
    return array


def _reads_changed_variable(node: Node) -> bool:
    """Return whether a node reads a variable that the graph may have changed before."""
    graph = node.graph
    if node.op is not READ_VARIABLE or graph is None or graph.initialized_variables is None:
        return False
    variable = node.inputs[0]
    earlier = takewhile(lambda each: each is not node, graph.nodes)
    return any(_may_change(each, variable) for each in earlier)


def _may_change(node: Node, variable: SymbolicTensor) -> bool:
    is_given = any(operand is variable for operand in node.inputs)
    is_python = node.op.name == "py_function"  # Its function may change any variable.
    return is_python or (is_given and node.effect == "write")


def _captured_values(graph: Graph) -> dict[int, Any]:
    values: dict[int, Any] = {}
    for outer, inner in graph.captures:
        if not isinstance(outer, SymbolicTensor):
            values[id(inner)] = outer._array if isinstance(outer, EagerTensor) else outer
    return values


def _needed_nodes(tensor: SymbolicTensor) -> list[Node]:
    """Return the nodes that compute `tensor`, in order, including placeholders."""
    wanted = {id(tensor.node)}
    found = []
    for node in [*reversed(tensor.graph.nodes), *(t.node for t in tensor.graph.inputs)]:
        if id(node) in wanted:
            found.append(node)
            wanted.update(id(operand.node) for operand in node.inputs)
    return found[::-1]
