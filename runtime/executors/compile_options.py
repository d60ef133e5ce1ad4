"""Per-graph compile options."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.core.weak_tables import IdentityTable
from runtime.graph.graph import Graph


@dataclass(frozen=True)
class CompileOptions:
    """The compile options that the user passed.

    Attributes:
        passes: names of the passes that the graph goes through, None for all.
        parallel: whether independent parts run on threads: None if the gain is large, True if
            there is any gain, False never, a number for at most that many parts at once.
    """

    passes: tuple[str, ...] | None = None
    parallel: bool | int | None = None


_NOTHING = CompileOptions()
_asked: IdentityTable[Graph, CompileOptions] = IdentityTable()


def ask(graph: Graph, asked: CompileOptions) -> None:
    """Set the options for running a graph; call it before the graph runs.

    >>> graph = Graph()
    >>> ask(graph, CompileOptions(parallel=2))
    >>> asked_of(graph).parallel
    2
    """
    if asked != _NOTHING:
        _asked.put(graph, asked)


def asked_of(graph: Graph) -> CompileOptions:
    """Return the options for running a graph."""
    return _asked.get(graph) or _NOTHING


def hand_on(graph: Graph, made: Graph) -> None:
    """Copy the options of a graph to a graph that was derived from it."""
    ask(made, asked_of(graph))
