"""Unrolls loops whose number of iterations is known and small.

%while = while_loop(%zero, %x)           %add = add(%x, %zero)
  test: %i < 2                      ->   %add_1 = add(%add, %one)
  body: return %i + 1, %x + %i           return %add_1
return %while:1

The number of iterations is found by computing the nodes that depend on constants only. Unrolling
pays for small loops, whose unrolled nodes cost no more than the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.tensor import Array, SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.constant_folding import compute, is_small
from runtime.passes.constants import constant_of
from runtime.passes.node_traits import is_total, is_value
from runtime.passes.prune import Needed
from runtime.passes.rewriting import Rewriting, copy_node

# The most iterations of an unrolled loop, and the most nodes of all iterations together.
MAX_ITERATIONS = 8
MAX_NODES = 48


def unroll(graph: Graph) -> bool:
    """Unroll loops with few iterations, in place; return whether there was one.

    Example:
        >>> import autograph.runtime as rt
        >>> graph = rt.Graph("f")
        >>> x = graph.add_input(rt.TensorSpec((), rt.int32), "x")
        >>> with graph.recording():
        ...     body = lambda i, y: [i + 1, y * x]
        ...     graph.set_outputs(rt.while_loop(lambda i, y: i < 2, body, [rt.constant(0), x])[1:])
        >>> unroll(graph), len(graph.get_nodes_by_op("multiply"))
        (True, 2)
    """
    return _Unrolling().run(graph)


class _Unrolling(Rewriting):
    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        if node.op.name != "while_loop" or node.attrs.get("exits"):
            return None
        test, body = node.regions
        if not all(map(is_total, test.nodes)) or not _are_alike(body.outputs, body.parameters):
            return None
        count: Any = node.attrs["variables"]
        state = list(node.inputs[:count])
        if not _are_alike(state, body.parameters) or not _are_alike(state, node.outputs):
            return None
        iterations = _iterations(node, state)
        if iterations is None:
            return None
        needs = all_needed(body)
        for _ in range(iterations):
            state = self._iteration(graph, node, needs, state)
        return state

    def _iteration(
        self, graph: Graph, loop: Node, needs: Needed, state: Sequence[SymbolicTensor]
    ) -> list[SymbolicTensor]:
        """Add the nodes of one iteration; return the loop variables after it."""
        body = loop.regions[1]
        operands = (*state, *loop.inputs[len(state) :])
        values = dict(zip(map(id, body.inputs), operands, strict=True))
        for node in needs.nodes:
            made = self.emit(copy_node(graph, node, needs, values, loop.origin))
            values.update(zip(map(id, node.outputs), made.outputs))
        return [values[id(each)] for each in body.outputs]


def all_needed(graph: Graph) -> Needed:
    """Return the needed parts of a region of which all nodes are needed.

    >>> all_needed(Graph("empty")).nodes
    ()
    """
    values = [*graph.inputs, *graph.outputs]
    values += [each for node in graph.nodes for each in node.inputs]
    inside = {node: tuple(map(all_needed, node.regions)) for node in graph.nodes}
    return Needed(tuple(graph.nodes), frozenset(map(id, values)), inside)


def _are_alike(first: Sequence[SymbolicTensor], others: Sequence[SymbolicTensor]) -> bool:
    return all(a.weak == b.weak and a.spec == b.spec for a, b in zip(first, others, strict=True))


def _iterations(loop: Node, state: Sequence[SymbolicTensor]) -> int | None:
    """Return the number of iterations of a loop, None if it is unknown or too large."""
    test, body = loop.regions
    limit: Any = loop.attrs["maximum_iterations"]
    limit_of_unrolling = min(MAX_ITERATIONS, MAX_NODES // max(len(list(body.walk())), 1))
    known: list[Array | None] = [constant_of(each) for each in state]
    for iteration in range(limit_of_unrolling + 1):
        (condition,) = _known_results(test, known, test.outputs)
        if iteration == limit:
            return iteration
        if condition is None or condition.ndim:
            return None
        if not condition:
            return iteration
        known = _known_results(body, known, body.outputs)
    return None


def _known_results(
    region: Graph, parameters: Sequence[Array | None], tensors: Sequence[SymbolicTensor]
) -> list[Array | None]:
    """Return the known values of tensors, given those of the region's parameters."""
    values: dict[int, Array | None] = dict(zip(map(id, region.parameters), parameters))
    for node in region.nodes:
        if node.op.name == "constant" or not (is_value(node) and is_small(node)):
            continue
        arrays = [_value(each, values) for each in node.inputs]
        given = [each for each in arrays if each is not None]
        if len(given) == len(arrays) > 0 and (found := compute(node, given)) is not None:
            values.update(zip(map(id, node.outputs), found))
    return [_value(each, values) for each in tensors]


def _value(tensor: SymbolicTensor, values: dict[int, Array | None]) -> Array | None:
    found = values.get(id(tensor))
    return constant_of(tensor) if found is None else found
