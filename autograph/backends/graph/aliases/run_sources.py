"""Of which runs of items, lists of the graph, another one is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import runtime as rt
from runtime.graph.graph import PLACEHOLDER, Graph
from runtime.graph.node import Node
from runtime.graph.region_ops import COND, WHILE


def is_made_of(runs: Iterable[rt.Tensor], others: Iterable[rt.Tensor | None]) -> list[bool]:
    """Tell of each of other runs whether items of it may be in one of these.

    What a loop that is still traced has put in on earlier turns may be all there was before it.
    """
    sources = _Sources(runs)
    return [id(each) in sources.reached or sources.comes_in(each) for each in others]


def items_from(run: rt.Tensor) -> frozenset[int]:
    """Return, by identity, the runs whose items are in one, and itself.

    Those that were only gone over to make it do not count.
    """
    return frozenset(_Sources([run], gone_over=False).reached)


class _Sources:
    """The runs that some are made of, found backwards through the graph.

    Attributes:
        reached: those runs, by identity.
    """

    def __init__(self, runs: Iterable[rt.Tensor], gone_over: bool = True) -> None:
        self._gone_over = gone_over
        self.reached: dict[int, rt.SymbolicTensor] = {}
        # Finished regions, by identity, with the nodes they belong to.
        self._nodes: dict[int, Node] = {}
        self._open: list[Graph] = []
        waiting = list(runs)
        while waiting:
            run = waiting.pop()
            if isinstance(run, rt.SymbolicTensor) and id(run) not in self.reached:
                self.reached[id(run)] = run
                waiting.extend(self._behind(run))

    def comes_in(self, run: rt.Tensor | None) -> bool:
        """Tell whether a run was there before a loop that is still traced, and may come from it."""
        graph = run.graph if isinstance(run, rt.SymbolicTensor) else None
        return any(_is_around(graph, loop) for loop in self._open)

    def _behind(self, run: rt.SymbolicTensor) -> Iterator[rt.Tensor]:
        """Yield what a run is made of at once."""
        node = run.node
        if node.op is PLACEHOLDER:
            yield from self._given(run)
            return
        self._nodes.update((id(region), node) for region in node.regions)
        if node.op is COND or node.op is WHILE:
            # The first region of a loop is its test.
            regions = node.regions[1:] if node.op is WHILE else node.regions
            yield from (region.outputs[run.index] for region in regions)
            if node.op is WHILE:
                # What it captures may be gone over in it, item by item.
                yield from node.inputs[run.index : run.index + 1]
                if self._gone_over:
                    yield from _runs_in(node.inputs[len(node.outputs) :])
            return
        yield from _runs_in(node.inputs)
        for region in node.regions:
            yield from _runs_in(region.outputs)

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


def _runs_in(tensors: Sequence[rt.Tensor]) -> Iterator[rt.Tensor]:
    return (tensor for tensor in tensors if tensor.dtype == rt.variant)


def _is_around(graph: Graph | None, inner: Graph) -> bool:
    outer = inner.outer
    while outer is not None and outer is not graph:
        outer = outer.outer
    return outer is not None
