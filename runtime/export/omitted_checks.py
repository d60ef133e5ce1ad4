"""The checks and prints of a program, which formats without exceptions leave out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from runtime.graph.graph import Graph
from runtime.graph.node import Node


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
