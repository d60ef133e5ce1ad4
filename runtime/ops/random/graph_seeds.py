"""Seeds of the random nodes of a graph, with the numbers of TensorFlow's functions.

TensorFlow seeds a random op of a function by two numbers: the global seed at the time of the trace,
and the seed of the op, by default the count of such ops in its function, branch or loop body, from
0. Each node draws from a stream of its own, which continues from call to call and restarts with
`set_seed`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from runtime.core.random_streams import current_call_token, enclosing_streams
from runtime.ops.random.eager_seeds import STREAMS, begin, seed_of_graph
from runtime.ops.random.philox import StreamPosition


@dataclass(eq=False, repr=False)
class NodeSeeds:
    """The two seeds of a random node, and the position in its stream.

    Attributes:
        graph_seed: the global seed when the node was recorded; None if there was none.
        op_seed: the seed given to the op, else the number of unseeded random ops before it.
        is_given: whether the op was given a seed.
    """

    graph_seed: int | None
    op_seed: int
    is_given: bool

    # No annotations: these are not dataclass fields, so files do not store them.
    call = None  # type: object
    _restarts = -1
    _next = None  # type: StreamPosition | None

    @property
    def is_known(self) -> bool:
        """True if its numbers are reproducible."""
        return self.is_given or self.graph_seed is not None

    def reserve(self, blocks: int) -> StreamPosition | None:
        """Reserve blocks of the stream for a draw, and return their start; None without a seed."""
        around = enclosing_streams()
        with STREAMS.lock:
            if around is not None:
                start = around.get(self) or self._first()
                around[self] = start and start.after(blocks)
                return start
            if self._restarts != STREAMS.restarts:
                self._next, self._restarts = self._first(), STREAMS.restarts
            start = self._next
            self._next = start and start.after(blocks)
            return start

    def _first(self) -> StreamPosition | None:
        if self.is_known:
            return begin(self.graph_seed, self.op_seed)
        # A global seed that is set after the trace also applies.
        return None if STREAMS.seed is None else begin(STREAMS.seed, self.op_seed)

    def __repr__(self) -> str:
        if not self.is_known:
            return "None"
        return f"{'default' if self.graph_seed is None else self.graph_seed}+{self.op_seed}"


def seeded(graph: Any, attrs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a random op with the seeds of its node in a graph."""
    seed = attrs["seed"]
    if isinstance(seed, NodeSeeds):
        return dict(attrs)
    number = _next_number(graph) if seed is None else seed
    made = NodeSeeds(seed_of_graph(graph), number, seed is not None)
    made.call = current_call_token()
    return {**attrs, "seed": made}


def _next_number(graph: Any) -> int:
    """Return the number of unseeded random ops so far in a graph, for the op being recorded."""
    call = current_call_token()
    for node in _nodes_back(graph):
        seeds = node.attrs.get("seed")
        if isinstance(seeds, NodeSeeds) and not seeds.is_given and seeds.call is call:
            return seeds.op_seed + 1
    return 0


def _nodes_back(graph: Any) -> Iterator[Any]:
    """Yield nodes from the last one; as in TensorFlow, with those in the parts of a `try`."""
    yield from _own_nodes_back(graph)
    while hasattr(graph, "has_begun"):
        graph = graph.outer
        yield from _own_nodes_back(graph)


def _own_nodes_back(graph: Any) -> Iterator[Any]:
    for node in reversed(graph.nodes):
        if node.op.name == "try_except":
            for region in reversed(node.regions):
                yield from _own_nodes_back(region)
        yield node


def draws_by_seeds(graph: Any) -> bool:
    """Return whether a graph or a part of it draws reproducible numbers."""
    for node in graph.nodes:
        seeds = node.attrs.get("seed")
        if isinstance(seeds, NodeSeeds) and seeds.is_known:
            return True
        called = getattr(node.attrs.get("callee"), "graph", None)
        parts = (*node.regions, *([] if called is None or called is graph else [called]))
        if node.effect != "none" and any(map(draws_by_seeds, parts)):
            return True
    return False
