"""What gives variables of a graph their first values in a session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.constant import constant
from runtime.ops.state import ASSIGN_VARIABLE
from runtime.session.default import get_default_graph
from runtime.variable import Variable


class Initializer:
    """Nodes that a session runs together; no dataclass, which would count as a structure.

    Attributes:
        graph: the graph they are in.
        nodes: the assignments.
    """

    def __init__(self, graph: Graph, nodes: Sequence[Node], name: str = "init") -> None:
        self.graph = graph
        self.nodes = tuple(nodes)
        self.name = name

    def __repr__(self) -> str:
        return f"<Initializer {self.name!r} of {len(self.nodes)} variables>"


def global_variables() -> list[Variable]:
    """Return the variables made in the current graph, those that somebody still has."""
    found = (reference() for reference in get_default_graph().created_variables)
    return [each for each in found if isinstance(each, Variable)]


def global_variables_initializer() -> Initializer:
    """Return what gives all variables made in the current graph so far their first values.

    A first value is computed once, when the variable is made, also one made of random numbers.
    """
    return variables_initializer(global_variables())


def variables_initializer(var_list: Iterable[Variable], name: str = "init") -> Initializer:
    """Return what gives variables their first values.

    Args:
        var_list: variables of the current graph.
        name: its name.
    """
    graph = get_default_graph()
    return Initializer(graph, [_assignment(graph, each) for each in var_list], name)


def _assignment(graph: Graph, variable: Variable) -> Node:
    first = constant(variable._array)
    graph.record(ASSIGN_VARIABLE, (variable, first), {})  # type: ignore[arg-type]
    return graph.nodes[-1]
