"""Caches objects derived from graphs for as long as the graphs live."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from runtime.core.fork_safety import fork_safe_lock
from runtime.core.garbage_collection import without_gc
from runtime.core.weak_tables import IdentityTable
from runtime.graph.graph import Graph

Made = TypeVar("Made")

# One lock for all caches: an object may be made from another one, of another cache.
_lock = fork_safe_lock()


class DerivedCache(Generic[Made]):
    """A function of graphs that computes its result once for each state of a graph.

    A graph has another state after nodes or parameters were added, or other outputs were set.

    Args:
        make: computes the result. Only one thread computes at a time; it may do so recursively.

    Example:
        >>> import autograph.runtime as rt
        >>> count = DerivedCache(lambda graph: len(graph.nodes))
        >>> graph = rt.Graph("double")
        >>> x = graph.add_input(rt.TensorSpec((2,), rt.int32), "x")
        >>> before = count(graph)
        >>> with graph.recording():
        ...     graph.set_outputs([x + x])
        >>> before, count(graph)
        (0, 1)
    """

    def __init__(self, make: Callable[[Graph], Made]) -> None:
        self._make = make
        self._made: IdentityTable[Graph, tuple[object, Made]] = IdentityTable()

    def __call__(self, graph: Graph) -> Made:
        """Return the result for the current state of `graph`."""
        version = (len(graph.nodes), len(graph.parameters), tuple(map(id, graph.outputs)))
        known = self._made.get(graph)
        if known is None or known[0] != version:
            with _lock:
                known = version, without_gc(lambda: self._make(graph))
                self._made.put(graph, known)
        return known[1]

    def forget(self) -> None:
        """Drop all results."""
        self._made.clear()
