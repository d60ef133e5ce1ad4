"""Omitted nodes: the checks and prints that formats without exceptions or output leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.passes.prune import is_required


def _raised(node: Node) -> str:
    raised: Any = node.attrs["exception"]
    return f"raise {raised.pattern.kind.__name__}"


def _checked(node: Node) -> str:
    kind: Any = node.attrs.get("error", AssertionError)
    return f"a check that raises {kind.__name__}"


CHECKS: Mapping[str, str | Callable[[Node], str]] = MappingProxyType(
    {
        "raise": _raised,
        "check": _checked,
        "refuse": _checked,
        "assert": "assert",
        "assert_data": "assert",
        "assert_relation": "assert",
        "assert_rank": "assert",
        "assert_shapes": "assert",
        "print": "print",
        "check_numerics": "check",
        "ensure_shape": "check",
    }
)
"""The name of each op that checks or prints, or the function that returns it."""


def check_name(node: Node) -> str | None:
    """Return the name of a check or a print, such as `raise ValueError`; None for other nodes.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> x = graph.add_input(rt.TensorSpec((), rt.float32), "x")
    >>> with graph.recording():
    ...     y = rt.debugging.check_numerics(x, "not finite")
    >>> check_name(graph.nodes[0])
    'check'
    """
    found = CHECKS.get(node.op.name)
    return found(node) if callable(found) else found


def checks_of(graph: Graph) -> list[Node]:
    """Return the checks and prints of a graph, also of its regions.

    >>> checks_of(Graph("f"))
    []
    """
    return [node for node in graph.walk() if node.op.name in CHECKS]


def only_for_checks(graph: Graph) -> set[Node]:
    """Return the nodes, also in regions, whose results only checks and prints need.

    A model leaves them out, too: of `if x < 0: raise ValueError(f"{x}")`, the text.

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> x = graph.add_input(rt.TensorSpec((), rt.float32), "x")
    >>> with graph.recording():
    ...     rt.print(x + 1.0)
    ...     graph.set_outputs([x * 2.0])
    >>> [node.name for node in only_for_checks(graph)]
    ['add']
    """
    found: set[Node] = set()
    _needed(graph, found)
    return {node for node in found if node.op.name != "constant"}


def _needed(graph: Graph, found: set[Node]) -> set[int]:
    """Return the identities of the values that a model needs, and add the nodes it does not."""
    values = set(map(id, graph.outputs))
    used = {id(each) for node in graph.nodes for each in node.inputs}
    for node in reversed(graph.nodes):
        results = set(map(id, node.outputs))
        if node.op.name in CHECKS:
            # A check that returns a value returns its first operand.
            values.update(map(id, node.inputs[:1] if node.outputs else ()))
        elif is_required(node) or results & values or not results & used:
            values.update(map(id, _operands(node, found)))
        else:
            found.add(node)
    return values


def _operands(node: Node, found: set[Node]) -> Iterator[SymbolicTensor]:
    """Yield the operands of a node without captures that its regions need only for checks."""
    needed = [_needed(region, found) for region in node.regions]
    own = len(node.inputs) - (len(node.regions[0].captures) if node.regions else 0)
    for at, each in enumerate(node.inputs):
        inner = [region.captures[at - own].inner for region in node.regions] if at >= own else []
        if not inner or any(id(x) in values for x, values in zip(inner, needed)):
            yield each
