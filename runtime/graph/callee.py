"""The callee of a call node: an outer region, or a self-contained graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runtime.core.spec import TensorSpec

if TYPE_CHECKING:
    from runtime.graph.graph import Graph


@dataclass(unsafe_hash=True, repr=False)
class RecursiveRegion:
    """The signature of a recursive region, as its calls see it.

    Attributes:
        name: the region's name, unique among the recursions around the call.
        inputs: the specs of its parameters, then of its captures.
        outputs: the specs of its results.
        effect: its strongest effect.
    """

    name: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    effect: str = "none"

    def __str__(self) -> str:
        return self.name


@dataclass(eq=False, repr=False)
class CalledGraph:
    """A finished graph that nodes of other graphs call; all its calls share it.

    Attributes:
        graph: the graph; it captures only eager tensors and variables.
        raises: the exception classes that it may raise.
        shows_failure: whether it raises for plausible argument values, so that an unused call must
            run.
    """

    graph: Graph
    raises: tuple[type[BaseException], ...]
    shows_failure: bool

    @property
    def name(self) -> str:
        """The graph's name."""
        return self.graph.name

    @property
    def effect(self) -> str:
        """The strongest effect of the graph."""
        return self.graph.effect

    def __str__(self) -> str:
        return self.name


def called_effect(attrs: Mapping[str, object]) -> Sequence[str]:
    """Return a list with the effect of a node's callee, empty if it calls nothing.

    >>> called_effect({"callee": RecursiveRegion("f", (), (), "io")}), called_effect({})
    (['io'], [])
    """
    callee = attrs.get("callee")
    return [callee.effect] if isinstance(callee, (RecursiveRegion, CalledGraph)) else []


def called_graph(attrs: Mapping[str, object]) -> CalledGraph | None:
    """Return the self-contained graph that a node calls, None for other nodes.

    >>> called_graph({"callee": RecursiveRegion("f", (), ())}) is None
    True
    """
    callee = attrs.get("callee")
    return callee if isinstance(callee, CalledGraph) else None


def called_graphs(graph: Graph) -> list[CalledGraph]:
    """Return all graphs that a graph calls, directly or through others, once each and in order."""
    found: dict[int, CalledGraph] = {}
    waiting = [graph]
    while waiting:
        for node in waiting.pop(0).walk():
            called = called_graph(node.attrs)
            if called is not None and id(called.graph) not in found:
                found[id(called.graph)] = called
                waiting.append(called.graph)
    return list(found.values())


def names_of(graphs: Sequence[CalledGraph], taken: str) -> Mapping[int, str]:
    """Return a unique name for each graph, by its identity: `f`, `f_1`, ...

    >>> names_of([], "f")
    {}
    """
    names: dict[int, str] = {}
    used = {taken}
    for called in graphs:
        name, number = called.name, 1
        while name in used:
            name, number = f"{called.name}_{number}", number + 1
        used.add(name)
        names[id(called.graph)] = name
    return names
