"""Caches objects derived from graphs for as long as the graphs live."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from runtime.core.fork_safety import fork_safe_lock
from runtime.core.garbage_collection import uncollected
from runtime.core.weak_tables import IdentityTable
from runtime.graph.graph import Graph

Made = TypeVar("Made")

# One for all: what is made of one graph may ask for what is made of another in other ways.
_lock = fork_safe_lock()


class DerivedOnce(Generic[Made]):
    """Makes one thing of each graph, and makes it anew when the graph has grown since.

    Args:
        make: makes it. Two threads never make at once, and one may come back to itself.

    Example:
        >>> import runtime as rt
        >>> count = DerivedOnce(lambda graph: len(graph.nodes))
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
        """Return the value made of `graph` as it is now."""
        version = (len(graph.nodes), len(graph.parameters), tuple(map(id, graph.outputs)))
        known = self._made.get(graph)
        if known is None or known[0] != version:
            with _lock:
                known = version, uncollected(lambda: self._make(graph))
                self._made.put(graph, known)
        return known[1]

    def forget(self) -> None:
        """Let all be made anew, for who changes how it is made."""
        self._made.clear()
