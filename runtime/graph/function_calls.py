"""Calls of self-contained graphs, which were traced on their own.

    %half = function_call(%x) {callee=half} : float32
    %half_1 = function_call(%half) {callee=half} : float32

All calls share one graph, which is printed once, after the calling graph. The operands of a call
are the arguments, then the graph's captures: eager tensors and variables, which become captures of
the calling graph. (A recursive function is a region: `recursion`.)
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.context import current_recorder, current_watchers
from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.errors import GraphError
from runtime.graph.callee import CalledGraph
from runtime.graph.capture import Outer
from runtime.graph.graph import Graph
from runtime.graph.inlining import inlined
from runtime.graph.may_raise import node_shows_failure, raised_by_node
from runtime.graph.region_ops import check_arguments
from runtime.ops.op import define


def as_called_graph(graph: Graph) -> CalledGraph:
    """Return a finished graph as the callee of calls.

    Raises:
        GraphError: the graph is a region, whose captures are values of the graph around it.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("quotient")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     quotient = 12 // x
        >>> graph.set_outputs([quotient])
        >>> [kind.__name__ for kind in as_called_graph(graph).raises]
        ['DivisionByZeroError']
    """
    if graph.outer is not None or any(isinstance(e.outer, SymbolicTensor) for e in graph.captures):
        raise GraphError(f"'{graph.name}' is part of another graph and cannot be called by itself")
    kinds = [kind for node in graph.walk() for kind in raised_by_node(node)]
    return CalledGraph(
        graph, tuple(dict.fromkeys(kinds)), any(map(node_shows_failure, graph.walk()))
    )


def record_function_call(
    called: CalledGraph, arguments: Sequence[Outer]
) -> tuple[SymbolicTensor, ...]:
    """Record a call of a graph in the current one, and return its results.

    Args:
        called: the graph.
        arguments: one tensor, or variable, per parameter; shapes may be narrower than the
            parameter's.

    While a tape is open, the nodes of the graph are recorded in place of the call.

    Raises:
        DTypeError, ShapeError: the graph does not accept an argument.
        GraphError: no graph is recording, or the number of arguments is wrong.
    """
    recorder = current_recorder()
    if not isinstance(recorder, Graph):
        raise GraphError(f"'{called.name}' can only be called as a node while a graph is recording")
    values = (*arguments, *(capture.outer for capture in called.graph.captures))
    operands = [recorder.capture(each) for each in values]
    if any(each.records_in(recorder) for each in current_watchers()):
        return inlined(called.graph, operands, recorder)
    attrs = {"callee": called}
    outputs = recorder.record(FUNCTION_CALL, operands, attrs, (), _name_of(called))
    for output, result in zip(outputs, called.graph.outputs, strict=True):
        output.weak = result.weak
    return outputs


def record_constant(inner: SymbolicTensor) -> SymbolicTensor:
    """Record a constant of another graph in the current one, and return it.

    Raises:
        GraphError: the tensor is no constant, or no graph is recording.
    """
    recorder = current_recorder()
    if not isinstance(recorder, Graph) or inner.node.inputs:
        raise GraphError(f"{inner} is not a constant, or no graph is recording")
    (constant,) = recorder.record(inner.node.op, (), inner.node.attrs)
    constant.weak = inner.weak
    return constant


def _infer_function_call(*operands: TensorSpec, callee: CalledGraph) -> tuple[TensorSpec, ...]:
    check_arguments(callee.name, operands, [tensor.spec for tensor in callee.graph.inputs])
    return tuple(tensor.spec for tensor in callee.graph.outputs)


def _name_of(called: CalledGraph) -> str:
    return called.name if called.name.isidentifier() else FUNCTION_CALL.name


FUNCTION_CALL = define("function_call", None, _infer_function_call, n_outputs=None)
