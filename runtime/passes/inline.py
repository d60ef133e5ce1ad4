"""Inlines calls of functions.

%y = function_call(%x) {callee=twice}      ->      %add = add(%x, %x)

The nodes keep their origins, so errors name the same lines. A function is inlined if it is small,
or of moderate size and called once, as long as the graph does not grow too much.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.tensor import SymbolicTensor
from runtime.graph.callee import CalledGraph, called_graph
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.prune import Needed, needs_of
from runtime.passes.rewriting import Rewriting, copy_node

# The most nodes of a function that is always inlined, and of one that is called once.
MAX_SIZE = 40
MAX_SIZE_IF_CALLED_ONCE = 400
# The most nodes that inlining may add to a graph.
MAX_GROWTH = 2000


def inline(graph: Graph) -> bool:
    """Inline called graphs in the calling graph; return whether there was one.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> @ag.function
        ... def twice(x):
        ...     return x + x
        >>> @ag.function
        ... def four_times(x):
        ...     return twice(twice(x))
        >>> from runtime.passes.prune import prune
        >>> graph = prune(four_times.get_concrete_function(rt.constant(1)).graph)
        >>> inline(graph), [node.op.name for node in graph]
        (True, ['add', 'add'])
    """
    calls = [node for node in graph.walk() if called_graph(node.attrs) is not None]
    return _Inlining(calls).run(graph) if calls else False


class _Inlining(Rewriting):
    def __init__(self, calls: Sequence[Node]) -> None:
        super().__init__()
        self._calls: dict[int, int] = {}
        for node in calls:
            called = called_graph(node.attrs)
            self._calls[id(called)] = self._calls.get(id(called), 0) + 1
        self._budget = MAX_GROWTH
        self._needs: dict[int, tuple[Needed, int]] = {}

    def visit(self, graph: Graph, node: Node) -> Sequence[SymbolicTensor] | None:
        called = called_graph(node.attrs)
        if called is None:
            return None
        needs, size = self._needs_of(called)
        is_single = self._calls.get(id(called)) == 1 and size <= MAX_SIZE_IF_CALLED_ONCE
        if not (size <= MAX_SIZE or is_single) or size > self._budget:
            return None
        values = dict(zip(map(id, called.graph.inputs), node.inputs, strict=True))
        if not (
            _have_equal_specs(called.graph.inputs, node.inputs)
            and _has_result_specs(called, node, values)
        ):
            return None
        self._budget -= size
        for each in needs.nodes:
            made = copy_node(graph, each, needs, values, node.origin)
            found = None if called_graph(made.attrs) is None else self.visit(graph, made)
            values.update(zip(map(id, each.outputs), found or self.emit(made).outputs))
        return [values[id(each)] for each in called.graph.outputs]

    def _needs_of(self, called: CalledGraph) -> tuple[Needed, int]:
        known = self._needs.get(id(called))
        if known is None:
            needs = needs_of(called.graph)
            known = self._needs[id(called)] = needs, _size(needs)
        return known


def _size(needs: Needed) -> int:
    inside = [each for regions in needs.regions.values() for each in regions]
    return len(needs.nodes) + sum(map(_size, inside))


def _have_equal_specs(first: Sequence[SymbolicTensor], others: Sequence[SymbolicTensor]) -> bool:
    """Return whether values have equal specs.

    The specs of the arguments may be more precise than those of the parameters, but the function's
    nodes were recorded for the latter.
    """
    return all(a.spec == b.spec for a, b in zip(first, others))


def _has_result_specs(called: CalledGraph, call: Node, values: dict[int, SymbolicTensor]) -> bool:
    found = [values.get(id(each), each) for each in called.graph.outputs]
    is_weak_alike = [a.weak == b.weak for a, b in zip(found, call.outputs)]
    return all(is_weak_alike) and _have_equal_specs(found, call.outputs)
