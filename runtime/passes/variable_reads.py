"""Finds reads of a variable at different points of a program that return the same value.

a = v.read_value()        the state of v is 1
w.assign(a)               that of w is 2
b = v.read_value()        still 1: b is a

Only handles that a graph captures from outside are known to be different variables; a handle that
is an argument may be any variable.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from runtime.core.tensor import SymbolicTensor
from runtime.graph.effects import STRENGTH
from runtime.graph.graph import Graph
from runtime.graph.node import Node
from runtime.ops.effects.variables import HandleSpec
from runtime.passes.rewriting import PLAIN_OWNERS

_WEAKER = STRENGTH["random"]


class VariableReads:
    """Version numbers of the variables' values at the current point of a walk over a program.

    Args:
        number: returns the same number for a handle wherever it is captured.
    """

    def __init__(self, number: Callable[[SymbolicTensor], int]) -> None:
        self._number = number
        self._apart: set[int] = set()
        self._states: dict[int, int] = {}
        self._of_others = 0
        self._of_all = 0
        self._next = 0
        # The versions before the branches of a node.
        self._before: dict[Node, tuple[dict[int, int], int, int]] = {}

    def begin(self, graph: Graph) -> None:
        """Record which handles of a whole graph are known to be different variables."""
        for held in graph.captures:
            if not isinstance(held.outer, SymbolicTensor):
                self._apart.add(self._number(held.inner))

    def state(self, handle: SymbolicTensor) -> Hashable:
        """Return a key that is equal at two points if a variable holds the same value at both."""
        number = self._number(handle)
        own = self._states.get(number, 0) if number in self._apart else -self._of_others - 1
        return self._of_all, own

    def change(self, node: Node) -> None:
        """Move past a node, including the nodes in its regions."""
        handles = changed_by(node)
        if handles is None or not all(self._number(each) in self._apart for each in handles):
            self._of_all = self._fresh()
            return
        for each in handles:
            self._states[self._number(each)] = self._of_others = self._fresh()

    def enter(self, owner: Node) -> None:
        """Move to the start of a region; a branch starts with the versions before its node."""
        if owner.op.name in ("cond", "switch_case"):
            now = dict(self._states), self._of_others, self._of_all
            states, self._of_others, self._of_all = self._before.setdefault(owner, now)
            self._states = dict(states)
        elif changed_by(owner) != []:
            self._of_all = self._fresh()

    def _fresh(self) -> int:
        self._next += 1
        return self._next


def changed_by(node: Node) -> list[SymbolicTensor] | None:
    """Return the handles of the variables that a node may change; None if it may change any."""
    if STRENGTH[node.effect] <= _WEAKER:
        return None if takes_elements(node) else []
    if node.regions:
        return _changed_inside(node) if node.op.name in PLAIN_OWNERS else None
    handles = [each for each in node.inputs if isinstance(each.spec, HandleSpec)]
    return handles if node.op.effects == "write" and handles else None


def _changed_inside(node: Node) -> list[SymbolicTensor] | None:
    found: list[SymbolicTensor] = []
    for region in node.regions:
        outside = {id(held.inner): held.outer for held in region.captures}
        for inner in region.nodes:
            handles = changed_by(inner)
            outer = [outside.get(id(each)) for each in handles or ()]
            known = [each for each in outer if isinstance(each, SymbolicTensor)]
            if handles is None or len(known) < len(handles):
                return None
            found += known
    return found


def takes_elements(node: Node) -> bool:
    """Return whether a node requests an element of a dataset, which user functions may compute.

    These functions may change variables, though the node itself has no effect.
    """
    if node.op.name.startswith(("dataset_", "iterator_")):
        return True
    return any(takes_elements(inner) for region in node.regions for inner in region.nodes)
