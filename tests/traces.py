"""Traces of programs of the corpus, which tests that only look at a graph have in common."""

from __future__ import annotations

from collections import OrderedDict

import autograph as ag
import runtime as rt
from tests.corpus import Program, undisturbed

# The tests of a program follow one another in a process, so that few are needed at a time.
_MOST = 8
_graphs: OrderedDict[str, rt.Graph] = OrderedDict()


def keep_graph(program: Program, graph: rt.Graph) -> None:
    """Have what a program was traced as, for its first case, for the tests that follow."""
    _graphs[program.id] = graph
    while len(_graphs) > _MOST:
        _graphs.popitem(last=False)


def graph_of(program: Program) -> rt.Graph:
    """Return what a program is traced as for its first case; nobody may change it.

    Raises:
        Exception: what tracing raises.
    """
    if program.id not in _graphs:
        with undisturbed(program):
            staged = ag.function(program.function)
            keep_graph(program, staged.get_concrete_function(*program.tensors(0)).graph)
    return _graphs[program.id]
