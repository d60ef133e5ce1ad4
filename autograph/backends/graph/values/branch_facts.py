"""Known values of flags in a branch: where `if p` is taken, p is true."""

from __future__ import annotations

from weakref import ref

import runtime as rt
from runtime.core.context import current_recorder
from runtime.core.weak_tables import IdentityTable
from runtime.graph.graph import Graph

# A flag refers to its graph: strong references here would keep all graphs alive.
_FACTS: IdentityTable[Graph, dict[int, tuple[ref[object], bool]]] = IdentityTable()


def learn(graph: object, flag: object, holds: bool) -> None:
    """Record that `flag` has the value `holds` in `graph` from now on, and its implications."""
    if not isinstance(flag, rt.SymbolicTensor) or not isinstance(graph, Graph):
        return
    _FACTS.get_or_put(graph, {})[id(flag)] = (ref(flag), holds)
    op, inputs = flag.node.op.name, flag.node.inputs
    if op in ("logical_not", "identity"):
        learn(graph, inputs[0], holds if op == "identity" else not holds)
    elif (op, holds) in (("logical_and", True), ("logical_or", False)):
        for each in inputs:
            learn(graph, each, holds)


def is_known_true(flag: object) -> bool:
    """Return whether a flag is known to be true in the graph that is recorded."""
    return known_value(flag) is True


def known_value(flag: object) -> bool | None:
    """Return the known value of a flag here, None if it is known only at run time."""
    return known_value_in(current_recorder(), flag)


def known_value_in(graph: object, flag: object) -> bool | None:
    """Return the known value of a flag in a graph, as `known_value` does in the recorded one."""
    if isinstance(flag, bool):
        return flag
    inside = graph
    while isinstance(graph, Graph):
        found = (_FACTS.get(graph) or {}).get(id(flag))
        if found is not None and found[0]() is flag:
            return found[1]
        graph = graph.outer
    if isinstance(flag, rt.SymbolicTensor) and flag.node.op.name in ("logical_not", "identity"):
        inner = known_value_in(inside, flag.node.inputs[0])
        is_same = flag.node.op.name == "identity"
        return inner if inner is None or is_same else not inner
    return None
