"""Version numbers of variables: two reads with the same version return the same value.

a = v.read_value()        the version of v is 1
w.assign(a)               the version of w is 2
b = v.read_value()        the version of v is still 1: b is a

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
from runtime.passes.rewriting import CAPTURING_OPS

_STRONGEST_HARMLESS = STRENGTH["random"]


class VariableVersions:
    """The versions of the variables at the current node of a walk over a graph.

    Args:
        number: returns the same number for a handle wherever it is captured.
    """

    def __init__(self, number: Callable[[SymbolicTensor], int]) -> None:
        self._number = number
        self._distinct: set[int] = set()
        self._versions: dict[int, int] = {}
        self._other_version = 0
        self._global_version = 0
        self._count = 0
        # The versions before the branches of a node.
        self._at_branches: dict[Node, tuple[dict[int, int], int, int]] = {}

    def begin(self, graph: Graph) -> None:
        """Record which handles of a whole graph are known to be different variables."""
        for capture in graph.captures:
            if not isinstance(capture.outer, SymbolicTensor):
                self._distinct.add(self._number(capture.inner))

    def version(self, handle: SymbolicTensor) -> Hashable:
        """Return a variable's version, which is equal at two nodes only if its value is."""
        number = self._number(handle)
        own = (
            self._versions.get(number, 0) if number in self._distinct else -self._other_version - 1
        )
        return self._global_version, own

    def pass_node(self, node: Node) -> None:
        """Give new versions to the variables that a node, or a node in its regions, may change."""
        handles = changed_variables(node)
        if handles is None or not all(self._number(each) in self._distinct for each in handles):
            self._global_version = self._next_version()
            return
        for each in handles:
            self._versions[self._number(each)] = self._other_version = self._next_version()

    def enter_region(self, owner: Node) -> None:
        """Set the versions at the start of a region; a branch starts with those before its node."""
        if owner.op.name in ("cond", "switch_case"):
            now = dict(self._versions), self._other_version, self._global_version
            versions, self._other_version, self._global_version = self._at_branches.setdefault(
                owner, now
            )
            self._versions = dict(versions)
        elif changed_variables(owner) != []:
            self._global_version = self._next_version()

    def _next_version(self) -> int:
        self._count += 1
        return self._count


def changed_variables(node: Node) -> list[SymbolicTensor] | None:
    """Return the handles of the variables that a node may change; None if it may change any."""
    if STRENGTH[node.effect] <= _STRONGEST_HARMLESS:
        return None if requests_elements(node) else []
    if node.regions:
        return _changed_in_regions(node) if node.op.name in CAPTURING_OPS else None
    handles = [each for each in node.inputs if isinstance(each.spec, HandleSpec)]
    return handles if node.op.effects == "write" and handles else None


def _changed_in_regions(node: Node) -> list[SymbolicTensor] | None:
    found: list[SymbolicTensor] = []
    for region in node.regions:
        outside = {id(capture.inner): capture.outer for capture in region.captures}
        for inner in region.nodes:
            handles = changed_variables(inner)
            outer = [outside.get(id(each)) for each in handles or ()]
            known = [each for each in outer if isinstance(each, SymbolicTensor)]
            if handles is None or len(known) < len(handles):
                return None
            found += known
    return found


def requests_elements(node: Node) -> bool:
    """Return whether a node requests an element of a dataset, which user functions may compute.

    These functions may change variables, though the node itself has no effect.
    """
    if node.op.name.startswith(("dataset_", "iterator_")):
        return True
    return any(requests_elements(inner) for region in node.regions for inner in region.nodes)
