"""Lowers a whole graph to a GraphDef: placeholders, nodes, results and function library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.core.context import current_recorder
from runtime.core.files import write_atomically
from runtime.core.shapes import TensorShape
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.errors import GraphError, UnimplementedError
from runtime.export.graphdef.data_types import RESOURCE
from runtime.export.graphdef.function_body import Body, Kind, ValueRef, node_name
from runtime.export.graphdef.functions import ends
from runtime.export.graphdef.messages import (
    MIN_CONSUMER,
    PRODUCER,
    FunctionDefLibrary,
    GraphDef,
    ShownGraphDef,
    VersionDef,
)
from runtime.export.graphdef.node_lowering import FunctionLibrary, Region, Value
from runtime.export.graphdef.rules import GRAPHDEF, shown
from runtime.export.integer_bounds import overflow_omissions
from runtime.export.report import ExportReport, refuse_omissions
from runtime.export.traces import ExportedProgram
from runtime.export.try_statements import without_tries
from runtime.graph.capture import Capture
from runtime.graph.graph import Graph
from runtime.passes.prune import prune
from runtime.state.variable import Variable


def graph_def(graph: Graph) -> GraphDef:
    """Return the computation of a graph as a GraphDef that TensorFlow can run.

    Inputs are placeholders under their names, variables are placeholders of handles, captured
    tensors are constants; results are `Identity`, `Identity_1`, ... A list is one TensorFlow list
    per part of its items. A `try` becomes branches, which test what fails beforehand. Nodes that no
    result and no effect needs are omitted. A Python number that no longer fits wraps around, where
    Python raises OverflowError; `ag.export(f, path, format="graph_def")` reports the lines.

    Raises:
        GraphError: the graph is a branch or the body of a loop.
        UnimplementedError: the graph has an op without a counterpart in TensorFlow; the error names
            the op and its line.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("double")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> with graph.recording():
    ...     y = x + x
    >>> graph.set_outputs([y])
    >>> [node.op for node in graph_def(graph).node]
    ['Placeholder', 'AddV2', 'Identity']
    """
    return lowered(graph, is_shown=False).graph_def


def write_program(program: ExportedProgram, path: str, *, strict: bool = False) -> ExportReport:
    """Write the only signature of a program as the bytes of its GraphDef.

    Args:
        program: the program.
        path: the file.
        strict: whether Python ints that may no longer fit, and wrap around in TensorFlow, are an
            error; by default the report lists them.

    Raises:
        ArgumentValueError: the program has no signature, or several.
        UnimplementedError: an op has no counterpart in TensorFlow, or `strict` refuses some.
        NotFoundError, PermissionDeniedError, ResourceExhaustedError: the file cannot be written.
    """
    signature = program.only_signature(GRAPHDEF.name)
    data = graph_def(signature.graph).SerializeToString()
    omissions = overflow_omissions([signature.graph])
    if strict:
        refuse_omissions(GRAPHDEF.name, omissions)
    write_atomically(path, data)
    handles = [held.outer for held in signature.graph.captures if isinstance(held.outer, Variable)]
    notes = [
        f"the variable '{signature.state_name(each)}' is a placeholder of a handle: the file does "
        "not have its value"
        for each in handles
    ]
    return ExportReport("graph_def", [path], notes, omissions)


def shown_graph_def(graph: Graph) -> GraphDef:
    """Return a graph as `graph_def` does, for display: it may have nodes that only run here.

    Those have the type of TensorFlow's corresponding op, or the op's own name. Reading the bytes of
    such a graph, which another process could run, raises `graph_def`'s error.

    Raises:
        GraphError: the graph is a branch or the body of a loop.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("noise")
    >>> with graph.recording():
    ...     y = rt.random.uniform([2])
    >>> graph.set_outputs([y])
    >>> [node.op for node in shown_graph_def(graph).node if node.op.startswith("Random")]
    ['RandomUniform']
    """
    return lowered(graph, is_shown=True).graph_def


@dataclass(frozen=True)
class LoweredGraph:
    """A lowered graph.

    Attributes:
        graph_def: the nodes and functions.
        results: the results of each node, by its name.
        tensors: the tensor of the graph for each result, by node and position.
    """

    graph_def: GraphDef
    results: Mapping[str, Sequence[ValueRef]]
    tensors: Mapping[tuple[str, int], SymbolicTensor]


def lowered(graph: Graph, is_shown: bool) -> LoweredGraph:
    """Lower a graph; for display, every op is accepted.

    Raises:
        GraphError: the graph is a branch or the body of a loop.
        UnimplementedError: an op has no counterpart in TensorFlow, unless the graph is for display.
    """
    if graph.outer is not None:
        raise GraphError(f"'{graph.name}' is a part of another graph: export the whole of it")
    # Of a graph that is being recorded, or that a session runs, any node may be requested.
    is_open = is_shown and (graph.runs_by_fetches or _is_recorded(graph))
    whole, refusal = (graph, None) if is_open else _without_tries(graph, is_shown)
    pruned = graph if is_open else prune(whole)
    body, library = Body(), FunctionLibrary(pruned, GRAPHDEF, shown, is_shown)
    if refusal is not None:
        library.refuse(refusal)
    region = Region(pruned, body, library)
    _give_inputs(pruned, region)
    region.lower()
    results = [region.value(tensor) for tensor in pruned.outputs]
    refs = [
        ref for value in results for ref in ((value,) if isinstance(value, ValueRef) else value)
    ]
    if not is_open:
        ends(body, refs, region.last_changes())
    found = GraphDef(
        node=body.nodes,
        library=FunctionDefLibrary(function=library.functions),
        versions=VersionDef(producer=PRODUCER, min_consumer=MIN_CONSUMER),
    )
    if library.refusals:
        found = ShownGraphDef(library.refusals[0], found)
    return LoweredGraph(found, body.results, _tensors(graph, whole, pruned, region))


def _without_tries(graph: Graph, is_shown: bool) -> tuple[Graph, UnimplementedError | None]:
    """Return a graph whose `try`s are branches; for display, itself and why they cannot be."""
    try:
        return without_tries(graph, GRAPHDEF.name), None
    except UnimplementedError as error:
        if not is_shown:
            raise
        return graph, error


def _is_recorded(graph: Graph) -> bool:
    recorder: Any = current_recorder()
    while recorder is not None and recorder is not graph:
        recorder = getattr(recorder, "outer", None)
    return recorder is graph


def _tensors(
    graph: Graph, whole: Graph, pruned: Graph, region: Region
) -> dict[tuple[str, int], SymbolicTensor]:
    """Return the tensors of a graph by the results that represent them.

    Of a graph that was recorded anew as `whole`, only the inputs are represented: a node of the
    same name may be another one.
    """
    originals = {node.name: node for node in graph.nodes} if whole is graph else {}
    pairs = [(each, originals[each.name]) for each in pruned.nodes if each.name in originals]
    inputs = {tensor.node.name: tensor for tensor in graph.inputs}
    found = [(tensor, inputs[tensor.node.name]) for tensor in pruned.inputs]
    found += [pair for one, other in pairs for pair in zip(one.outputs, other.outputs)]
    values = ((region.values.get(id(tensor)), original) for tensor, original in found)
    return {(v.node, v.index): original for v, original in values if isinstance(v, ValueRef)}


def _give_inputs(graph: Graph, region: Region) -> None:
    for tensor in graph.parameters:
        if tensor.dtype.is_variant:
            region.library.refuse(
                UnimplementedError(
                    f"'{tensor.node.name}' is a list that is given from outside, which a GraphDef "
                    "cannot take: give a tensor, and make the list of it in the function",
                    tensor.node.origin,
                )
            )
        region.values[id(tensor)] = _placeholders(region, tensor)
    for held in graph.captures:
        region.values[id(held.inner)] = _captured(region, held)


def _placeholders(region: Region, tensor: SymbolicTensor) -> Value:
    kinds = region.kinds(tensor)
    shapes = [TensorShape.of(()) if kind is RESOURCE else tensor.shape for kind in kinds]
    made = [_placeholder(region.body, tensor, *pair) for pair in zip(kinds, shapes)]
    (value,) = region.grouped(made, [tensor])
    return value


def _captured(region: Region, held: Capture) -> Value:
    """Return a constant for a captured tensor, and a placeholder for a variable.

    In TensorFlow, larger captured tensors are inputs whose values only the function object has. A
    file must be complete by itself, so it includes all of them.
    """
    outer, inner = held
    if isinstance(outer, EagerTensor):
        if inner.dtype.is_variant:
            region.library.refuse(
                UnimplementedError(
                    "the function uses a list that was made before it runs, and a GraphDef cannot "
                    "hold that list: make it in the function",
                    inner.node.origin,
                )
            )
            return _placeholders(region, inner)
        return region.body.const(outer._array)
    return _placeholder(region.body, inner, RESOURCE, TensorShape.of(()))


def _placeholder(body: Body, tensor: SymbolicTensor, kind: Kind, shape: TensorShape) -> ValueRef:
    wanted = node_name(tensor.node.name)
    attrs = {"_user_specified_name": tensor.node.name, "dtype": kind, "shape": shape}
    return body.add("Placeholder", (), attrs, body.names.fresh(wanted))[0]
