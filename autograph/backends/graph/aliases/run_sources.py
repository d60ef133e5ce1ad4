"""Of which runs of items, lists of the graph, another one is made."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import runtime as rt
from autograph.backends.graph.watching.noted import noted
from runtime.graph.graph import PLACEHOLDER, Graph
from runtime.graph.node import Node
from runtime.graph.region_ops import COND, WHILE
from runtime.ops.list_kernels import APPEND, GET, INSERT, LIST_OF, POP, SET

# How many steps away from a run its items are.
_ITEM = 1
# The first output of those ops that take an item out of a run, and the first input that is put in.
_PICKING = {GET: 0, POP: 1}
_PUTTING = {APPEND: 1, INSERT: 2, SET: 2}


def is_made_of(runs: Iterable[rt.Tensor], others: Iterable[rt.Tensor | None]) -> list[bool]:
    """Tell of each of other runs whether items of it may be in one of these.

    What a loop that is still traced has put in on earlier turns may be all there was before it.
    """
    sources = _Sources(runs)
    return [sources.items_of(each) or sources.comes_in(each) for each in others]


def items_from(run: rt.Tensor) -> frozenset[int]:
    """Return, by identity, the runs whose items are in one, and itself.

    Those that were only gone over to make it do not count.
    """
    sources = _Sources([run])
    return frozenset(key for key, (each, _) in sources.reached.items() if sources.items_of(each))


class _Sources:
    """The runs that some are made of, found backwards through the graph.

    A list of lists has runs in the items of its run. The items of a run are one step away from
    it, those of the runs in them two steps, and so on.

    Attributes:
        reached: those runs, by identity, and how many steps at least what of them may be in one
            of the first ones is away.
    """

    def __init__(self, runs: Iterable[rt.Tensor]) -> None:
        known = noted()
        self._carried_anew = {} if known is None else known.carried_anew
        self.reached: dict[int, tuple[rt.SymbolicTensor, int]] = {}
        # Finished regions, by identity, with the nodes they belong to.
        self._nodes: dict[int, Node] = {}
        self._open: list[Graph] = []
        waiting = [(run, _ITEM) for run in runs]
        while waiting:
            run, steps = waiting.pop()
            if isinstance(run, rt.SymbolicTensor) and steps < self._steps(run):
                self.reached[id(run)] = (run, steps)
                waiting.extend((each, max(_ITEM, far)) for each, far in self._behind(run, steps))

    def items_of(self, run: rt.Tensor | None) -> bool:
        """Tell whether items of a run may be in one of the first ones."""
        return self._steps(run) == _ITEM

    def comes_in(self, run: rt.Tensor | None) -> bool:
        """Tell whether a run was there before a loop that is still traced, and may come from it."""
        graph = run.graph if isinstance(run, rt.SymbolicTensor) else None
        return any(_is_around(graph, loop) for loop in self._open)

    def _steps(self, run: rt.Tensor | None) -> float:
        """Return how far away what of a run may be in one of the first ones is."""
        return self.reached.get(id(run), (run, math.inf))[1]

    def _behind(self, run: rt.SymbolicTensor, steps: int) -> Iterator[tuple[rt.Tensor, int]]:
        """Yield what a run is made of at once, each with how many steps away what is in it is."""
        node = run.node
        if id(run) in self._carried_anew:
            yield self._carried_anew[id(run)][1], steps
        if node.op is PLACEHOLDER:
            yield from ((each, steps) for each in self._given(run))
            return
        self._nodes.update((id(region), node) for region in node.regions)
        if node.op is COND or node.op is WHILE:
            # The first region of a loop is its test.
            regions = node.regions[1:] if node.op is WHILE else node.regions
            yield from ((region.outputs[run.index], steps) for region in regions)
            if node.op is WHILE:
                yield from ((each, steps) for each in node.inputs[run.index : run.index + 1])
            return
        for place, each in enumerate(node.inputs):
            if each.dtype == rt.variant:
                yield each, steps + _away(node, run, place)
        for region in node.regions:
            yield from ((each, steps) for each in _runs_in(region.outputs))

    def _given(self, run: rt.SymbolicTensor) -> Iterator[rt.Tensor]:
        """Yield what is handed to a region, or what it has captured."""
        graph = run.graph
        for capture in graph.captures:
            if capture.inner is run and isinstance(capture.outer, rt.Tensor):
                yield capture.outer
        position = next((k for k, each in enumerate(graph.parameters) if each is run), None)
        if position is None:
            return
        node = self._nodes.get(id(graph))
        if node is None:
            self._open.append(graph)
        elif node.op is WHILE:
            yield from (node.inputs[position], node.regions[1].outputs[position])
        else:
            yield from _runs_in(node.inputs)


def _away(node: Node, run: rt.SymbolicTensor, place: int) -> int:
    """Return how many steps further away from an input what is in an output of a node is."""
    if node.op in _PICKING and run.index >= _PICKING[node.op]:
        return 1
    is_item = node.op is LIST_OF or node.op in _PUTTING and place >= _PUTTING[node.op]
    return -1 if is_item else 0


def _runs_in(tensors: Sequence[rt.Tensor]) -> Iterator[rt.Tensor]:
    return (tensor for tensor in tensors if tensor.dtype == rt.variant)


def _is_around(graph: Graph | None, inner: Graph) -> bool:
    outer = inner.outer
    while outer is not None and outer is not graph:
        outer = outer.outer
    return outer is not None
