"""Inlines a graph into the current one, in place of a call.

    %y = function_call(%x) {callee=twice}      ->      %add = add(%x, %x)

An open tape records the nodes, not the call. (The pass `inline` inlines calls in finished graphs.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.core.tensor import SymbolicTensor
from runtime.graph.callee import called_graph
from runtime.graph.capture import Capture
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.variables import HandleSpec


def inlined(
    graph: Graph, operands: Sequence[SymbolicTensor], into: Graph
) -> tuple[SymbolicTensor, ...]:
    """Record the nodes of a finished graph again and return the results.

    Args:
        graph: the graph; its regions are copied.
        operands: one tensor of `into` per input of `graph`.
        into: the current graph.

    Example:
        >>> import autograph.runtime as rt
        >>> twice, outer = rt.Graph("twice"), rt.Graph("outer")
        >>> x = twice.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with twice.recording():
        ...     y = x + x
        >>> twice.set_outputs([y])
        >>> a = outer.add_input(rt.TensorSpec((), rt.int32), "a")
        >>> with outer.recording():
        ...     outer.set_outputs(inlined(twice, [a], outer))
        >>> [node.name for node in outer]
        ['add']
    """
    values = dict(zip(map(id, graph.inputs), operands, strict=True))
    labels: list[tuple[Node, str]] = []
    for node in graph.nodes:
        inputs = [values[id(each)] for each in node.inputs]
        regions = [_copy_region(region, into, values) for region in node.regions]
        outputs = into.record(node.op, inputs, node.attrs, regions)
        if outputs:
            outputs[0].node.origin = node.origin  # Errors name the line inside of the function.
            labels.append((outputs[0].node, node.label))
        _map_outputs(values, node, outputs)
    for made, label in labels:
        made.label = label  # Recording took them for nodes of one call, that of this function.
    return tuple(values[id(each)] for each in graph.outputs)


def _copy_region(
    region: Graph, outer: Graph, outer_values: Mapping[int, SymbolicTensor], flat: bool = False
) -> Graph:
    """Return a copy of a region as a finished region of another graph."""
    copy = Graph(region.name, outer)
    copy.is_called = region.is_called
    values = _parameters_of(region, copy)
    captures = []
    for capture in region.captures:
        value = outer_values[id(capture.outer)]
        # Two operands of the copy may be the same tensor, but each has its own input.
        inner = values[id(capture.inner)] = copy._placeholder(
            capture.inner.spec, capture.inner.node.name, capture.inner.weak
        )
        captures.append(Capture(value, inner))
        copy.captures.append(captures[-1])
    _fill(copy, region, values, flat)
    copy.finish(captures)
    return copy


def copied(graph: Graph, flat: bool = False, variables_as_parameters: bool = False) -> Graph:
    """Return an unfinished copy of a graph, with the same inputs in the same order.

    Args:
        graph: the graph.
        flat: whether the nodes of called graphs replace the calls.
        variables_as_parameters: whether captured variables become parameters of the copy, after the
            others.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("twice")
    >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    >>> with graph.recording():
    ...     graph.set_outputs([x + x])
    >>> copied(graph).as_text() == graph.as_text()
    True
    """
    copy = Graph(graph.name)
    values = _parameters_of(graph, copy)
    for capture in graph.captures:
        is_handle = variables_as_parameters and isinstance(capture.inner.spec, HandleSpec)
        take: Any = copy.add_handle if is_handle else copy.capture
        values[id(capture.inner)] = take(capture.outer, capture.inner.node.name)
    _fill(copy, graph, values, flat)
    return copy


def _parameters_of(graph: Graph, copy: Graph) -> dict[int, SymbolicTensor]:
    return {
        id(each): copy.add_input(each.spec, each.node.name, each.weak) for each in graph.parameters
    }


def _fill(copy: Graph, graph: Graph, values: dict[int, SymbolicTensor], flat: bool) -> None:
    """Add the nodes of a graph to a copy whose inputs are already in `values`."""
    _copy_nodes(copy, graph, values, flat)
    copy.outputs = [values[id(each)] for each in graph.outputs]


def _copy_nodes(copy: Graph, graph: Graph, values: dict[int, SymbolicTensor], flat: bool) -> None:
    for node in graph.nodes:
        inputs = tuple([values[id(each)] for each in node.inputs])
        called = called_graph(node.attrs) if flat else None
        if called is not None:
            inside = dict(zip(map(id, called.graph.inputs), inputs, strict=True))
            _copy_nodes(copy, called.graph, inside, flat)
            _map_outputs(values, node, [inside[id(each)] for each in called.graph.outputs])
            continue
        regions = tuple([_copy_region(each, copy, values, flat) for each in node.regions])
        specs = [each.spec for each in node.outputs]
        new = copy.append(node.op, inputs, node.attrs, regions, specs, node.name, node.origin)
        new.label = node.label
        _map_outputs(values, node, new.outputs)


def _map_outputs(
    values: dict[int, SymbolicTensor], node: Node, outputs: Sequence[SymbolicTensor]
) -> None:
    for old, new in zip(node.outputs, outputs, strict=True):
        new.weak = old.weak
        values[id(old)] = new
