"""The check between passes that a graph is well formed."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.spec import TensorSpec
from runtime.core.tensor import SymbolicTensor
from runtime.errors import GraphError, OpError
from runtime.graph.callee import CalledGraph, RecursiveRegion
from runtime.graph.effects import EffectOrder, effect_of
from runtime.graph.graph import Graph
from runtime.graph.node import Node, infer_specs
from runtime.graph.recursion import enclosing_region


def verify(graph: Graph) -> Graph:
    """Return `graph` if it is well formed.

    Every operand is defined earlier in the same graph, results agree with their op's inference, a
    region's captures are operands of its node, a call fits the region it names, effects are in
    order, and names are unique.

    Raises:
        GraphError: the graph is not well formed; the message names the first invalid node, and the
            user's line that recorded it.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> verify(graph) is graph
    True
    """
    known = {id(tensor) for tensor in graph.inputs}
    order = EffectOrder()
    _check_names(graph)
    for node in graph.nodes:
        _check_operands(graph, node, known)
        _check_regions(graph, node)
        _check_call(graph, node)
        _check_specs(node)
        _check_effect(node, order)
        known.update(map(id, (node, *node.outputs)))
    for output in graph.outputs:
        if id(output) not in known:
            raise GraphError(f"'{graph.name}' returns {output}, which it does not compute")
    return graph


def _fail(node: Node, message: str) -> GraphError:
    return GraphError(f"node '{node.name}' ({node.op.name}) {message}", node.origin)


def _check_names(graph: Graph) -> None:
    seen: set[str] = set()
    for node in [*(tensor.node for tensor in graph.inputs), *graph.nodes]:
        if node.name in seen:
            raise _fail(node, "has a name that is used twice")
        seen.add(node.name)


def _check_operands(graph: Graph, node: Node, known: set[int]) -> None:
    for position, tensor in enumerate(node.inputs):
        if tensor.graph is not graph:
            raise _fail(node, f"takes {tensor} of another graph, '{tensor.graph.name}'")
        if id(tensor) not in known:
            raise _fail(node, f"takes {tensor} as operand {position} before it is computed")
    for earlier in node.control:
        if id(earlier) not in known:
            raise _fail(node, f"waits for '{earlier.name}', which does not run before it")


def _check_regions(graph: Graph, node: Node) -> None:
    for region in node.regions:
        if region.outer is not graph:
            raise _fail(node, f"owns '{region.name}', which was traced in another graph")
        count = len(region.captures)
        outer = [capture.outer for capture in region.captures]
        if count and not _same(outer, node.inputs[-count:]):
            raise _fail(node, f"does not pass on the captures of '{region.name}'")
        verify(region)


def _check_call(graph: Graph, node: Node) -> None:
    """Check that a call and its region agree in inputs, outputs and effect."""
    callee = node.attrs.get("callee")
    if isinstance(callee, CalledGraph) and callee.graph.outer is not None:
        raise _fail(node, f"calls '{callee.name}', which is part of another graph")
    if not isinstance(callee, RecursiveRegion):
        return
    region = enclosing_region(graph, callee.name)
    if region is None:
        raise _fail(node, f"calls '{callee.name}', which does not enclose it")
    for what, known, tensors in (
        ("inputs", callee.inputs, region.inputs),
        ("outputs", callee.outputs, region.outputs),
    ):
        found = [tensor.spec for tensor in tensors]
        if len(known) != len(found) or not all(a.contains(b) for a, b in zip(known, found)):
            raise _fail(node, f"knows other {what} of '{callee.name}' than it has")
    if callee.effect != region.effect:
        raise _fail(node, f"takes '{callee.name}' to have the effect '{callee.effect}'")


def _same(first: Sequence[object], second: Sequence[object]) -> bool:
    return len(first) == len(second) and all(map(lambda a, b: a is b, first, second))


def _check_specs(node: Node) -> None:
    inferred = _infer(node)
    if len(inferred) != len(node.outputs):
        raise _fail(node, f"has {len(node.outputs)} results, its op infers {len(inferred)}")
    for tensor, spec in zip(node.outputs, inferred, strict=True):
        if not _agrees(tensor, spec):
            raise _fail(node, f"yields {tensor.spec}, its op infers {spec}")


def _infer(node: Node) -> tuple[TensorSpec, ...]:
    try:
        return infer_specs(node.op, node.inputs, node.attrs, node.regions)
    except OpError as error:
        raise _fail(node, f"does not fit its operands: {error.message}") from error


def _agrees(tensor: SymbolicTensor, spec: TensorSpec) -> bool:
    """Return whether specs agree: a pass may know a shape better than inference does."""
    return spec.contains(tensor.spec)


def _check_effect(node: Node, order: EffectOrder) -> None:
    effect = effect_of(node.op.effects, node.attrs, node.regions)
    if effect != node.effect:
        raise _fail(node, f"is marked '{node.effect}' but has the effect '{effect}'")
    missing = [earlier for earlier in order.follow(node) if earlier not in node.control]
    if missing:
        raise _fail(node, f"must run after '{missing[0].name}' but has no edge to it")
