"""Solvers of data flow equations over a control flow graph; a set is the bits of an integer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from autograph.analysis.cfg import Cfg
from runtime.core.fork_safety import cached_property


@dataclass(eq=False, repr=False)
class Bits:
    """A numbering of members, so that a set of them is an integer.

    >>> bits = Bits.of("xyz")
    >>> bits.mask("xz"), sorted(bits.members(5))
    (5, ['x', 'z'])
    """

    places: Mapping[object, int]

    @classmethod
    def of(cls, members: Iterable[object]) -> Bits:
        """Return the numbering of members in their order."""
        return cls({member: place for place, member in enumerate(dict.fromkeys(members))})

    def mask(self, members: Iterable[object]) -> int:
        """Return the set of members, without those that have no number."""
        found = 0
        for member in members:
            place = self.places.get(member)
            if place is not None:
                found |= 1 << place
        return found

    def members(self, mask: int) -> frozenset[object]:
        """Return the members of a set."""
        found = []
        while mask:
            lowest = mask & -mask
            found.append(self._in_order[lowest.bit_length() - 1])
            mask ^= lowest
        return frozenset(found)

    @cached_property
    def _in_order(self) -> list[object]:
        return list(self.places)


def solve_backward(cfg: Cfg, transfer: Callable[[int, int, int], int]) -> list[int]:
    """Return the solution of a backward problem: for each node, the set before it.

    Args:
        cfg: the graph.
        transfer: takes a node, the set after it, and the set before the targets of its exceptions;
            returns the set before it. It must be monotonic.
    """
    before = [0] * len(cfg.pieces)
    changed = True
    while changed:
        changed = False
        # Nodes were added back to front: in this order, one round suffices without loops.
        for node, following in enumerate(cfg.successors):
            after = raised = 0
            for other in following:
                after |= before[other]
            for other in cfg.raises[node]:
                raised |= before[other]
            new = transfer(node, after, raised)
            if new != before[node]:
                before[node] = new
                changed = True
    return before


def solve_forward(cfg: Cfg, at_entry: int, transfer: Callable[[int, int], int]) -> list[int]:
    """Return the solution of a forward problem: for each node, the set before it.

    Args:
        cfg: the graph.
        at_entry: the set at the beginning of the function. The sets of all reachable nodes must not
            be empty.
        transfer: takes a node and the set before it; returns the set after it. The target of an
            exception gets both sets.
    """
    before = [0] * len(cfg.pieces)
    before[cfg.entry] = at_entry
    changed = True
    while changed:
        changed = False
        for node in range(len(before) - 1, -1, -1):
            if not before[node] and node != cfg.entry:
                continue  # not reachable, or not reached yet
            after = transfer(node, before[node])
            changed |= _flow(before, cfg.successors[node], after)
            changed |= _flow(before, cfg.raises[node], after | before[node])
    return before


def _flow(before: list[int], targets: Iterable[int], holds: int) -> bool:
    changed = False
    for target in targets:
        if holds & ~before[target]:
            before[target] |= holds
            changed = True
    return changed
