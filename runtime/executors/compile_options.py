"""Per-graph compile options."""

from __future__ import annotations

from typing import NamedTuple

from runtime.core.weak_tables import IdentityTable
from runtime.graph.graph import Graph


class CompileOptions(NamedTuple):
    """The compile options that the user passed.

    Attributes:
        passes: the passes that the graph goes through, by name or a `Pass`, None for all.
        parallel: whether independent parts run on threads: None if the gain is large, True if
            there is any gain, False never, a number for at most that many parts at once.
        executor: the name of the executor, None for the default one.
        fallback: whether the NumPy executor runs a graph that the executor refuses.
    """

    passes: tuple[object, ...] | None = None
    parallel: bool | int | None = None
    executor: str | None = None
    fallback: bool = False


_DEFAULT = CompileOptions()
_options: IdentityTable[Graph, CompileOptions] = IdentityTable()


def set_compile_options(graph: Graph, options: CompileOptions) -> None:
    """Set the options for running a graph; call it before the graph runs.

    >>> graph = Graph()
    >>> set_compile_options(graph, CompileOptions(parallel=2))
    >>> compile_options_of(graph).parallel
    2
    """
    if options != _DEFAULT:
        _options.put(graph, options)


def compile_options_of(graph: Graph) -> CompileOptions:
    """Return the options for running a graph."""
    return _options.get(graph) or _DEFAULT


def copy_compile_options(graph: Graph, derived: Graph) -> None:
    """Copy the options of a graph to a graph that was derived from it."""
    set_compile_options(derived, compile_options_of(graph))
