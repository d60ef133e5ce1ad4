"""Drops nodes that no output, effect or visible error needs, also in regions.

%add = add(%x, %x)                       %mul = multiply(%x, %x)
%mul = multiply(%x, %x)          ->      print()
print()                                  return %mul
return %mul
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from runtime.core.tensor import SymbolicTensor
from runtime.graph.effects import STRENGTH
from runtime.graph.graph import Graph
from runtime.graph.may_raise import node_shows_failure, raised_by_node
from runtime.graph.node import Node

NOTHING_KEPT: Mapping[Node, Any] = {}


class Needed(NamedTuple):
    """The needed parts of a graph.

    Attributes:
        nodes: the nodes that must run, in order.
        values: the identities of the tensors that these nodes and the outputs use.
        regions: for each of these nodes, the needed parts of its regions.
    """

    nodes: tuple[Node, ...]
    values: frozenset[int]
    regions: Mapping[Node, tuple[Needed, ...]]

    def uses(self, tensor: SymbolicTensor) -> bool:
        """Return whether an output or a needed node uses `tensor`."""
        return id(tensor) in self.values


def needs_of(graph: Graph, tried: bool = False, showing: set[Node] | None = None) -> Needed:
    """Find the nodes that must run: for an output, or because of an effect or an error.

    A read of a variable is not needed by itself.

    Args:
        graph: the graph.
        tried: whether the graph is in the body of a `try`; then each node that may raise is needed,
            since a handler may catch its error.
        showing: the nodes for which `shows_failure` is true; found here by default.
    """
    if showing is None:
        _find_showing(graph, showing := set())
    values = {id(tensor) for tensor in graph.outputs}
    kept: list[Node] = []
    inside: dict[Node, tuple[Needed, ...]] = {}
    for node in reversed(graph.nodes):
        required = is_required(node) or node in showing or (tried and may_fail(node))
        if not (required or any(id(tensor) in values for tensor in node.outputs)):
            continue
        kept.append(node)
        inside[node] = needs_inside(node, tried, showing) if node.regions else ()
        values.update(map(id, _used_operands(node, inside[node])))
    return Needed(tuple(reversed(kept)), frozenset(values), inside)


def needs_inside(
    node: Node, tried: bool = False, showing: set[Node] | None = None
) -> tuple[Needed, ...]:
    """Return the needed parts of each region of a node; see `needs_of`."""
    return tuple(
        needs_of(region, tried or (node.op.name == "try_except" and at == 0), showing)
        for at, region in enumerate(node.regions)
    )


def may_fail(node: Node) -> bool:
    """Return whether `node` or a node in its regions may raise."""
    if raised_by_node(node):
        return True
    return any(may_fail(inner) for region in node.regions for inner in region.nodes)


def shows_failure(node: Node) -> bool:
    """Return whether `node`, or a node in its regions, raises for plausible values.

    Such an error is visible even if nothing uses the result.
    """
    return node_shows_failure(node) or any(_find_showing(each, set()) for each in node.regions)


def _find_showing(graph: Graph, found: set[Node]) -> bool:
    """Find the nodes of a graph, and of its regions, for which `shows_failure` is true.

    Each node is visited once, at any depth. Return whether there are any in the graph.
    """
    shows = False
    for node in graph.nodes:
        inside = [_find_showing(region, found) for region in node.regions] if node.regions else ()
        if node_shows_failure(node) or any(inside):
            found.add(node)
            shows = True
    return shows


def is_required(node: Node) -> bool:
    """Return whether `node` must run even if its results are unused."""
    return STRENGTH[node.effect] > STRENGTH["read"]


def prune(graph: Graph, kept: Mapping[Node, Any] = NOTHING_KEPT) -> Graph:
    """Return a copy of `graph` with only the needed nodes.

    Args:
        graph: the graph.
        kept: by `new_variable` node, the variable that it made if that outlives the graph; the copy
            captures the variable.

    The copy has the same parameters; unused captures are dropped, and names, origins and the order
    of effects stay as they were.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     unused, used = x + x, x * x
        >>> graph.set_outputs([used])
        >>> [node.name for node in prune(graph)]
        ['multiply']
    """
    needs = needs_of(graph)
    copy = Graph(graph.name, graph.outer)
    copy.gradient_lines = graph.gradient_lines
    values = _copy_parameters(copy, graph)
    for capture in graph.captures:
        if needs.uses(capture.inner):
            values[id(capture.inner)] = copy.capture(capture.outer, capture.inner.node.name)
    for node, variable in kept.items():
        values[id(node.outputs[0])] = copy.capture(variable, node.name)
    others = tuple(node for node in needs.nodes if node not in kept)
    copy_nodes(copy, graph, needs._replace(nodes=others) if kept else needs, values)
    return copy


def _copy_parameters(copy: Graph, graph: Graph) -> dict[int, SymbolicTensor]:
    return {
        id(tensor): copy.add_input(tensor.spec, tensor.node.name, tensor.weak)
        for tensor in graph.parameters
    }


def copy_nodes(copy: Graph, graph: Graph, needs: Needed, values: dict[int, SymbolicTensor]) -> None:
    """Add the needed nodes of `graph` to `copy`, and set its outputs.

    Args:
        copy: the new graph.
        graph: the graph with the outputs.
        needs: the needed nodes.
        values: the values of the copy, by identity of the originals; those of the nodes are added.
    """
    for node in needs.nodes:
        inputs = operands_in(node, needs.regions[node], values)
        regions = copy_regions(copy, node, needs.regions[node], values)
        specs = [tensor.spec for tensor in node.outputs]
        new = copy.append(node.op, inputs, node.attrs, regions, specs, node.name, node.origin)
        new.label = node.label
        for old_output, output in zip(node.outputs, new.outputs, strict=True):
            output.weak = old_output.weak
            values.setdefault(id(old_output), output)
    copy.outputs = [values[id(tensor)] for tensor in graph.outputs]


def copy_regions(
    copy: Graph, node: Node, inside: tuple[Needed, ...], values: Mapping[int, SymbolicTensor]
) -> tuple[Graph, ...]:
    """Return the needed parts of a node's regions, as regions of a node of `copy`."""
    used = _used_captures(node, inside)
    regions = []
    for region, needs in zip(node.regions, inside, strict=True):
        new = Graph(region.name, copy)
        new.gradient_lines = region.gradient_lines
        new.is_called = region.is_called
        local = _copy_parameters(new, region)
        for position in used:
            outer, inner = region.captures[position]
            local[id(inner)] = new.capture(values[id(outer)], inner.node.name)
        copy_nodes(new, region, needs, local)
        new.finish(list(new.captures))
        regions.append(new)
    return tuple(regions)


