"""Names of nodes in a file: what TensorFlow would call them, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.export.body import Names, node_name
from runtime.export.rules.names import BASE_NAMES
from runtime.graph.graph import Graph
from runtime.graph.node import Node

Uses = Mapping[int, Sequence[Node]]
"""By the identity of a value, the nodes that take it."""

_PAIRS = (
    "add subtract multiply divide floordiv floormod truncatediv pow maximum minimum equal not_equal"
    " less less_equal greater greater_equal logical_and logical_or squared_difference atan2"
    " bitwise_and bitwise_or bitwise_xor left_shift right_shift python_divide"
)
_OPERANDS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(_PAIRS.split(), ("x", "y")),
    "select": ("condition", "t", "e"),
    "range": ("start", "limit", "delta"),
    "fill": ("value",),
}


class Scopes:
    """The names of the nodes of a graph, which may be given out before the nodes are added.

    Args:
        uses: which nodes take each value.
        names: those that are given out already.
    """

    def __init__(self, uses: Uses, names: Names) -> None:
        self._uses = uses
        self._names = names
        self._given: dict[int, str] = {}

    def of(self, node: Node) -> str:
        """Return the name of a node."""
        known = self._given.get(id(node))
        if known is None:
            known = self._given[id(node)] = self._names.fresh(self._wanted_name(node))
        return known

    def _wanted_name(self, node: Node) -> str:
        if node.op.name == "constant":
            return self._name_of_constant(node)
        named = BASE_NAMES.get(node.op.name)
        return named or node.op.lower.get("graphdef") or node_name(node.op.name)

    def _name_of_constant(self, node: Node) -> str:
        """Name a literal after the operand it is, `add/y`, where it is that of one node alone."""
        users = self._uses.get(id(node.outputs[0]), ())
        if len(users) != 1 or users[0].op.name not in _OPERANDS:
            return "Const"
        user = users[0]
        letters = _OPERANDS[user.op.name]
        at = next(i for i, each in enumerate(user.inputs) if each is node.outputs[0])
        return f"{self.of(user)}/{letters[at]}" if at < len(letters) else "Const"


def uses_of(graph: Graph) -> dict[int, list[Node]]:
    """Return which nodes take each value; an output counts as one that is unlike all others."""
    uses: dict[int, list[Node]] = {}
    for node in graph.nodes:
        for tensor in node.inputs:
            uses.setdefault(id(tensor), []).append(node)
    for tensor in graph.outputs:
        uses.setdefault(id(tensor), []).append(tensor.node)
    return uses
