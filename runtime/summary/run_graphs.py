"""The graphs of the functions that are called while somebody looks on."""

from __future__ import annotations

from threading import Lock

from runtime.graph.graph import Graph


class RunGraphs:
    """Notes each graph once, in the order of the first calls.

    Attributes:
        is_on: whether a trace is on.
        is_watching: whether graphs are to be noted; looked at for every call.
    """

    def __init__(self) -> None:
        self.is_on = False
        self.is_watching = False
        self._graphs: dict[int, Graph] = {}
        self._lock = Lock()

    def begin(self, watches: bool) -> None:
        """Begin a trace, and with `watches` note graphs from now on."""
        self.is_on, self.is_watching = True, watches

    def end(self) -> list[Graph]:
        """End the trace, and return the graphs that were noted."""
        self.is_on = self.is_watching = False
        with self._lock:
            found, self._graphs = self._graphs, {}
        return list(found.values())

    def note(self, graph: Graph) -> None:
        """Note that a graph runs."""
        with self._lock:
            self._graphs.setdefault(id(graph), graph)


RUN_GRAPHS = RunGraphs()
