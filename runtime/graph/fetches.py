"""The state of graphs that a session runs by fetches: names, groups, control dependencies.

In such a graph a node with effects runs only if it is fetched, or if a fetched node depends on it,
by its operands or by `control_dependencies`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from runtime import nest
from runtime.core.argument_checks import shown
from runtime.core.context import recording
from runtime.core.lazy_imports import lazy_import
from runtime.core.tensor import SymbolicTensor
from runtime.errors import DTypeError
from runtime.graph.node import Node

if TYPE_CHECKING:
    from runtime.graph.graph import Graph


class FetchGroup:
    """Nodes that a session runs together.

    It is no dataclass, since `nest` would flatten one.

    Attributes:
        graph: the graph of the nodes.
        nodes: the nodes that run.
        name: the group's name, unique among nodes and groups.
    """

    type = "NoOp"
    outputs: tuple[SymbolicTensor, ...] = ()
    run = lazy_import("runtime.session.evaluation:run")

    def __init__(self, graph: Graph, nodes: Sequence[Node], name: str) -> None:
        self.graph = graph
        self.nodes = tuple(nodes)
        self.name = name

    def __repr__(self) -> str:
        return f"<Group {self.name!r} of {len(self.nodes)} nodes>"


class FetchState:
    """The groups, variables, collections and control dependencies of one graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.groups: dict[str, FetchGroup] = {}
        # Variables by the name that the program asked for.
        self.variables: dict[str, Any] = {}
        self.collections: dict[str, list[Any]] = {}
        # The control dependencies of the nodes recorded now.
        self.control_dependencies: tuple[Node, ...] = ()

    def group(self, values: Iterable[Any], name: str) -> FetchGroup:
        """Return a group that runs the nodes that are, or compute, the given values."""
        made = FetchGroup(
            self._graph,
            (*nodes_of(values), *self.control_dependencies),
            self._graph.labels.label_for_group(name),
        )
        self.groups[made.name] = made
        return made

    def depending_on(self, values: Iterable[Any] | None) -> control_dependencies_on:
        """Return a context manager inside which recorded nodes depend on those of `values`."""
        return control_dependencies_on(
            self, () if values is None else (*self.control_dependencies, *nodes_of(values))
        )


class control_dependencies_on:
    """A context manager inside which recorded nodes depend on other nodes."""

    def __init__(self, fetch_state: FetchState, nodes: tuple[Node, ...]) -> None:
        self._fetched, self._nodes = fetch_state, nodes
        self._before: list[tuple[Node, ...]] = []

    def __enter__(self) -> None:
        self._before.append(self._fetched.control_dependencies)
        self._fetched.control_dependencies = self._nodes

    def __exit__(self, *exception: object) -> None:
        self._fetched.control_dependencies = self._before.pop()


class recording_with_labels(recording):
    """A context manager that makes a graph the recorder, and ends the naming by the last call."""

    __slots__ = ("_graph",)

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self._graph = graph

    def __exit__(self, *exception: object) -> None:
        self._graph.labels.forget()
        super().__exit__(*exception)


def nodes_of(values: Iterable[Any]) -> list[Node]:
    """Return the nodes that compute values: tensors, nodes, groups; None and variables have none.

    Raises:
        DTypeError: a value is none of these.
    """
    found: list[Node] = []
    for value in nest.flatten(list(values)):
        if isinstance(value, SymbolicTensor):
            found.append(value.node)
        elif isinstance(value, Node):
            found.append(value)
        elif isinstance(value, FetchGroup):
            found += value.nodes
        elif value is not None and not hasattr(value, "handle_spec"):
            raise DTypeError(f"{shown(value)} is not a tensor or node of a graph")
    return found
