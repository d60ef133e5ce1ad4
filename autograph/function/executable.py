"""The interface between a concrete function and the executor of its graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.core.context import current_watchers
from runtime.executors import interpreter
from runtime.executors.numpy.compiled_function import compiled
from runtime.graph.graph import Graph
from runtime.summary.traced_graphs import RUN_GRAPHS


class Executable:
    """A verified graph made callable; captured values are read from the graph at every call.

    It takes one array per parameter of the graph, and returns one per output.

    Attributes:
        graph: the graph.
        run: the same without observers: no tape is open, no graphs are noted. It may be another
            function at each call.
        function: the function that `run` calls with NumPy's warnings off, with the arrays one by
            one. `runtime.executors.numpy.runtime_errors` explains its errors. It may change, too.

    Example:
        >>> import autograph as ag, runtime as rt
        >>> double = ag.function(lambda x: x + x)
        >>> concrete = double.get_concrete_function(rt.TensorSpec((2,), rt.int32))
        >>> print(concrete.executable.source, end="")
        def _lambda_(x):
            add = np_add(x, x)
            return (add,)
    """

    __slots__ = ("function", "graph", "run")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.run: Callable[[Sequence[Any]], Sequence[Any]] = self._run_first
        self.function: Callable[..., Sequence[Any]] = self._call_first

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
        """The source of the printed function of the graph."""
        return compiled(self.graph).source

    def _run_first(self, arrays: Sequence[Any]) -> Sequence[Any]:
        self._compile()
        return self.run(arrays)

    def _call_first(self, *arrays: Any) -> Sequence[Any]:
        self._compile()
        return self.function(*arrays)

    def _compile(self) -> None:
        made = compiled(self.graph)
        self.run, self.function = made.run, made.function


def executable_of(graph: Graph) -> Executable:
    """Make a verified graph callable."""
    return Executable(graph)
