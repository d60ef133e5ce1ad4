"""Effects: the nodes that must keep program order, and explicit edges between them.

v.assign(1.0)        assign_variable
v.read_value()       read_variable      after assign_variable
print_(v)            print              after assign_variable, read_variable
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from runtime.graph.callee import called_effect
from runtime.graph.node import Node

if TYPE_CHECKING:
    from runtime.graph.graph import Graph

# From weakest to strongest: a node or region has the strongest effect of its parts. `io` is
# stronger than `random`, because a Python function that the graph calls may change a variable.
STRENGTH = {"none": 0, "read": 1, "random": 2, "io": 3, "write": 4}


def strongest(effects: Iterable[str]) -> str:
    """Return the effect that orders a node with all of `effects`.

    >>> strongest(["read", "io", "none"])
    'io'
    """
    return max(effects, key=STRENGTH.__getitem__, default="none")


def effect_of(own: str, attrs: Mapping[str, object], regions: Sequence[Graph]) -> str:
    """Return the effect of a node: of its op, its regions, and its callee.

    >>> effect_of("read", {}, ())
    'read'
    """
    if not regions and "callee" not in attrs:
        return own
    called = called_effect(attrs)
    if not (called or regions):
        return own
    return strongest([own, *called, *(region.effect for region in regions)])


class EffectOrder:
    """The control dependencies of a graph: the earlier nodes that the next node must follow."""

    __slots__ = ("_last_change", "_last_ordered", "_reads")

    def __init__(self) -> None:
        self._last_ordered: Node | None = None
        self._last_change: Node | None = None
        self._reads: list[Node] = []

    def follow(self, node: Node) -> tuple[Node, ...]:
        """Add `node`, the newest one, and return the earlier nodes that it must wait for.

        Nodes that write, print or draw random numbers are totally ordered. A read waits only for
        the last node that may have changed a variable; the next ordered node waits for the reads.
        """
        if node.effect == "none":
            return ()
        if node.effect == "read":
            self._reads.append(node)
            return () if self._last_change is None else (self._last_change,)
        line = () if self._last_ordered is None else (self._last_ordered,)
        before = (*line, *self._reads)
        self._reads = []
        self._last_ordered = node
        if STRENGTH[node.effect] > STRENGTH["random"]:
            self._last_change = node
        return before

    def copy(self) -> EffectOrder:
        """Return an independent copy of the order."""
        other = EffectOrder()
        other._last_ordered, other._last_change = self._last_ordered, self._last_change
        other._reads = list(self._reads)
        return other
