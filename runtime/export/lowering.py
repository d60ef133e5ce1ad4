"""A whole graph as a GraphDef: placeholders, nodes, results, and the library of functions."""

from __future__ import annotations

from runtime.errors import GraphError, UnimplementedError
from runtime.export.body import Body, Kind, Ref, node_name
from runtime.export.data_types import RESOURCE
from runtime.export.functions import ends
from runtime.export.graphdef import (
    MIN_CONSUMER,
    PRODUCER,
    FunctionDefLibrary,
    GraphDef,
    VersionDef,
)
from runtime.export.item_types import ItemTypes
from runtime.export.region import Library, Region
from runtime.graph.capture import Capture
from runtime.graph.graph import Graph
from runtime.passes.prune import prune
from runtime.shapes import TensorShape
from runtime.tensor import EagerTensor, SymbolicTensor


def graph_def(graph: Graph) -> GraphDef:
    """Return what a graph computes, as TensorFlow stores it.

    Parameters are placeholders under their names, variables are placeholders of their resources,
    tensors from outside are constants; results are `Identity`, `Identity_1`, ... A list is a list
    of TensorFlow's for each part of its items. What no result and no effect needs is left out.

    Raises:
        GraphError: the graph is a branch or the body of a loop.
        UnimplementedError: the graph has an op for which TensorFlow has nothing that does the
            same; the error names it, and the line it is of.

    >>> import runtime as rt
    >>> graph = rt.Graph("double")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> with graph.recording():
    ...     y = x + x
    >>> graph.set_outputs([y])
    >>> [node.op for node in graph_def(graph).node]
    ['Placeholder', 'AddV2', 'Identity']
    """
    if graph.outer is not None:
        raise GraphError(f"'{graph.name}' is a part of another graph: export the whole of it")
    pruned = prune(graph)
    body = Body()
    library = Library(ItemTypes(pruned))
    region = Region(pruned, body, library)
    _give_inputs(pruned, region)
    region.lower()
    results = [region.value(tensor) for tensor in pruned.outputs]
    refs = [ref for value in results for ref in ((value,) if isinstance(value, Ref) else value)]
    ends(body, refs, region.last_changes())
    return GraphDef(
        node=body.nodes,
        library=FunctionDefLibrary(function=library.functions),
        versions=VersionDef(producer=PRODUCER, min_consumer=MIN_CONSUMER),
    )


def _give_inputs(graph: Graph, region: Region) -> None:
    for tensor in graph.parameters:
        if tensor.dtype.is_variant:
            raise UnimplementedError(
                f"'{tensor.node.name}' is a list that is given from outside, which a GraphDef "
                "cannot take: give a tensor, and make the list of it in the function",
                tensor.node.origin,
            )
        (kind,) = region.kinds(tensor)
        shape = TensorShape.of(()) if kind is RESOURCE else tensor.shape
        region.values[id(tensor)] = _placeholder(region.body, tensor, kind, shape)
    for held in graph.captures:
        region.values[id(held.inner)] = _captured(region.body, held)


def _captured(body: Body, held: Capture) -> Ref:
    """Return a constant for a tensor from outside, and a placeholder for a variable.

    TensorFlow makes larger tensors inputs, whose values are in the function object alone. A file
    that is read by itself would lack them, so all of them are in it.
    """
    outer, inner = held
    if isinstance(outer, EagerTensor):
        if inner.dtype.is_variant:
            raise UnimplementedError(
                "a list made before the function runs is used in it, which is no value of a "
                "GraphDef: make it in the function",
                inner.node.origin,
            )
        return body.const(outer._array)
    return _placeholder(body, inner, RESOURCE, TensorShape.of(()))


def _placeholder(body: Body, tensor: SymbolicTensor, kind: Kind, shape: TensorShape) -> Ref:
    wanted = node_name(tensor.node.name)
    attrs = {"_user_specified_name": tensor.node.name, "dtype": kind, "shape": shape}
    return body.add("Placeholder", (), attrs, body.names.fresh(wanted))[0]
