"""The seam between a concrete function and whoever runs its graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.executors.interpreter import run
from runtime.graph.graph import Graph
from runtime.summary.run_graphs import RUN_GRAPHS

Executable = Callable[[Sequence[Any]], Sequence[Any]]
"""Takes one array per parameter of the graph, gives one per output."""


def executable_of(graph: Graph) -> Executable:
    """Make a verified graph callable; captured values are read from the graph at every call."""

    def execute(arrays: Sequence[Any]) -> Sequence[Any]:
        if RUN_GRAPHS.is_watching:
            RUN_GRAPHS.note(graph)
            runner = RUN_GRAPHS.runner()
            if runner is not None:
                return runner(graph, arrays)
        return run(graph, arrays)

    return execute
