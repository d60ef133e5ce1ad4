"""The functions that are called while somebody looks on: their graphs, and what runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any, TypeAlias

from runtime.graph.graph import Graph

Runner: TypeAlias = "Callable[[Graph, Sequence[Any]], Sequence[Any]]"

_RUNNER: ContextVar[Runner | None] = ContextVar("runner", default=None)


class RunGraphs:
    """Notes each graph once, in the order of the first calls.

    Attributes:
        is_on: whether a trace is on.
        is_watching: whether graphs are to be noted, or run in another way; looked at for every
            call.
    """

    def __init__(self) -> None:
        self.is_on = False
        self.is_watching = False
        self._is_noting = False
        self._runners = 0
        self._graphs: dict[int, Graph] = {}
        self._lock = Lock()

    def begin(self, watches: bool) -> None:
        """Begin a trace, and with `watches` note graphs from now on."""
        self.is_on, self._is_noting = True, watches
        self._settle()

    @property
    def is_noting(self) -> bool:
        """Whether graphs are noted."""
        return self._is_noting

    def end(self) -> list[Graph]:
        """End the trace, and return the graphs that were noted."""
        self.is_on = self._is_noting = False
        self._settle()
        with self._lock:
            found, self._graphs = self._graphs, {}
        return list(found.values())

    @contextmanager
    def run_by(self, runner: Runner) -> Iterator[None]:
        """Let `runner` run the graphs of the functions that are called here, by this thread."""
        token = _RUNNER.set(runner)
        self._count(1)
        try:
            yield
        finally:
            self._count(-1)
            _RUNNER.reset(token)

    @staticmethod
    def runner() -> Runner | None:
        """Return what runs graphs here, None where nobody asked."""
        return _RUNNER.get()

    def _count(self, change: int) -> None:
        with self._lock:
            self._runners += change
        self._settle()

    def _settle(self) -> None:
        self.is_watching = self._is_noting or self._runners > 0

    def note(self, graph: Graph) -> None:
        """Note that a graph runs."""
        if not self._is_noting:
            return
        with self._lock:
            self._graphs.setdefault(id(graph), graph)


RUN_GRAPHS = RunGraphs()
