"""`Executable`: the callable form of a concrete function's graph, made at the first run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.core.context import current_watchers
from runtime.executors import interpreter
from runtime.executors.engine import on_host
from runtime.executors.executor import graph_function
from runtime.graph.graph import Graph
from runtime.summary.traced_graphs import RUN_GRAPHS


class Executable:
    """A verified graph made callable.

    It takes one array per parameter of the graph, and returns one per output. Each call reads the
    captured values from the graph.

    Attributes:
        graph: the graph.
        run: runs the graph without a tape and without listeners to the graphs that run. The first
            call replaces it, so callers read it at each call.
        function: the printed function, which `run` calls with NumPy's warnings off; it takes the
            arrays one by one. `runtime.executors.numpy.runtime_errors` explains its errors. The
            first call replaces it, too.
        run_on_device: as `run`, but takes and returns arrays of the graph's engine, too.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> double = ag.function(lambda x: x + x)
        >>> concrete = double.get_concrete_function(rt.TensorSpec((2,), rt.int32))
        >>> print(concrete.executable.source, end="")
        def _lambda_(x):
            add = np_add(x, x)
            return (add,)
    """

    __slots__ = ("function", "graph", "run", "run_on_device")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.run: Callable[[Sequence[Any]], Sequence[Any]] = self._run_first
        self.function: Callable[..., Sequence[Any]] = self._call_first
        self.run_on_device: Callable[[Sequence[Any]], Sequence[Any]] = self._run_first_on_device

    def __call__(self, arrays: Sequence[Any]) -> Sequence[Any]:
        if RUN_GRAPHS.is_watching:
            RUN_GRAPHS.note(self.graph)
            runner = RUN_GRAPHS.runner()
            if runner is not None:
                return runner(self.graph, arrays)
        if current_watchers():
            return interpreter.run(self.graph, arrays)
        return self.run(arrays)

    @property
    def source(self) -> str:
        """The text of the form that runs: the printed function, or an engine's program."""
        return graph_function(self.graph).source

    def _run_first(self, arrays: Sequence[Any]) -> Sequence[Any]:
        self._make()
        return self.run(arrays)

    def _call_first(self, *arrays: Any) -> Sequence[Any]:
        self._make()
        return self.function(*arrays)

    def _run_first_on_device(self, arrays: Sequence[Any]) -> Sequence[Any]:
        self._make()
        return self.run_on_device(arrays)

    def _make(self) -> None:
        made = graph_function(self.graph)
        self.run, self.function = made.run, made.function
        self.run_on_device = getattr(
            made, "run_on_device", lambda arrays: made.run(list(map(on_host, arrays)))
        )


def executable_of(graph: Graph) -> Executable:
    """Return the executable of a verified graph."""
    return Executable(graph)
