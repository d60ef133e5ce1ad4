"""Orders parallel moves so that no source is overwritten before it is read."""

from __future__ import annotations

from typing import NamedTuple

from runtime.executors.plan.plan import PlanSlot


class SlotMove(NamedTuple):
    """An assignment to a slot: the slots that it reads, and the text of the new value."""

    slot: PlanSlot
    reads: frozenset[PlanSlot]
    text: str


def sequentialized(moves: list[SlotMove]) -> list[SlotMove] | None:
    """Return moves in an order in which none reads an overwritten slot; None for a cycle."""
    left = list(moves)
    ordered: list[SlotMove] = []
    while left:
        free = next(
            (
                each
                for each in left
                if not any(each.slot in other.reads for other in left if other is not each)
            ),
            None,
        )
        if free is None:
            return None
        left.remove(free)
        ordered.append(free)
    return ordered
