"""Per-graph compile options."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.core.weak_tables import IdentityTable
from runtime.graph.graph import Graph


@dataclass(frozen=True)
class CompileOptions:
    """The options that the user gave.

    Attributes:
        passes: names of the passes that the graph goes through, None for all.
        parallel: whether parts run side by side: None where it pays by far, True where it pays,
            False never, a number for at most so many at once.
    """

    passes: tuple[str, ...] | None = None
    parallel: bool | int | None = None


_NOTHING = CompileOptions()
_asked: IdentityTable[Graph, CompileOptions] = IdentityTable()


def ask(graph: Graph, asked: CompileOptions) -> None:
    """Set the options for running a graph; to be called before it runs.

    >>> graph = Graph()
    >>> ask(graph, Asked(parallel=2))
    >>> asked_of(graph).parallel
    2
    """
    if asked != _NOTHING:
        _asked.put(graph, asked)


def asked_of(graph: Graph) -> CompileOptions:
    """Return the options for running a graph."""
    return _asked.get(graph) or _NOTHING


def hand_on(graph: Graph, made: Graph) -> None:
    """Let a graph that was made of another one be run as that one."""
    ask(made, asked_of(graph))
