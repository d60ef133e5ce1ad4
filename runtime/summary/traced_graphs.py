"""Records and runners of the graphs that called Functions run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

from runtime.core.fork_safety import fork_safe_lock
from runtime.graph.graph import Graph

Runner: TypeAlias = "Callable[[Graph, Sequence[Any]], Sequence[Any]]"

_RUNNER: ContextVar[Runner | None] = ContextVar("runner", default=None)


class RunGraphs:
    """Records each graph once, in the order of the first calls.

    Attributes:
        is_on: whether a trace is on.
        is_watching: whether a graph trace is on or a runner is set; every call checks it.
    """

    def __init__(self) -> None:
        self.is_on = False
        self.is_watching = False
        self._is_noting = False
        self._runners = 0
        self._graphs: dict[int, Graph] = {}
        self._lock = fork_safe_lock()

    def begin(self, watches: bool) -> None:
        """Begin a trace; with `watches` it records graphs."""
        self.is_on = True
        self._look_on(watches, 0)

    @property
    def is_noting(self) -> bool:
        """True if graphs are recorded."""
        return self._is_noting

    def end(self) -> list[Graph]:
        """End the trace, and return the recorded graphs."""
        self.is_on = False
        self._look_on(False, 0)
        with self._lock:
            found, self._graphs = self._graphs, {}
        return list(found.values())

    @contextmanager
    def run_by(self, runner: Runner) -> Iterator[None]:
        """Let `runner` run the graphs of functions that this thread calls in the context."""
        token = _RUNNER.set(runner)
        self._look_on(None, 1)
        try:
            yield
        finally:
            self._look_on(None, -1)
            _RUNNER.reset(token)

    @staticmethod
    def runner() -> Runner | None:
        """Return the current runner of graphs, or None."""
        return _RUNNER.get()

    def _look_on(self, notes: bool | None, runners: int) -> None:
        """Start or stop recording (None: unchanged), and add to the number of runners."""
        with self._lock:
            self._is_noting = self._is_noting if notes is None else notes
            self._runners += runners
            self.is_watching = self._is_noting or self._runners > 0

    def note(self, graph: Graph) -> None:
        """Record a graph that runs, once."""
        if not self._is_noting:
            return
        with self._lock:
            self._graphs.setdefault(id(graph), graph)


RUN_GRAPHS = RunGraphs()
