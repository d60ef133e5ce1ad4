"""The seam between a concrete function and whoever runs its graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from runtime.executors.interpreter import run
from runtime.graph.graph import Graph
from runtime.summary.run_graphs import RUN_GRAPHS


class Executable:
    """A verified graph made callable; captured values are read from the graph at every call.

    It takes one array per parameter of the graph, and gives one per output.

    Attributes:
        graph: the graph.
        run: does the same where nobody looks on: no tape is open, no graphs are noted. It may be
            another one for each call.
    """

    __slots__ = ("graph", "run")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.run: Callable[[Sequence[Any]], Sequence[Any]] = partial(run, graph)

    def __call__(self, arrays: Sequence[Any]) -> Sequence[Any]:
        if RUN_GRAPHS.is_watching:
            RUN_GRAPHS.note(self.graph)
        return run(self.graph, arrays)


def executable_of(graph: Graph) -> Executable:
    """Make a verified graph callable."""
    return Executable(graph)