def operands_in(
    node: Node, inside: tuple[Needed, ...], values: Mapping[int, SymbolicTensor]
) -> tuple[SymbolicTensor, ...]:
    """Return the tensors of a copied graph for the needed operands of a node."""
    operands = _used_operands(node, inside)
    inputs = tuple([values[id(tensor)] for tensor in operands])
    if not node.regions:
        return inputs
    own = len(node.inputs) - len(node.regions[0].captures)
    # Two captures of the same value become one, also if only the copy makes them the same.
    return (*inputs[:own], *{id(tensor): tensor for tensor in inputs[own:]}.values())


def _used_operands(node: Node, inside: tuple[Needed, ...]) -> tuple[SymbolicTensor, ...]:
    """Return the operands of `node` without captures that all of its regions leave unused."""
    if not node.regions:
        return node.inputs
    own = len(node.inputs) - len(node.regions[0].captures)
    captures = [node.inputs[own + at] for at in _used_captures(node, inside)]
    return (*node.inputs[:own], *captures)


def _used_captures(node: Node, inside: tuple[Needed, ...]) -> list[int]:
    used = []
    for position in range(len(node.regions[0].captures) if node.regions else 0):
        inner = [region.captures[position].inner for region in node.regions]
        if any(needs.uses(tensor) for needs, tensor in zip(inside, inner, strict=True)):
            used.append(position)
    return used
